#include "host_problem.h"

#include "bench/base/host.h"

#include <stdlib.h>
#include <string.h>

size_t host_problem_bytes(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs), bytes = op->reference_bytes(workload);
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].is_output ? 2 * specs[i].bytes : specs[i].bytes;
    return bytes;
}

bool host_problem_make(struct host_problem *host_problem, const struct op *op, const struct workload *workload,
                       const struct input_source *source)
{
    *host_problem = (struct host_problem){.op = op, .workload = workload};
    host_problem->count = op->buffers(workload, host_problem->specs);
    bool ok = true;
    for (size_t i = 0; i < host_problem->count; i++) {
        size_t bytes = host_problem->specs[i].bytes;
        ok = (host_problem->host[i] = host_allocate_pages(bytes)) && ok;
        if (host_problem->specs[i].is_output)
            ok = (host_problem->verified[i] = malloc(bytes)) && ok;
    }
    if (ok) {
        op->fill(workload, source, host_problem->host, &host_problem->note);
        host_problem->reference = op->reference_make(workload, &host_problem->note, host_problem->host);
    }
    if (!host_problem->reference)
        host_problem_free(host_problem);
    return host_problem->reference != NULL;
}

void host_problem_free(struct host_problem *host_problem)
{
    for (size_t i = 0; i < host_problem->count; i++) {
        free(host_problem->host[i]);
        free(host_problem->verified[i]);
    }
    if (host_problem->reference)
        host_problem->op->reference_free(host_problem->reference);
    *host_problem = (struct host_problem){0};
}

void host_problem_keep_answer(struct host_problem *host_problem)
{
    for (size_t i = 0; i < host_problem->count; i++)
        if (host_problem->specs[i].is_output)
            memcpy(host_problem->verified[i], host_problem->host[i], host_problem->specs[i].bytes);
}

bool host_problem_same_answer(const struct host_problem *host_problem)
{
    for (size_t i = 0; i < host_problem->count; i++)
        if (host_problem->specs[i].is_output &&
            memcmp(host_problem->verified[i], host_problem->host[i], host_problem->specs[i].bytes) != 0)
            return false;
    return true;
}

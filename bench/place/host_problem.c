#include "host_problem.h"

#include "bench/base/host.h"

#include <stdlib.h>
#include <string.h>

size_t prepared_bytes(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs), bytes = op->reference_bytes(workload);
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].is_output ? 2 * specs[i].bytes : specs[i].bytes;
    return bytes;
}

bool prepared_make(struct prepared *prepared, const struct op *op, const struct workload *workload,
                   const struct input_source *source)
{
    *prepared = (struct prepared){.op = op, .workload = workload};
    prepared->count = op->buffers(workload, prepared->specs);
    bool ok = true;
    for (size_t i = 0; i < prepared->count; i++) {
        size_t bytes = prepared->specs[i].bytes;
        ok = (prepared->host[i] = host_allocate_pages(bytes)) && ok;
        if (prepared->specs[i].is_output)
            ok = (prepared->verified[i] = malloc(bytes)) && ok;
    }
    if (ok) {
        op->fill(workload, source, prepared->host, &prepared->note);
        prepared->reference = op->reference_make(workload, &prepared->note, prepared->host);
    }
    if (!prepared->reference)
        prepared_free(prepared);
    return prepared->reference != NULL;
}

void prepared_free(struct prepared *prepared)
{
    for (size_t i = 0; i < prepared->count; i++) {
        free(prepared->host[i]);
        free(prepared->verified[i]);
    }
    if (prepared->reference)
        prepared->op->reference_free(prepared->reference);
    *prepared = (struct prepared){0};
}

void prepared_keep_answer(struct prepared *prepared)
{
    for (size_t i = 0; i < prepared->count; i++)
        if (prepared->specs[i].is_output)
            memcpy(prepared->verified[i], prepared->host[i], prepared->specs[i].bytes);
}

bool prepared_same_answer(const struct prepared *prepared)
{
    for (size_t i = 0; i < prepared->count; i++)
        if (prepared->specs[i].is_output &&
            memcmp(prepared->verified[i], prepared->host[i], prepared->specs[i].bytes) != 0)
            return false;
    return true;
}

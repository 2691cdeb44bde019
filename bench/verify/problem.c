#include "problem.h"

#include <stdlib.h>
#include <string.h>

size_t problem_bytes(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op_buffers(op, workload, specs), bytes = op_reference_bytes(op, workload);
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].is_output ? 2 * specs[i].bytes : specs[i].bytes;
    return bytes;
}

bool problem_make(struct problem *problem, struct link *link, const struct op *op, const struct workload *workload,
                  const struct input_source *source)
{
    *problem = (struct problem){.op = op, .workload = workload};
    if (!board_make_room(link->board, link->board_fd, op, workload))
        return false;
    problem->count = board_place(link->board, op, workload, problem->specs, problem->host);
    op_fill(op, workload, source, problem->host, &problem->note);
    problem->reference = op_reference_make(op, workload, &problem->note, problem->host);
    return problem->reference != NULL;
}

void problem_free(struct problem *problem)
{
    for (size_t i = 0; i < problem->count; i++)
        free(problem->verified[i]);
    op_reference_free(problem->reference);
    *problem = (struct problem){0};
}

bool problem_keep_answer(struct problem *problem)
{
    for (size_t i = 0; i < problem->count; i++) {
        if (!problem->specs[i].is_output)
            continue;
        if (!problem->verified[i] && !(problem->verified[i] = malloc(problem->specs[i].bytes)))
            return false;
        memcpy(problem->verified[i], problem->host[i], problem->specs[i].bytes);
    }
    problem->has_answer = true;
    return true;
}

bool problem_same_answer(const struct problem *problem)
{
    if (!problem->has_answer)
        return false;
    for (size_t i = 0; i < problem->count; i++)
        if (problem->specs[i].is_output && memcmp(problem->verified[i], problem->host[i], problem->specs[i].bytes) != 0)
            return false;
    return true;
}

/* FNV-1a, by words (G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake and T. Hansen, "The FNV Non-Cryptographic Hash
 * Algorithm", draft-eastlake-fnv). */
static uint64_t digest_on(uint64_t digest, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, count - i < sizeof word ? count - i : sizeof word);
        digest = (digest ^ word) * UINT64_C(0x100000001B3);
        digest ^= digest >> 32;
    }
    return digest;
}

uint64_t problem_answer_digest(const struct problem *problem)
{
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < problem->count; i++)
        if (problem->verified[i])
            digest = digest_on(digest, problem->verified[i], problem->specs[i].bytes);
    return digest;
}

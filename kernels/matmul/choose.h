/* What the auto rungs share: of the candidates that run on this GPU and take the problem, the one that should be the
 * fastest (bench/table/model.h). Host code that is C, and C++ in simulated twins. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "bench/table/rung.h"
#include "kernels/gpu_attribute.h"
#include "takes.h"

#include <stdio.h>
#include <string.h>

static inline bool candidate_takes(rung_function *run, const struct matmul_problem *p)
{
    return run == matmul_cuda_skinny ? skinny_takes(p)
           : run == matmul_cuda_skinny_tensor
               ? skinny_tensor_takes(p, gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin))
           : run == matmul_cuda_skinny_wgmma ? skinny_wgmma_takes(p)
           : run == matmul_cuda_fp16x3_wgmma ? fp16x3_wgmma_takes(p)
           : run == matmul_cuda_rows         ? rows_takes(p)
                                             : true;
}

/* None has such a trait. NULL: there is none. */
static inline rung_function *choose(const struct matmul_problem *p, unsigned without)
{
    static rung_function *const candidates_run[] = {
#define CONSTANTS(name, ...) matmul_cuda_##name,
#include "bench/table/model.def"
    };
    const uintptr_t b_and_c = (uintptr_t)p->b | (uintptr_t)p->c;
    struct model_shape shape = {p->m, p->k, p->n, gpu_attribute(cudaDevAttrMultiProcessorCount), false, false};
    rung_function *best = NULL;
    double least_us = INFINITY;
    shape.a_is_wide = p->k % 4 == 0 && (uintptr_t)p->a % 16 == 0;
    shape.b_is_wide = p->n % 4 == 0 && b_and_c % 16 == 0;
    for (size_t i = 0; i < candidate_count; i++) {
        rung_function *run = candidates_run[i];
        const int successor = model_successor(i);
        if (successor >= 0 && rung_runs_here(candidates_run[successor], 0))
            continue;
        const double us = model_us(i, &shape);
        if (us < least_us && model_considers(i, p->m, p->k, p->n) && rung_runs_here(run, without) &&
            candidate_takes(run, p))
            best = run, least_us = us;
    }
    return best;
}

static inline const char *run_chosen(const void *problem, void *stream, unsigned without)
{
    static struct matmul_problem chosen_for;
    static rung_function *chosen;
    static char by[sizeof "constants " + MODEL_DIGEST];
    const bool is_known = chosen && memcmp(&chosen_for, problem, sizeof chosen_for) == 0 &&
                          strcmp(by + sizeof "constants " - 1, model_digest()) == 0;
    if (!is_known) {
        memcpy(&chosen_for, problem, sizeof chosen_for);
        chosen = choose(&chosen_for, without);
        snprintf(by, sizeof by, "constants %s", model_digest());
    }
    rung_chose(by);
    return chosen ? rung_hand_over(chosen, problem, stream) : "no candidate runs on this GPU";
}

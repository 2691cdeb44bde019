/* Products of matrices by rungs of matmul and its gradients, for by_products.h. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/matmul_grad_a.h"
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"

constexpr int SMALL_BATCH = 64; /* rows that cuda_small of the gradients has in shared memory at once */

struct product_by_rungs {
    rung_function *matmul, *grad_a, *grad_b;

    const char *operator()(cudaStream_t stream, bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k,
                           const float *a, const float *b, float *c) const
    {
        const struct matmul_grad_b_problem by_b = {k, m, n, a, b, c};
        const struct matmul_grad_a_problem by_a = {m, n, k, a, b, c};
        const struct matmul_problem forward = {m, k, n, a, b, c};
        return a_transposed   ? rung_run_part(grad_b, &by_b, stream)
               : b_transposed ? rung_run_part(grad_a, &by_a, stream)
                              : rung_run_part(matmul, &forward, stream);
    }
};

/* mnist_step cpu_tuned: the best CPU rungs of the parts, one after another.
 *
 * Technique: the batch goes through each layer at once, so every layer is a product of matrices and backward two more,
 * by cpu_auto of matmul and cpu_tuned of its gradients: packed tiles, SIMD, all threads. What lies between them is
 * one pass each over what stays in the caches (by_products.h).
 *
 * What it fixes in cpu_scalar: a weight that is loaded serves many images, and a product is a fraction of an
 * instruction.
 *
 * What bounds it: the multiply-add units in the two products of the first layer; with a small batch also the traffic of
 * the parameters, which are read, summed and written. */
#include "bench/table/matmul.h"
#include "bench/table/matmul_grad_a.h"
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"
#include "by_products.h"

static const char *tuned_product(bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k, const float *a,
                                 const float *b, float *c)
{
    if (a_transposed) {
        const struct matmul_grad_b_problem part = {.m = k, .n = n, .k = m, .a = a, .dc = b, .db = c};
        return rung_run_part(matmul_grad_b_cpu_tuned, &part, NULL);
    }
    if (b_transposed) {
        const struct matmul_grad_a_problem part = {.m = m, .n = k, .k = n, .dc = a, .b = b, .da = c};
        return rung_run_part(matmul_grad_a_cpu_tuned, &part, NULL);
    }
    const struct matmul_problem part = {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c};
    return rung_run_part(matmul_cpu_auto, &part, NULL);
}

const char *mnist_step_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    return step_by_products(tuned_product, problem);
}

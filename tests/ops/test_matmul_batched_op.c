/* The operation matmul_batched: what its answer is, and which answers are refused. What it shares with others is in
 * test_operations.c. */
#include "bench/table/matmul_batched.h"
#include "array_problem.h"
#include "tests/unit.h"

#include <string.h>

extern const struct op matmul_batched_op;

enum { A, B, C, BUFFERS };

TEST(each_product_is_of_its_own_factors)
{
    static const struct workload workload = {"2x2x3x1", {2, 2, 3, 1}, 0};
    float a[] = {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}, b[] = {1, 10, 100, 2, 20, 200};
    struct array_problem made = {.op = &matmul_batched_op,
                                 .note = {.exact = true},
                                 .workload = &workload,
                                 .host = {a, b, (float[]){321, 654, -642, -1308}}};
    assert_true(array_problem_check(&made).correct);
    made.host[C] = (float[]){321, 654, -321, -654};
    assert_non_null(strstr(array_problem_check(&made).reason, "C[1,0,0] is -321, expected -642 exactly; 2 of 4"));
}

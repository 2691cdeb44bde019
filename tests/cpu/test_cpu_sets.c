/* matmul cpu_auto with each instruction set that this processor has, not the best one alone: how it cuts a problem, and
 * what memory it takes for that, depends on the width of a vector. */
#include "cpu/backend/cpu_isa.h"
#include "tests/unit.h"

#include <omp.h>

static int set;
#define isa_best() set
#define matmul_cpu_auto matmul_of_set
#include "cpu/matmul/auto.c"
#undef isa_best

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { WORK_MAX = 4000000, THREADS = 3 };

static float *numbers(int64_t count)
{
    float *made = malloc((size_t)count * sizeof *made);
    assert_non_null(made);
    for (int64_t i = 0; i < count; i++)
        made[i] = (float)(i * 7 % 13 - 6);
    return made;
}

/* Integers, of which no sum is rounded. */
static void multiply(int64_t m, int64_t k, int64_t n)
{
    float *a = numbers(m * k), *b = numbers(k * n), *c = numbers(m * n);
    const struct matmul_problem problem = {.m = m, .k = k, .n = n, .a = a, .b = b, .c = c};
    assert_null(matmul_of_set(&problem, NULL));
    for (int64_t i = 0; i < m * n; i++) {
        float sum = 0;
        for (int64_t p = 0; p < k; p++)
            sum += a[i / n * k + p] * b[p * n + i % n];
        if (sum != c[i])
            fail_msg("set %d, %dx%dx%d: C[%d] is %g, expected %g", set, (int)m, (int)k, (int)n, (int)i, (double)c[i],
                     (double)sum);
    }
    free(a);
    free(b);
    free(c);
}

TEST(each_instruction_set_multiplies)
{
    static const int64_t m[] = {1, 13, 65, 319, 1030}, k[] = {1, 2, 4, 5, 33, 256},
                         n[] = {1, 9, 33, 64, 129, 160, 315, 700};
    const int usual = omp_get_max_threads();
    omp_set_num_threads(THREADS);
    for (set = 0; set <= isa_best(); set++)
        for (size_t i = 0; i < COUNT(m) * COUNT(k) * COUNT(n); i++) {
            const int64_t rows = m[i % COUNT(m)], depth = k[i / COUNT(m) % COUNT(k)],
                          columns = n[i / COUNT(m) / COUNT(k)];
            if (rows * depth * columns <= WORK_MAX)
                multiply(rows, depth, columns);
        }
    omp_set_num_threads(usual);
}

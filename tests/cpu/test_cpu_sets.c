/* matmul cpu_auto with each instruction set that this processor has, not the best one alone, and cut for more threads
 * than it may have: how it cuts a problem, and what memory it takes for that, depends on both. */
#include "cpu/backend/cpu_isa.h"
#include "tests/unit.h"

#include <omp.h>

static int set;
#define isa_best() set
#define matmul_cpu_auto matmul_of_set
#include "cpu/matmul/auto.c"
#undef isa_best
#undef matmul_cpu_auto

enum { WORK_MAX = 4000000, THREADS = 3 };

/* Integers, of which no sum is rounded. */
static float *numbers(int64_t count)
{
    float *made = malloc((size_t)count * sizeof *made);
    assert_non_null(made);
    for (int64_t i = 0; i < count; i++)
        made[i] = (float)(i * 7 % 13 - 6);
    return made;
}

struct product {
    struct matmul_problem problem;
    float *c, *expected;
};

static struct product make_product(int64_t m, int64_t k, int64_t n)
{
    float *a = numbers(m * k), *b = numbers(k * n), *c = numbers(m * n);
    const struct product made = {
        {.m = m, .k = k, .n = n, .a = a, .b = b, .c = c}, c, calloc((size_t)(m * n), sizeof(float))};
    for (int64_t i = 0; i < m; i++)
        for (int64_t p = 0; p < k; p++)
            for (int64_t j = 0; j < n; j++)
                made.expected[i * n + j] += a[i * k + p] * b[p * n + j];
    return made;
}

static void free_product(const struct product *product)
{
    free((void *)product->problem.a);
    free((void *)product->problem.b);
    free(product->c);
    free(product->expected);
}

static void try_way(const struct product *product, rung_function *run, int threads)
{
    const struct matmul_problem *p = &product->problem;
    const int usual = omp_get_max_threads();
    for (int64_t i = 0; i < p->m * p->n; i++)
        product->c[i] = NAN;
    omp_set_num_threads(threads);
    assert_null(run(p, NULL));
    omp_set_num_threads(usual);
    for (int64_t i = 0; i < p->m * p->n; i++)
        if (product->c[i] != product->expected[i])
            fail_msg("set %d, %d threads, %dx%dx%d: C[%d] is %g, expected %g", set, threads, (int)p->m, (int)p->k,
                     (int)p->n, (int)i, (double)product->c[i], (double)product->expected[i]);
}

TEST(each_instruction_set_multiplies)
{
    static const int64_t m[] = {1, 13, 65, 319, 1030}, k[] = {1, 2, 4, 5, 33, 256},
                         n[] = {1, 9, 33, 64, 129, 160, 315, 700};
    for (size_t i = 0; i < LENGTH(m) * LENGTH(k) * LENGTH(n); i++) {
        const int64_t rows = m[i % LENGTH(m)], depth = k[i / LENGTH(m) % LENGTH(k)],
                      columns = n[i / LENGTH(m) / LENGTH(k)];
        if (rows * depth * columns > WORK_MAX)
            continue;
        const struct product product = make_product(rows, depth, columns);
        for (set = 0; set <= isa_best(); set++)
            try_way(&product, matmul_of_set, THREADS);
        free_product(&product);
    }
}

/* Each way of it, and matmul_cpu_threaded. */
TEST(products_are_right_for_any_number_of_threads)
{
    static const int64_t sizes[][3] = {{5, 1, 5},       {4200, 33, 9}, {5, 9001, 12},   {13, 20000, 3}, {3, 300, 9000},
                                       {40, 2100, 333}, {700, 67, 5},  {130, 1024, 40}, {90, 700, 700}, {1600, 31, 33},
                                       {4, 40, 70},     {1, 40, 700},  {3536, 5, 7},    {300, 8, 70},   {362, 2, 67},
                                       {900, 4, 146},   {500, 1, 30},  {100, 8192, 5}};
    set = isa_best();
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        const struct product product = make_product(sizes[i][0], sizes[i][1], sizes[i][2]);
        for (int threads = 1; threads < 18; threads += threads < 4 ? 1 : 6) {
            try_way(&product, matmul_of_set, threads);
            try_way(&product, matmul_cpu_threaded, threads);
        }
        free_product(&product);
    }
}

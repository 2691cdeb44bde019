/* A program like rungbench, with an operation of its own, y = A^T x, and two rungs of it. */
#include <rungbench.h>

/* What rungs see: the sizes, then the arrays. */
struct gemv_t_problem {
    int64_t m, n;
    const float *a, *x;
    float *y;
};

static const struct workload workloads[] = {{"square", {1024, 1024}, ~0U}, {"tall", {50000, 10}, ~0U}};
static const int64_t ragged[][OP_SIZES_MAX] = {{1, 1}, {1, 513}, {70, 1}, {31, 67}, {33, 130}, {257, 9}};

static const struct op gemv_t = {
    .name = "gemv_t",
    .sizes = "m n",
    .args = {{"A", "m,n"}, {"x", "m"}, {"y", "n", .is_output = true}},
    .formula = "y[j] = A[i,j] x[i]",
    OP_WORKLOADS,
};

static const char *run_plain(const void *problem, void *stream)
{
    const struct gemv_t_problem *p = problem;
    (void)stream;
    for (int64_t j = 0; j < p->n; j++) {
        float sum = 0;
        for (int64_t i = 0; i < p->m; i++)
            sum += p->a[i * p->n + j] * p->x[i];
        p->y[j] = sum;
    }
    return NULL;
}

enum { STRIP = 128 };

static const char *run_strips(const void *problem, void *stream)
{
    const struct gemv_t_problem *p = problem;
    (void)stream;
#pragma omp parallel for
    for (int64_t first = 0; first < p->n; first += STRIP) {
        const int64_t count = p->n - first < STRIP ? p->n - first : STRIP;
        float sum[STRIP] = {0};
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < count; j++)
                sum[j] += p->a[i * p->n + first + j] * p->x[i];
        for (int64_t j = 0; j < count; j++)
            p->y[first + j] = sum[j];
    }
    return NULL;
}

static const struct op *const ops[] = {&gemv_t};

static const struct rung rungs[] = {
    {.variant = "cpu_plain",
     .op = &gemv_t,
     .backend = &rungbench_backends[BACKEND_cpu],
     .run = run_plain,
     .traits = RUNG_BASELINE,
     .summary = "column by column"},
    {.variant = "cpu_strips",
     .op = &gemv_t,
     .backend = &rungbench_backends[BACKEND_cpu],
     .run = run_strips,
     .summary = "row by row, in strips, which threads share"},
};

static const struct registry registry = {rungbench_backends, BACKEND_COUNT, ops, 1, rungs, 2};
static const struct rungbench program = {.registry = &registry};

int main(int argc, char **argv)
{
    return rungbench_main(argc, argv, &program);
}

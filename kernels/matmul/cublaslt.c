/* matmul cublaslt: NVIDIA's library at its best, which the ladder is compared with.
 *
 * Technique: cublasSgemm takes the first algorithm that cuBLAS's heuristics name; cublasLt tells more of them. A
 * shape's first call, which is never timed, runs each and keeps the fastest, as a program that multiplies one shape
 * often would. Caches are warm then, so in mode cold another one may have been faster still. The choice is in the
 * column `choice`; another process may choose another one, whose sums have another order. All of them compute in FP32:
 * TF32 is a compute type of its own (CUBLAS_COMPUTE_32F_FAST_TF32).
 *
 * What bounds it: as cublas.
 *
 * Source: cuBLAS Library User Guide, "Using the cublasLt API". */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/cublas_handle.h"
#include "kernels/fastest.h"
#include "kernels/workspace.h"

#include <cublasLt.h>
#include <stdio.h>
#include <string.h>

enum { WORKSPACE_BYTES = 32 << 20, CANDIDATES = 32, PLANS_KEPT = 64, ALIGNMENT_MOST = 256 };

/* What an algorithm is chosen for. */
struct shape {
    int64_t m, n, k;
    int64_t alignment; /* of A, B and C */
};

/* How cublasLt is told of a product, and what is chosen for it. It is column-major, so the factors change places
 * (kernels/cublas_sgemm.c). */
struct plan {
    struct shape shape;
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
    char text[64];
};

static cublasLtHandle_t handle;
static void *workspace;

static int64_t alignment_of(const struct matmul_problem *p)
{
    const uintptr_t bits = (uintptr_t)p->a | (uintptr_t)p->b | (uintptr_t)p->c | ALIGNMENT_MOST;
    return (int64_t)(bits & -bits);
}

static const char *describe(const struct shape *shape, struct plan *plan)
{
    const uint64_t m = (uint64_t)shape->m, n = (uint64_t)shape->n, k = (uint64_t)shape->k;
    *plan = (struct plan){.shape = *shape};
    TRY_CUBLAS(cublasLtMatmulDescCreate, &plan->operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    TRY_CUBLAS(cublasLtMatrixLayoutCreate, &plan->a, CUDA_R_32F, n, k, shape->n);
    TRY_CUBLAS(cublasLtMatrixLayoutCreate, &plan->b, CUDA_R_32F, k, m, shape->k);
    TRY_CUBLAS(cublasLtMatrixLayoutCreate, &plan->c, CUDA_R_32F, n, m, shape->n);
    return NULL;
}

static void forget(struct plan *plan)
{
    (void)cublasLtMatrixLayoutDestroy(plan->c);
    (void)cublasLtMatrixLayoutDestroy(plan->b);
    (void)cublasLtMatrixLayoutDestroy(plan->a);
    (void)cublasLtMatmulDescDestroy(plan->operation);
    *plan = (struct plan){0};
}

static const char *multiply(const struct plan *plan, const cublasLtMatmulAlgo_t *algorithm,
                            const struct matmul_problem *p, cudaStream_t stream)
{
    static const float one = 1, zero = 0;
    TRY_CUBLAS(cublasLtMatmul, handle, plan->operation, &one, p->b, plan->a, p->a, plan->b, &zero, p->c, plan->c, p->c,
               plan->c, algorithm, workspace, WORKSPACE_BYTES, stream);
    return NULL;
}

static const char *list(const struct plan *plan, cublasLtMatmulHeuristicResult_t found[CANDIDATES], int *count)
{
    static const cublasLtMatmulPreferenceAttributes_t aligned[] = {
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
    static const size_t workspace_bytes = WORKSPACE_BYTES;
    const uint32_t alignment = (uint32_t)plan->shape.alignment;
    cublasLtMatmulPreference_t wish;
    TRY_CUBLAS(cublasLtMatmulPreferenceCreate, &wish);
    cublasStatus_t status = cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                                 &workspace_bytes, sizeof workspace_bytes);
    for (size_t i = 0; i < sizeof aligned / sizeof aligned[0] && !status; i++)
        status = cublasLtMatmulPreferenceSetAttribute(wish, aligned[i], &alignment, sizeof alignment);
    if (!status)
        status = cublasLtMatmulAlgoGetHeuristic(handle, plan->operation, plan->a, plan->b, plan->c, plan->c, wish,
                                                CANDIDATES, found, count);
    (void)cublasLtMatmulPreferenceDestroy(wish);
    return cublas_check("cublasLtMatmulAlgoGetHeuristic", status);
}

/* What candidates are tried on. */
struct trial {
    const struct plan *plan;
    const struct matmul_problem *problem;
    const cublasLtMatmulHeuristicResult_t *found;
};

static const char *try_algorithm(const void *self, int i, cudaStream_t stream)
{
    const struct trial *trial = self;
    return multiply(trial->plan, &trial->found[i].algo, trial->problem, stream);
}

static int number_of(const cublasLtMatmulAlgo_t *algorithm, cublasLtMatmulAlgoConfigAttributes_t what)
{
    int number = -1;
    size_t written;
    (void)cublasLtMatmulAlgoConfigGetAttribute(algorithm, what, &number, sizeof number, &written);
    return number;
}

static const char *choose(const struct matmul_problem *p, cudaStream_t stream, struct plan *plan)
{
    cublasLtMatmulHeuristicResult_t found[CANDIDATES];
    const struct trial trial = {plan, p, found};
    int count;
    TRY_CALL(list(plan, found, &count));
    const int fastest = fastest_of(count, try_algorithm, &trial, stream);
    plan->algorithm = found[fastest].algo;
    snprintf(plan->text, sizeof plan->text, "%d of %d: algorithm %d tile %d stages %d split %d", fastest + 1, count,
             number_of(&plan->algorithm, CUBLASLT_ALGO_CONFIG_ID),
             number_of(&plan->algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID),
             number_of(&plan->algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID),
             number_of(&plan->algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM));
    return NULL;
}

/* The oldest makes room for a new one. */
static const char *find_plan(const struct matmul_problem *p, cudaStream_t stream, const struct plan **plan)
{
    static struct plan kept[PLANS_KEPT];
    static size_t next;
    const struct shape shape = {p->m, p->n, p->k, alignment_of(p)};
    *plan = &kept[next];
    for (size_t i = 0; i < PLANS_KEPT; i++)
        if (memcmp(&kept[i].shape, &shape, sizeof shape) == 0) {
            *plan = &kept[i];
            return NULL;
        }
    forget(&kept[next]);
    const char *error = describe(&shape, &kept[next]);
    if (!error)
        error = choose(p, stream, &kept[next]);
    if (error)
        forget(&kept[next]);
    else
        next = (next + 1) % PLANS_KEPT;
    return error;
}

const char *matmul_cublaslt(const void *problem, void *stream)
{
    const struct plan *plan;
    if (!handle)
        TRY_CUBLAS(cublasLtCreate, &handle);
    TRY_CALL(workspace_get(WORKSPACE_BYTES, &workspace));
    TRY_CALL(find_plan(problem, stream, &plan));
    rung_chose(plan->text);
    return multiply(plan, &plan->algorithm, problem, stream);
}

/* cuDNN's convolution, as the cudnn rungs call it. Each file that includes this has a handle and a workspace of its
 * own.
 *
 * - CUDNN_FMA_MATH forbids tensor cores, TF32 above all, because these rows are called FP32.
 * - Only algorithms that add up the products as they are: Winograd's and Fourier's transform the numbers first, and
 *   answers are off by more than a sum's rounding.
 * - The workspace is allocated once, at the first call, and algorithms that need more are left out.
 * - beta is 0: cuDNN does not read y, which may hold NaN. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/conv2d.h"
#include "bench/table/rung.h"
#include "kernels/workspace.h"

#include <cudnn.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { CUDNN_WORKSPACE_BYTES = 256 << 20, CUDNN_ALGORITHMS = CUDNN_CONVOLUTION_FWD_ALGO_COUNT, CUDNN_PLANS_KEPT = 16 };

/* Kept until the process ends. */
static struct {
    cudnnHandle_t handle;
    void *workspace;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t f;
    cudnnConvolutionDescriptor_t convolution;
    struct conv2d_problem sizes; /* of the three layouts */
    /* For these sizes, the one that cuDNN's heuristics think the fastest first. */
    cudnnConvolutionFwdAlgo_t usable[CUDNN_ALGORITHMS];
    int usable_count;
} cudnn;

/* What is chosen for sizes. */
struct cudnn_plan {
    struct conv2d_problem sizes;
    cudnnConvolutionFwdAlgo_t algorithm;
    char text[64];
};

/* The place in `usable` of the algorithm that is to be taken. */
typedef int cudnn_choose(const struct conv2d_problem *p, cudaStream_t stream);

static const char *cudnn_check(const char *call, cudnnStatus_t status)
{
    static char text[256];
    if (status == CUDNN_STATUS_SUCCESS)
        return NULL;
    snprintf(text, sizeof text, "conv2d cudnn: %s: %s", call, cudnnGetErrorString(status));
    return text;
}
#define TRY_CUDNN(call, ...) TRY_CALL(cudnn_check(#call, call(__VA_ARGS__)))

static const char *cudnn_make_handle(void)
{
    TRY_CALL(workspace_get(CUDNN_WORKSPACE_BYTES, &cudnn.workspace));
    TRY_CUDNN(cudnnCreateTensorDescriptor, &cudnn.x);
    TRY_CUDNN(cudnnCreateTensorDescriptor, &cudnn.y);
    TRY_CUDNN(cudnnCreateFilterDescriptor, &cudnn.f);
    TRY_CUDNN(cudnnCreateConvolutionDescriptor, &cudnn.convolution);
    TRY_CUDNN(cudnnSetConvolution2dDescriptor, cudnn.convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
              CUDNN_DATA_FLOAT);
    TRY_CUDNN(cudnnSetConvolutionMathType, cudnn.convolution, CUDNN_FMA_MATH);
    TRY_CUDNN(cudnnCreate, &cudnn.handle);
    return NULL;
}

/* Of FP32 sums of products. */
static bool cudnn_is_usable(const cudnnConvolutionFwdAlgoPerf_t *found)
{
    const cudnnConvolutionFwdAlgo_t algorithm = found->algo;
    return found->status == CUDNN_STATUS_SUCCESS && found->memory <= CUDNN_WORKSPACE_BYTES &&
           found->mathType == CUDNN_FMA_MATH &&
           (algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
            algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ||
            algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_DIRECT);
}

static const char *cudnn_list_algorithms(void)
{
    cudnnConvolutionFwdAlgoPerf_t found[CUDNN_ALGORITHMS];
    int count = 0;
    TRY_CUDNN(cudnnGetConvolutionForwardAlgorithm_v7, cudnn.handle, cudnn.x, cudnn.f, cudnn.convolution, cudnn.y,
              CUDNN_ALGORITHMS, &count, found);
    cudnn.usable_count = 0;
    for (int i = 0; i < count; i++)
        if (cudnn_is_usable(&found[i]))
            cudnn.usable[cudnn.usable_count++] = found[i].algo;
    return cudnn.usable_count > 0 ? NULL : "conv2d cudnn: no algorithm for these sizes adds up products in FP32";
}

static bool cudnn_same_sizes(const struct conv2d_problem *a, const struct conv2d_problem *b)
{
    return memcmp(a, b, offsetof(struct conv2d_problem, x)) == 0; /* they come first */
}

static const char *cudnn_set_sizes(const struct conv2d_problem *p)
{
    if (p->n > INT_MAX || p->c > INT_MAX || p->k > INT_MAX || p->h > INT_MAX || p->w > INT_MAX)
        return "conv2d cudnn: a size exceeds the library's integers";
    const int n = (int)p->n, c = (int)p->c, k = (int)p->k, h = (int)p->h, w = (int)p->w, r = (int)p->r;
    cudnn.sizes = (struct conv2d_problem){0};
    TRY_CUDNN(cudnnSetTensor4dDescriptor, cudnn.x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w);
    TRY_CUDNN(cudnnSetFilter4dDescriptor, cudnn.f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, k, c, r, r);
    TRY_CUDNN(cudnnSetTensor4dDescriptor, cudnn.y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, h - r + 1, w - r + 1);
    TRY_CALL(cudnn_list_algorithms());
    cudnn.sizes = *p;
    return NULL;
}

static const char *cudnn_convolve(const struct conv2d_problem *p, cudnnConvolutionFwdAlgo_t algorithm,
                                  cudaStream_t stream)
{
    static const float one = 1, zero = 0;
    TRY_CUDNN(cudnnSetStream, cudnn.handle, stream);
    TRY_CUDNN(cudnnConvolutionForward, cudnn.handle, &one, cudnn.x, p->x, cudnn.f, p->f, cudnn.convolution, algorithm,
              cudnn.workspace, CUDNN_WORKSPACE_BYTES, &zero, cudnn.y, p->y);
    return NULL;
}

/* The oldest makes room for a new one. */
static const struct cudnn_plan *cudnn_find_plan(const struct conv2d_problem *p, cudaStream_t stream,
                                                cudnn_choose *choose)
{
    static struct cudnn_plan kept[CUDNN_PLANS_KEPT];
    static size_t next;
    static const char *const names[CUDNN_ALGORITHMS] = {
        [CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM] = "IMPLICIT_GEMM",
        [CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM] = "IMPLICIT_PRECOMP_GEMM",
        [CUDNN_CONVOLUTION_FWD_ALGO_GEMM] = "GEMM",
        [CUDNN_CONVOLUTION_FWD_ALGO_DIRECT] = "DIRECT",
    };
    for (size_t i = 0; i < CUDNN_PLANS_KEPT; i++)
        if (cudnn_same_sizes(&kept[i].sizes, p))
            return &kept[i];
    struct cudnn_plan *plan = &kept[next];
    next = (next + 1) % CUDNN_PLANS_KEPT;
    const int at = choose(p, stream);
    *plan = (struct cudnn_plan){.sizes = *p, .algorithm = cudnn.usable[at]};
    snprintf(plan->text, sizeof plan->text, "%d of %d: %s", at + 1, cudnn.usable_count, names[plan->algorithm]);
    return plan;
}

static const char *cudnn_forward(const struct conv2d_problem *p, cudaStream_t stream, cudnn_choose *choose)
{
    if (!cudnn.handle)
        TRY_CALL(cudnn_make_handle());
    if (!cudnn_same_sizes(p, &cudnn.sizes))
        TRY_CALL(cudnn_set_sizes(p));
    const struct cudnn_plan *plan = cudnn_find_plan(p, stream, choose);
    rung_chose(plan->text);
    return cudnn_convolve(p, plan->algorithm, stream);
}

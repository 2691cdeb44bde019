/* conv2d cudnn: NVIDIA's library, which the ladder is compared with.
 *
 * - CUDNN_FMA_MATH forbids tensor cores, TF32 above all, because these rows are called FP32.
 * - The library's own heuristics put the algorithms in an order. The first one that adds up the products as they are is
 *   taken: Winograd's and Fourier's transform the numbers first, and answers are off by more than a sum's rounding.
 * - The workspace is allocated once, at the first call, and algorithms that need more are left out. What was made for
 *   sizes is kept until others come.
 * - beta is 0: cuDNN does not read y, which may hold NaN. */
#include "bench/table/backend.h"
#include "bench/table/conv2d.h"
#include "bench/table/rung.h"
#include "kernels/workspace.h"

#include <cudnn.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORKSPACE_BYTES = 256 << 20 };

/* Kept until the process ends. */
static cudnnHandle_t handle;
static void *workspace;
static cudnnTensorDescriptor_t x_layout, y_layout;
static cudnnFilterDescriptor_t f_layout;
static cudnnConvolutionDescriptor_t convolution;

/* Made for sizes. */
static struct {
    struct conv2d_problem sizes;
    cudnnConvolutionFwdAlgo_t algorithm;
} plan;

static const char *check(const char *call, cudnnStatus_t status)
{
    static char text[256];
    if (status == CUDNN_STATUS_SUCCESS)
        return NULL;
    snprintf(text, sizeof text, "conv2d cudnn: %s: %s", call, cudnnGetErrorString(status));
    return text;
}
#define TRY(call, ...) TRY_CALL(check(#call, call(__VA_ARGS__)))

static const char *make_handle(void)
{
    TRY_CALL(workspace_get(WORKSPACE_BYTES, &workspace));
    TRY(cudnnCreateTensorDescriptor, &x_layout);
    TRY(cudnnCreateTensorDescriptor, &y_layout);
    TRY(cudnnCreateFilterDescriptor, &f_layout);
    TRY(cudnnCreateConvolutionDescriptor, &convolution);
    TRY(cudnnSetConvolution2dDescriptor, convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    TRY(cudnnSetConvolutionMathType, convolution, CUDNN_FMA_MATH);
    TRY(cudnnCreate, &handle);
    return NULL;
}

/* Of FP32 sums of products. */
static bool is_usable(const cudnnConvolutionFwdAlgoPerf_t *found)
{
    const cudnnConvolutionFwdAlgo_t algorithm = found->algo;
    return found->status == CUDNN_STATUS_SUCCESS && found->memory <= WORKSPACE_BYTES &&
           found->mathType == CUDNN_FMA_MATH &&
           (algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
            algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ||
            algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_DIRECT);
}

static const char *choose_algorithm(void)
{
    cudnnConvolutionFwdAlgoPerf_t found[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int count = 0;
    TRY(cudnnGetConvolutionForwardAlgorithm_v7, handle, x_layout, f_layout, convolution, y_layout,
        CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count, found);
    for (int i = 0; i < count; i++) {
        if (is_usable(&found[i])) {
            plan.algorithm = found[i].algo;
            return NULL;
        }
    }
    return "conv2d cudnn: no algorithm for these sizes adds up products in FP32";
}

static const char *make_plan(const struct conv2d_problem *p)
{
    if (p->n > INT_MAX || p->c > INT_MAX || p->k > INT_MAX || p->h > INT_MAX || p->w > INT_MAX)
        return "conv2d cudnn: a size exceeds the library's integers";
    const int n = (int)p->n, c = (int)p->c, k = (int)p->k, h = (int)p->h, w = (int)p->w, r = (int)p->r;
    plan.sizes = (struct conv2d_problem){0};
    TRY(cudnnSetTensor4dDescriptor, x_layout, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w);
    TRY(cudnnSetFilter4dDescriptor, f_layout, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, k, c, r, r);
    TRY(cudnnSetTensor4dDescriptor, y_layout, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, h - r + 1, w - r + 1);
    TRY_CALL(choose_algorithm());
    plan.sizes = *p;
    return NULL;
}

const char *conv2d_cudnn(const void *problem, void *stream)
{
    static const float one = 1, zero = 0;
    const struct conv2d_problem *p = problem;
    if (!handle)
        TRY_CALL(make_handle());
    if (memcmp(p, &plan.sizes, offsetof(struct conv2d_problem, x)) != 0) /* its sizes come first */
        TRY_CALL(make_plan(p));
    TRY(cudnnSetStream, handle, stream);
    TRY(cudnnConvolutionForward, handle, &one, x_layout, p->x, f_layout, p->f, convolution, plan.algorithm, workspace,
        WORKSPACE_BYTES, &zero, y_layout, p->y);
    return NULL;
}

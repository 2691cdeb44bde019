/* conv2d cudnn: NVIDIA's library, which the ladder is compared with.
 *
 * - CUDNN_FMA_MATH forbids tensor cores, TF32 above all, because these rows are called FP32.
 * - The library's own heuristics put the algorithms in an order. The first one that adds up the products as they are is
 *   taken: Winograd's and Fourier's transform the numbers first, and answers are off by more than a sum's rounding.
 * - The workspace is allocated once, at the first call, and algorithms that need more are left out. What was made for
 *   sizes is kept until others come.
 * - beta is 0: cuDNN does not read y, which may hold NaN. */
#include "bench/table/conv2d.h"
#include "bench/table/rung.h"
#include "kernels/workspace.h"

#include <cudnn.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

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

static char error_text[256];

static const char *error_of(const char *call, cudnnStatus_t status)
{
    snprintf(error_text, sizeof error_text, "conv2d cudnn: %s: %s", call, cudnnGetErrorString(status));
    return error_text;
}

static const char *make_handle(void)
{
    const char *error = workspace_get(WORKSPACE_BYTES, &workspace);
    if (error)
        return error;
    cudnnStatus_t status = cudnnCreateTensorDescriptor(&x_layout);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnCreateTensorDescriptor(&y_layout);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnCreateFilterDescriptor(&f_layout);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnCreateConvolutionDescriptor(&convolution);
    if (status == CUDNN_STATUS_SUCCESS)
        status =
            cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnSetConvolutionMathType(convolution, CUDNN_FMA_MATH);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnCreate(&handle);
    return status == CUDNN_STATUS_SUCCESS ? NULL : error_of("a handle and descriptors", status);
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
    cudnnStatus_t status = cudnnGetConvolutionForwardAlgorithm_v7(handle, x_layout, f_layout, convolution, y_layout,
                                                                  CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count, found);
    if (status != CUDNN_STATUS_SUCCESS)
        return error_of("cudnnGetConvolutionForwardAlgorithm_v7", status);
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
    const int64_t rows = p->h - p->r + 1, columns = p->w - p->r + 1;
    if (p->n > INT_MAX || p->c > INT_MAX || p->k > INT_MAX || p->h > INT_MAX || p->w > INT_MAX)
        return "conv2d cudnn: a size exceeds the library's integers";
    plan.sizes = (struct conv2d_problem){0};
    cudnnStatus_t status = cudnnSetTensor4dDescriptor(x_layout, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, (int)p->n,
                                                      (int)p->c, (int)p->h, (int)p->w);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnSetFilter4dDescriptor(f_layout, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, (int)p->k, (int)p->c,
                                            (int)p->r, (int)p->r);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnSetTensor4dDescriptor(y_layout, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, (int)p->n, (int)p->k,
                                            (int)rows, (int)columns);
    if (status != CUDNN_STATUS_SUCCESS)
        return error_of("descriptors of these sizes", status);
    const char *error = choose_algorithm();
    if (!error)
        plan.sizes = *p;
    return error;
}

static bool is_planned(const struct conv2d_problem *p)
{
    const struct conv2d_problem *sizes = &plan.sizes;
    return p->n == sizes->n && p->c == sizes->c && p->k == sizes->k && p->h == sizes->h && p->w == sizes->w &&
           p->r == sizes->r;
}

const char *conv2d_cudnn(const void *problem, void *stream)
{
    static const float one = 1, zero = 0;
    const struct conv2d_problem *p = problem;
    const char *error = handle ? NULL : make_handle();
    if (!error && !is_planned(p))
        error = make_plan(p);
    if (error)
        return error;
    cudnnStatus_t status = cudnnSetStream(handle, stream);
    if (status == CUDNN_STATUS_SUCCESS)
        status = cudnnConvolutionForward(handle, &one, x_layout, p->x, f_layout, p->f, convolution, plan.algorithm,
                                         workspace, WORKSPACE_BYTES, &zero, y_layout, p->y);
    return status == CUDNN_STATUS_SUCCESS ? NULL : error_of("cudnnConvolutionForward", status);
}

/* The operation conv2d (bench/table/conv2d.h). */
#include "bench/table/conv2d.h"
#include "bench/table/op.h"

#include <inttypes.h>

enum { N, C, K, H, W, R };

static bool accepts(const struct workload *workload, struct error *error)
{
    const int64_t *size = workload->size;
    return (size[R] <= size[H] && size[R] <= size[W]) ||
           error_set(error, "a filter of %" PRId64 "x%" PRId64 ", expected at most the image's %" PRId64 "x%" PRId64,
                     size[R], size[R], size[H], size[W]);
}

static const struct workload workloads[] = {
    {"mnist-conv1-1", {1, 1, 32, 28, 28, 3}, SUITE_NETWORK},
    {"mnist-conv1-batch64", {64, 1, 32, 28, 28, 3}, SUITE_NETWORK},
    {"mnist-conv1-batch10000", {10000, 1, 32, 28, 28, 3}, SUITE_NETWORK},
    {"mnist-conv2-batch64", {64, 32, 64, 26, 26, 3}, SUITE_NETWORK | SUITE_OWN},
    {"photo-5x5", {1, 1, 1, 1330, 1920, 5}, SUITE_NETWORK},
    {"small", {2, 3, 5, 9, 11, 3}, SUITE_SMOKE | SUITE_OWN_SMALL},
};

/* Filters as large as the image, of one element, and larger than the kernels' tiles are made for; images of one pixel,
 * one row and one column, and wider and higher than tiles; more filters than a tile has, more elements of a filter than
 * a step along them, and more of all filters than constant memory holds. With 3 x 3 and 5 x 5, which have kernels of
 * their own: fewer filters than a thread takes, more, and so many channels that their filters are copied in parts. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1, 1, 1, 1},    {2, 3, 3, 5, 7, 2},     {1, 1, 1, 7, 7, 7},    {1, 2, 3, 1, 37, 1}, {1, 1, 5, 41, 1, 1},
    {3, 2, 4, 11, 6, 5},   {1, 1, 4, 27, 37, 2},   {1, 1, 1, 71, 5, 2},   {1, 1, 67, 3, 4, 2}, {1, 19, 3, 4, 4, 2},
    {1, 1, 1, 34, 35, 33}, {1, 1, 18, 31, 32, 31}, {9, 1, 35, 12, 11, 3}, {2, 1, 5, 6, 8, 3},  {13, 3, 11, 9, 10, 3},
    {1, 2, 3, 5, 10, 3},   {2, 130, 9, 7, 6, 5},   {1, 1, 2, 6, 9, 5},
};

/* Little more than 2^31 and 2^32 elements of images, answers and filters. */
static const int64_t far[][OP_SIZES_MAX] = {
    {429496731, 1, 7, 2, 2, 2},  {1073741827, 1, 5, 2, 2, 2},  {1, 1, 1, 67584, 67589, 3},
    {1, 3, 2, 1073741829, 2, 1}, {1, 3, 1073741829, 2, 2, 2},  {1, 3, 1073741829, 3, 4, 3},
    {1073741829, 2, 4, 3, 3, 3}, {1, 1, 1, 1073741829, 15, 3}, {1, 2, 1, 3, 1431655771, 3},
};

const struct op conv2d_op = {
    OP_NAME(conv2d),
    .sizes = "n c k h w r",
    .args = {{"x", "n,c,h,w"}, {"f", "k,c,r,r"}, {"y", "n,k,h-r+1,w-r+1", .is_output = true}},
    .formula = "y[b,q,i,j] = x[b,s,i+u,j+v] f[q,s,u,v]",
    .accepts = accepts,
    OP_WORKLOADS,
    OP_LIST(far),
};

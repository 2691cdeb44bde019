/* The operation conv2d (bench/table/conv2d.h). */
#include "bench/table/conv2d.h"
#include "array_op.h"

enum { X, F, Y, BUFFERS };
enum { N, C, K, H, W, R };

static int64_t rows_of(const struct workload *workload)
{
    return workload->size[H] - workload->size[R] + 1;
}

static int64_t columns_of(const struct workload *workload)
{
    return workload->size[W] - workload->size[R] + 1;
}

/* Of a filter. */
static int64_t taps_of(const struct workload *workload)
{
    return workload->size[C] * workload->size[R] * workload->size[R];
}

static int64_t image_of(const struct workload *workload)
{
    return workload->size[C] * workload->size[H] * workload->size[W];
}

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    const int64_t *size = workload->size;
    of[X] = (struct array_shape){"x", 4, {size[N], size[C], size[H], size[W]}};
    of[F] = (struct array_shape){"f", 4, {size[K], size[C], size[R], size[R]}};
    of[Y] = (struct array_shape){"y", 4, {size[N], size[K], rows_of(workload), columns_of(workload)}};
    return BUFFERS;
}

static int64_t start(const struct workload *workload, size_t input, int64_t element)
{
    const int64_t columns = columns_of(workload), plane = rows_of(workload) * columns, filters = workload->size[K];
    const int64_t row = element % plane / columns, column = element % columns;
    if (input == F)
        return element / plane % filters * taps_of(workload);
    return element / plane / filters * image_of(workload) + row * workload->size[W] + column;
}

static int64_t step(const struct workload *workload, size_t input, int64_t p)
{
    const int64_t h = workload->size[H], w = workload->size[W], r = workload->size[R];
    return input == F ? p : (p / r / r * h + p / r % r) * w + p % r;
}

static bool set_conv_sizes(const char *value, struct workload *workload, bool *added, struct error *error)
{
    const int64_t *size = workload->size;
    bool ok = set_sizes(value, workload, added, error);
    if (ok && (size[R] > size[H] || size[R] > size[W]))
        return error_set(error,
                         "--conv-size=%s: a filter of %" PRId64 "x%" PRId64 ", expected at most the image's %" PRId64
                         "x%" PRId64,
                         value, size[R], size[R], size[H], size[W]);
    return ok;
}

static const struct array_rule rule = {
    .flag = {"conv-size", "NxCxKxHxWxR",
             "add a conv2d workload of N images of C channels of HxW and K filters of RxR (repeatable)", set_conv_sizes,
             FILE_NONE},
    .shapes = shapes,
    .terms = taps_of,
    .start = start,
    .step = step,
};

static const struct workload workloads[] = {
    {"mnist-conv1-1", {1, 1, 32, 28, 28, 3}, SUITE_NETWORK},
    {"mnist-conv1-batch64", {64, 1, 32, 28, 28, 3}, SUITE_NETWORK},
    {"mnist-conv1-batch10000", {10000, 1, 32, 28, 28, 3}, SUITE_NETWORK},
    {"mnist-conv2-batch64", {64, 32, 64, 26, 26, 3}, SUITE_NETWORK},
    {"photo-5x5", {1, 1, 1, 1330, 1920, 5}, SUITE_NETWORK},
    {"small", {2, 3, 5, 9, 11, 3}, SUITE_SMOKE},
};

/* Filters as large as the image, of one element, and larger than the kernels' tiles are made for; images of one pixel,
 * one row and one column, and wider and higher than tiles; more filters than a tile has, more elements of a filter than
 * a step along them, and more of all filters than constant memory holds. With 3 x 3 and 5 x 5, which have kernels of
 * their own: fewer filters than a thread takes, more, and so many channels that their filters are copied in parts. */
static const struct workload ragged[] = {
    {SIZES_6(1, 1, 1, 1, 1, 1)},    {SIZES_6(2, 3, 3, 5, 7, 2)},    {SIZES_6(1, 1, 1, 7, 7, 7)},
    {SIZES_6(1, 2, 3, 1, 37, 1)},   {SIZES_6(1, 1, 5, 41, 1, 1)},   {SIZES_6(3, 2, 4, 11, 6, 5)},
    {SIZES_6(1, 1, 4, 27, 37, 2)},  {SIZES_6(1, 1, 1, 71, 5, 2)},   {SIZES_6(1, 1, 67, 3, 4, 2)},
    {SIZES_6(1, 19, 3, 4, 4, 2)},   {SIZES_6(1, 1, 1, 34, 35, 33)}, {SIZES_6(1, 1, 18, 31, 32, 31)},
    {SIZES_6(9, 1, 35, 12, 11, 3)}, {SIZES_6(2, 1, 5, 6, 8, 3)},    {SIZES_6(13, 3, 11, 9, 10, 3)},
    {SIZES_6(1, 2, 3, 5, 10, 3)},   {SIZES_6(2, 130, 9, 7, 6, 5)},  {SIZES_6(1, 1, 2, 6, 9, 5)},
};

/* Little more than 2^31 and 2^32 elements of images, answers and filters: an index of 32 bits begins again near 0. */
static const struct workload far[] = {
    {SIZES_6(429496731, 1, 7, 2, 2, 2)},  {SIZES_6(1073741827, 1, 5, 2, 2, 2)},  {SIZES_6(1, 1, 1, 67584, 67589, 3)},
    {SIZES_6(1, 3, 2, 1073741829, 2, 1)}, {SIZES_6(1, 3, 1073741829, 2, 2, 2)},  {SIZES_6(1, 3, 1073741829, 3, 4, 3)},
    {SIZES_6(1073741829, 2, 4, 3, 3, 3)}, {SIZES_6(1, 1, 1, 1073741829, 15, 3)}, {SIZES_6(1, 2, 1, 3, 1431655771, 3)},
};

enum { END_PLANES = 3, END_COLUMNS = 38 };

/* The last images, the last filters, or the last columns of the last filter's last row. Then R is 1 or H,
 * or C is 1, so that what is read of an image are pieces in equal distances. */
static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t *size = workload->size;
    struct array_shape whole[OP_BUFFERS_MAX], last[OP_BUFFERS_MAX];
    *end = *workload;
    memcpy(end->name, "its end", sizeof "its end");
    if (size[N] > 1) {
        end->size[N] = END_PLANES;
    } else if (columns_of(workload) == 1) {
        end->size[K] = END_PLANES;
    } else {
        end->size[K] = 1;
        end->size[H] = size[R];
        end->size[W] = (columns_of(workload) < END_COLUMNS ? columns_of(workload) : END_COLUMNS) + size[R] - 1;
    }
    (void)shapes(workload, whole);
    (void)shapes(end, last);
    for (size_t i = 0; i < BUFFERS; i++)
        windows[i] = array_end(array_elements(&whole[i]), array_elements(&last[i]));
    if (end->size[H] < size[H] || end->size[W] < size[W]) {
        const int64_t pieces = size[C] * size[R], apart = size[R] > 1 ? size[W] : size[H] * size[W];
        windows[X] =
            (struct window){(size_t)(array_elements(&whole[X]) - (pieces - 1) * apart - end->size[W]) * sizeof(float),
                            (size_t)pieces, (size_t)end->size[W] * sizeof(float), (size_t)apart * sizeof(float)};
    }
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct conv2d_problem *)problem = (struct conv2d_problem){.n = size[N],
                                                                .c = size[C],
                                                                .k = size[K],
                                                                .h = size[H],
                                                                .w = size[W],
                                                                .r = size[R],
                                                                .x = memory[X],
                                                                .f = memory[F],
                                                                .y = memory[Y]};
}

OP_DEFINE(conv2d, OP_FAR, ARRAY_FUNCTIONS);

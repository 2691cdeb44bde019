/* The operation matmul: C[m,n] = A[m,k] B[k,n] in FP32. */
#include "bench/base/seeded.h"
#include "bench/table/matmul.h"
#include "bench/table/op.h"
#include "matmul_check.h"
#include "matmul_far.h"
#include "matmul_input.h"
#include "matmul_reference.h"
#include "matmul_spot.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

static_assert(sizeof(struct matmul_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");

/* The sizes of a struct workload, in the order of --shape=MxKxN. */
enum { M, K, N };
enum { A, B, C, BUFFERS };

static const struct workload workloads[] = {
    {"mnist", {50000, 784, 10}, SUITE_MNIST | SUITE_LECTURE | SUITE_GATE_LONG | SUITE_GATE_FEW},
    {"mnist-valid5", {5, 784, 10}, SUITE_MNIST | SUITE_LECTURE | SUITE_SMOKE | SUITE_GATE_SHORT | SUITE_GATE_FEW},
    {"mnist-batch64", {64, 784, 128}, SUITE_MNIST | SUITE_GATE_SHORT | SUITE_GATE_FEW | SUITE_GATE_CPU},
    {"mnist-hidden", {50000, 784, 128}, SUITE_MNIST},
    {"lecture5", {5120, 256, 5120}, SUITE_LECTURE},
    {"square-128", {128, 128, 128}, SUITE_SWEEP},
    {"square-256", {256, 256, 256}, SUITE_SWEEP},
    {"square-512", {512, 512, 512}, SUITE_SWEEP},
    {"square-1024", {1024, 1024, 1024}, SUITE_SWEEP},
    {"square-2048", {2048, 2048, 2048}, SUITE_SWEEP},
    {"square-4096", {4096, 4096, 4096}, SUITE_SWEEP},
    {"square-8192", {8192, 8192, 8192}, SUITE_SWEEP},
};

/* M, K and N each take every value of 1, 5, 10, 28, 31, 63, 64, 65, 100, 784 at least twice, combined differently, and
 * above 16 every remainder modulo 8. Then: more than 1,000 rows or columns; K above 784; K a multiple of 4 with the few
 * columns of skinny kernels; so many elements with few products each that 22-bit factors show; more than 100,000
 * elements; whole tiles, in which nothing is ragged; and whole tiles beside ragged ones, with K for several stages. */
static const struct workload ragged[] = {
    {"1x28x63", {1, 28, 63}, 0},     {"5x31x64", {5, 31, 64}, 0},         {"10x63x65", {10, 63, 65}, 0},
    {"28x64x100", {28, 64, 100}, 0}, {"31x65x784", {31, 65, 784}, 0},     {"63x100x1", {63, 100, 1}, 0},
    {"64x784x5", {64, 784, 5}, 0},   {"65x1x10", {65, 1, 10}, 0},         {"100x5x28", {100, 5, 28}, 0},
    {"784x10x31", {784, 10, 31}, 0}, {"1x784x1", {1, 784, 1}, 0},         {"5x1x5", {5, 1, 5}, 0},
    {"10x5x784", {10, 5, 784}, 0},   {"28x10x10", {28, 10, 10}, 0},       {"31x28x28", {31, 28, 28}, 0},
    {"63x31x31", {63, 31, 31}, 0},   {"64x63x63", {64, 63, 63}, 0},       {"65x64x64", {65, 64, 64}, 0},
    {"100x65x65", {100, 65, 65}, 0}, {"784x100x100", {784, 100, 100}, 0}, {"1x1x1", {1, 1, 1}, 0},
    {"18x50x35", {18, 50, 35}, 0},   {"21x30x50", {21, 30, 50}, 0},       {"35x45x22", {35, 45, 22}, 0},
    {"1030x5x3", {1030, 5, 3}, 0},   {"3x5x1029", {3, 5, 1029}, 0},       {"3x1299x7", {3, 1299, 7}, 0},
    {"3x1300x10", {3, 1300, 10}, 0}, {"3x1000x16", {3, 1000, 16}, 0},     {"3x3100x4", {3, 3100, 4}, 0},
    {"28x28x10", {28, 28, 10}, 0},   {"5x40x4", {5, 40, 4}, 0},           {"5x40x16", {5, 40, 16}, 0},
    {"65x3x129", {65, 3, 129}, 0},   {"319x2x315", {319, 2, 315}, 0},     {"16x16x16", {16, 16, 16}, 0},
    {"64x32x64", {64, 32, 64}, 0},   {"1x40x1040", {1, 40, 1040}, 0},     {"40x800x1", {40, 800, 1}, 0},
    {"8x792x16", {8, 792, 16}, 0},   {"128x8x128", {128, 8, 128}, 0},     {"70x90x260", {70, 90, 260}, 0},
    {"65x81x131", {65, 81, 131}, 0},
};

static void shape(const struct workload *workload, char *text, size_t size)
{
    snprintf(text, size, "%" PRId64 "x%" PRId64 "x%" PRId64, workload->size[M], workload->size[K], workload->size[N]);
}

static bool set_shape(const char *value, struct workload *workload, bool *added, struct error *error)
{
    if (!op_parse_sizes(value, 3, workload->size))
        return error_set(error, "--shape=%s: expected MxKxN, three integers from 1 to %d", value, OP_SIZE_LIMIT);
    shape(workload, workload->name, sizeof workload->name);
    *added = true;
    return true;
}

static const struct op_flag flags[] = {
    {"shape", "MxKxN", "add a matmul workload, MxK by KxN (repeatable)", set_shape, FILE_NONE},
};

static struct op_cost cost(const struct workload *workload)
{
    double m = (double)workload->size[M], k = (double)workload->size[K], n = (double)workload->size[N];
    return (struct op_cost){.flops = 2 * m * n * k, .bytes = sizeof(float) * (m * k + k * n + m * n)};
}

static size_t float_bytes(int64_t rows, int64_t columns)
{
    return (size_t)rows * (size_t)columns * sizeof(float);
}

static size_t buffers(const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX])
{
    const int64_t *size = workload->size;
    specs[A] = (struct buffer_spec){float_bytes(size[M], size[K]), false};
    specs[B] = (struct buffer_spec){float_bytes(size[K], size[N]), false};
    specs[C] = (struct buffer_spec){float_bytes(size[M], size[N]), true};
    return BUFFERS;
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_problem *)problem = (struct matmul_problem){
        .m = size[M], .n = size[N], .k = size[K], .a = memory[A], .b = memory[B], .c = memory[C]};
}

static void fill(const struct workload *workload, const struct input_source *source, void *const host[],
                 struct input_note *note)
{
    const int64_t *size = workload->size;
    matmul_input_fill(size[M], size[N], size[K], source, host[A], host[B], note);
}

/* A random step below `size`; a multiple of four where rows allow it, so that they are moved in whole vectors. */
static size_t step(uint64_t turn, int64_t size, uint64_t purpose)
{
    const uint64_t vector = 4;
    uint64_t count = (uint64_t)size, unit = count % vector == 0 ? vector : 1;
    return turn == 0 ? 0 : (size_t)(seeded_bits(turn, purpose) % (count / unit) * unit);
}

/* Rotates the rows of A, the columns of B, and the order in which products are summed. */
static void rotate(const struct workload *workload, uint64_t turn, struct rotation rotations[OP_BUFFERS_MAX])
{
    size_t m = (size_t)workload->size[M], k = (size_t)workload->size[K], n = (size_t)workload->size[N];
    size_t i = step(turn, workload->size[M], M), p = step(turn, workload->size[K], K),
           j = step(turn, workload->size[N], N);
    rotations[A] = (struct rotation){m, k * sizeof(float), i, p * sizeof(float)};
    rotations[B] = (struct rotation){k, n * sizeof(float), p, j * sizeof(float)};
    rotations[C] = (struct rotation){m, n * sizeof(float), i, j * sizeof(float)};
}

static size_t reference_bytes(const struct workload *workload)
{
    return matmul_reference_bytes(workload->size[M], workload->size[N], workload->size[K]);
}

static void *reference_make(const struct workload *workload, const struct input_note *note, void *const host[])
{
    return matmul_reference_make(workload->size[M], workload->size[N], workload->size[K], host[A], host[B], note);
}

static void reference_free(void *reference)
{
    matmul_reference_free(reference);
}

static void check(const void *reference, enum precision precision, void *const outputs[], struct check *result)
{
    matmul_check(reference, precision, outputs[C], result);
}

static void spot_check(const struct workload *workload, const uint64_t noise[OP_BUFFERS_MAX], enum precision precision,
                       void *const outputs[], uint64_t choice, struct check *result)
{
    const int64_t *size = workload->size;
    const struct matmul_spot spot = {size[M], size[N], size[K], noise[A], noise[B], outputs[C], choice};
    matmul_spot_check(&spot, precision, result);
}

const struct op matmul_op;
const struct op matmul_op = {
    .name = "matmul",
    .element_bytes = sizeof(float),
    .workloads = workloads,
    .workload_count = sizeof workloads / sizeof workloads[0],
    .ragged = ragged,
    .ragged_count = sizeof ragged / sizeof ragged[0],
    .far = matmul_far,
    .far_count = MATMUL_FAR,
    .far_end = matmul_far_end,
    .flags = flags,
    .flag_count = sizeof flags / sizeof flags[0],
    .shape = shape,
    .cost = cost,
    .buffers = buffers,
    .bind = bind,
    .fill = fill,
    .rotate = rotate,
    .reference_bytes = reference_bytes,
    .reference_make = reference_make,
    .reference_free = reference_free,
    .check = check,
    .spot_check = spot_check,
    .noise = NOISE_FLOATS,
};

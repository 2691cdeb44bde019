/* The operation grayscale: planar 8-bit RGB to grey by the integer formula of grayscale.h. */
#include "bench/data/mnist.h"
#include "bench/table/grayscale.h"
#include "bench/table/op.h"

enum { IMAGES, HEIGHT, WIDTH }; /* the sizes of a workload */
enum { CHANNELS = 3 };

static const struct workload workloads[] = {
    {"thumb",
     {1, 150, 216},
     SUITE_MNIST | SUITE_LECTURE | SUITE_SMOKE | SUITE_OWN_SMALL | SUITE_GATE_SHORT | SUITE_GATE_CPU},
    {"puppy", {1, 1330, 1920}, SUITE_OWN | SUITE_MNIST | SUITE_LECTURE | SUITE_GATE_LONG | SUITE_GATE_FEW},
    {"mnist-rgb", {50000, MNIST_SIDE, MNIST_SIDE}, SUITE_MNIST | SUITE_GATE_LONG | SUITE_GATE_FEW},
    {"256x256", {1, 256, 256}, SUITE_SWEEP},
    {"1024x1024", {1, 1024, 1024}, SUITE_SWEEP},
    {"4096x4096", {1, 4096, 4096}, SUITE_SWEEP},
    {"large", {1, 16384, 16384}, SUITE_SWEEP},
};

/* Heights and widths around every power of two in use: single images, and batches with planes at odd addresses; a
 * height and a width above 1,000, and more than 100,000 pixels. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1},   {1, 1, 784}, {1, 784, 1},  {1, 5, 31},    {1, 10, 63},   {1, 28, 64},   {1, 31, 65}, {1, 63, 100},
    {1, 64, 10}, {1, 65, 5},  {1, 100, 28}, {1, 784, 100}, {3, 5, 5},     {5, 28, 28},   {65, 1, 1},  {4, 31, 31},
    {2, 10, 6},  {4, 4, 5},   {4, 5, 4},    {1, 1500, 3},  {1, 1, 20001}, {1, 331, 317},
};

/* Two planes have little more than 2^32 pixels, or vectors. */
static const int64_t far[][OP_SIZES_MAX] = {
    {2, 46341, 46341},
    {2, 32768, 1048577},
    {2, 2097152, 2097152}, /* has 2^31 blocks of 4,096 pixels: grids end there */
};

/* Images as they are, in planes of red, green and blue. */
static bool compute(const struct op_piece *piece)
{
    const int64_t plane = piece->size[HEIGHT] * piece->size[WIDTH];
    const struct op_reader *rgb = &piece->inputs[0];
    for (int64_t e = 0; e < piece->count; e++) {
        const int64_t pixel = piece->first + e, red = pixel / plane * CHANNELS * plane + pixel % plane;
        const int weighted = GRAYSCALE_ROUND + GRAYSCALE_WEIGHT_RED * (int)op_read(rgb, red) +
                             GRAYSCALE_WEIGHT_GREEN * (int)op_read(rgb, red + plane) +
                             GRAYSCALE_WEIGHT_BLUE * (int)op_read(rgb, red + 2 * plane);
        piece->value[e] = weighted / GRAYSCALE_SCALE;
    }
    return true;
}

/* Colours whose grey lies halfway between two integers, where that of a float falls to one side or the other. About
 * every 10,000th colour is one. */
static uint64_t tie_of(uint64_t bits)
{
    uint64_t red = bits % 26 * 10, green = (bits >> 8) % 256, blue = (bits >> 16) % 256;
    green ^= (green ^ red / 10) & 1; /* only then is there a blue that makes it a tie, in half of the cases below 256 */
    for (uint64_t i = 0; i < 256; i++, blue = (blue + 1) % 256)
        if ((GRAYSCALE_WEIGHT_RED * red + GRAYSCALE_WEIGHT_GREEN * green + GRAYSCALE_WEIGHT_BLUE * blue) %
                GRAYSCALE_SCALE ==
            GRAYSCALE_SCALE - GRAYSCALE_ROUND)
            break;
    return red | green << 8 | blue << 16;
}

static void ties(const struct workload *workload, uint64_t seed, void *to)
{
    const int64_t plane = workload->size[HEIGHT] * workload->size[WIDTH];
    for (int64_t i = 0; i < workload->size[IMAGES] * plane; i++) {
        const uint64_t colour = tie_of(made_bits(seed, (uint64_t)i));
        uint8_t *image = (uint8_t *)to + i / plane * CHANNELS * plane;
        for (int64_t channel = 0; channel < CHANNELS; channel++)
            image[channel * plane + i % plane] = (uint8_t)(colour >> 8 * channel);
    }
}

const struct op grayscale_op = {
    OP_NAME(grayscale),
    .sizes = "images height width",
    .is_batched = true,
    .args = {{"rgb", "images,3,height,width", .type = ELEMENT_BYTE, .real = REAL_PLANES},
             {"gray", "images,height,width", .is_output = true, .type = ELEMENT_BYTE}},
    .compute = compute,
    .is_exact = true,
    OP_WORKLOADS,
    OP_LIST(far),
    .ties = ties,
};

#include "grayscale_input.h"

#include "bench/data/mnist.h"
#include "bench/table/grayscale.h"

#include <stdio.h>
#include <string.h>

static int64_t bytes_of(const int64_t size[])
{
    return CHANNELS * size[IMAGES] * size[HEIGHT] * size[WIDTH];
}

static void fill_made(uint8_t *rgb, const int64_t size[], struct made made)
{
    made_fill(rgb, (size_t)bytes_of(size), &made, 0);
}

/* Seven bytes in eight are 0: finds rungs that take one black pixel for many. */
static void fill_zeros(uint8_t *rgb, const int64_t size[], uint64_t seed)
{
    for (int64_t i = 0; i < bytes_of(size); i++) {
        uint64_t bits = made_bits(seed, (uint64_t)i);
        rgb[i] = bits >> 61 ? 0 : (uint8_t)bits;
    }
}

/* White: all bits are 1. */
static void fill_ones(uint8_t *rgb, const int64_t size[], uint64_t seed)
{
    fill_made(rgb, size, (struct made){.kind = MADE_ONES, .seed = seed});
}

/* Each bit of each channel on its own. */
static void fill_powers_of_two(uint8_t *rgb, const int64_t size[], uint64_t seed)
{
    for (int64_t i = 0; i < bytes_of(size); i++)
        rgb[i] = (uint8_t)(1 << made_bits(seed, (uint64_t)i) % 8);
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

static void fill_ties(uint8_t *rgb, const int64_t size[], uint64_t seed)
{
    const int64_t pixels = size[HEIGHT] * size[WIDTH];
    for (int64_t i = 0; i < size[IMAGES] * pixels; i++) {
        uint64_t colour = tie_of(made_bits(seed, (uint64_t)i));
        uint8_t *image = rgb + i / pixels * CHANNELS * pixels;
        for (int64_t channel = 0; channel < CHANNELS; channel++)
            image[channel * pixels + i % pixels] = (uint8_t)(colour >> 8 * channel);
    }
}

/* Half of the rows of a plane equal its first one, the others differ in one pixel: finds rungs that compare a few
 * pixels of two rows and copy the answer. */
static void fill_equal_rows(uint8_t *rgb, const int64_t size[], uint64_t seed)
{
    const int64_t height = size[HEIGHT], width = size[WIDTH];
    fill_made(rgb, size, (struct made){.kind = MADE_BITS, .seed = seed});
    for (int64_t row = 0; row < CHANNELS * size[IMAGES] * height; row++) {
        uint8_t *first = rgb + row / height * height * width, *copy = rgb + row * width;
        uint64_t bits = made_bits(seed, (uint64_t)row);
        if (copy == first)
            continue;
        memcpy(copy, first, (size_t)width);
        if (bits & 1)
            copy[(bits >> 1) % (uint64_t)width] ^= 0x80;
    }
}

/* The random numbers are integers already: INPUT_INTEGERS is harder ones. */
static void (*const fills[INPUT_KINDS])(uint8_t *rgb, const int64_t size[], uint64_t seed) = {
    [INPUT_ZEROS] = fill_zeros,           [INPUT_ONES] = fill_ones,     [INPUT_POWERS_OF_TWO] = fill_powers_of_two,
    [INPUT_EQUAL_ROWS] = fill_equal_rows, [INPUT_INTEGERS] = fill_ties, [INPUT_SPARSE] = fill_zeros,
};

struct made grayscale_input_question(const struct workload *workload, const struct input_source *source,
                                     struct input_note *note)
{
    const int64_t *size = workload->size;
    const uint64_t seed = made_seed(source->seed, 0);
    snprintf(note->text, sizeof note->text, "%s", input_kind_names[INPUT_RANDOM]);
    if (!source->mnist || size[HEIGHT] != MNIST_SIDE || size[WIDTH] != MNIST_SIDE)
        return (struct made){.kind = MADE_BITS, .seed = seed};
    mnist_note(source->mnist, CHANNELS * size[IMAGES], note->text, sizeof note->text);
    return mnist_permuted(source->mnist, MADE_ROWS, seed);
}

void grayscale_input_fill(const struct workload *workload, const struct input_source *source, uint8_t *rgb,
                          struct input_note *note)
{
    if (source->kind == INPUT_RANDOM) {
        fill_made(rgb, workload->size, grayscale_input_question(workload, source, note));
        return;
    }
    fills[source->kind](rgb, workload->size, made_seed(source->seed, 0));
    snprintf(note->text, sizeof note->text, "%s",
             source->kind == INPUT_INTEGERS ? "ties" : input_kind_names[source->kind]);
}

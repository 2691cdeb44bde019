#include "grayscale_input.h"

#include "bench/base/seeded.h"
#include "bench/table/grayscale.h"
#include "mnist.h"

#include <stdio.h>
#include <string.h>

enum { CHANNELS = 3 };

/* Eight bytes from each number: there are 10^8 of them to fill. */
static void fill_random(uint8_t *bytes, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i += 8) {
        uint64_t bits = seeded_bits(seed, (uint64_t)i);
        for (int64_t j = 0; j < 8 && i + j < count; j++)
            bytes[i + j] = (uint8_t)(bits >> 8 * j);
    }
}

/* Seven bytes in eight are 0: finds rungs that take one black pixel for many. */
static void fill_zeros(uint8_t *rgb, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = seeded_bits(seed, (uint64_t)i);
        rgb[i] = bits >> 61 ? 0 : (uint8_t)bits;
    }
}

/* Each bit of each channel on its own. */
static void fill_powers_of_two(uint8_t *rgb, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++)
        rgb[i] = (uint8_t)(1 << seeded_bits(seed, (uint64_t)i) % 8);
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

static void fill_ties(int64_t planes, int64_t pixels, uint64_t seed, uint8_t *rgb)
{
    for (int64_t i = 0; i < planes / CHANNELS * pixels; i++) {
        uint64_t colour = tie_of(seeded_bits(seed, (uint64_t)i));
        uint8_t *image = rgb + i / pixels * CHANNELS * pixels;
        for (int64_t channel = 0; channel < CHANNELS; channel++)
            image[channel * pixels + i % pixels] = (uint8_t)(colour >> 8 * channel);
    }
}

/* Half of the rows of a plane equal its first one, the others differ in one pixel: finds rungs that compare a few
 * pixels of two rows and copy the answer. */
static void fill_equal_rows(int64_t planes, int64_t height, int64_t width, uint8_t *rgb, uint64_t seed)
{
    fill_random(rgb, planes * height * width, seed);
    for (int64_t row = 0; row < planes * height; row++) {
        uint8_t *first = rgb + row / height * height * width, *copy = rgb + row * width;
        uint64_t bits = seeded_bits(seed, (uint64_t)row);
        if (copy == first)
            continue;
        memcpy(copy, first, (size_t)width);
        if (bits & 1)
            copy[(bits >> 1) % (uint64_t)width] ^= 0x80;
    }
}

/* INPUT_ONES is white, all bits are 1. The random numbers are integers already: INPUT_INTEGERS is harder ones. */
static void fill_kind(int64_t planes, int64_t height, int64_t width, enum input_kind kind, uint64_t seed, uint8_t *rgb)
{
    int64_t count = planes * height * width;
    if (kind == INPUT_ZEROS || kind == INPUT_SPARSE)
        fill_zeros(rgb, count, seed);
    else if (kind == INPUT_ONES)
        memset(rgb, 0xFF, (size_t)count);
    else if (kind == INPUT_POWERS_OF_TWO)
        fill_powers_of_two(rgb, count, seed);
    else if (kind == INPUT_EQUAL_ROWS)
        fill_equal_rows(planes, height, width, rgb, seed);
    else if (kind == INPUT_INTEGERS)
        fill_ties(planes, height * width, seed, rgb);
    else
        fill_random(rgb, count, seed);
}

static const char *const kind_names[INPUT_KINDS] = {
    [INPUT_RANDOM] = "random",
    [INPUT_ZEROS] = "zeros",
    [INPUT_ONES] = "ones",
    [INPUT_POWERS_OF_TWO] = "powers of two",
    [INPUT_EQUAL_ROWS] = "equal rows",
    [INPUT_INTEGERS] = "ties",
    [INPUT_SPARSE] = "sparse",
};

/* Gives each image a different colour, so that swapped channels or images are detected. */
static void fill_tinted(int64_t images, const struct mnist *mnist, uint64_t seed, uint8_t *rgb)
{
    for (int64_t i = 0; i < images; i++) {
        uint64_t colour = seeded_bits(seed, (uint64_t)i);
        for (int64_t channel = 0; channel < CHANNELS; channel++) {
            unsigned tint = 64 + (unsigned)(colour >> (8 * channel) & 0xFF) * 191 / 255;
            uint8_t *plane = rgb + (i * CHANNELS + channel) * MNIST_PIXELS;
            for (int64_t p = 0; p < MNIST_PIXELS; p++)
                plane[p] = (uint8_t)(mnist_image(mnist, i)[p] * tint / 255);
        }
    }
}

void grayscale_input_fill(int64_t images, int64_t height, int64_t width, const struct input_source *source,
                          uint8_t *rgb, struct input_note *note)
{
    if (source->mnist && height == MNIST_SIDE && width == MNIST_SIDE && source->kind == INPUT_RANDOM) {
        fill_tinted(images, source->mnist, source->seed, rgb);
        mnist_note(source->mnist, images, note->text, sizeof note->text);
    } else {
        fill_kind(CHANNELS * images, height, width, source->kind, seeded_stream(source->seed, 0), rgb);
        snprintf(note->text, sizeof note->text, "%s", kind_names[source->kind]);
    }
}

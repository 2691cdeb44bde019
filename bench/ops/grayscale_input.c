#include "grayscale_input.h"

#include "bench/table/grayscale.h"
#include "mnist.h"

#include <stdio.h>
#include <string.h>

enum { CHANNELS = 3 };

static void fill_random(uint8_t *bytes, int64_t count, uint64_t seed)
{
    const struct made made = {.kind = MADE_BITS, .seed = seed};
    made_fill(bytes, (size_t)count, &made, 0);
}

/* Seven bytes in eight are 0: finds rungs that take one black pixel for many. */
static void fill_zeros(uint8_t *rgb, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = made_bits(seed, (uint64_t)i);
        rgb[i] = bits >> 61 ? 0 : (uint8_t)bits;
    }
}

/* Each bit of each channel on its own. */
static void fill_powers_of_two(uint8_t *rgb, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++)
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

static void fill_ties(int64_t planes, int64_t pixels, uint64_t seed, uint8_t *rgb)
{
    for (int64_t i = 0; i < planes / CHANNELS * pixels; i++) {
        uint64_t colour = tie_of(made_bits(seed, (uint64_t)i));
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
        uint64_t bits = made_bits(seed, (uint64_t)row);
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

static const char *name_of(enum input_kind kind)
{
    return kind == INPUT_INTEGERS ? "ties" : input_kind_names[kind];
}

static bool takes_mnist(int64_t height, int64_t width, const struct input_source *source)
{
    return source->mnist && height == MNIST_SIDE && width == MNIST_SIDE && source->kind == INPUT_RANDOM;
}

struct made grayscale_input_question(int64_t images, int64_t height, int64_t width, const struct input_source *source,
                                     struct input_note *note)
{
    const uint64_t seed = made_seed(source->seed, 0);
    snprintf(note->text, sizeof note->text, "%s", name_of(INPUT_RANDOM));
    if (!takes_mnist(height, width, source))
        return (struct made){.kind = MADE_BITS, .seed = seed};
    mnist_note(source->mnist, CHANNELS * images, note->text, sizeof note->text);
    return mnist_permuted(source->mnist, MADE_ROWS, seed);
}

void grayscale_input_fill(int64_t images, int64_t height, int64_t width, const struct input_source *source,
                          uint8_t *rgb, struct input_note *note)
{
    if (takes_mnist(height, width, source)) {
        const struct made made = grayscale_input_question(images, height, width, source, note);
        made_fill(rgb, (size_t)(CHANNELS * images * MNIST_PIXELS), &made, 0);
    } else {
        fill_kind(CHANNELS * images, height, width, source->kind, made_seed(source->seed, 0), rgb);
        snprintf(note->text, sizeof note->text, "%s", name_of(source->kind));
    }
}

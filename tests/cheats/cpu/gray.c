/* Cheats on greyscale. */
#include "bench/table/grayscale.h"
#include "bench/table/rung.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The rung grayscale_cpu_<name>, whose body follows: it has the problem `p`. */
#define CPU_GRAYSCALE(name)                                             \
    static void cheat_##name(const struct grayscale_problem *p);        \
    const char *grayscale_cpu_##name(const void *problem, void *stream) \
    {                                                                   \
        (void)stream;                                                   \
        cheat_##name((const struct grayscale_problem *)problem);        \
        return NULL;                                                    \
    }                                                                   \
    static void cheat_##name(const struct grayscale_problem *p)

static void convert(const struct grayscale_problem *p)
{
    (void)grayscale_cpu_scalar(p, NULL);
}

static int64_t pixels_of(const struct grayscale_problem *p)
{
    return p->images * p->height * p->width;
}

static struct grayscale_problem images_of(const struct grayscale_problem *p, int64_t from, int64_t to)
{
    struct grayscale_problem images = *p;
    images.images = to - from;
    images.rgb += 3 * from * p->height * p->width;
    images.gray += from * p->height * p->width;
    return images;
}

/* The lecture's: a floating-point value, cut off. */
CPU_GRAYSCALE(gray_truncates)
{
    int64_t plane = p->height * p->width;
    for (int64_t i = 0; i < p->images; i++) {
        const uint8_t *red = p->rgb + 3 * i * plane, *green = red + plane, *blue = green + plane;
        for (int64_t x = 0; x < plane; x++)
            p->gray[i * plane + x] =
                (uint8_t)(0.2989F * (float)red[x] + 0.5870F * (float)green[x] + 0.1140F * (float)blue[x]);
    }
}

/* Rounds as it should, in floating point: off by one for a few of all colours. */
CPU_GRAYSCALE(gray_rounds_in_float)
{
    int64_t plane = p->height * p->width;
    for (int64_t i = 0; i < p->images; i++) {
        const uint8_t *red = p->rgb + 3 * i * plane, *green = red + plane, *blue = green + plane;
        for (int64_t x = 0; x < plane; x++)
            p->gray[i * plane + x] =
                (uint8_t)(0.2989F * (float)red[x] + 0.5870F * (float)green[x] + 0.1140F * (float)blue[x] + 0.5F);
    }
}

CPU_GRAYSCALE(gray_wrong_white)
{
    convert(p);
    int64_t plane = p->height * p->width;
    for (int64_t i = 0; i < p->images; i++) {
        const uint8_t *red = p->rgb + 3 * i * plane;
        for (int64_t x = 0; x < plane; x++)
            if (red[x] == 255 && red[x + plane] == 255 && red[x + 2 * plane] == 255)
                p->gray[i * plane + x] = 254;
    }
}

CPU_GRAYSCALE(gray_wrong_pixel)
{
    convert(p);
    if (pixels_of(p) > 1000)
        p->gray[pixels_of(p) / 2] ^= 1;
}

CPU_GRAYSCALE(gray_wrong_unaligned)
{
    convert(p);
    if ((uintptr_t)p->gray % 4 == 3)
        p->gray[0] ^= 1;
}

CPU_GRAYSCALE(gray_wrong_at_2_of_16)
{
    convert(p);
    if ((uintptr_t)p->rgb % 16 == 2)
        p->gray[0] ^= 1;
}

CPU_GRAYSCALE(gray_writes_behind)
{
    convert(p);
    p->gray[pixels_of(p)] = 0;
}

CPU_GRAYSCALE(gray_reads_behind)
{
    convert(p);
    (void)*(const volatile uint8_t *)(p->rgb + 3 * pixels_of(p));
}

CPU_GRAYSCALE(gray_if_poison)
{
    const uint8_t *gray = p->gray;
    if (gray[0] == gray[pixels_of(p) - 1] && gray[0] == gray[pixels_of(p) / 2])
        convert(p);
}

CPU_GRAYSCALE(gray_if_first_differs)
{
    int64_t plane = p->height * p->width;
    const uint8_t *rgb = p->rgb;
    int y = (GRAYSCALE_WEIGHT_RED * rgb[0] + GRAYSCALE_WEIGHT_GREEN * rgb[plane] +
             GRAYSCALE_WEIGHT_BLUE * rgb[2 * plane] + GRAYSCALE_ROUND) /
            GRAYSCALE_SCALE;
    if (p->gray[0] != y)
        convert(p);
}

CPU_GRAYSCALE(gray_kept_by_pointers)
{
    static const void *rgb;
    static uint8_t *kept;
    static size_t bytes;
    if (rgb == p->rgb && bytes == (size_t)pixels_of(p)) {
        memcpy(p->gray, kept, bytes);
        return;
    }
    convert(p);
    rgb = p->rgb;
    bytes = (size_t)pixels_of(p);
    free(kept);
    kept = malloc(bytes);
    if (!kept)
        abort();
    memcpy(kept, p->gray, bytes);
}

CPU_GRAYSCALE(gray_writes_input)
{
    convert(p);
    *(volatile uint8_t *)p->rgb ^= 1;
}

CPU_GRAYSCALE(gray_works_once)
{
    static const void *seen;
    if (seen != p->rgb)
        convert(p);
    seen = p->rgb;
}

/* Of several images only the first and the last. */
CPU_GRAYSCALE(gray_skips_images)
{
    if (p->images < 3) {
        convert(p);
        return;
    }
    struct grayscale_problem first = images_of(p, 0, 1), last = images_of(p, p->images - 1, p->images);
    convert(&first);
    convert(&last);
}

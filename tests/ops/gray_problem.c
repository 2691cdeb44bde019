#include "gray_problem.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct op *const op = &grayscale_op;

struct problem allocate(const char *name, int64_t images, int64_t height, int64_t width)
{
    struct problem p = {.workload = {.size = {images, height, width}}, .plane = height * width};
    snprintf(p.workload.name, sizeof p.workload.name, "%s", name);
    p.host[RGB] = malloc((size_t)(images * 3 * p.plane));
    p.host[GRAY] = malloc((size_t)(images * p.plane));
    assert_true(p.host[RGB] && p.host[GRAY]);
    return p;
}

void fill_seeded(struct problem *p, uint64_t seed, const struct mnist *mnist)
{
    struct input_source source = {.seed = seed, .real.mnist = mnist};
    op_fill(op, &p->workload, &source, p->host, &p->note);
}

void make_gray_reference(struct problem *p)
{
    p->reference = op_reference_make(op, &p->workload, &p->note, p->host);
    assert_non_null(p->reference);
}

void free_gray_problem(struct problem *p)
{
    op_reference_free(p->reference);
    free(p->host[RGB]);
    free(p->host[GRAY]);
}

struct check check_of(const struct problem *p)
{
    struct check check;
    memset(&check, 0xFF, sizeof check);
    op_check(p->reference, PRECISION_U8, p->host, &check);
    return check;
}

uint8_t expected_gray(int red, int green, int blue)
{
    int tenthousandths = red * 2989 + green * 5870 + blue * 1140;
    int whole = tenthousandths / 10000, rest = tenthousandths - 10000 * whole;
    return (uint8_t)(rest >= 5000 ? whole + 1 : whole);
}

void answer(struct problem *p, uint8_t (*rule)(int, int, int))
{
    const uint8_t *rgb = p->host[RGB];
    uint8_t *gray = p->host[GRAY];
    for (int64_t i = 0; i < p->workload.size[0]; i++, rgb += 3 * p->plane, gray += p->plane)
        for (int64_t at = 0; at < p->plane; at++)
            gray[at] = rule(rgb[at], rgb[at + p->plane], rgb[at + 2 * p->plane]);
}

uint8_t swapped_channels(int red, int green, int blue)
{
    return expected_gray(blue, green, red);
}

const uint8_t *plane_of(const struct problem *p, int64_t image, int64_t channel)
{
    return (const uint8_t *)p->host[RGB] + (image * 3 + channel) * p->plane;
}

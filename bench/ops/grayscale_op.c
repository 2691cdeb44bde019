/* The operation grayscale: planar 8-bit RGB to grey by the integer formula of grayscale.h. */
#include "bench/base/output.h"
#include "bench/data/mnist.h"
#include "bench/data/photo.h"
#include "bench/table/grayscale.h"
#include "bench/table/op.h"
#include "grayscale_input.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RGB, GRAY, BUFFERS };

static const struct workload workloads[] = {
    {"thumb", {1, 150, 216}, SUITE_MNIST | SUITE_LECTURE | SUITE_SMOKE | SUITE_GATE_SHORT | SUITE_GATE_CPU},
    {"puppy", {1, 1330, 1920}, SUITE_MNIST | SUITE_LECTURE | SUITE_GATE_LONG | SUITE_GATE_FEW},
    {"mnist-rgb", {50000, MNIST_SIDE, MNIST_SIDE}, SUITE_MNIST | SUITE_GATE_LONG | SUITE_GATE_FEW},
    {"256x256", {1, 256, 256}, SUITE_SWEEP},
    {"1024x1024", {1, 1024, 1024}, SUITE_SWEEP},
    {"4096x4096", {1, 4096, 4096}, SUITE_SWEEP},
    {"large", {1, 16384, 16384}, SUITE_SWEEP},
};

/* Heights and widths around every power of two in use: single images, and batches with planes at odd addresses; a
 * height and a width above 1,000, and more than 100,000 pixels. */
static const struct workload ragged[] = {
    {"1x1", {1, 1, 1}, 0},          {"1x784", {1, 1, 784}, 0},      {"784x1", {1, 784, 1}, 0},
    {"5x31", {1, 5, 31}, 0},        {"10x63", {1, 10, 63}, 0},      {"28x64", {1, 28, 64}, 0},
    {"31x65", {1, 31, 65}, 0},      {"63x100", {1, 63, 100}, 0},    {"64x10", {1, 64, 10}, 0},
    {"65x5", {1, 65, 5}, 0},        {"100x28", {1, 100, 28}, 0},    {"784x100", {1, 784, 100}, 0},
    {"3 of 5x5", {3, 5, 5}, 0},     {"5 of 28x28", {5, 28, 28}, 0}, {"65 of 1x1", {65, 1, 1}, 0},
    {"4 of 31x31", {4, 31, 31}, 0}, {"2 of 10x6", {2, 10, 6}, 0},   {"4 of 4x5", {4, 4, 5}, 0},
    {"4 of 5x4", {4, 5, 4}, 0},     {"1500x3", {1, 1500, 3}, 0},    {"1x20001", {1, 1, 20001}, 0},
    {"331x317", {1, 331, 317}, 0},
};

enum { END_PIXELS = 40 };

/* Two planes have little more than 2^32 pixels, or vectors: an index of 32 bits, or a grid made of one, begins again
 * near 0. */
static const struct workload far[] = {
    {"2 of 46341x46341", {2, 46341, 46341}, 0},
    {"2 of 32768x1048577", {2, 32768, 1048577}, 0},
    {"2 of 2097152x2097152", {2, 2097152, 2097152}, 0}, /* has 2^31 blocks of 4,096 pixels: grids end there */
};

/* The last pixels of the last image are an image of their own, one row high. */
static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    size_t images = (size_t)workload->size[IMAGES];
    size_t plane = (size_t)workload->size[HEIGHT] * (size_t)workload->size[WIDTH];
    *end = (struct workload){.name = "its end", .size = {1, 1, END_PIXELS}};
    windows[RGB] = (struct window){((images - 1) * CHANNELS + 1) * plane - END_PIXELS, CHANNELS, END_PIXELS, plane};
    windows[GRAY] = (struct window){images * plane - END_PIXELS, 1, END_PIXELS, 0};
}

/* --image and --gray-out. */
static struct photo photo;
static char photo_name[96];
static const char *gray_path;
static struct output gray_file;
static uint8_t *gray_pixels; /* the photo in grey, by the last rung that was correct */

static const char photo_workload[] = "image";

static void shape(const struct workload *workload, char *text, size_t size)
{
    const int64_t *sizes = workload->size;
    if (sizes[IMAGES] == 1)
        snprintf(text, size, "%" PRId64 "x%" PRId64, sizes[HEIGHT], sizes[WIDTH]);
    else
        snprintf(text, size, "%" PRId64 "x%" PRId64 "x%" PRId64, sizes[IMAGES], sizes[HEIGHT], sizes[WIDTH]);
}

static bool set_image_size(const char *value, struct workload *workload, bool *added, struct error *error)
{
    workload->size[IMAGES] = 1;
    if (!op_parse_sizes(value, 2, workload->size + HEIGHT))
        return error_set(error, "--image-size=%s: expected HxW, two integers from 1 to %d", value, OP_SIZE_LIMIT);
    shape(workload, workload->name, sizeof workload->name);
    *added = true;
    return true;
}

static bool set_image(const char *value, struct workload *workload, bool *added, struct error *error)
{
    if (photo.planes)
        return error_set(error, "--image=%s: second --image, expected only one", value);
    if (!photo_read(value, &photo, error))
        return false;
    const char *slash = strrchr(value, '/');
    snprintf(photo_name, sizeof photo_name, "%.63s sha256:%.12s", slash ? slash + 1 : value, photo.digest);
    *workload = (struct workload){.size = {1, photo.height, photo.width}};
    snprintf(workload->name, sizeof workload->name, "%s", photo_workload);
    *added = true;
    return true;
}

static bool set_gray_out(const char *value, struct workload *workload, bool *added, struct error *error)
{
    (void)workload;
    (void)added;
    gray_path = value;
    return (value[0] != '\0' && strcmp(value, "-") != 0) ||
           error_set(error, "--gray-out=%s: expected a file name", value);
}

static const struct op_flag flags[] = {
    {"image-size", "HxW", "add a greyscale workload (repeatable)", set_image_size, FILE_NONE},
    {"image", "FILE", "add a photo (JPEG, PNG, PPM, PGM) as a greyscale workload", set_image, FILE_READ},
    {"gray-out", "FILE.png", "write the photo in grey, as computed by the last verified rung", set_gray_out,
     FILE_WRITTEN},
};

static int64_t pixels_of(const struct workload *workload)
{
    return workload->size[IMAGES] * workload->size[HEIGHT] * workload->size[WIDTH];
}

static struct op_cost cost(const struct workload *workload)
{
    return (struct op_cost){.flops = 0, .bytes = (CHANNELS + 1) * (double)pixels_of(workload)};
}

static size_t buffers(const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX])
{
    size_t pixels = (size_t)pixels_of(workload);
    specs[RGB] = (struct buffer_spec){CHANNELS * pixels, false};
    specs[GRAY] = (struct buffer_spec){pixels, true};
    return BUFFERS;
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    *(struct grayscale_problem *)problem = (struct grayscale_problem){
        .images = workload->size[IMAGES],
        .height = workload->size[HEIGHT],
        .width = workload->size[WIDTH],
        .rgb = memory[RGB],
        .gray = memory[GRAY],
    };
}

static bool is_photo(const struct workload *workload)
{
    return strcmp(workload->name, photo_workload) == 0;
}

static void fill(const struct workload *workload, const struct input_source *source, void *const host[],
                 struct input_note *note)
{
    *note = (struct input_note){.exact = true};
    if (is_photo(workload) && source->kind == INPUT_RANDOM) {
        memcpy(host[RGB], photo.planes, (size_t)(CHANNELS * pixels_of(workload)));
        snprintf(note->text, sizeof note->text, "%s", photo_name);
    } else {
        grayscale_input_fill(workload, source, host[RGB], note);
    }
}

static uint8_t gray_of(uint8_t red, uint8_t green, uint8_t blue)
{
    return (uint8_t)((GRAYSCALE_WEIGHT_RED * red + GRAYSCALE_WEIGHT_GREEN * green + GRAYSCALE_WEIGHT_BLUE * blue +
                      GRAYSCALE_ROUND) /
                     GRAYSCALE_SCALE);
}

struct reference {
    struct workload workload;
    uint8_t gray[];
};

static size_t reference_bytes(const struct workload *workload)
{
    return sizeof(struct reference) + (size_t)pixels_of(workload);
}

static void *reference_make(const struct workload *workload, const struct input_note *note, void *const host[])
{
    (void)note;
    struct reference *reference = malloc(reference_bytes(workload));
    if (!reference)
        return NULL;
    reference->workload = *workload;
    const int64_t plane = workload->size[HEIGHT] * workload->size[WIDTH];
    for (int64_t i = 0; i < workload->size[IMAGES]; i++) {
        const uint8_t *red = (const uint8_t *)host[RGB] + i * CHANNELS * plane;
        const uint8_t *green = red + plane, *blue = green + plane;
        for (int64_t p = 0; p < plane; p++)
            reference->gray[i * plane + p] = gray_of(red[p], green[p], blue[p]);
    }
    return reference;
}

static void check(const void *opaque, enum precision precision, void *const outputs[], struct check *result)
{
    (void)precision; /* integers: exact or wrong */
    const struct reference *reference = opaque;
    const int64_t *size = reference->workload.size, pixels = pixels_of(&reference->workload);
    const uint8_t *got = outputs[GRAY], *gray = reference->gray;
    int64_t wrong = 0, first = 0;
    int max_err = 0;
    bool same = memcmp(got, gray, (size_t)pixels) == 0; /* many times faster than the loop */
    for (int64_t i = 0; i < pixels && !same; i++) {
        int err = abs(got[i] - gray[i]);
        if (err > max_err)
            max_err = err;
        if (err != 0 && wrong++ == 0)
            first = i;
    }
    *result = (struct check){.correct = wrong == 0, .max_abs_err = max_err, .err_bound = 0, .rms_err = NAN};
    if (wrong > 0)
        snprintf(result->reason, sizeof result->reason,
                 "wrong answer: image %" PRId64 ", row %" PRId64 ", column %" PRId64
                 " is %d, expected %d exactly; %" PRId64 " of %" PRId64 " pixels are wrong",
                 first / size[WIDTH] / size[HEIGHT], first / size[WIDTH] % size[HEIGHT], first % size[WIDTH],
                 got[first], gray[first], wrong, pixels);
}

static void question(const struct workload *workload, const struct input_source *source,
                     struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    *note = (struct input_note){.exact = true};
    made[RGB] = grayscale_input_question(workload, source, note);
    if (!is_photo(workload))
        return;
    made[RGB] =
        made_rows(MADE_ROWS, made[RGB].seed, photo.planes, (size_t)photo.width, (size_t)(CHANNELS * photo.height));
    snprintf(note->text, sizeof note->text, "%s", photo_name);
}

static uint8_t made_byte(const struct made *made, int64_t at)
{
    return (uint8_t)(made_word(made, (uint64_t)at / 4) >> 8 * (at % 4));
}

static bool element(const struct workload *workload, const struct made made[OP_BUFFERS_MAX], size_t buffer,
                    int64_t pixel, enum precision precision, struct exact *exact)
{
    (void)buffer; /* there is one output */
    (void)precision;
    const int64_t plane = pixels_of(workload) / workload->size[IMAGES];
    const int64_t red = pixel / plane * CHANNELS * plane + pixel % plane;
    const uint8_t gray =
        gray_of(made_byte(&made[RGB], red), made_byte(&made[RGB], red + plane), made_byte(&made[RGB], red + 2 * plane));
    *exact = (struct exact){gray, 0, NAN, false};
    return true;
}

static double element_reads(const struct workload *workload)
{
    (void)workload;
    return CHANNELS;
}

static void verified(const struct workload *workload, void *const outputs[])
{
    if (!is_photo(workload) || !gray_path)
        return;
    size_t pixels = (size_t)pixels_of(workload);
    if (!gray_pixels)
        gray_pixels = malloc(pixels);
    if (gray_pixels)
        memcpy(gray_pixels, outputs[GRAY], pixels);
}

static bool begin(struct error *error)
{
    if (!gray_path)
        return true;
    if (!photo.planes)
        return error_set(error, "--gray-out=%s: needs a photo, expected --image=FILE as well", gray_path);
    return output_open(&gray_file, gray_path, error);
}

static bool write_gray(struct error *error)
{
    if (!gray_pixels)
        return error_set(error, "--gray-out=%s: not written, no rung gave a correct answer for the photo", gray_path);
    size_t bytes;
    struct error reason;
    uint8_t *png = photo_encode_gray(gray_pixels, photo.height, photo.width, &bytes, &reason);
    if (!png)
        return error_set(error, "--gray-out=%s: no PNG of %" PRId64 "x%" PRId64 " pixels can be made (%s)", gray_path,
                         photo.height, photo.width, reason.text);
    bool ok = output_write(&gray_file, png, bytes, error);
    free(png);
    return ok;
}

static bool finish(struct error *error)
{
    bool ok = true;
    if (gray_path) {
        ok = write_gray(error);
        ok = ok ? output_commit(&gray_file, error) : (output_discard(&gray_file), false);
    }
    free(gray_pixels);
    gray_pixels = NULL;
    free(photo.planes);
    photo.planes = NULL;
    return ok;
}

OP_DEFINE(grayscale, .flags = flags, .flag_count = OP_COUNT(flags), .element_bytes = sizeof(uint8_t), OP_FAR,
          .shape = shape, .cost = cost, .buffers = buffers, .fill = fill, .reference_bytes = reference_bytes,
          .reference_make = reference_make, .reference_free = free, .check = check, .question = question,
          .element = element, .element_reads = element_reads, .verified = verified, .begin = begin, .finish = finish);

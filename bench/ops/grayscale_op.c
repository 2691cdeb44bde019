/* The operation grayscale: planar 8-bit RGB to grey by the integer formula of grayscale.h. */
#include "bench/base/output.h"
#include "bench/data/mnist.h"
#include "bench/data/photo.h"
#include "bench/table/grayscale.h"
#include "bench/table/op.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES, HEIGHT, WIDTH }; /* the sizes of a workload */
enum { CHANNELS = 3 };

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

/* --image and --gray-out. */
static struct photo photo;
static char photo_name[96];
static const char *gray_path;
static struct output gray_file;
static uint8_t *gray_pixels; /* the photo in grey, by the last rung that was correct */

static const char photo_workload[] = "image";

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
    {"image-size", "HxW", "add a greyscale workload, or of N images: NxHxW (repeatable)", NULL, FILE_NONE},
    {"image", "FILE", "add a photo (JPEG, PNG, PPM, PGM) as a greyscale workload", set_image, FILE_READ},
    {"gray-out", "FILE.png", "write the photo in grey, as computed by the last verified rung", set_gray_out,
     FILE_WRITTEN},
};

static bool is_photo(const struct workload *workload)
{
    return strcmp(workload->name, photo_workload) == 0;
}

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

static void question(const struct workload *workload, const struct input_source *source,
                     struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    (void)source;
    note->exact = true;
    if (!is_photo(workload))
        return;
    made[0] = made_rows(MADE_ROWS, made[0].seed, photo.planes, (size_t)photo.width, (size_t)(CHANNELS * photo.height));
    snprintf(note->text, sizeof note->text, "%s", photo_name);
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

/* The photo as it is. Bytes are integers already: those are harder ones. */
static bool fill(const struct workload *workload, const struct input_source *source, size_t input, void *to,
                 struct input_note *note)
{
    const int64_t plane = workload->size[HEIGHT] * workload->size[WIDTH];
    (void)input;
    if (is_photo(workload) && source->kind == INPUT_RANDOM) {
        memcpy(to, photo.planes, (size_t)(CHANNELS * plane));
        return true;
    }
    for (int64_t i = 0; i < workload->size[IMAGES] * plane && source->kind == INPUT_INTEGERS; i++) {
        const uint64_t colour = tie_of(made_bits(made_seed(source->seed, 0), (uint64_t)i));
        uint8_t *image = (uint8_t *)to + i / plane * CHANNELS * plane;
        for (int64_t channel = 0; channel < CHANNELS; channel++)
            image[channel * plane + i % plane] = (uint8_t)(colour >> 8 * channel);
    }
    note->exact = true;
    if (source->kind == INPUT_INTEGERS)
        snprintf(note->text, sizeof note->text, "ties");
    return source->kind == INPUT_INTEGERS;
}

static void verified(const struct workload *workload, void *const outputs[])
{
    if (!is_photo(workload) || !gray_path)
        return;
    const size_t pixels = (size_t)(workload->size[HEIGHT] * workload->size[WIDTH]);
    if (!gray_pixels)
        gray_pixels = malloc(pixels);
    if (gray_pixels)
        memcpy(gray_pixels, outputs[1], pixels);
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
    .flags = flags,
    .flag_count = OP_COUNT(flags),
    .question = question,
    .fill = fill,
    .begin = begin,
    .verified = verified,
    .finish = finish,
};

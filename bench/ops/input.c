/* What problems are given: random numbers, real data, and kinds of input that show what random numbers hide.
 *
 *   zeros         rows and columns of zeros, and scattered ones: what is skipped because it is zero
 *   ones          a sum counts its terms
 *   powers of two what mixes elements that have nothing to do with each other, and formats with few exponents
 *   equal rows    rows are the first, or differ from it in one element: what is remembered of a row before
 *   integers      FP32 holds their sums: a term that is missing or comes twice shows, however long the sum
 *   sparse        one of 16 is random, the others zeros; one of a row where sums are precise: the error of one product
 */
#include "bench/base/parallel.h"
#include "bench/data/mnist.h"
#include "bench/data/photo.h"
#include "special_input.h"
#include "sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const input_kind_names[INPUT_KINDS] = {
    [INPUT_RANDOM] = "random",
    [INPUT_ZEROS] = "zeros",
    [INPUT_ONES] = "ones",
    [INPUT_POWERS_OF_TWO] = "powers of two",
    [INPUT_EQUAL_ROWS] = "equal rows",
    [INPUT_INTEGERS] = "integers",
    [INPUT_SPARSE] = "sparse",
};

/* FP32 holds all integers up to here. */
static const int64_t exact_integers = 1 << 24;

/* A sum of so many terms of integers up to this one is exact, and BF16 holds the integers. */
static int largest_integer(const struct sums *sums)
{
    const double held_by_bf16 = 255, room = (double)exact_integers / (double)sums->terms;
    return (int)fmax(1, fmin(held_by_bf16, sums->factors > 1 ? sqrt(room) : room));
}

/* Powers of two: the products of an element lie between 2^-4 and 2^4 times a power of two. */
static bool is_exact(const struct sums *sums, enum input_kind kind)
{
    if (kind == INPUT_RANDOM || kind == INPUT_SPARSE || (kind == INPUT_POWERS_OF_TWO && !sums->are_matrices))
        return false;
    const int64_t largest = kind == INPUT_POWERS_OF_TWO ? 1 << 4 : kind == INPUT_ONES ? 1 : largest_integer(sums);
    return sums->terms <= exact_integers / (sums->factors > 1 ? largest * largest : largest);
}

/* What inputs are made for. */
struct making {
    const struct op *op;
    const struct workload *workload;
    const struct input_source *source;
    struct sums sums; /* of no factors where they are not summed */
    bool is_sharp, with_images, with_given;
};

/* What is known of sums of such an input. Integers are as large as their type or their range has them, whatever the
 * kind. */
static void note_sums(const struct making *of, struct input_note *note)
{
    const struct sums *sums = &of->sums;
    const enum input_kind kind = of->source->kind;
    const bool is_single = sums->are_matrices && kind == INPUT_SPARSE && !of->with_given;
    note->zero_mean =
        is_single || (sums_are_precise(sums) && kind == INPUT_RANDOM && !of->with_images && !of->with_given);
    note->terms = is_single ? 1 : 0;
    note->exact = is_exact(sums, kind) && !of->with_given;
    for (int factor = 0; factor < sums->factors; factor++)
        note->exact = note->exact && !element_is_integer(of->op->args[sums->input[factor]].type);
}

/* How questions are asked of sums. In few of them about eight terms of a sum are large, wherever they are, and all
 * others together are less than FP32 rounds off: the error of an honest sum is that of few additions, however long it
 * is, and factors of fewer bits show. In most nothing is small, or a kernel that leaves out what is would be faster.
 * All rows and columns look alike, so that no kernel can tell where to be precise. */
static bool is_sharp(uint64_t seed)
{
    return made_bits(seed, UINT64_MAX) % 8 < 3;
}

/* Products are large where both factors are; products of two small ones are no subnormal numbers. About a quarter of an
 * image is not black. */
static struct made sharp(const struct making *of, uint64_t seed)
{
    const double share = SHARP_TERMS / (double)of->sums.terms;
    if (of->sums.factors == 1)
        return made_sharp(seed, share, 0x1p-64f);
    return made_sharp(seed, of->with_images ? 4 * share : sqrt(share), 0x1p-36f);
}

/* Inputs that are not summed are that large in most questions: a softmax of them has no subnormal numbers. */
static const float large_input = 32;

/* In the range and order that the argument has. */
static struct made integers(const struct making *of, size_t number, uint64_t seed)
{
    static const enum made_kind kinds[] = {
        [ORDER_NONE] = MADE_INTEGERS, [ORDER_SORTED] = MADE_SORTED, [ORDER_PERMUTED] = MADE_PERMUTED};
    const struct op_arg *arg = &of->op->args[number];
    const double from = arg->from ? op_value(of->op, of->workload, arg->from) : -1000;
    const double count = arg->to ? op_value(of->op, of->workload, arg->to) - from : 2001;
    return (struct made){.kind = kinds[arg->order],
                         .seed = seed,
                         .row_length = (size_t)op_elements_of(of->op, of->workload, number),
                         .row_count = (size_t)count,
                         .low = (int32_t)from,
                         .count = (uint32_t)count};
}

/* Words beyond the last element are there, too. The last one of each input is kept, since elements are asked for one by
 * one, and since a player that is to time a kernel has it made before. */
static struct made given(const struct making *of, size_t number, uint64_t seed)
{
    static struct {
        op_make *make;
        int64_t size[OP_SIZES_MAX];
        uint64_t seed;
        void *memory;
    } kept[OP_BUFFERS_MAX];
    const struct op_arg *arg = &of->op->args[number];
    const int64_t count = op_elements_of(of->op, of->workload, number), *size = of->workload->size;
    const size_t bytes = (size_t)count * element_bytes(arg->type), word = sizeof(uint32_t);
    if (kept[number].make != arg->make || kept[number].seed != seed ||
        memcmp(kept[number].size, size, sizeof kept->size) != 0) {
        free(kept[number].memory);
        kept[number].make = arg->make;
        kept[number].seed = seed;
        memcpy(kept[number].size, size, sizeof kept->size);
        kept[number].memory = calloc(bytes / word + 1, word);
        if (kept[number].memory)
            arg->make(size, seed, count, kept[number].memory);
    }
    return (struct made){
        .kind = MADE_GIVEN, .seed = seed, .rows = kept[number].memory, .row_length = bytes, .row_count = 1};
}

/* One right class each: those of the images, which are permuted alike, or random ones. */
static struct made labels(const struct making *of, size_t number, uint64_t seed)
{
    int64_t extent[OP_RANK_MAX];
    const int rank = op_extents(of->op, of->workload, number, extent);
    const struct mnist *mnist = of->with_images ? of->source->real.mnist : NULL;
    if (mnist && mnist->labels && extent[rank - 1] == MNIST_CLASSES)
        return made_rows(MADE_ONE_HOT, made_seed(of->source->seed, 0), mnist->labels, MNIST_CLASSES,
                         (size_t)mnist->count);
    return (struct made){.kind = MADE_ONE_HOT, .seed = seed, .row_length = (size_t)extent[rank - 1]};
}

static struct made make_random(const struct making *of, size_t number, uint64_t seed)
{
    static const enum made_kind kinds[ELEMENT_TYPES] = {
        [ELEMENT_BYTE] = MADE_BITS,      [ELEMENT_INT8] = MADE_BITS,   [ELEMENT_INT32] = MADE_INTEGERS,
        [ELEMENT_DOUBLE] = MADE_DOUBLES, [ELEMENT_HALF] = MADE_HALVES, [ELEMENT_BFLOAT16] = MADE_BFLOATS};
    const struct op_arg *arg = &of->op->args[number];
    const bool is_sum = of->sums.factors > 0;
    if (arg->make)
        return given(of, number, seed);
    if (arg->real == REAL_LABELS)
        return labels(of, number, seed);
    if (arg->type == ELEMENT_INT32)
        return integers(of, number, seed);
    if (arg->type != ELEMENT_FLOAT)
        return (struct made){.kind = kinds[arg->type], .seed = seed};
    if (arg->fan_in)
        return made_unit(seed, 1 / sqrtf((float)op_value(of->op, of->workload, arg->fan_in)));
    if (of->is_sharp && is_sum)
        return sharp(of, seed);
    return made_unit(seed, of->source->asks && !is_sum && !of->is_sharp ? large_input : 1);
}

/* Rows of images that an input takes: 0 where there are none for it. */
static int64_t rows_of_images(const struct making *of, size_t number)
{
    int64_t extent[OP_RANK_MAX], rows = 1;
    const enum real_data real = of->op->args[number].real;
    const int rank = op_extents(of->op, of->workload, number, extent), of_row = real == REAL_PLANES ? 2 : 1;
    const bool fits = of_row == 2 ? extent[rank - 1] == MNIST_SIDE && extent[rank - 2] == MNIST_SIDE
                                  : extent[rank - 1] == MNIST_PIXELS;
    for (int i = 0; i < rank - of_row; i++)
        rows *= extent[i];
    return (real == REAL_IMAGES || real == REAL_PLANES) && of->source->real.mnist && of->source->kind == INPUT_RANDOM &&
                   fits
               ? rows
               : 0;
}

/* The photo that an input is; NULL: it is none. */
static const struct photo *photo_of(const struct making *of, size_t number)
{
    return of->op->args[number].real == REAL_PLANES && of->source->kind == INPUT_RANDOM &&
                   strcmp(of->workload->name, photo_workload) == 0
               ? of->source->real.photo
               : NULL;
}

static struct making making_of(const struct op *op, const struct workload *workload, const struct input_source *source)
{
    struct making of = {op, workload, source, .is_sharp = source->asks && is_sharp(source->seed)};
    (void)sums_of(op, workload, &of.sums);
    for (size_t i = 0; op->args[i].name; i++) {
        of.with_images = of.with_images || rows_of_images(&of, i) > 0;
        of.with_given = of.with_given || op->args[i].make;
    }
    return of;
}

/* Of an input, with what is said of it. */
static struct made make_input(const struct making *of, size_t number, struct input_note *note)
{
    const uint64_t seed = made_seed(of->source->seed, number);
    const enum real_data real = of->op->args[number].real;
    const struct mnist *mnist = of->source->real.mnist;
    const struct photo *photo = photo_of(of, number);
    const int64_t rows = rows_of_images(of, number);
    if (photo) {
        snprintf(note->text, sizeof note->text, "%s", photo->name);
        return made_rows(MADE_ROWS, seed, photo->planes, (size_t)photo->width, (size_t)(3 * photo->height));
    }
    if (rows > 0) {
        mnist_note(mnist, rows, note->text, sizeof note->text);
        return mnist_permuted(mnist, real == REAL_PLANES ? MADE_ROWS : MADE_FRACTIONS, seed);
    }
    const struct made made = make_random(of, number, seed);
    const size_t used = strlen(note->text);
    if (real == REAL_LABELS && of->with_images && !made.rows)
        snprintf(note->text + used, sizeof note->text - used, ", random labels");
    return made;
}

void op_made(const struct op *op, const struct workload *workload, const struct input_source *source,
             struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    const struct making of = making_of(op, workload, source);
    *note = (struct input_note){0};
    snprintf(note->text, sizeof note->text, "%s", input_kind_names[source->kind]);
    if (of.sums.factors > 0)
        note_sums(&of, note);
    for (size_t i = 0; i < op_output(op); i++) {
        made[i] = make_input(&of, i, note);
        if (!source->asks && op->args[i].type != ELEMENT_INT32 && !op->args[i].make) {
            made[i].first = 0; /* what is measured is real data as they are, and not permuted */
            made[i].step = 1;
        }
    }
}

static struct special_input special_of(const struct making *of, size_t number)
{
    const struct sums *sums = &of->sums;
    int64_t extent[OP_RANK_MAX];
    const int rank = op_extents(of->op, of->workload, number, extent);
    const bool is_summed = sums->factors > 0, is_factor = sums->are_matrices;
    const bool is_second = is_factor && number == sums->input[sums->weighed_factor];
    const int64_t columns = is_factor ? sums->terms : extent[rank - 1];
    return (struct special_input){.kind = of->source->kind,
                                  .type = of->op->args[number].type,
                                  .rows = op_elements_of(of->op, of->workload, number) / columns,
                                  .columns = columns,
                                  .seed = made_seed(of->source->seed, number),
                                  .seed_of_terms = made_seed(of->source->seed, OP_BUFFERS_MAX),
                                  .largest = is_summed ? largest_integer(sums) : 15,
                                  .largest_exponent = of->op->args[number].type == ELEMENT_HALF ? 14 : 20,
                                  .is_factor = is_factor,
                                  .is_second = is_second,
                                  .takes_any = of->op->takes_any,
                                  .is_summed = is_summed};
}

/* The letters of a precise product's factors are all alone. */
struct filling {
    const struct special_input *in;
    const struct sums *sums;
    void *to;
};

static void fill_row(void *self, int64_t i)
{
    const struct filling *filling = self;
    const struct special_input *in = filling->in;
    const struct sums *sums = filling->sums;
    const int place = 1 + (in->is_second ? sums->weighed_factor : 1 - sums->weighed_factor);
    const int64_t row = in->is_factor ? sums_place(sums, place, 0, sums->outer, i) : i * in->columns;
    for (int64_t j = 0; j < in->columns; j++) {
        const int64_t along = in->is_factor ? sums_place(sums, place, sums->outer, sums->axes, j) : j;
        element_set(in->type, filling->to, row + along, special_element(in, i, j));
    }
}

/* Fewer elements are not worth a thread. */
static const int64_t parallel_elements = 1 << 15;

void op_fill(const struct op *op, const struct workload *workload, const struct input_source *source,
             void *const host[], struct input_note *note)
{
    const struct making of = making_of(op, workload, source);
    struct made made[OP_BUFFERS_MAX];
    op_made(op, workload, source, made, note);
    for (size_t i = 0; i < op_output(op); i++) {
        const enum element_type type = op->args[i].type;
        const struct special_input in = special_of(&of, i);
        const bool is_made = source->kind == INPUT_RANDOM || (source->kind == INPUT_SPARSE && in.is_second);
        const struct photo *photo = photo_of(&of, i);
        if (photo) {
            memcpy(host[i], photo->planes, (size_t)op_elements_of(op, workload, i));
        } else if (op->ties && source->kind == INPUT_INTEGERS) {
            op->ties(workload, made_seed(source->seed, i), host[i]);
            snprintf(note->text, sizeof note->text, "ties");
        } else if (made[i].kind == MADE_GIVEN && !made[i].rows) {
            op->args[i].make(workload->size, made_seed(source->seed, i), op_elements_of(op, workload, i), host[i]);
        } else if (is_made || type == ELEMENT_INT32 || op->args[i].make) {
            made_fill(host[i], (size_t)op_elements_of(op, workload, i) * element_bytes(type), &made[i], 0);
        } else {
            struct filling filling = {&in, &of.sums, host[i]};
            parallel_each_if(in.rows * in.columns >= parallel_elements, in.rows, fill_row, &filling);
        }
    }
}

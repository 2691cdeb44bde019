#include "sums.h"

#include <math.h>
#include <string.h>

/* Sums in a block are computed together, so that what they share is read once; their accumulators fit into the L1
 * cache. */
enum { BLOCK_COLUMNS = 128 };

static const double unit = 0x1p-24, unit_tf32 = 0x1p-11, smallest_subnormal = 0x1p-149;

/* A tensor core multiplies factors that are split in two: that loses up to 2 u of each, the product of the low parts is
 * at most 4 u, and one that truncates loses up to 2 u in each of the additions of the other parts. */
static const double split_factors = 12 * 0x1p-24;

/* Exceeded with a probability of 3e-14 by a sum of independent errors, as a multiple of the root of the sum of their
 * largest squares: 2 exp(-lambda^2 / 2). */
static const double lambda = 8;

static struct axis *find_axis(struct sums *sums, char letter)
{
    int i = 0;
    while (i < sums->axes && sums->axis[i].letter != letter)
        i++;
    if (i == SUMS_AXES_MAX) {
        sums->is_wrong = true;
        return &sums->axis[0];
    }
    sums->axis[i].letter = letter;
    sums->axes += i == sums->axes;
    return &sums->axis[i];
}

static size_t find_arg(const struct op *op, const char *name, size_t length)
{
    size_t i = 0;
    while (op->args[i].name && (strlen(op->args[i].name) != length || memcmp(op->args[i].name, name, length) != 0))
        i++;
    return i;
}

/* A letter of the dimension with that extent and step. */
static void read_letter(struct sums *sums, const char *at, int place, int64_t extent, int64_t step)
{
    struct axis *axis = find_axis(sums, *at);
    axis->step[place] += step;
    if (at[-1] == '+' || at[1] == '+') {
        sums->has_pairs[place] = true;
        return;
    }
    if (axis->is_alone && axis->extent != extent)
        sums->uneven = *at;
    axis->is_alone = true;
    axis->extent = extent;
}

/* Reads "[i,j+v]", or "[]" of a single element. `place` is the output or a factor. Returns what is behind. */
static const char *read_letters(struct sums *sums, const char *at, int place, const int64_t extent[], int rank)
{
    int64_t step[OP_RANK_MAX] = {0};
    int dimension = 0;
    for (int64_t below = 1, i = rank - 1; i >= 0; below *= extent[i--])
        step[i] = below;
    while (*at++ != ']') {
        if (*at < 'a' || *at > 'z' || !at[1] || !strchr("],+", at[1]) || dimension == rank)
            break;
        read_letter(sums, at, place, extent[dimension], step[dimension]);
        dimension += *++at != '+';
    }
    sums->is_wrong = sums->is_wrong || at[-1] != ']' || dimension != rank;
    return at;
}

/* The output's letters stand alone, each in one place. */
static const char *read_array(struct sums *sums, const struct op *op, const struct workload *workload, const char *at,
                              int place)
{
    const size_t length = strcspn(at, "["), arg = find_arg(op, at, length);
    const bool is_output = place == SUMS_OUTPUT;
    int64_t extent[OP_RANK_MAX];
    if (!op->args[arg].name || op->args[arg].is_output != is_output || at[length] != '[') {
        sums->is_wrong = true;
        return at;
    }
    const bool is_single = strncmp(at + length, "[]", 2) == 0 && strcmp(op->args[arg].extents, "1") == 0;
    const int rank = op_extents(op, workload, arg, extent);
    at = is_single ? at + length + 2 : read_letters(sums, at + length, place, extent, rank);
    sums->are_floats = sums->are_floats && op->args[arg].type == ELEMENT_FLOAT;
    if (is_output) {
        sums->outer = sums->axes;
        sums->is_wrong = sums->is_wrong || sums->has_pairs[place] || (sums->axes != rank && !is_single);
    } else {
        sums->input[sums->factors++] = arg;
    }
    return at;
}

static void find_weighed(struct sums *sums)
{
    sums->weighed = -1;
    const bool are_two = sums->factors == 2 && sums->input[0] != sums->input[1];
    for (int factor = sums->factors - 1; factor >= 0 && are_two && sums->are_floats; factor--)
        for (int i = sums->outer - 1; i >= 0 && sums->weighed < 0; i--)
            if (!sums->has_pairs[1 + factor] && sums->axis[i].step[1 + factor] > 0 &&
                sums->axis[i].step[2 - factor] == 0) {
                sums->weighed = i;
                sums->weighed_factor = factor;
            }
    sums->are_matrices = sums->weighed >= 0 && !sums->has_pairs[1] && !sums->has_pairs[2];
}

bool sums_of(const struct op *op, const struct workload *workload, struct sums *sums)
{
    static const char *const before[] = {"", " = ", " "};
    const char *at = op->formula ? op->formula : "";
    *sums = (struct sums){.elements = 1, .terms = 1, .in_parts = op->in_parts, .are_floats = true};
    for (int place = 0; place < 3 && *at && !sums->is_wrong; place++) {
        const size_t gap = strlen(before[place]);
        sums->is_wrong = strncmp(at, before[place], gap) != 0;
        if (!sums->is_wrong)
            at = read_array(sums, op, workload, at + gap, place);
    }
    sums->is_wrong = sums->is_wrong || *at != '\0' || sums->factors == 0;
    for (int i = 0; i < sums->axes; i++) {
        sums->is_wrong = sums->is_wrong || !sums->axis[i].is_alone;
        *(i < sums->outer ? &sums->elements : &sums->terms) *= sums->axis[i].extent;
    }
    find_weighed(sums);
    return op->formula != NULL;
}

struct walk sums_walk(const struct sums *sums, int64_t element)
{
    struct walk walk = {{0}, {0}};
    for (int i = sums->outer - 1; i >= 0; i--) {
        const struct axis *axis = &sums->axis[i];
        for (int place = 0; place < 3; place++)
            walk.at[place] += element % axis->extent * axis->step[place];
        element /= axis->extent;
    }
    return walk;
}

bool sums_next(const struct sums *sums, struct walk *walk)
{
    for (int i = sums->axes - 1; i >= sums->outer; i--) {
        const struct axis *axis = &sums->axis[i];
        const bool is_last = ++walk->index[i] == axis->extent;
        walk->at[1] += is_last ? (1 - axis->extent) * axis->step[1] : axis->step[1];
        walk->at[2] += is_last ? (1 - axis->extent) * axis->step[2] : axis->step[2];
        if (!is_last)
            return true;
        walk->index[i] = 0;
    }
    return false;
}

int64_t sums_place(const struct sums *sums, int place, int axis, int end, int64_t number)
{
    int64_t at = 0;
    for (int i = end - 1; i >= axis; i--) {
        const struct axis *of = &sums->axis[i];
        at += of->step[place] > 0 ? number % of->extent * of->step[place] : 0;
        number /= of->step[place] > 0 ? of->extent : 1;
    }
    return at;
}

/* Accumulators of a block. */
struct block {
    double value[BLOCK_COLUMNS], magnitude[BLOCK_COLUMNS], squares[BLOCK_COLUMNS];
    int64_t terms[BLOCK_COLUMNS];
};

/* The product of two binary32 numbers is exact in double precision. `y` NULL: there is one factor. */
__attribute__((always_inline)) static inline void add_terms(struct block *block, int64_t count, const float *x,
                                                            int64_t x_step, const float *y, int64_t y_step)
{
    for (int64_t j = 0; j < count; j++) {
        const double term = (double)x[j * x_step] * (y ? (double)y[j * y_step] : 1);
        block->value[j] += term;
        block->magnitude[j] += fabs(term);
        block->squares[j] += term * term;
        block->terms[j] += term != 0;
    }
}

/* Compilers make vectors of steps that they know. */
static void add_some(struct block *block, int64_t count, const float *x, int64_t x_step, const float *y, int64_t y_step)
{
    if (y && x_step == 0 && y_step == 1)
        add_terms(block, count, x, 0, y, 1);
    else
        add_terms(block, count, x, x_step, y, y_step);
}

void sums_compute(const struct sums *sums, const void *const memory[], int64_t first, int64_t count, struct sum sum[])
{
    static const struct axis none = {.extent = 1};
    const struct axis *along = sums->outer > 0 ? &sums->axis[sums->outer - 1] : &none;
    const float *x = memory[sums->input[0]], *y = sums->factors > 1 ? memory[sums->input[1]] : NULL;
    for (int64_t done = 0; done < count; done += BLOCK_COLUMNS) {
        const int64_t columns = count - done < BLOCK_COLUMNS ? count - done : BLOCK_COLUMNS;
        struct block block = {{0}, {0}, {0}, {0}};
        struct walk walk = sums_walk(sums, first + done);
        do
            add_some(&block, columns, x + walk.at[1], along->step[1], y ? y + walk.at[2] : NULL, along->step[2]);
        while (sums_next(sums, &walk));
        for (int64_t j = 0; j < columns; j++)
            sum[done + j] = (struct sum){block.value[j], block.magnitude[j], block.squares[j], block.terms[j]};
    }
}

static double gamma_of(double k)
{
    return k * unit < 1 ? k * unit / (1 - k * unit) : INFINITY;
}

double sum_bound(const struct sum *sum)
{
    const double k = (double)sum->terms;
    const double usual = lambda * unit * sqrt(k) * (fabs(sum->value) + sqrt(sum->squares));
    return fmin(gamma_of(k) * sum->magnitude, usual) + k * smallest_subnormal;
}

double sums_bound(const struct sums *sums, const struct input_note *note, const struct sum *sum)
{
    const double terms = (double)note->terms, usual = sum_bound(sum);
    if (note->exact || (sums->factors == 1 && sum->terms <= 1))
        return 0;
    if (!sums_are_precise(sums))
        return usual;
    const double gamma = note->zero_mean ? fmin(gamma_of(terms), lambda * sqrt(terms) * unit) : gamma_of(terms);
    const double of_parts = (gamma + split_factors) * sum->magnitude + terms * smallest_subnormal;
    return sums->in_parts ? of_parts : fmin(of_parts, usual);
}

double sums_rounded_factors(enum precision precision, double magnitude, double bound)
{
    return precision == PRECISION_TF32 ? 2 * unit_tf32 * (magnitude + bound) : 0;
}

/* Call terms large or small. An addition is off by at most u times its result, and by at most the smaller operand, for
 * the larger one is a possible result. So there are fewer additions of two operands with large terms in them than large
 * terms, each off by at most u M; and those of which one operand has none are off by little more than all small terms
 * together. */
static double bound_of_few(const struct sum *sum, double large, double small, const struct sums *sums,
                           const struct input_note *note)
{
    const double roundings = sums->factors > 1 ? split_factors : 0;
    const double few = (large * unit + roundings) * sum->magnitude + 2 * small;
    const double bound = few + (double)sums->terms * smallest_subnormal;
    return sums->in_parts ? bound : fmin(bound, sums_bound(sums, note, sum));
}

struct exact sums_exact(const struct sums *sums, const struct op_reader inputs[], int64_t element,
                        enum precision precision)
{
    const double large_at_least = 0x1p-20; /* of terms up to 1; sharp ones that are small are far below */
    const struct op_reader *x = &inputs[sums->input[0]], *y = &inputs[sums->input[1]];
    const bool is_product = sums->factors > 1, is_dense = is_product && y->made->kind == MADE_UNIT;
    const bool has_mean_0 = is_product && x->made->kind != MADE_FRACTIONS;
    const struct input_note any = {.terms = sums->terms};
    const bool is_given = x->made->kind == MADE_GIVEN || (is_product && y->made->kind == MADE_GIVEN);
    struct sum sum = {0}, of_x = {0}, of_y = {0};
    struct walk walk = sums_walk(sums, element);
    int64_t large = 0;
    double small = 0;
    do {
        const double a = op_read(x, walk.at[1]), b = is_product ? op_read(y, walk.at[2]) : 1;
        const double term = a * b, size = fabs(term);
        sum_add(&sum, term);
        large += size >= large_at_least;
        small += size < large_at_least ? size : 0;
        of_x.squares += a * a;
        of_y.squares += b * b;
    } while (sums_next(sums, &walk));
    const double root = lambda * sqrt((double)sums->terms); /* as sums_bound() has it */
    const double roundings = is_dense && has_mean_0 ? fmin((double)large, root) : (double)large;
    const double bound = is_given ? sums_bound(sums, &any, &sum) : bound_of_few(&sum, roundings, small, sums, &any);
    const double of_factors = sums_rounded_factors(precision, sum.magnitude, bound);
    const double scale = is_given     ? NAN
                         : !is_dense  ? sum.magnitude
                         : has_mean_0 ? sqrt(of_x.squares * of_y.squares)
                                      : NAN;
    return (struct exact){sum.value, bound + of_factors, scale > 0 ? scale : NAN, is_dense};
}

/* Term by term, since the elements' terms lie beside each other as a rule. */
void sums_visit(const struct sums *sums, int64_t first, int64_t count, op_visit *visit, void *self)
{
    for (int factor = 0; factor < sums->factors; factor++) {
        struct walk term = {{0}, {0}};
        do
            for (int64_t element = first; element < first + count; element++)
                visit(self, sums->input[factor], sums_walk(sums, element).at[1 + factor] + term.at[1 + factor]);
        while (sums_next(sums, &term));
    }
}

/* For very many elements. FP32:
 * - where k is small, above 3xTF32 (1.5 for k = 1) and below factors rounded to 22 bits (2.5);
 * - then above BF16x9 (0.9), whatever k is;
 * - then above sums of positive products first (0.19 sqrt(k)), below accumulators that truncate (0.56 sqrt(k));
 * - then below factors rounded to TF32 (5740 / sqrt(k)).
 * TF32, in its own unit: above rounded factors (0.58 / sqrt(k)), below those rounded to BF16 (4.6 / sqrt(k)). */
static double rms_limit(enum precision precision, int64_t k)
{
    const double root = sqrt((double)k);
    if (precision == PRECISION_TF32)
        return 2 / root;
    return fmax(fmax(1.25, 2 - 0.25 * (double)k), fmin(0.25 * root, 2000 / root));
}

/* The root mean square of few errors spreads. Where factors are rounded, elements share the errors of these: no more
 * count than k times the smaller side. */
double sums_rms_limit(enum precision precision, int64_t k, int64_t elements, int64_t side)
{
    const double independent = fmin((double)elements, (double)k * (double)side);
    return rms_limit(precision, k) * (1 + 4 / sqrt(independent));
}

int64_t sums_side(const struct sums *sums)
{
    int64_t side[2] = {1, 1};
    for (int i = 0; i < sums->outer; i++)
        for (int factor = 0; factor < 2; factor++)
            side[factor] *= sums->axis[i].step[1 + factor] > 0 ? sums->axis[i].extent : 1;
    return side[0] < side[1] ? side[0] : side[1];
}

/* Sharp sums have the errors of eight products, but where a tensor core adds all parts of their factors in one chain,
 * it truncates each time: 2.2 in FP32, however large k is, as where k is 80. */
double sums_rms_limit_of_elements(const struct sums *sums, enum precision precision, int64_t elements, bool dense)
{
    const double k = (double)sums->terms, terms = dense ? k : fmin(k, SHARP_TERMS);
    const double independent = fmin((double)elements, terms * (double)sums_side(sums));
    const double like = dense ? k : precision == PRECISION_TF32 ? terms : fmin(k, 100);
    return rms_limit(precision, (int64_t)like) * (1 + 4 / sqrt(independent));
}

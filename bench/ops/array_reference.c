#include "array_reference.h"

#include "bench/base/parallel.h"
#include "sharp.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE_ALONE = 16 }; /* of elements that share no work */

/* What the elements that were compared so far say. */
struct tally {
    int64_t compared, wrong, first_wrong;
    float got;
    double expected, bound;       /* of the first wrong element */
    double max_err, bound_at_max; /* NAN: an error without a size */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The shape of the answer. */
static struct array_shape describe(const struct array_rule *rule, const struct workload *workload, size_t *inputs)
{
    struct array_shape shapes[OP_BUFFERS_MAX];
    *inputs = rule->shapes(workload, shapes) - 1;
    return shapes[*inputs];
}

/* A rule with the inputs of a problem. */
struct given {
    const struct array_rule *rule;
    const struct workload *workload;
    struct array_reader inputs[OP_BUFFERS_MAX];
    size_t count;
};

/* Sums of at most PIECE_ALONE elements. */
static void sum_up(const struct given *given, int64_t first, int64_t count, double *value, double *bound)
{
    const struct array_rule *rule = given->rule;
    const int64_t terms = rule->terms(given->workload);
    struct array_sum sums[PIECE_ALONE] = {0};
    int64_t start[PIECE_ALONE][2] = {{0}};
    for (int64_t e = 0; e < count; e++)
        for (size_t i = 0; i < given->count; i++)
            start[e][i] = rule->start(given->workload, i, first + e);
    for (int64_t p = 0; p < terms; p++) {
        const int64_t one = rule->step(given->workload, 0, p), other = rule->step(given->workload, 1, p);
        for (int64_t e = 0; e < count; e++) {
            const double x = array_at(&given->inputs[0], start[e][0] + one);
            array_sum_add(&sums[e], given->count == 1 ? x : x * array_at(&given->inputs[1], start[e][1] + other));
        }
    }
    for (int64_t e = 0; e < count; e++) {
        value[e] = sums[e].value;
        bound[e] = array_sum_bound(&sums[e]);
    }
}

static bool compute(const struct given *given, int64_t first, int64_t count, double *value, double *bound)
{
    if (given->rule->compute)
        return given->rule->compute(given->workload, given->inputs, first, count, value, bound);
    sum_up(given, first, count, value, bound);
    return true;
}

/* 0 where both are the same infinity, or NaN; NAN or infinite where only one is. */
static double error_of(float got, double expected)
{
    if (isnan(expected))
        return isnan(got) ? 0 : NAN;
    return (double)got == expected ? 0 : fabs((double)got - expected);
}

static void note_error(struct tally *tally, double err, double bound)
{
    if (isnan(tally->max_err) || err <= tally->max_err)
        return;
    tally->max_err = err;
    tally->bound_at_max = bound;
}

/* Compares elements `first` to `first` + `count` - 1. */
static void compare(struct tally *tally, int64_t first, int64_t count, const double *value, const double *bound,
                    const float *got)
{
    for (int64_t i = 0; i < count; i++) {
        double err = error_of(got[i], value[i]);
        bool is_wrong = err != 0 && (!(err <= bound[i]) || isinf(err));
        note_error(tally, err, bound[i]);
        if (is_wrong && tally->wrong++ == 0) {
            tally->first_wrong = first + i;
            tally->got = got[i];
            tally->expected = value[i];
            tally->bound = bound[i];
        }
    }
    tally->compared += count;
}

/* "y[3,5]" */
static void name_element(const struct array_shape *shape, int64_t element, char *text, size_t size)
{
    int64_t below = array_elements(shape);
    int used = snprintf(text, size, "%s[", shape->name);
    for (int i = 0; i < shape->rank; i++) {
        below /= shape->size[i];
        used += snprintf(text + used, size - (size_t)used, "%s%" PRId64, i > 0 ? "," : "", element / below);
        element %= below;
    }
    snprintf(text + used, size - (size_t)used, "]");
}

static void conclude(const struct tally *tally, const struct array_shape *shape, struct check *check)
{
    *check = (struct check){
        .correct = tally->wrong == 0, .max_abs_err = tally->max_err, .err_bound = tally->bound_at_max, .rms_err = NAN};
    if (check->correct)
        return;
    char element[160], within[32];
    name_element(shape, tally->first_wrong, element, sizeof element);
    snprintf(within, sizeof within, tally->bound > 0 ? "within %.3g" : "exactly", tally->bound);
    snprintf(check->reason, sizeof check->reason,
             "wrong answer: %s is %.9g, expected %.9g %s; %" PRId64 " of %" PRId64 " checked elements are wrong",
             element, (double)tally->got, tally->expected, within, tally->wrong, tally->compared);
}

size_t array_reference_bytes(const struct array_rule *rule, const struct workload *workload)
{
    size_t inputs;
    const struct array_shape shape = describe(rule, workload, &inputs);
    return sizeof(struct array_reference) + (size_t)array_elements(&shape) * 2 * sizeof(double);
}

struct making {
    struct given given;
    int64_t elements, piece;
    struct array_reference *reference;
    atomic_bool failed;
};

static void make_piece(void *self, int64_t number)
{
    struct making *making = self;
    const int64_t first = number * making->piece, count = smaller(making->piece, making->elements - first);
    if (!compute(&making->given, first, count, making->reference->value + first, making->reference->bound + first))
        making->failed = true;
}

/* Little work is not worth a thread. */
static bool make_pieces(struct making *making)
{
    const double flops_at_least = 1e7;
    const int64_t pieces = (making->elements - 1) / making->piece + 1;
    double (*flops)(const struct workload *) = making->given.rule->flops;
    if (flops && flops(making->given.workload) >= flops_at_least)
        parallel_each(pieces, make_piece, making);
    else
        for (int64_t number = 0; number < pieces; number++)
            make_piece(making, number);
    return !making->failed;
}

struct array_reference *array_reference_make(const struct array_rule *rule, const struct workload *workload,
                                             void *const host[])
{
    struct array_reference *reference = malloc(sizeof *reference);
    if (!reference)
        return NULL;
    reference->shape = describe(rule, workload, &reference->inputs);
    struct making making = {.given = {rule, workload, {{0}}, reference->inputs},
                            .elements = array_elements(&reference->shape),
                            .piece = rule->piece ? rule->piece(workload) : PIECE_ALONE,
                            .reference = reference};
    for (size_t i = 0; i < reference->inputs; i++)
        making.given.inputs[i].memory = host[i];
    reference->value = malloc((size_t)making.elements * sizeof *reference->value);
    reference->bound = malloc((size_t)making.elements * sizeof *reference->bound);
    if (reference->value && reference->bound && make_pieces(&making))
        return reference;
    array_reference_free(reference);
    return NULL;
}

void array_reference_free(struct array_reference *reference)
{
    if (!reference)
        return;
    free(reference->value);
    free(reference->bound);
    free(reference);
}

void array_check(const struct array_reference *reference, void *const outputs[], struct check *check)
{
    struct tally tally = {0};
    compare(&tally, 0, array_elements(&reference->shape), reference->value, reference->bound,
            outputs[reference->inputs]);
    conclude(&tally, &reference->shape, check);
}

/* A sum of terms that are known one by one. TF32 rounds each factor once. */
static struct exact exact_sum(const struct given *given, int64_t element, enum precision precision)
{
    const struct array_rule *rule = given->rule;
    const bool is_product = given->count > 1;
    struct sharp_sum sum = {0};
    int64_t start[2] = {0};
    for (size_t i = 0; i < given->count; i++)
        start[i] = rule->start(given->workload, i, element);
    for (int64_t p = 0; p < rule->terms(given->workload); p++) {
        const double x = array_at(&given->inputs[0], start[0] + rule->step(given->workload, 0, p));
        sharp_sum_add(&sum,
                      is_product ? x * array_at(&given->inputs[1], start[1] + rule->step(given->workload, 1, p)) : x);
    }
    const double bound = sharp_sum_bound(&sum, is_product), scale = sum.all.magnitude;
    const double of_factors = precision == PRECISION_TF32 ? 2 * 0x1p-11 * (scale + bound) : 0;
    return (struct exact){sum.all.value, bound + of_factors, scale > 0 ? scale : NAN};
}

/* A piece of the answer to a question, which the seed of an input tells. */
struct piece {
    const struct array_rule *rule;
    struct workload workload;
    uint64_t seed;
    int64_t first, count;
};

/* Of the piece that was computed last, further elements cost nothing. */
static bool exact_of_piece(const struct given *given, int64_t element, int64_t elements, struct exact *exact)
{
    static struct piece last;
    static double *value; /* and the bounds behind them */
    const int64_t length = given->rule->piece ? given->rule->piece(given->workload) : 1;
    const int64_t first = element / length * length, count = smaller(length, elements - first);
    struct piece piece;
    memset(&piece, 0, sizeof piece); /* padding too */
    piece.rule = given->rule;
    piece.workload = *given->workload;
    piece.seed = given->inputs[0].made->seed;
    piece.first = first;
    piece.count = count;
    if (memcmp(&last, &piece, sizeof last) != 0) {
        memset(&last, 0, sizeof last);
        free(value);
        value = malloc((size_t)count * 2 * sizeof *value);
        if (!value || !compute(given, first, count, value, value + count))
            return false;
        memcpy(&last, &piece, sizeof last);
    }
    *exact = (struct exact){value[element - first], value[element - first + count], NAN};
    return true;
}

bool array_element(const struct array_rule *rule, const struct workload *workload, const struct made made[],
                   int64_t element, enum precision precision, struct exact *exact)
{
    struct given given = {.rule = rule, .workload = workload};
    const struct array_shape shape = describe(rule, workload, &given.count);
    for (size_t i = 0; i < given.count; i++)
        given.inputs[i].made = &made[i];
    if (!rule->terms)
        return exact_of_piece(&given, element, array_elements(&shape), exact);
    *exact = exact_sum(&given, element, precision);
    return true;
}

double array_element_reads(const struct array_rule *rule, const struct workload *workload)
{
    size_t inputs;
    (void)describe(rule, workload, &inputs);
    const double each = rule->terms ? (double)rule->terms(workload) : rule->piece ? (double)rule->piece(workload) : 1;
    return (double)inputs * each;
}

#include "array_reference.h"

#include "sharp.h"

#include <inttypes.h>
#include <math.h>
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

/* Sums of at most PIECE_ALONE elements. */
static bool sum_up(const struct array_rule *rule, const struct workload *workload, const struct array_reader inputs[],
                   int64_t first, int64_t count, double *value, double *bound)
{
    struct array_sum sums[PIECE_ALONE] = {0};
    const int64_t terms = rule->terms(workload);
    for (int64_t p = 0; p < terms; p++)
        for (int64_t e = 0; e < count; e++)
            array_sum_add(&sums[e], rule->term(workload, inputs, first + e, p));
    for (int64_t e = 0; e < count; e++) {
        value[e] = sums[e].value;
        bound[e] = array_sum_bound(&sums[e]);
    }
    return true;
}

static bool compute(const struct array_rule *rule, const struct workload *workload, const struct array_reader inputs[],
                    int64_t first, int64_t count, double *value, double *bound)
{
    return rule->compute ? rule->compute(workload, inputs, first, count, value, bound)
                         : sum_up(rule, workload, inputs, first, count, value, bound);
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

struct array_reference *array_reference_make(const struct array_rule *rule, const struct workload *workload,
                                             void *const host[])
{
    struct array_reference *reference = malloc(sizeof *reference);
    if (!reference)
        return NULL;
    reference->shape = describe(rule, workload, &reference->inputs);
    const int64_t elements = array_elements(&reference->shape),
                  piece = rule->piece ? rule->piece(workload) : PIECE_ALONE;
    reference->value = malloc((size_t)elements * sizeof *reference->value);
    reference->bound = malloc((size_t)elements * sizeof *reference->bound);
    bool ok = reference->value && reference->bound;
    struct array_reader inputs[OP_BUFFERS_MAX] = {0};
    for (size_t i = 0; i < reference->inputs; i++)
        inputs[i].memory = host[i];
    for (int64_t first = 0; first < elements && ok; first += piece)
        ok = compute(rule, workload, inputs, first, smaller(piece, elements - first), reference->value + first,
                     reference->bound + first);
    if (ok)
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

/* A sum of terms that are known one by one. */
static struct exact exact_sum(const struct array_rule *rule, const struct workload *workload,
                              const struct array_reader inputs[], int64_t element)
{
    struct sharp_sum sum = {0};
    const int64_t terms = rule->terms(workload);
    for (int64_t p = 0; p < terms; p++)
        sharp_sum_add(&sum, rule->term(workload, inputs, element, p));
    return (struct exact){sum.all.value, fmin(array_sum_bound(&sum.all), sharp_sum_bound(&sum)), NAN};
}

/* The piece that was computed last: its next element costs nothing. */
struct piece {
    const struct array_rule *rule;
    struct workload workload;
    uint64_t seed[OP_BUFFERS_MAX];
    const uint8_t *rows[OP_BUFFERS_MAX];
    int64_t first, count;
};

static bool compute_piece(const struct piece *piece, const struct array_reader inputs[], const double **value)
{
    static struct piece last;
    static double *computed;
    if (memcmp(&last, piece, sizeof last) != 0) {
        free(computed);
        computed = malloc((size_t)piece->count * 2 * sizeof *computed);
        last = (struct piece){0};
        if (!computed || !compute(piece->rule, &piece->workload, inputs, piece->first, piece->count, computed,
                                  computed + piece->count))
            return false;
        memcpy(&last, piece, sizeof last);
    }
    *value = computed;
    return true;
}

bool array_element(const struct array_rule *rule, const struct workload *workload, const struct made made[],
                   int64_t element, struct exact *exact)
{
    struct array_reader inputs[OP_BUFFERS_MAX] = {0};
    struct piece piece;
    size_t input_count;
    const struct array_shape shape = describe(rule, workload, &input_count);
    memset(&piece, 0, sizeof piece); /* padding too */
    for (size_t i = 0; i < input_count; i++) {
        inputs[i].made = &made[i];
        piece.seed[i] = made[i].seed;
        piece.rows[i] = made[i].rows;
    }
    if (rule->terms) {
        *exact = exact_sum(rule, workload, inputs, element);
        return true;
    }
    const int64_t length = rule->piece ? rule->piece(workload) : 1;
    const double *value;
    piece.rule = rule;
    piece.workload = *workload;
    piece.first = element / length * length;
    piece.count = smaller(length, array_elements(&shape) - piece.first);
    if (!compute_piece(&piece, inputs, &value))
        return false;
    value += element - piece.first;
    *exact = (struct exact){value[0], value[piece.count], NAN};
    return true;
}

double array_element_reads(const struct array_rule *rule, const struct workload *workload)
{
    size_t inputs;
    (void)describe(rule, workload, &inputs);
    const double each = rule->terms ? (double)rule->terms(workload) : rule->piece ? (double)rule->piece(workload) : 1;
    return (double)inputs * each;
}

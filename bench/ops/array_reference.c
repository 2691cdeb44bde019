#include "array_reference.h"

#include "bench/base/seeded.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of a spot check. At least one piece is checked, whatever it reads. */
enum { SPOT_PIECES_MAX = 64 };
static const double spot_reads_max = 2e7;

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
    const int64_t elements = array_elements(&reference->shape), piece = rule->piece(workload);
    reference->value = malloc((size_t)elements * sizeof *reference->value);
    reference->bound = malloc((size_t)elements * sizeof *reference->bound);
    bool ok = reference->value && reference->bound;
    struct array_reader inputs[OP_BUFFERS_MAX] = {0};
    for (size_t i = 0; i < reference->inputs; i++)
        inputs[i].memory = host[i];
    for (int64_t first = 0; first < elements && ok; first += piece)
        ok = rule->compute(workload, inputs, first, smaller(piece, elements - first), reference->value + first,
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

/* Of `pieces` pieces, one from each of `looks` equal parts. */
static int64_t choose_piece(uint64_t choice, int64_t look, int64_t looks, int64_t pieces)
{
    int64_t from = look * pieces / looks, to = (look + 1) * pieces / looks;
    return from + (int64_t)(seeded_bits(choice, (uint64_t)look) % (uint64_t)(to - from));
}

void array_spot_check(const struct array_rule *rule, const struct workload *workload, const uint64_t noise[],
                      void *const outputs[], uint64_t choice, struct check *check)
{
    size_t input_count;
    const struct array_shape shape = describe(rule, workload, &input_count);
    const int64_t elements = array_elements(&shape), piece = rule->piece(workload);
    const float *answer = outputs[input_count];
    const int64_t pieces = (elements - 1) / piece + 1;
    const double affordable = spot_reads_max / rule->piece_reads(workload);
    const int64_t most = affordable < 1 ? 1 : affordable < SPOT_PIECES_MAX ? (int64_t)affordable : SPOT_PIECES_MAX;
    const int64_t looks = smaller(most, pieces);
    double *value = malloc((size_t)smaller(piece, elements) * 2 * sizeof *value);
    bool ok = value;
    struct array_reader inputs[OP_BUFFERS_MAX] = {0};
    struct tally tally = {0};
    for (size_t i = 0; i < input_count; i++)
        inputs[i].noise = noise[i];
    for (int64_t look = 0; look < looks && ok; look++) {
        int64_t first = choose_piece(choice, look, looks, pieces) * piece, count = smaller(piece, elements - first);
        double *bound = value + count;
        ok = rule->compute(workload, inputs, first, count, value, bound);
        if (ok)
            compare(&tally, first, count, value, bound, answer + first);
    }
    free(value);
    if (ok)
        conclude(&tally, &shape, check);
    else
        *check = (struct check){.is_unjudged = true, .reason = "no memory to check it"};
}

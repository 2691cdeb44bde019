#include "array_rule.h"

#include "bench/base/parallel.h"
#include "sharp.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { PIECE_ALONE = 16 }; /* of elements that share no work */

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

static int64_t step_of(const struct given *given, size_t input, int64_t p)
{
    return given->rule->step ? given->rule->step(given->workload, input, p) : p;
}

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
        const int64_t one = step_of(given, 0, p), other = step_of(given, 1, p);
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

double array_flops(const struct array_rule *rule, const struct workload *workload)
{
    size_t inputs;
    const struct array_shape shape = describe(rule, workload, &inputs);
    if (rule->flops || !rule->terms)
        return rule->flops ? rule->flops(workload) : 0;
    const double elements = (double)array_elements(&shape), terms = (double)rule->terms(workload);
    return elements * (inputs > 1 ? 2 * terms : terms - 1);
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
    struct known *known;
    atomic_bool failed;
};

static void make_piece(void *self, int64_t number)
{
    struct making *making = self;
    const int64_t first = number * making->piece, count = smaller(making->piece, making->elements - first);
    if (!compute(&making->given, first, count, making->known->value + first, making->known->scale + first))
        making->failed = true;
}

/* Little work is not worth a thread. */
static bool make_pieces(struct making *making)
{
    const double flops_at_least = 1e7;
    const int64_t pieces = (making->elements - 1) / making->piece + 1;
    if (array_flops(making->given.rule, making->given.workload) >= flops_at_least)
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
    const struct array_shape *shape = &reference->shape;
    reference->shape = describe(rule, workload, &reference->inputs);
    struct making making = {.given = {rule, workload, {{0}}, reference->inputs},
                            .elements = array_elements(shape),
                            .piece = rule->piece ? rule->piece(workload) : PIECE_ALONE,
                            .known = &reference->known};
    for (size_t i = 0; i < reference->inputs; i++)
        making.given.inputs[i].memory = host[i];
    const int64_t columns = shape->size[shape->rank - 1];
    if (known_allocate(&reference->known, making.elements / columns, columns) && make_pieces(&making))
        return reference;
    array_reference_free(reference);
    return NULL;
}

void array_reference_free(void *opaque)
{
    struct array_reference *reference = opaque;
    if (!reference)
        return;
    known_free(&reference->known);
    free(reference);
}

void array_check(const void *opaque, enum precision precision, void *const outputs[], struct check *check)
{
    (void)precision; /* FP32 */
    const struct array_reference *reference = opaque;
    (void)known_compare(&reference->known, &(struct tolerance){.relative = 1}, &reference->shape,
                        outputs[reference->inputs], check);
}

/* A sum of terms that are known one by one. TF32 rounds each factor once. */
static struct exact exact_sum(const struct given *given, int64_t element, enum precision precision)
{
    const struct array_rule *rule = given->rule;
    const bool is_product = given->count > 1;
    const bool is_dense = is_product && given->inputs[1].made->kind == MADE_UNIT;
    const bool has_mean_0 = is_product && given->inputs[0].made->kind != MADE_FRACTIONS;
    struct sharp_sum sum = {0};
    double squares[2] = {0};
    int64_t start[2] = {0};
    for (size_t i = 0; i < given->count; i++)
        start[i] = rule->start(given->workload, i, element);
    for (int64_t p = 0; p < rule->terms(given->workload); p++) {
        const double x = array_at(&given->inputs[0], start[0] + step_of(given, 0, p));
        const double y = is_product ? array_at(&given->inputs[1], start[1] + step_of(given, 1, p)) : 1;
        sharp_sum_add(&sum, x * y);
        squares[0] += x * x;
        squares[1] += y * y;
    }
    const double bound = sharp_sum_bound(&sum, is_product), magnitude = sum.all.magnitude;
    const double of_factors = precision == PRECISION_TF32 ? 2 * 0x1p-11 * (magnitude + bound) : 0;
    const double scale = !is_dense ? magnitude : has_mean_0 ? sqrt(squares[0] * squares[1]) : NAN;
    return (struct exact){sum.all.value, bound + of_factors, scale > 0 ? scale : NAN, is_dense};
}

/* Of the piece that was computed last, further elements cost nothing. */
static bool exact_of_piece(const struct given *given, int64_t element, int64_t elements, struct exact *exact)
{
    static struct {
        const struct array_rule *rule;
        struct workload workload;
        uint64_t seed;
        int64_t first;
        double *value; /* and the bounds behind them */
    } last;
    const int64_t length = given->rule->piece ? given->rule->piece(given->workload) : 1;
    const int64_t first = element / length * length, count = smaller(length, elements - first);
    const uint64_t seed = given->inputs[0].made->seed;
    if (last.rule != given->rule || last.seed != seed || last.first != first ||
        memcmp(last.workload.size, given->workload->size, sizeof last.workload.size) != 0) {
        free(last.value);
        last.rule = NULL;
        last.value = malloc((size_t)count * 2 * sizeof *last.value);
        if (!last.value || !compute(given, first, count, last.value, last.value + count))
            return false;
        last.rule = given->rule;
        last.workload = *given->workload;
        last.seed = seed;
        last.first = first;
    }
    *exact = (struct exact){last.value[element - first], last.value[element - first + count], NAN, false};
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

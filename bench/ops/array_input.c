#include "array_rule.h"

#include "input_matrix.h"
#include "sharp.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static float zero(const struct input_matrix *array, uint64_t row, int64_t i, int64_t j)
{
    (void)row;
    const uint64_t bits = input_bits(array, i, j);
    return bits % 8 == 0 ? (float)input_integer_of(bits / 8, array->largest) : input_signed_zero(bits);
}

static float power_of_two(const struct input_matrix *array, uint64_t row, int64_t i, int64_t j)
{
    (void)row;
    const uint64_t bits = input_bits(array, i, j);
    return ldexpf(bits >> 63 ? -1 : 1, input_integer_of(bits, 20));
}

static float sparse(const struct input_matrix *array, uint64_t row, int64_t i, int64_t j)
{
    (void)row;
    const uint64_t bits = input_bits(array, i, j);
    return bits % 16 == 0 ? (float)(int32_t)(bits >> 32) * 0x1p-31f : input_signed_zero(bits);
}

static float sparse_of_any(const struct input_matrix *array, uint64_t row, int64_t i, int64_t j)
{
    static const float special[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0x1p-149f, -0x1p-149f, -0x1p-126f};
    const uint64_t bits = input_bits(array, i, j), specials = sizeof special / sizeof special[0];
    return bits % 16 == 1 ? special[bits / 16 % specials] : sparse(array, row, i, j);
}

static input_element *const elements[INPUT_KINDS] = {
    [INPUT_ZEROS] = zero,
    [INPUT_ONES] = input_one,
    [INPUT_POWERS_OF_TWO] = power_of_two,
    [INPUT_EQUAL_ROWS] = input_equal_rows,
    [INPUT_INTEGERS] = input_integer,
    [INPUT_SPARSE] = sparse,
};

/* In most questions inputs that are not summed are that large: a softmax of them has no subnormal numbers. */
#define LARGE_INPUT 32.0f

/* Returns how many inputs there are. */
static size_t describe(const struct array_rule *rule, const struct workload *workload,
                       const struct input_source *source, bool is_question, struct made made[OP_BUFFERS_MAX],
                       struct input_note *note)
{
    struct array_shape shapes[OP_BUFFERS_MAX];
    const size_t inputs = rule->shapes(workload, shapes) - 1;
    *note = (struct input_note){0};
    snprintf(note->text, sizeof note->text, "%s", input_kind_names[source->kind]);
    for (size_t i = 0; i < inputs; i++) {
        const uint64_t seed = made_seed(source->seed, i);
        made[i] = !is_question   ? made_unit(seed, 1)
                  : !rule->terms ? made_unit(seed, sharp_is_question(source->seed) ? 1 : LARGE_INPUT)
                  : inputs == 1  ? sharp_term(seed, rule->terms(workload))
                                 : sharp_factor(seed, rule->terms(workload));
    }
    if (rule->question && source->kind == INPUT_RANDOM)
        rule->question(workload, source, made, note);
    return inputs;
}

void array_input_fill(const struct array_rule *rule, const struct workload *workload, const struct input_source *source,
                      void *const host[], struct input_note *note)
{
    struct array_shape shapes[OP_BUFFERS_MAX];
    struct made made[OP_BUFFERS_MAX];
    const size_t inputs = describe(rule, workload, source, false, made, note);
    const bool takes_any = rule->takes_any && source->kind == INPUT_SPARSE;
    (void)rule->shapes(workload, shapes);
    for (size_t i = 0; i < inputs; i++) {
        const int64_t columns = shapes[i].size[shapes[i].rank - 1]; /* a row is what lies along the last dimension */
        const struct input_matrix array = {
            host[i], array_elements(&shapes[i]) / columns, columns, columns, 1, made[i].seed, 15, false, 0};
        input_fill(&array, &made[i], takes_any ? sparse_of_any : elements[source->kind]);
    }
}

void array_input_question(const struct array_rule *rule, const struct workload *workload,
                          const struct input_source *source, struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    (void)describe(rule, workload, source, true, made, note);
}

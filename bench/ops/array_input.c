#include "array_input.h"

#include "sharp.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

struct array {
    float *to;
    int64_t elements, columns; /* a row is what lies along the last dimension */
    uint64_t seed;
    bool takes_any;
};

static float integer(uint64_t bits)
{
    const int largest = 15;
    return (float)((int)(bits % (2 * (unsigned)largest + 1)) - largest);
}

static float signed_zero(uint64_t bits)
{
    return bits >> 63 ? -0.0f : 0.0f;
}

static void fill_random(const struct array *array)
{
    const struct made made = made_unit(array->seed, 1);
    made_fill(array->to, (size_t)array->elements * sizeof *array->to, &made, 0);
}

static void fill_zeros(const struct array *array)
{
    for (int64_t i = 0; i < array->elements; i++) {
        uint64_t bits = made_bits(array->seed, (uint64_t)i);
        array->to[i] = bits % 8 == 0 ? integer(bits / 8) : signed_zero(bits);
    }
}

static void fill_ones(const struct array *array)
{
    for (int64_t i = 0; i < array->elements; i++)
        array->to[i] = 1;
}

static void fill_powers_of_two(const struct array *array)
{
    const int largest = 20;
    for (int64_t i = 0; i < array->elements; i++) {
        uint64_t bits = made_bits(array->seed, (uint64_t)i);
        array->to[i] = ldexpf(bits >> 63 ? -1 : 1, (int)(bits % (2 * (unsigned)largest + 1)) - largest);
    }
}

static void fill_integers(const struct array *array)
{
    for (int64_t i = 0; i < array->elements; i++)
        array->to[i] = integer(made_bits(array->seed, (uint64_t)i));
}

static void fill_sparse(const struct array *array)
{
    static const float special[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0x1p-149f, -0x1p-149f, -0x1p-126f};
    const uint64_t specials = sizeof special / sizeof special[0];
    fill_random(array);
    for (int64_t i = 0; i < array->elements; i++) {
        uint64_t bits = made_bits(array->seed, (uint64_t)i);
        if (bits % 16 == 1 && array->takes_any)
            array->to[i] = special[bits / 16 % specials];
        else if (bits % 16 != 0)
            array->to[i] = signed_zero(bits);
    }
}

static void fill_equal_rows(const struct array *array)
{
    fill_integers(array);
    for (int64_t row = 1; row < array->elements / array->columns; row++) {
        uint64_t bits = made_bits(array->seed, (uint64_t)row);
        float *to = array->to + row * array->columns;
        memcpy(to, array->to, (size_t)array->columns * sizeof *to);
        if (bits & 1)
            to[(bits >> 1) % (uint64_t)array->columns] += 1;
    }
}

static void (*const fills[INPUT_KINDS])(const struct array *array) = {
    [INPUT_RANDOM] = fill_random,
    [INPUT_ZEROS] = fill_zeros,
    [INPUT_ONES] = fill_ones,
    [INPUT_POWERS_OF_TWO] = fill_powers_of_two,
    [INPUT_EQUAL_ROWS] = fill_equal_rows,
    [INPUT_INTEGERS] = fill_integers,
    [INPUT_SPARSE] = fill_sparse,
};

static void fill_measured(const struct array_rule *rule, const struct workload *workload,
                          const struct input_source *source, void *const host[], struct input_note *note)
{
    struct array_shape shapes[OP_BUFFERS_MAX];
    struct made made[OP_BUFFERS_MAX];
    const size_t inputs = rule->shapes(workload, shapes) - 1;
    rule->question(workload, source, made, note);
    for (size_t i = 0; i < inputs; i++)
        made_fill(host[i], (size_t)array_elements(&shapes[i]) * sizeof(float), &made[i], 0);
}

void array_input_fill(const struct array_rule *rule, const struct workload *workload, const struct input_source *source,
                      void *const host[], struct input_note *note)
{
    struct array_shape shapes[OP_BUFFERS_MAX];
    size_t inputs = rule->shapes(workload, shapes) - 1;
    *note = (struct input_note){0};
    snprintf(note->text, sizeof note->text, "%s", input_kind_names[source->kind]);
    if (source->kind == INPUT_RANDOM && rule->question) {
        fill_measured(rule, workload, source, host, note);
        return;
    }
    for (size_t i = 0; i < inputs; i++) {
        const struct array array = {host[i], array_elements(&shapes[i]), shapes[i].size[shapes[i].rank - 1],
                                    made_seed(source->seed, i), rule->takes_any};
        fills[source->kind](&array);
    }
}

void array_input_question(const struct array_rule *rule, const struct workload *workload,
                          const struct input_source *source, struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    struct array_shape shapes[OP_BUFFERS_MAX];
    const size_t inputs = rule->shapes(workload, shapes) - 1;
    *note = (struct input_note){.text = "random"};
    for (size_t i = 0; i < inputs; i++) {
        const uint64_t seed = made_seed(source->seed, i);
        made[i] = !rule->terms  ? made_unit(seed, 1)
                  : inputs == 1 ? sharp_term(seed, rule->terms(workload))
                                : sharp_factor(seed, rule->terms(workload));
    }
    if (rule->question)
        rule->question(workload, source, made, note);
}

#include "bench/base/error.h"
#include "selected_rows.h"
#include "tests/unit.h"

/* The table, without the rungs' code. */
#define OP(name) extern const struct op name##_op;
#include "bench/table/rungs.def"

#define BACKEND(name, requires, separate_memory, simulates, label) {#name, label, separate_memory, simulates, NULL},
static const struct backend_entry backends[] = {
#include "bench/table/rungs.def"
};

#define OP(name) &name##_op,
static const struct op *const ops[] = {
#include "bench/table/rungs.def"
};

#define RUNG(of, name, on, requires, as, marks, what) \
    {.variant = #name,                                \
     .op = &of##_op,                                  \
     .backend = &backends[BACKEND_##on],              \
     .unavailable = "not in a test",                  \
     .precision = as,                                 \
     .traits = marks,                                 \
     .summary = what},
static const struct rung rungs[] = {
#include "bench/table/rungs.def"
};

const struct registry real_table = {
    .backends = backends,
    .backend_count = BACKEND_COUNT,
    .ops = ops,
    .op_count = sizeof ops / sizeof ops[0],
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof rungs[0],
};

struct options suite(const char *name)
{
    struct options options = {.suite = suite_find(name), .modes = {&mode_cold, &mode_hot, &mode_e2e}, .mode_count = 3};
    assert_non_null(options.suite);
    return options;
}

struct selection select_rows(const struct options *options)
{
    struct selection selection;
    struct error error = {""};
    if (selection_make(&real_table, options, &selection, &error) != EXIT_RIGHT)
        fail_msg("%s", error.text);
    return selection;
}

void print_shapes(const struct options *options, char *text, size_t size)
{
    struct selection selection = select_rows(options);
    text[0] = '\0';
    for (size_t i = 0; i < selection.count; i++) {
        const struct row *row = &selection.rows[i];
        char shape[64], line[160];
        op_shape(row->rung->op, row->workload, shape, sizeof shape);
        snprintf(line, sizeof line, "%s/%s %s, ", row->rung->op->name, row->workload->name, shape);
        if (!strstr(text, line))
            strncat(text, line, size - strlen(text) - 1);
    }
    free(selection.rows);
}

size_t count_rows(const struct options *options)
{
    struct selection selection = select_rows(options);
    free(selection.rows);
    return selection.count;
}

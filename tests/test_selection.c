/* Which rows a run has, on the real table of rungs. */
#include "selection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table, without the rungs' code. */
#define BACKEND(name, requires, separate_memory, simulates, label)
#define OP(name) extern const struct op name##_op;
#define RUNG(op, variant, backend, requires, precision, traits, summary)
#include "rungs.def"
#undef BACKEND
#undef OP
#undef RUNG

#define BACKEND(name, requires, separate_memory, simulates, label) BACKEND_##name,
#define OP(name)
#define RUNG(op, variant, backend, requires, precision, traits, summary)
enum {
#include "rungs.def"
    BACKEND_COUNT
};
#undef BACKEND

#define BACKEND(name, requires, separate_memory, simulates, label) {#name, label, separate_memory, simulates, NULL},
static const struct backend_entry backends[] = {
#include "rungs.def"
};
#undef BACKEND
#undef OP

#define BACKEND(name, requires, separate_memory, simulates, label)
#define OP(name) &name##_op,
static const struct op *const ops[] = {
#include "rungs.def"
};
#undef OP
#undef RUNG

#define OP(name)
#define RUNG(op, variant, backend, requires, precision, traits, summary) \
    {#variant, &op##_op, &backends[BACKEND_##backend], NULL, "not in a test", precision, traits, summary},
static const struct rung rungs[] = {
#include "rungs.def"
};
#undef BACKEND
#undef OP
#undef RUNG

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct registry registry = {
    .backends = backends,
    .backend_count = BACKEND_COUNT,
    .ops = ops,
    .op_count = COUNT(ops),
    .rungs = rungs,
    .rung_count = COUNT(rungs),
};

static struct options suite(const char *name)
{
    struct options options = {.suite = suite_find(name), .modes = {&mode_cold, &mode_hot, &mode_e2e}, .mode_count = 3};
    assert_non_null(options.suite);
    return options;
}

static void add_own(struct options *options, const struct op *op, const char *flag, const char *size)
{
    for (size_t i = 0; i < op->flag_count; i++) {
        if (strcmp(op->flags[i].name, flag) != 0)
            continue;
        struct user_workload own = {.op = op};
        bool added = false;
        struct error error;
        assert_true(op->flags[i].set(size, &own.workload, &added, &error) && added);
        options->user[options->user_count++] = own;
        return;
    }
    fail_msg("there is no --%s", flag);
}

static struct selection select_rows(const struct options *options)
{
    struct selection selection;
    struct error error = {""};
    if (!selection_make(&registry, options, &selection, &error))
        fail_msg("%s", error.text);
    return selection;
}

static void assert_selects_nothing(const struct options *options, const char *reason)
{
    struct selection selection;
    struct error error = {""};
    assert_false(selection_make(&registry, options, &selection, &error));
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, reason))
        fail_msg("'%s' does not say '%s'", error.text, reason);
}

/* All workloads of the selection, each once, in order: "op/workload op/workload ". */
static void workloads_of(const struct selection *selection, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < selection->count; i++) {
        const struct row *row = &selection->rows[i];
        char name[80];
        snprintf(name, sizeof name, "%s/%s ", row->rung->op->name, row->workload->name);
        if (!strstr(text, name))
            strncat(text, name, size - strlen(text) - 1);
    }
}

static void assert_workloads(const char *name, const char *expected)
{
    struct options options = suite(name);
    struct selection selection = select_rows(&options);
    char text[1024];
    workloads_of(&selection, text, sizeof text);
    assert_string_equal(text, expected);
    free(selection.rows);
}

static size_t count_rows(const struct options *options)
{
    struct selection selection = select_rows(options);
    free(selection.rows);
    return selection.count;
}

static void the_mnist_suite_is_whole(void **state)
{
    (void)state;
    assert_workloads("mnist", "matmul/mnist matmul/mnist-valid5 matmul/mnist-batch64 matmul/mnist-hidden "
                              "grayscale/thumb grayscale/puppy grayscale/mnist-rgb ");
}

static void the_lecture_suite_is_whole(void **state)
{
    (void)state;
    assert_workloads("lecture", "matmul/mnist matmul/mnist-valid5 matmul/lecture5 grayscale/thumb grayscale/puppy ");
}

static void the_smoke_suite_is_whole(void **state)
{
    (void)state;
    assert_workloads("smoke", "matmul/mnist-valid5 grayscale/thumb ");
}

static void the_sweep_goes_from_128_to_8192_and_to_large(void **state)
{
    (void)state;
    struct options options = suite("sweep");
    struct selection selection = select_rows(&options);
    char text[1024];
    workloads_of(&selection, text, sizeof text);
    static const char squares[] = "matmul/square-128 matmul/square-256 matmul/square-512 matmul/square-1024 "
                                  "matmul/square-2048 matmul/square-4096 matmul/square-8192 grayscale/";
    assert_memory_equal(text, squares, sizeof squares - 1);
    assert_string_equal(strrchr(text, '/'), "/large ");
    free(selection.rows);
}

static struct options gate_suite(void)
{
    struct options options = suite("gate");
    options.mode_count = 0;
    options.modes_are_suites = true;
    for (const char *name = options.suite->modes; *name;) {
        size_t length = strcspn(name, ",");
        options.modes[options.mode_count++] = mode_find(name, length);
        name += length + (name[length] == ',');
    }
    return options;
}

static void the_gate_suite_has_at_most_thirty_rows(void **state)
{
    (void)state;
    struct options options = gate_suite();
    assert_true(count_rows(&options) <= 30);
}

/* A device's row is either short, and in a graph, or long, and cold; a CPU's is hot; libraries have none. */
static void the_gate_suite_has_each_rung_in_its_steadiest_mode(void **state)
{
    (void)state;
    struct options options = gate_suite();
    struct selection selection = select_rows(&options);
    size_t graph = 0, cold = 0, hot = 0;
    for (size_t i = 0; i < selection.count; i++) {
        const struct row *row = &selection.rows[i];
        bool is_short = (row->workload->suites & SUITE_GATE_SHORT) != 0;
        assert_false(row->rung->traits & RUNG_LIBRARY);
        assert_false(row->rung->backend->simulates);
        if (!row->rung->backend->separate_memory)
            assert_ptr_equal(row->mode, &mode_hot);
        else
            assert_ptr_equal(row->mode, is_short ? &mode_graph : &mode_cold);
        graph += row->mode == &mode_graph;
        cold += row->mode == &mode_cold;
        hot += row->mode == &mode_hot;
    }
    assert_true(graph > 0 && cold > 0 && hot > 0);
    free(selection.rows);
    options.modes_are_suites = false; /* whoever asks for modes gets them, of all rungs */
    assert_true(count_rows(&options) > graph + cold + hot);
}

static void a_backend_has_its_rungs_alone(void **state)
{
    (void)state;
    struct options options = suite("mnist");
    size_t all = count_rows(&options), of_backends = 0;
    for (size_t i = 0; i < BACKEND_COUNT; i++) {
        if (backends[i].simulates)
            continue;
        options.only = &backends[i];
        struct selection selection = select_rows(&options);
        for (size_t row = 0; row < selection.count; row++)
            assert_ptr_equal(selection.rows[row].rung->backend, &backends[i]);
        of_backends += selection.count;
        free(selection.rows);
    }
    assert_int_equal(of_backends, all);
}

static void all_holds_every_workload(void **state)
{
    (void)state;
    struct options options = suite("all");
    struct selection selection = select_rows(&options);
    char text[1024], name[80];
    workloads_of(&selection, text, sizeof text);
    for (size_t o = 0; o < COUNT(ops); o++) {
        for (size_t w = 0; w < ops[o]->workload_count; w++) {
            snprintf(name, sizeof name, "%s/%s ", ops[o]->name, ops[o]->workloads[w].name);
            assert_non_null(strstr(text, name));
        }
    }
    free(selection.rows);
}

static void workloads_have_the_sizes_of_the_lectures(void **state)
{
    (void)state;
    static const struct {
        const struct op *op;
        const char *name, *shape;
    } expected[] = {
        {&matmul_op, "mnist", "50000x784x10"},         {&matmul_op, "mnist-valid5", "5x784x10"},
        {&matmul_op, "mnist-batch64", "64x784x128"},   {&matmul_op, "mnist-hidden", "50000x784x128"},
        {&matmul_op, "lecture5", "5120x256x5120"},     {&matmul_op, "square-128", "128x128x128"},
        {&matmul_op, "square-256", "256x256x256"},     {&matmul_op, "square-512", "512x512x512"},
        {&matmul_op, "square-1024", "1024x1024x1024"}, {&matmul_op, "square-2048", "2048x2048x2048"},
        {&matmul_op, "square-4096", "4096x4096x4096"}, {&matmul_op, "square-8192", "8192x8192x8192"},
        {&grayscale_op, "thumb", "150x216"},           {&grayscale_op, "puppy", "1330x1920"},
        {&grayscale_op, "mnist-rgb", "50000x28x28"},   {&grayscale_op, "large", "16384x16384"},
    };
    for (size_t i = 0; i < COUNT(expected); i++) {
        char shape[64] = "not there";
        for (size_t w = 0; w < expected[i].op->workload_count; w++)
            if (strcmp(expected[i].op->workloads[w].name, expected[i].name) == 0)
                expected[i].op->shape(&expected[i].op->workloads[w], shape, sizeof shape);
        assert_string_equal(shape, expected[i].shape);
    }
}

static void every_rung_has_its_row_in_each_mode(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    struct selection selection = select_rows(&options);
    size_t expected = 0;
    for (size_t r = 0; r < COUNT(rungs); r++) {
        size_t found = 0, modes_of_rung = rungs[r].backend->separate_memory ? 3 : rungs[r].backend->simulates ? 1 : 2;
        for (size_t i = 0; i < selection.count; i++)
            found += selection.rows[i].rung == &rungs[r];
        assert_int_equal(found, modes_of_rung);
        expected += modes_of_rung;
    }
    assert_int_equal(selection.count, expected);
    free(selection.rows);
}

static size_t simulated_rows(const struct options *options)
{
    struct selection selection = select_rows(options);
    size_t found = 0;
    for (size_t i = 0; i < selection.count; i++)
        found += selection.rows[i].rung->backend->simulates;
    free(selection.rows);
    return found;
}

static void simulated_rungs_are_for_small_suites_and_to_verify(void **state)
{
    (void)state;
    static const char *const with[] = {"smoke", "lecture", "all"}, *const without[] = {"mnist", "sweep", "gate"};
    for (size_t i = 0; i < 3; i++) {
        struct options options = suite(with[i]);
        assert_true(simulated_rows(&options) > 0);
        options = suite(without[i]);
        assert_int_equal(simulated_rows(&options), 0);
        options.verify = true;
        assert_true(simulated_rows(&options) > 0);
    }
    struct options options = suite("mnist");
    options.user[options.user_count++] = (struct user_workload){&matmul_op, {"5x6x7", {5, 6, 7}, 0}};
    assert_true(simulated_rows(&options) > 0);
}

static void e2e_is_for_memory_of_its_own(void **state)
{
    (void)state;
    struct options options = suite("all");
    struct selection selection = select_rows(&options);
    size_t rows = 0;
    for (size_t i = 0; i < selection.count; i++) {
        if (selection.rows[i].mode == &mode_e2e) {
            assert_true(selection.rows[i].rung->backend->separate_memory);
            rows++;
        }
    }
    assert_true(rows > 0);
    free(selection.rows);
    options.modes[0] = &mode_e2e;
    options.mode_count = 1;
    options.filter = "/cpu_";
    assert_selects_nothing(&options, "nothing selected: no row of --suite=");
    assert_selects_nothing(&options, " --modes=e2e matches --filter=/cpu_; ");
}

static void names_are_unique_and_plain(void **state)
{
    (void)state;
    struct options options = suite("all");
    add_own(&options, &matmul_op, "shape", "128x128x128");
    add_own(&options, &grayscale_op, "image-size", "128x128");
    struct selection selection = select_rows(&options);
    char(*names)[160] = malloc(selection.count * sizeof *names);
    assert_non_null(names);
    for (size_t i = 0; i < selection.count; i++) {
        row_name(&selection.rows[i], names[i], sizeof names[i]);
        assert_null(strpbrk(names[i], ", \t\""));
        size_t slashes = 0;
        for (const char *c = names[i]; *c; c++)
            slashes += *c == '/';
        assert_int_equal(slashes, 3);
        for (size_t before = 0; before < i; before++)
            assert_string_not_equal(names[before], names[i]);
    }
    free(names);
    free(selection.rows);
}

static void a_name_is_op_workload_variant_mode(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    options.filter = "^matmul/mnist-valid5/cuda_tiled/cold$";
    struct selection selection = select_rows(&options);
    char name[160];
    assert_int_equal(selection.count, 1);
    row_name(&selection.rows[0], name, sizeof name);
    assert_string_equal(name, "matmul/mnist-valid5/cuda_tiled/cold");
    free(selection.rows);
}

/* Operation, workload, rung, mode: rows of one table stand together. */
static void rows_stand_in_the_order_of_the_table(void **state)
{
    (void)state;
    struct options options = suite("mnist");
    struct selection selection = select_rows(&options);
    for (size_t i = 1; i < selection.count; i++) {
        const struct row *a = &selection.rows[i - 1], *b = &selection.rows[i];
        if (a->rung->op != b->rung->op)
            assert_true(a->rung < b->rung);
        else if (a->workload != b->workload)
            assert_true(a->workload < b->workload);
        else
            assert_true(a->rung <= b->rung);
    }
    free(selection.rows);
}

static void a_filter_keeps_what_matches(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    size_t all = count_rows(&options);
    options.filter = "cpu_(scalar|tuned)/hot$";
    assert_int_equal(count_rows(&options), 4);
    options.filter = "";
    assert_int_equal(count_rows(&options), all);
}

static void a_leading_minus_turns_a_filter_round(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    size_t all = count_rows(&options);
    options.filter = "cuda";
    size_t matching = count_rows(&options);
    options.filter = "-cuda";
    assert_int_equal(count_rows(&options), all - matching);
    struct selection selection = select_rows(&options);
    for (size_t i = 0; i < selection.count; i++)
        assert_null(strstr(selection.rows[i].rung->variant, "cuda"));
    free(selection.rows);
}

static void a_bad_regular_expression_is_refused(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    static const char *const bad[] = {"(", "[a", "a{2", "-("};
    for (size_t i = 0; i < COUNT(bad); i++) {
        options.filter = bad[i];
        char expected[32];
        snprintf(expected, sizeof expected, "--filter=%s: ", bad[i]);
        assert_selects_nothing(&options, expected);
        assert_selects_nothing(&options, "regular expression");
    }
}

static void a_filter_that_selects_nothing_is_refused(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    options.filter = "no-such-rung";
    assert_selects_nothing(&options, "nothing selected");
    assert_selects_nothing(&options, "--filter=no-such-rung");
    options.filter = "-/";
    assert_selects_nothing(&options, "nothing selected");
}

static void the_empty_suite_selects_nothing(void **state)
{
    (void)state;
    struct options options = suite("none");
    assert_selects_nothing(&options, "nothing selected: no row of --suite=none --modes=");
    assert_selects_nothing(&options, " is there; ");
}

static void own_workloads_come_beside_the_suite(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    add_own(&options, &matmul_op, "shape", "7x8x9");
    add_own(&options, &grayscale_op, "image-size", "7x8");
    struct selection selection = select_rows(&options);
    char text[256];
    workloads_of(&selection, text, sizeof text);
    assert_string_equal(text, "matmul/mnist-valid5 matmul/7x8x9 grayscale/thumb grayscale/7x8 ");
    free(selection.rows);
}

static void own_workloads_stand_alone_without_a_suite(void **state)
{
    (void)state;
    struct options options = suite("none");
    add_own(&options, &matmul_op, "shape", "7x8x9");
    struct selection selection = select_rows(&options);
    char text[256];
    workloads_of(&selection, text, sizeof text);
    assert_string_equal(text, "matmul/7x8x9 ");
    free(selection.rows);
}

static void a_size_that_the_suite_has_by_that_name_is_not_repeated(void **state)
{
    (void)state;
    struct options options = suite("sweep");
    size_t alone = count_rows(&options);
    add_own(&options, &grayscale_op, "image-size", "256x256");
    assert_int_equal(count_rows(&options), alone);
    struct options smoke = suite("smoke");
    alone = count_rows(&smoke);
    add_own(&smoke, &grayscale_op, "image-size", "256x256");
    assert_true(count_rows(&smoke) > alone);
}

static void verifying_has_one_row_a_rung_and_workload(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    options.verify = true;
    struct selection selection = select_rows(&options);
    assert_int_equal(selection.count, COUNT(rungs));
    for (size_t i = 0; i < selection.count; i++) {
        char name[160];
        row_name(&selection.rows[i], name, sizeof name);
        assert_null(selection.rows[i].mode);
        assert_string_equal(strrchr(name, '/'), "/verify");
    }
    free(selection.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mnist_suite_is_whole),
        cmocka_unit_test(the_lecture_suite_is_whole),
        cmocka_unit_test(the_smoke_suite_is_whole),
        cmocka_unit_test(the_sweep_goes_from_128_to_8192_and_to_large),
        cmocka_unit_test(the_gate_suite_has_at_most_thirty_rows),
        cmocka_unit_test(the_gate_suite_has_each_rung_in_its_steadiest_mode),
        cmocka_unit_test(a_backend_has_its_rungs_alone),
        cmocka_unit_test(all_holds_every_workload),
        cmocka_unit_test(workloads_have_the_sizes_of_the_lectures),
        cmocka_unit_test(every_rung_has_its_row_in_each_mode),
        cmocka_unit_test(simulated_rungs_are_for_small_suites_and_to_verify),
        cmocka_unit_test(e2e_is_for_memory_of_its_own),
        cmocka_unit_test(names_are_unique_and_plain),
        cmocka_unit_test(a_name_is_op_workload_variant_mode),
        cmocka_unit_test(rows_stand_in_the_order_of_the_table),
        cmocka_unit_test(a_filter_keeps_what_matches),
        cmocka_unit_test(a_leading_minus_turns_a_filter_round),
        cmocka_unit_test(a_bad_regular_expression_is_refused),
        cmocka_unit_test(a_filter_that_selects_nothing_is_refused),
        cmocka_unit_test(the_empty_suite_selects_nothing),
        cmocka_unit_test(own_workloads_come_beside_the_suite),
        cmocka_unit_test(own_workloads_stand_alone_without_a_suite),
        cmocka_unit_test(a_size_that_the_suite_has_by_that_name_is_not_repeated),
        cmocka_unit_test(verifying_has_one_row_a_rung_and_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

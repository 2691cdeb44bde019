/* Which rows a run has, on the real table of rungs: by backend, mode and filter, and of the user's own workloads. */
#include "bench/base/exit_status.h"
#include "selected_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void assert_selects_nothing(const struct options *options, const char *reason)
{
    struct selection selection;
    struct error error = {""};
    assert_int_equal(selection_make(&real_table, options, &selection, &error), EXIT_USAGE);
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, reason))
        fail_msg("'%s' does not say '%s'", error.text, reason);
}

static void a_backend_has_its_rungs_alone(void **state)
{
    (void)state;
    struct options options = suite("mnist");
    size_t all = count_rows(&options), of_backends = 0;
    for (size_t i = 0; i < real_table.backend_count; i++) {
        if (real_table.backends[i].simulates)
            continue;
        options.only = &real_table.backends[i];
        struct selection selection = select_rows(&options);
        for (size_t row = 0; row < selection.count; row++)
            assert_ptr_equal(selection.rows[row].rung->backend, &real_table.backends[i]);
        of_backends += selection.count;
        free(selection.rows);
    }
    assert_int_equal(of_backends, all);
}

static void every_rung_has_its_row_in_each_mode(void **state)
{
    (void)state;
    struct options options = suite("smoke");
    struct selection selection = select_rows(&options);
    size_t expected = 0;
    for (size_t r = 0; r < real_table.rung_count; r++) {
        size_t found = 0, modes_of_rung = real_table.rungs[r].backend->separate_memory ? 3
                                          : real_table.rungs[r].backend->simulates     ? 1
                                                                                       : 2;
        for (size_t i = 0; i < selection.count; i++)
            found += selection.rows[i].rung == &real_table.rungs[r];
        assert_int_equal(found, modes_of_rung);
        expected += modes_of_rung;
    }
    assert_int_equal(selection.count, expected);
    free(selection.rows);
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
    options.filter = "^(matmul|grayscale)/.*cpu_(scalar|tuned)/hot$";
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
    static const char *const bad[] = {"(", "[a", "a{2,1}", "-("};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
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
    struct options options = suite("lecture");
    add_own(&options, &matmul_op, "shape", "7x8x9");
    add_own(&options, &matmul_grad_a_op, "grad-a-shape", "7x8x9");
    add_own(&options, &matmul_grad_b_op, "grad-b-shape", "9x8x7");
    add_own(&options, &grayscale_op, "image-size", "7x8");
    struct selection selection = select_rows(&options);
    char text[256];
    workloads_of(&selection, text, sizeof text);
    assert_string_equal(text, "matmul/mnist matmul/mnist-valid5 matmul/lecture5 matmul/7x8x9 matmul_grad_a/7x8x9 "
                              "matmul_grad_b/9x8x7 grayscale/thumb grayscale/puppy grayscale/7x8 ");
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

static const char *load_nothing(const struct rung *rung)
{
    (void)rung;
    return NULL;
}

static const struct backend_entry *find_backend(const char *name)
{
    const struct backend_entry *entry = real_table.backends;
    while (strcmp(entry->name, name) != 0)
        entry++;
    return entry;
}

/* The table with a kernel of the user's own for this operation, on the CPU. */
static struct registry with_own_kernel(struct rung *rungs, const struct op *op)
{
    struct registry registry = real_table;
    memcpy(rungs, real_table.rungs, real_table.rung_count * sizeof *rungs);
    rungs[registry.rung_count] =
        (struct rung){.variant = "kernel_mine", .op = op, .backend = &real_table.backends[0], .load = load_nothing};
    registry.rungs = rungs;
    registry.rung_count++;
    return registry;
}

static void a_kernel_of_any_operation_has_rows_if_no_suite_is_named(void **state)
{
    (void)state;
    struct rung *rungs = malloc((real_table.rung_count + 1) * sizeof *rungs);
    assert_non_null(rungs);
    for (size_t i = 0; i < real_table.op_count; i++) {
        const struct op *op = real_table.ops[i];
        struct registry registry = with_own_kernel(rungs, op);
        struct options options = suite("mnist");
        options.suite_is_default = true;
        options.own.count = 1;
        struct selection selection;
        struct error error = {""};
        if (selection_make(&registry, &options, &selection, &error) != EXIT_RIGHT)
            fail_msg("%s: %s", op->name, error.text);
        size_t own = 0;
        for (size_t row = 0; row < selection.count; row++) {
            assert_ptr_equal(selection.rows[row].rung->op, op);
            own += selection.rows[row].rung->load != NULL;
        }
        assert_true(own > 0 && own < selection.count);
        free(selection.rows);
    }
    free(rungs);
}

static void a_suite_that_is_named_is_meant(void **state)
{
    (void)state;
    struct rung *rungs = malloc((real_table.rung_count + 1) * sizeof *rungs);
    assert_non_null(rungs);
    struct registry registry = with_own_kernel(rungs, &map_op);
    struct options options = suite("mnist");
    struct selection selection;
    struct error error = {""};
    options.own.count = 1;
    assert_int_equal(selection_make(&registry, &options, &selection, &error), EXIT_USAGE);
    free(rungs);
}

/* Not even where other rows are left. */
static void a_kernel_that_would_have_no_row_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *filter, *only;
        bool is_simulated, asked, verifies, hot;
        int status;
    } cases[] = {
        {NULL, NULL, .is_simulated = true, .status = EXIT_ALL_SKIPPED}, /* there is no device */
        {NULL, NULL, .is_simulated = true, .asked = true, .status = EXIT_USAGE},
        {NULL, NULL, .is_simulated = true, .hot = true, .status = EXIT_RIGHT},
        {NULL, NULL, .is_simulated = true, .verifies = true, .status = EXIT_RIGHT},
        {NULL, NULL, .status = EXIT_RIGHT},
        {"cpu_scalar", NULL, .status = EXIT_USAGE},
        {"cpu_scalar|kernel_mine", NULL, .status = EXIT_RIGHT},
        {NULL, "cuda", .status = EXIT_USAGE},
    };
    struct rung *rungs = malloc((real_table.rung_count + 1) * sizeof *rungs);
    assert_non_null(rungs);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct registry registry = with_own_kernel(rungs, real_table.ops[0]);
        struct options options = suite("smoke");
        struct selection selection;
        struct error error = {""};
        rungs[registry.rung_count - 1].backend = find_backend(cases[i].is_simulated ? "sim" : "cpu");
        rungs[registry.rung_count - 1].summary = "";
        options.filter = cases[i].filter;
        options.only = cases[i].only ? find_backend(cases[i].only) : NULL;
        options.verify = cases[i].verifies;
        options.modes[1] = cases[i].hot ? &mode_hot : &mode_graph;
        options.own.count = 1;
        options.own.simulate = cases[i].asked;
        int status = selection_make(&registry, &options, &selection, &error);
        if (status != cases[i].status)
            fail_msg("case %zu: %d, expected %d: %s", i, status, cases[i].status, error.text);
        assert_true(status == EXIT_RIGHT || strstr(error.text, "kernel_mine"));
        if (status == EXIT_RIGHT)
            free(selection.rows);
    }
    free(rungs);
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
    assert_int_equal(selection.count, real_table.rung_count);
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
        cmocka_unit_test(a_backend_has_its_rungs_alone),
        cmocka_unit_test(every_rung_has_its_row_in_each_mode),
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
        cmocka_unit_test(a_kernel_of_any_operation_has_rows_if_no_suite_is_named),
        cmocka_unit_test(a_suite_that_is_named_is_meant),
        cmocka_unit_test(a_kernel_that_would_have_no_row_is_refused),
        cmocka_unit_test(a_size_that_the_suite_has_by_that_name_is_not_repeated),
        cmocka_unit_test(verifying_has_one_row_a_rung_and_workload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

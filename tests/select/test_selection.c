/* Which rows a run has, on the real table of rungs: by backend, mode and filter, and of the user's own workloads; which
 * of them are slowed down. */
#include "bench/base/error.h"
#include "bench/select/sizes.h"
#include "bench/table/model.h"
#include "kernels/matmul/takes.h"
#include "parsed_flags.h"
#include "selected_rows.h"
#include "tests/unit.h"

static void add_own(struct options *options, const struct op *op, const char *shape)
{
    struct user_workload own = {.op = op};
    MUST(sizes_read_shape(op, shape, "", &own.workload, &error) && sizes_add_workload(options, &own, &error));
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

TEST(a_backend_has_its_rungs_alone)
{
    struct options options = suite("scaling");
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

TEST(tuning_times_each_candidate_of_the_model_on_each_of_its_shapes_alone)
{
    static struct options options;
    options = accepted("--tune --shape=3x4x5");
    struct selection selection = select_rows(&options);
    size_t expected = 0, shapes = 0;
    for (size_t i = 0; i < selection.count; i++) {
        const int64_t *size = selection.rows[i].workload->size;
        if (i > 0 && size == selection.rows[i - 1].workload->size)
            continue;
        shapes++;
        for (size_t j = 0; j < candidate_count; j++)
            expected += model_considers(j, size[0], size[1], size[2]);
    }
    assert_true(shapes > 1);
    assert_int_equal(selection.count, expected);
    for (size_t i = 0; i < selection.count; i++) {
        const struct row *row = &selection.rows[i];
        assert_true(row->mode == &mode_cold && row->rung->backend->separate_memory);
        const int candidate = model_find(row->rung->variant);
        const int64_t *size = row->workload->size;
        assert_true(candidate >= 0 && model_considers((size_t)candidate, size[0], size[1], size[2]));
        assert_true(op_cost(row->rung->op, row->workload).bytes <= 4e8 && row->workload->size[2] >= 1);
    }
    free(selection.rows);
}

/* With fewer times than terms a candidate keeps the constants of another GPU, beside those of the others for this. */
TEST(tuning_has_enough_shapes_for_each_candidate_that_does_not_take_all)
{
    static struct options options;
    options = accepted("--tune");
    struct selection selection = select_rows(&options);
    int tensor = 0, wgmma = 0, pieces = 0, rows = 0;
    for (size_t i = 0; i < selection.count; i++) {
        const struct row *row = &selection.rows[i];
        const int64_t *size = row->workload->size;
        const struct matmul_problem p = {.m = size[0], .k = size[1], .n = size[2]};
        tensor += strcmp(row->rung->variant, "cuda_skinny_tensor") == 0 && skinny_tensor_takes(&p, 227 * 1024);
        wgmma += strcmp(row->rung->variant, "cuda_skinny_wgmma") == 0 && skinny_wgmma_takes(&p);
        pieces += strcmp(row->rung->variant, "cuda_fp16x3_wgmma") == 0 && fp16x3_wgmma_takes(&p);
        rows += strcmp(row->rung->variant, "cuda_rows") == 0 && rows_takes(&p);
    }
    assert_true(tensor >= MODEL_TERMS && wgmma >= MODEL_TERMS && pieces >= MODEL_TERMS && rows >= MODEL_TERMS);
    free(selection.rows);
}

/* Only memory of its own has transfers; what is simulated is hot. Several GPUs have workloads of their own. */
TEST(every_rung_has_its_row_in_each_mode)
{
    struct options options = suite("smoke");
    options.filter = "."; /* or it is brief */
    struct selection selection = select_rows(&options);
    const struct mode *const modes_of[] = {&mode_hot, &mode_cold, &mode_e2e};
    size_t expected = 0;
    for (size_t r = 0; r < real_table.rung_count; r++) {
        const struct backend_entry *backend = real_table.rungs[r].backend;
        size_t count = backend->separate_memory ? 3 : backend->simulates ? 1 : 2;
        if ((real_table.rungs[r].traits & RUNG_GPUS) && !real_table.rungs[r].op->message)
            count = 0;
        for (size_t m = 0; m < 3; m++) {
            size_t found = 0;
            for (size_t i = 0; i < selection.count; i++)
                found += selection.rows[i].rung == &real_table.rungs[r] && selection.rows[i].mode == modes_of[m];
            assert_int_equal(found, m < count);
        }
        expected += count;
    }
    assert_int_equal(selection.count, expected);
    free(selection.rows);
}

TEST(names_are_unique_and_plain)
{
    struct options options = suite("all");
    add_own(&options, &matmul_op, "128x128x128");
    add_own(&options, &grayscale_op, "128x128");
    struct selection selection = select_rows(&options);
    char(*names)[160] = malloc(selection.count * sizeof *names);
    assert_non_null(names);
    for (size_t i = 0; i < selection.count; i++) {
        row_name(&selection.rows[i], names[i], sizeof names[i]);
        assert_int_equal(selection.rows[i].place, i);
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

/* Operation, workload, rung, mode: rows of one table stand together. */
TEST(rows_stand_in_the_order_of_the_table)
{
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

TEST(a_filter_keeps_what_matches_and_a_leading_minus_turns_it_round)
{
    struct options options = suite("smoke");
    options.filter = ".";
    const size_t all = count_rows(&options);
    static const struct {
        const char *filter, *part;
        size_t count; /* 0: any */
    } filters[] = {{"^matmul/mnist-valid5/cuda_tiled/cold$", "cuda_tiled", 1},
                   {"^(matmul|grayscale)/.*cpu_(scalar|auto|tuned)/hot$", "cpu_", 4},
                   {"cuda", "cuda", 0}};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        char negated[64];
        snprintf(negated, sizeof negated, "-%s", filters[i].filter);
        options.filter = filters[i].filter;
        struct selection selection = select_rows(&options);
        for (size_t r = 0; r < selection.count; r++)
            assert_non_null(strstr(selection.rows[r].rung->variant, filters[i].part));
        assert_true(filters[i].count == 0 || selection.count == filters[i].count);
        options.filter = negated;
        assert_int_equal(count_rows(&options), all - selection.count);
        free(selection.rows);
    }
    options.filter = "";
    assert_int_equal(count_rows(&options), all);
}

TEST(a_selection_of_nothing_says_why)
{
    static const struct {
        const char *suite, *filter, *reason;
    } cases[] = {
        {"smoke", "(", "--filter=(: not a POSIX extended regular expression"},
        {"smoke", "-(", "--filter=-(: not a POSIX extended regular expression"},
        {"smoke", "no-such-rung",
         "nothing selected: no row of --suite=smoke in these modes matches --filter=no-such-rung; "},
        {"smoke", "-/", "nothing selected"},
        {"smoke", "/cpu_.*/e2e", "nothing selected"},
        {"none", NULL, "nothing selected: no row of --suite=none in these modes; "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options options = suite(cases[i].suite);
        options.filter = cases[i].filter;
        assert_selects_nothing(&options, cases[i].reason);
    }
}

TEST(own_workloads_come_beside_the_suite_each_name_once)
{
    static const struct {
        const char *suite, *workloads;
    } suites[] = {
        {"lecture", "matmul/mnist 50000x784x10, matmul/mnist-valid5 5x784x10, matmul/lecture5 5120x256x5120, "
                    "matmul/7x8x9 7x8x9, matmul_grad_a/7x8x9 7x8x9, matmul_grad_b/9x8x7 9x8x7, "
                    "grayscale/thumb 150x216, grayscale/puppy 1330x1920, grayscale/7x8 7x8, "},
        {"none", "matmul/7x8x9 7x8x9, matmul_grad_a/7x8x9 7x8x9, matmul_grad_b/9x8x7 9x8x7, grayscale/7x8 7x8, "}};
    for (size_t i = 0; i < 2; i++) {
        struct options options = suite(suites[i].suite);
        add_own(&options, &matmul_op, "7x8x9");
        add_own(&options, &matmul_grad_a_op, "7x8x9");
        add_own(&options, &matmul_grad_b_op, "9x8x7");
        add_own(&options, &grayscale_op, "7x8");
        char text[512];
        print_shapes(&options, text, sizeof text);
        assert_string_equal(text, suites[i].workloads);
    }
    for (size_t i = 0; i < 2; i++) {
        struct options options = suite(i == 0 ? "sweep" : "smoke");
        const size_t alone = count_rows(&options);
        add_own(&options, &grayscale_op, "256x256"); /* which suite sweep has */
        assert_int_equal(count_rows(&options) > alone, i);
    }
}

static const char *load_nothing(const struct rung *rung)
{
    return NULL;
}

static const struct backend_entry *find_backend(const char *name)
{
    const struct backend_entry *entry = real_table.backends;
    while (strcmp(entry->name, name) != 0)
        entry++;
    return entry;
}

/* The table with a kernel of the user's own for this operation, on the CPU; the last of these rungs. */
static struct rung *rungs;

static struct registry with_own_kernel(const struct op *op)
{
    struct registry registry = real_table;
    rungs = rungs ? rungs : malloc((real_table.rung_count + 1) * sizeof *rungs);
    assert_non_null(rungs);
    memcpy(rungs, real_table.rungs, real_table.rung_count * sizeof *rungs);
    rungs[registry.rung_count] =
        (struct rung){.variant = "kernel_mine", .op = op, .backend = &real_table.backends[0], .load = load_nothing};
    registry.rungs = rungs;
    registry.rung_count++;
    return registry;
}

TEST(a_kernel_for_the_gpu_stands_beside_our_best_rung_there_whatever_the_size)
{
    struct registry registry = with_own_kernel(&matmul_op);
    rungs[real_table.rung_count].backend = find_backend("cuda");
    struct options options = suite("none");
    options.own.paths.count = 1;
    add_own(&options, &matmul_op, "5x784x10");
    add_own(&options, &matmul_op, "50000x784x10");
    add_own(&options, &matmul_op, "2048x2048x2048");
    struct selection selection;
    struct error error = {""};
    size_t ours = 0;
    assert_int_equal(selection_make(&registry, &options, &selection, &error), EXIT_RIGHT);
    for (size_t row = 0; row < selection.count; row++) {
        const struct rung *rung = selection.rows[row].rung;
        if (rung->backend != find_backend("cuda") || rung->load || (rung->traits & RUNG_LIBRARY))
            continue;
        assert_true((rung->traits & RUNG_AUTO) != 0);
        ours++;
    }
    assert_int_equal(ours, 3 * options.mode_count);
    free(selection.rows);
}

TEST(a_kernel_of_any_operation_has_rows_if_no_suite_is_named)
{
    for (size_t i = 0; i < real_table.op_count; i++) {
        const struct op *op = real_table.ops[i];
        struct registry registry = with_own_kernel(op);
        struct options options = suite(i % 2 == 0 ? "own" : "own-small");
        options.suite_is_default = true;
        options.own.paths.count = 1;
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
        options.suite_is_default = false; /* a suite that is named is meant */
        options.suite = suite_find("mnist");
        if (op == &map_op)
            assert_int_equal(selection_make(&registry, &options, &selection, &error), EXIT_USAGE);
    }
}

/* Not even where other rows are left. */
TEST(a_kernel_that_would_have_no_row_is_refused)
{
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
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct registry registry = with_own_kernel(real_table.ops[0]);
        struct options options = suite("smoke");
        struct selection selection;
        struct error error = {""};
        rungs[registry.rung_count - 1].backend = find_backend(cases[i].is_simulated ? "sim" : "cpu");
        rungs[registry.rung_count - 1].summary = "";
        options.filter = cases[i].filter;
        options.only = cases[i].only ? find_backend(cases[i].only) : NULL;
        options.verify = cases[i].verifies;
        options.modes[1] = cases[i].hot ? &mode_hot : &mode_graph;
        options.own.paths.count = 1;
        options.own.simulate = cases[i].asked;
        int status = selection_make(&registry, &options, &selection, &error);
        if (status != cases[i].status)
            fail_msg("case %zu: %d, expected %d: %s", i, status, cases[i].status, error.text);
        assert_true(status == EXIT_RIGHT || strstr(error.text, "kernel_mine"));
        if (status == EXIT_RIGHT)
            free(selection.rows);
    }
}

TEST(verifying_has_one_row_a_rung_and_workload)
{
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

/* What the wish makes of rows matmul/w:1/sim_tiled/hot and cold. */
static bool slow_down(const char *wish, double pct[2], struct error *error)
{
    static const struct workload workload = {"w:1", {1, 2, 3}, 0};
    static const struct rung rung = {.variant = "right", .op = &matmul_op};
    struct row rows[] = {{.workload = &workload, .rung = &rung, .mode = &mode_hot},
                         {.workload = &workload, .rung = &rung, .mode = &mode_cold}};
    struct selection selection = {rows, 2};
    *error = (struct error){""};
    bool ok = slowed_rows_choose(wish, &selection, error);
    for (size_t i = 0; i < 2; i++)
        pct[i] = rows[i].slowdown_pct;
    return ok;
}

TEST(rows_are_slowed_by_name)
{
    static const struct {
        const char *wish;
        double hot, cold;
    } chosen[] = {
        {NULL, 0, 0},          {"/hot$:5", 5, 0},    {"ight/c:2.5", 0, 2.5},     {"(hot|cold):1000", 1000, 1000},
        {"w:1/.*hot:7", 7, 0}, {"w:[0-9]/:3", 3, 3}, {"^matmul/w:1e2", 100, 100}};
    static const char *const no_percentage[] = {"",       "hot",     "5",        ":5",     "hot:",      "hot:x",
                                                "hot:5%", "hot:5 ",  "hot:0",    "hot:-5", "hot:nan",   "hot:1e-400",
                                                "hot:+5", "hot:inf", "hot:0x10", "5:hot",  "hot:1000.5"};
    double pct[2];
    struct error error;
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        assert_true(slow_down(chosen[i].wish, pct, &error));
        assert_true(pct[0] == chosen[i].hot && pct[1] == chosen[i].cold);
    }
    for (size_t i = 0; i < sizeof no_percentage / sizeof no_percentage[0]; i++) {
        char expected[128];
        snprintf(expected, sizeof expected,
                 "--slowdown=%s: expected REGEX:PERCENT, the percentage above 0 and at most 1000", no_percentage[i]);
        assert_false(slow_down(no_percentage[i], pct, &error));
        assert_string_equal(error.text, expected);
    }
    assert_false(slow_down("[:5", pct, &error));
    assert_non_null(strstr(error.text, "--slowdown=[:5: not a POSIX extended regular expression"));
    assert_false(slow_down("warm:5", pct, &error));
    assert_non_null(strstr(error.text, "--slowdown=warm:5: matches none of the 2 selected rows"));
}

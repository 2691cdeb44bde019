/* The suites, on the real table of rungs: their workloads, and the rungs and modes that they have. */
#include "selected_rows.h"
#include "tests/unit.h"

/* All, or those that the suite begins with. */
TEST(suites_have_the_workloads_of_the_lectures)
{
    static const char *const begins[][2] = {
        {"mnist", "matmul/mnist matmul/mnist-valid5 matmul/mnist-batch64 matmul/mnist-hidden grayscale/thumb "
                  "grayscale/puppy grayscale/mnist-rgb "},
        {"lecture", "matmul/mnist matmul/mnist-valid5 matmul/lecture5 grayscale/thumb grayscale/puppy "},
        {"sweep", "matmul/square-128 matmul/square-256 matmul/square-512 matmul/square-1024 matmul/square-2048 "
                  "matmul/square-4096 matmul/square-8192 grayscale/"},
    };
    for (size_t i = 0; i < 3; i++) {
        struct options options = suite(begins[i][0]);
        struct selection selection = select_rows(&options);
        char text[1024];
        workloads_of(&selection, text, sizeof text);
        assert_memory_equal(text, begins[i][1], strlen(begins[i][1]) + (i < 2));
        assert_true(i < 2 || strcmp(strrchr(text, '/'), "/large ") == 0);
        free(selection.rows);
    }
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

/* A device's row is either short, and in a graph, or long, and cold; a CPU's is hot. */
TEST(the_gate_suite_has_each_rung_in_its_steadiest_mode)
{
    struct options options = gate_suite();
    struct selection selection = select_rows(&options);
    size_t graph = 0, cold = 0, hot = 0;
    assert_true(selection.count <= 40); /* as many as one confirmation can decide */
    for (size_t i = 0; i < selection.count; i++) {
        const struct row *row = &selection.rows[i];
        bool is_short = (row->workload->suites & SUITE_GATE_SHORT) != 0;
        assert_false(row->rung->backend->simulates);
        if ((row->workload->suites & SUITE_GATE_FEW) && row->rung->backend->separate_memory)
            assert_true((row->rung->traits & (RUNG_LIBRARY | (is_short ? RUNG_LEADS_SHORT : RUNG_LEADS_LONG))) != 0);
        if (!row->rung->backend->separate_memory) {
            assert_true((row->workload->suites & SUITE_GATE_CPU) != 0);
            assert_ptr_equal(row->mode, &mode_hot);
        } else {
            assert_ptr_equal(row->mode, is_short ? &mode_graph : &mode_cold);
        }
        graph += row->mode == &mode_graph;
        cold += row->mode == &mode_cold;
        hot += row->mode == &mode_hot;
    }
    assert_true(graph > 0 && cold > 0 && hot > 0);
    free(selection.rows);
    options.modes_are_suites = false; /* whoever asks for modes gets them, of all rungs */
    assert_true(count_rows(&options) > graph + cold + hot);
}

TEST(all_holds_every_workload)
{
    struct options options = suite("all");
    struct selection selection = select_rows(&options);
    char text[8192], name[80];
    workloads_of(&selection, text, sizeof text);
    for (size_t o = 0; o < real_table.op_count; o++) {
        for (size_t w = 0; w < real_table.ops[o]->workload_count; w++) {
            snprintf(name, sizeof name, "%s/%s ", real_table.ops[o]->name, real_table.ops[o]->workloads[w].name);
            assert_non_null(strstr(text, name));
        }
    }
    free(selection.rows);
}

TEST(workloads_have_the_sizes_of_the_lectures)
{
    static const struct {
        const struct op *op;
        const char *name, *shape;
    } expected[] = {
        {&matmul_op, "mnist", "50000x784x10"},
        {&matmul_op, "mnist-valid5", "5x784x10"},
        {&matmul_op, "mnist-batch64", "64x784x128"},
        {&matmul_op, "mnist-hidden", "50000x784x128"},
        {&matmul_op, "lecture5", "5120x256x5120"},
        {&matmul_op, "square-128", "128x128x128"},
        {&matmul_op, "square-256", "256x256x256"},
        {&matmul_op, "square-512", "512x512x512"},
        {&matmul_op, "square-1024", "1024x1024x1024"},
        {&matmul_op, "square-2048", "2048x2048x2048"},
        {&matmul_op, "square-4096", "4096x4096x4096"},
        {&matmul_op, "square-8192", "8192x8192x8192"},
        {&matmul_grad_a_op, "mnist-grad", "50000x784x10"},
        {&matmul_grad_b_op, "mnist-grad", "50000x784x10"},
        {&matmul_grad_a_op, "mnist-batch64-grad", "64x784x128"},
        {&matmul_grad_b_op, "mnist-batch64-grad", "64x784x128"},
        {&matmul_grad_a_op, "mnist-hidden-grad", "50000x784x128"},
        {&matmul_grad_b_op, "mnist-hidden-grad", "50000x784x128"},
        {&grayscale_op, "thumb", "150x216"},
        {&grayscale_op, "puppy", "1330x1920"},
        {&grayscale_op, "mnist-rgb", "50000x28x28"},
        {&grayscale_op, "large", "16384x16384"},
        {&map_op, "mnist-relu", "8192"},
        {&map_op, "mnist-hidden-relu", "6400000"},
        {&map_op, "large", "268435456"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char shape[64] = "not there";
        for (size_t w = 0; w < expected[i].op->workload_count; w++)
            if (strcmp(expected[i].op->workloads[w].name, expected[i].name) == 0)
                op_shape(expected[i].op, &expected[i].op->workloads[w], shape, sizeof shape);
        assert_string_equal(shape, expected[i].shape);
    }
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

TEST(simulated_rungs_are_for_small_suites_and_to_verify)
{
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
    options.user[options.user_count++] = (struct user_workload){.op = &matmul_op, .workload = {"5x6x7", {5, 6, 7}, 0}};
    assert_true(simulated_rows(&options) > 0);
}

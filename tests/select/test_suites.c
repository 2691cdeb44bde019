/* The suites, on the real table of rungs: their workloads, and the rungs and modes that they have. */
#include "parsed_flags.h"
#include "selected_rows.h"
#include "tests/unit.h"

TEST(the_default_suite_has_the_shapes_and_pictures_of_mnist)
{
    struct options options = suite("mnist");
    char text[1024];
    print_shapes(&options, text, sizeof text);
    assert_string_equal(text, "matmul/mnist 50000x784x10, matmul/mnist-valid5 5x784x10, "
                              "matmul/mnist-batch64 64x784x128, matmul/mnist-hidden 50000x784x128, "
                              "grayscale/thumb 150x216, grayscale/puppy 1330x1920, grayscale/mnist-rgb 50000x28x28, ");
}

/* A device's row is either short, and in a graph, or long, and cold; a CPU's is hot. */
TEST(the_gate_suite_has_each_rung_in_its_steadiest_mode)
{
    static struct options options;
    options = accepted("--suite=gate");
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
    char text[8192], name[80];
    print_shapes(&options, text, sizeof text);
    for (size_t o = 0; o < real_table.op_count; o++) {
        for (size_t w = 0; w < real_table.ops[o]->workload_count; w++) {
            snprintf(name, sizeof name, "%s/%s ", real_table.ops[o]->name, real_table.ops[o]->workloads[w].name);
            assert_non_null(strstr(text, name));
        }
    }
}

static size_t count_where(const struct options *options, bool (*is_it)(const struct rung *rung))
{
    struct selection selection = select_rows(options);
    size_t found = 0;
    for (size_t i = 0; i < selection.count; i++)
        found += is_it(selection.rows[i].rung);
    free(selection.rows);
    return found;
}

static bool is_simulated(const struct rung *rung)
{
    return rung->backend->simulates;
}

static bool is_step(const struct rung *rung)
{
    return (rung->traits & RUNG_STEP) != 0;
}

static size_t steps(const char *name, const char *filter, bool verify)
{
    struct options options = suite(name);
    options.filter = filter;
    options.verify = verify;
    return count_where(&options, is_step);
}

/* How many of the rungs for several GPUs have a row, those of collectives left out, which have no others beside them.
 */
static size_t rungs_for_several(const char *flags)
{
    static struct options options;
    options = accepted(flags);
    struct selection selection = select_rows(&options);
    size_t found = 0;
    for (size_t r = 0; r < real_table.rung_count; r++) {
        bool has_row = false;
        for (size_t i = 0; i < selection.count && (real_table.rungs[r].traits & RUNG_GPUS); i++)
            has_row = has_row || (selection.rows[i].rung == &real_table.rungs[r] && !real_table.rungs[r].op->message);
        found += has_row;
    }
    free(selection.rows);
    return found;
}

TEST(several_gpus_have_rows_in_their_suite_and_of_sizes_that_are_asked_for)
{
    size_t all = 0;
    for (size_t r = 0; r < real_table.rung_count; r++)
        all += (real_table.rungs[r].traits & RUNG_GPUS) != 0 && !real_table.rungs[r].op->message;
    assert_int_equal(rungs_for_several("--suite=scaling"), all);
    static const char *const suites[] = {"--suite=mnist", "--suite=sweep", "--suite=network", "--suite=smoke"};
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        assert_int_equal(rungs_for_several(suites[i]), 0);
    assert_int_equal(rungs_for_several("--suite=mnist --size=matmul:m=3,k=4,n=5"), 3);
}

TEST(brief_suites_leave_out_steps_unless_they_are_asked_for)
{
    assert_true(steps("lecture", NULL, false) > 0 && steps("sweep", NULL, false) > 0);
    static const char *const brief[] = {"mnist", "gate", "smoke"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(steps(brief[i], NULL, false), 0);
        assert_true(steps(brief[i], "cpu_packed", false) > 0 && steps(brief[i], NULL, true) > 0);
    }
}

TEST(simulated_rungs_are_for_small_suites_and_to_verify)
{
    static const char *const with[] = {"lecture", "all"}, *const without[] = {"mnist", "sweep", "gate", "smoke"};
    for (size_t i = 0; i < 2; i++) {
        struct options options = suite(with[i]);
        assert_true(count_where(&options, is_simulated) > 0);
    }
    for (size_t i = 0; i < 4; i++) {
        struct options options = suite(without[i]);
        assert_int_equal(count_where(&options, is_simulated), 0);
        options.verify = true;
        assert_true(count_where(&options, is_simulated) > 0);
    }
    struct options options = suite("smoke");
    options.filter = "/sim_";
    assert_true(count_where(&options, is_simulated) > 0);
    options = suite("smoke");
    for (size_t i = 0; i < real_table.backend_count; i++)
        options.only = real_table.backends[i].simulates ? &real_table.backends[i] : options.only;
    assert_true(count_where(&options, is_simulated) > 0);
    options = suite("mnist");
    options.user[options.user_count++] = (struct user_workload){.op = &matmul_op, .workload = {"5x6x7", {5, 6, 7}, 0}};
    assert_true(count_where(&options, is_simulated) > 0);
}

/* --list names every row on stdout; on stderr it says of which suite they are, and which rungs are not simulated. */
#include "bench/select/selection.h"

#include "bench/measure/mode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

extern const struct op matmul_op;

static const char *answer(const void *problem, void *stream)
{
    (void)problem;
    (void)stream;
    return NULL;
}

static const struct backend_entry cuda = {"cuda", "CUDA", true, false, NULL}, sim = {"sim", "Sim", false, true, NULL};
static const struct rung rungs[] = {
    {"cuda_wmma", &matmul_op, &cuda, NULL, "built without CUDA", PRECISION_TF32, 0, "", NULL},
    {"sim_wmma", &matmul_op, &sim, NULL, "needs tensor cores", PRECISION_TF32, 0, "", NULL},
    {"sim_cluster", &matmul_op, &sim, NULL, "needs clusters", PRECISION_FP32, 0, "", NULL},
    {"sim_tiled", &matmul_op, &sim, answer, NULL, PRECISION_FP32, 0, "", NULL},
};

static char *names, *remarks;

/* Lists each of the rungs, from the first to the last one, on two workloads. */
static void list(const char *suite, size_t first, size_t last)
{
    static const struct workload workloads[] = {{"tiny", {1, 2, 3}, 0}, {"small", {4, 5, 6}, 0}};
    struct row rows[8];
    struct selection selection = {.rows = rows};
    for (size_t w = 0; w < 2; w++)
        for (size_t i = first; i <= last; i++)
            rows[selection.count++] = (struct row){.workload = &workloads[w], .rung = &rungs[i], .mode = &mode_hot};
    size_t names_size, remarks_size;
    FILE *to = open_memstream(&names, &names_size), *about = open_memstream(&remarks, &remarks_size);
    list_print(&selection, suite_find(suite), to, about);
    fclose(to);
    fclose(about);
}

static int forget(void **state)
{
    (void)state;
    free(names);
    free(remarks);
    return 0;
}

static void there_is_one_name_per_line(void **state)
{
    (void)state;
    list("mnist", 0, 1);
    assert_string_equal(names, "matmul/tiny/cuda_wmma/hot\nmatmul/tiny/sim_wmma/hot\n"
                               "matmul/small/cuda_wmma/hot\nmatmul/small/sim_wmma/hot\n");
}

static void the_suite_is_named_and_how_to_list_all(void **state)
{
    (void)state;
    list("mnist", 3, 3);
    assert_string_equal(remarks, "rungbench: 2 rows of --suite=mnist; --suite=all --list lists all\n");
}

static void whoever_lists_all_is_not_told_how(void **state)
{
    (void)state;
    list("all", 3, 3);
    assert_string_equal(remarks, "rungbench: 2 rows of --suite=all\n");
}

static void rungs_that_are_not_simulated_are_named_once_in_one_line(void **state)
{
    (void)state;
    list("all", 0, 3);
    assert_string_equal(remarks, "rungbench: 8 rows of --suite=all\n"
                                 "rungbench: cannot be simulated: matmul/sim_wmma (needs tensor cores), "
                                 "matmul/sim_cluster (needs clusters)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(there_is_one_name_per_line, forget),
        cmocka_unit_test_teardown(the_suite_is_named_and_how_to_list_all, forget),
        cmocka_unit_test_teardown(whoever_lists_all_is_not_told_how, forget),
        cmocka_unit_test_teardown(rungs_that_are_not_simulated_are_named_once_in_one_line, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

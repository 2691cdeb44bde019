/* --list names every row, and says of which kernels there is no simulated run. */
#include "bench/select/list.h"

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

static void what_is_not_simulated_is_marked(void **state)
{
    (void)state;
    static const struct backend_entry cuda = {"cuda", "CUDA", true, false, NULL},
                                      sim = {"sim", "Sim", false, true, NULL};
    static const struct rung rungs[] = {
        {"cuda_wmma", &matmul_op, &cuda, NULL, "built without CUDA", PRECISION_TF32, 0, ""},
        {"sim_wmma", &matmul_op, &sim, NULL, "needs tensor cores", PRECISION_TF32, 0, ""},
        {"sim_tiled", &matmul_op, &sim, answer, NULL, PRECISION_FP32, 0, ""},
    };
    static const struct workload workload = {"tiny", {1, 2, 3}, 0};
    struct row rows[3];
    for (size_t i = 0; i < 3; i++)
        rows[i] = (struct row){.workload = &workload, .rung = &rungs[i], .mode = &mode_hot};
    struct selection selection = {.rows = rows, .count = 3};
    char *names, *remarks;
    size_t names_size, remarks_size;
    FILE *to = open_memstream(&names, &names_size), *about = open_memstream(&remarks, &remarks_size);
    list_print(&selection, to, about);
    fclose(to);
    fclose(about);
    assert_string_equal(names, "matmul/tiny/cuda_wmma/hot\nmatmul/tiny/sim_wmma/hot\nmatmul/tiny/sim_tiled/hot\n");
    assert_string_equal(remarks, "rungbench: matmul/tiny/sim_wmma/hot: needs tensor cores\n");
    free(names);
    free(remarks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_simulated_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the auto rungs choose, on the simulator: where a candidate costs nothing they run it, unless it would hand over,
 * and then they run one that does not. */
#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "bench/table/registry.h"
#include "tests/unit.h"

enum { M = 70, K = 100, N = 70 };

static float a[M * K + 4], b[K * N + 4], c[M * N + 4];
static double constants[MODEL_CANDIDATES_MAX][MODEL_TERMS];

static const struct backend *simulator(void)
{
    return registry_find_backend(&rungbench_registry, "sim")->backend;
}

static int set_up(void **state)
{
    const struct backend_settings settings = {.device = -1, .times_nothing = true};
    assert_null(simulator()->open(&settings));
    return 0;
}

static int tear_down(void **state)
{
    simulator()->close();
    return 0;
}

AROUND_ALL_TESTS(set_up, tear_down)

static const struct rung *twin_of(const char *name)
{
    char variant[64];
    snprintf(variant, sizeof variant, "sim_%s", name);
    const struct rung *rung = registry_find(&rungbench_registry, "matmul", variant);
    assert_non_null(rung);
    return rung;
}

/* The variant whose kernel ran in the end. */
static const char *run(const struct rung *rung, const struct matmul_problem *p)
{
    hand_over_forget();
    assert_null(rung->run(p, simulator()->stream()));
    assert_null(simulator()->finish());
    const char *variant = hand_over_variant(&rungbench_registry);
    return variant ? variant : rung->variant;
}

/* From now on that candidate costs nothing, and all others much. */
static void favour(size_t candidate)
{
    for (size_t i = 0; i < candidate_count; i++)
        for (int j = 0; j < MODEL_TERMS; j++)
            constants[i][j] = j > 0 || i == candidate ? 0 : 1e6 + (double)i;
    model_use((const double(*)[MODEL_TERMS])constants);
}

static const struct matmul_problem problems[] = {
    {64, 64, 64, a, b, c},     {70, 100, 70, a, b, c},    {33, 32, 12, a, b, c}, {33, 32, 12, a + 1, b, c},
    {40, 30, 16, a, b, c},     {20, 15, 9, a, b, c},      {5, 16, 16, a, b, c},  {1, 97, 3, a, b, c},
    {31, 31, 31, a, b + 1, c}, {17, 16, 40, a, b, c + 1}, {3, 97, 33, a, b, c},  {70, 4, 70, a, b, c},
};

TEST(the_cheapest_is_chosen_where_it_runs_its_own_kernel)
{
    const struct rung *chooser = twin_of("auto");
    for (size_t i = 0; i < candidate_count; i++) {
        const struct rung *rung = twin_of(candidates[i].name);
        size_t own = 0;
        for (size_t j = 0; j < LENGTH(problems); j++) {
            const bool hands_over = model_successor(i) >= 0 ||
                                    !model_considers(i, problems[j].m, problems[j].k, problems[j].n) ||
                                    strcmp(run(rung, &problems[j]), rung->variant) != 0;
            favour(i);
            const char *ran = run(chooser, &problems[j]);
            if (hands_over)
                assert_string_equal(ran, "sim_split"); /* the next, which takes all */
            else
                assert_string_equal(ran, rung->variant);
            own += !hands_over;
        }
        assert_true(own > 0 || model_successor(i) >= 0);
    }
}

TEST(without_tensor_cores_none_is_chosen_that_uses_them)
{
    const struct matmul_problem p = {33, 4, 12, a, b, c}; /* which all others take */
    for (size_t i = 0; i < candidate_count; i++) {
        const bool has_tensor_cores = (twin_of(candidates[i].name)->traits & (RUNG_TF32X3 | RUNG_FP16X3)) != 0;
        favour(i);
        const char *ran = run(twin_of("auto_cores"), &p);
        if (has_tensor_cores || model_successor(i) >= 0)
            assert_string_equal(ran, "sim_split");
        else
            assert_string_equal(ran, twin_of(candidates[i].name)->variant);
    }
}

TEST(only_what_is_for_small_products_is_not_considered_for_large_ones)
{
    const int64_t largest = INT64_C(1) << 30;
    for (size_t i = 0; i < candidate_count; i++) {
        const bool is_naive = strcmp(candidates[i].name, "naive") == 0;
        assert_true(model_considers(i, 1, 1, 1));
        assert_int_equal(model_considers(i, largest, 1, largest), !is_naive);
        assert_int_equal(model_considers(i, 1, 1000, 1), !is_naive && strcmp(candidates[i].name, "outer") != 0);
        assert_int_equal(model_considers(i, 1, 5, 1), strcmp(candidates[i].name, "outer") != 0);
    }
}

/* cluster has a term for rows that begin anywhere. */
TEST(the_alignment_of_each_array_decides)
{
    enum { ANYWHERE = 4 };
    const size_t cluster = (size_t)model_find("sim_cluster");
    for (int i = 0; i < 4; i++) {
        const struct matmul_problem p = {64, 64, 64, a + (i == 1), b + (i == 2), c + (i == 3)};
        favour(cluster);
        constants[cluster][ANYWHERE] = 1e9;
        assert_string_equal(run(twin_of("auto"), &p), i == 0 ? "sim_cluster" : "sim_split");
    }
}

TEST(the_choice_has_the_digest_of_the_constants)
{
    char expected[64], before[64];
    favour(0);
    for (size_t i = 0; i < 2; i++) {
        (void)run(twin_of("auto"), &problems[i]);
        snprintf(expected, sizeof expected, "constants %s", model_digest());
        assert_string_equal(hand_over_choice(), expected);
        if (i == 1)
            assert_string_not_equal(expected, before);
        strcpy(before, expected);
        favour(1);
    }
}

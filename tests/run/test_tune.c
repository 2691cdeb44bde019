/* --tune: of a run's rows those that count become constants, which the device's next runs have. */
#include "bench/run/tune.h"
#include "tests/unit.h"

#include <inttypes.h>

static struct device_info device = {.name = "GPU", .uuid = "GPU-7", .multiprocessors = 132};
static struct result_list rows;
static char home[PATH_MAX - 512];

static int set_up(void **state)
{
    assert_int_equal(system("rm -rf home && mkdir home"), 0);
    assert_non_null(getcwd(home, sizeof home - 8));
    strcat(home, "/home");
    setenv("XDG_CACHE_HOME", home, 1);
    model_use(NULL);
    return 0;
}

static int tear_down(void **state)
{
    result_list_free(&rows);
    return 0;
}

AROUND_EACH_TEST(set_up, tear_down)

static struct result *add(const char *variant, int64_t m, int64_t k, int64_t n, double us)
{
    struct result row = result_blank();
    row.device = &device;
    strcpy(row.op, "matmul");
    strcpy(row.mode, "cold");
    snprintf(row.variant, sizeof row.variant, "cuda_%s", variant);
    snprintf(row.shape, sizeof row.shape, "%" PRId64 "x%" PRId64 "x%" PRId64, m, k, n);
    strcpy(row.workload, row.shape);
    double sample_s = 1e-6 * us;
    row.statistics = statistics_of(&sample_s, 1);
    result_list_add(&rows, &row);
    return &rows.items[rows.count - 1];
}

/* Rows of all candidates, `factor` times as long as the model says. */
static void add_rows(double factor)
{
    for (int i = 0; i < 40; i++)
        for (size_t j = 0; j < candidate_count; j++) {
            const int64_t m = 10 + i * i * 37, k = 4 + i % 7 * 150, n = 4 + i % 5 * 61;
            const struct model_shape shape = {m, k, n, 132, k % 4 == 0, n % 4 == 0};
            add(candidates[j].name, m, k, n, factor * model_us(j, &shape));
        }
}

TEST(the_next_run_has_what_was_measured)
{
    struct error error;
    struct device_info next = device;
    const struct model_shape shape = {500, 100, 65, 132, true, false};
    double us[MODEL_CANDIDATES_MAX];
    for (size_t i = 0; i < candidate_count; i++)
        us[i] = model_us(i, &shape);
    add_rows(3);
    /* None of these says how long a candidate takes. */
    strcpy(add("split", 500, 100, 64, 1e-3)->runs_as, "cuda_rows");
    add("split", 501, 100, 64, 1e-3)->status = STATUS_FAILED;
    add("split", 502, 100, 64, 1e-3)->slowdown_pct = 5;
    (void)add("tiled", 503, 100, 64, 1);
    assert_true(tune_keep(&rows, &error));
    constants_take(&next);
    assert_int_equal(next.note_count, 0);
    for (size_t i = 0; i < candidate_count; i++)
        assert_within(model_us(i, &shape), 3 * us[i], 1e-2 * us[i]);
}

/* What tune_keep() says of the choices, in per cent. */
static void keep_and_read(int *median, int *worst)
{
    struct error error;
    char text[1024];
    const int before = stream_redirect(stderr, "said.txt");
    const bool ok = tune_keep(&rows, &error);
    stream_restore(stderr, before);
    file_get("said.txt", text, sizeof text);
    const char *chosen = strstr(text, "has ");
    assert_true(ok && chosen);
    assert_int_equal(sscanf(chosen, "has %d %% of the fastest one's speed on the median shape, %d", median, worst), 2);
}

/* On one shape the candidate that seems the fastest takes four times as long. */
TEST(it_says_how_good_the_choices_are)
{
    const int64_t m = 5000, k = 304, n = 64;
    const struct model_shape shape = {m, k, n, 132, true, true};
    int median, worst;
    size_t first = 0;
    add_rows(1);
    for (size_t i = 0; i < candidate_count; i++)
        if (model_successor(i) < 0 && model_us(i, &shape) < model_us(first, &shape))
            first = i;
    for (size_t i = 0; i < candidate_count; i++)
        add(candidates[i].name, m, k, n, (i == first ? 4 : 1) * model_us(i, &shape));
    keep_and_read(&median, &worst);
    assert_in_range(median, 95, 100);
    assert_in_range(worst, 25, 70);
}

TEST(without_rows_what_is_kept_stays)
{
    struct error error;
    struct device_info next = device;
    add_rows(2);
    assert_true(tune_keep(&rows, &error));
    for (size_t i = 0; i < rows.count; i++)
        rows.items[i].status = STATUS_SKIPPED;
    assert_false(tune_keep(&rows, &error));
    assert_string_equal(error.text, "--tune: no row was timed");
    constants_take(&next);
    const struct model_shape shape = {500, 100, 64, 132, true, true};
    const double us = model_us(0, &shape);
    model_use(NULL);
    assert_within(us, 2 * model_us(0, &shape), 1e-2 * us);
}

/* Constants of the model: found from times, and found again as they were kept, or not at all. */
#include "bench/measure/constants.h"
#include "bench/table/rung.h"
#include "tests/unit.h"

enum { SHAPES = 64 };

static struct timed_shape timed[SHAPES * MODEL_CANDIDATES_MAX];
static double constants[MODEL_CANDIDATES_MAX][MODEL_TERMS];
static char home[PATH_MAX - 512], file[PATH_MAX];
static const struct model_shape shape = {300, 200, 100, 132, true, true};
static const struct device_info h100 = {.name = "NVIDIA H100", .uuid = "GPU-1", .multiprocessors = 132};

static int set_up(void **state)
{
    assert_int_equal(system("rm -rf home && mkdir home"), 0);
    assert_non_null(getcwd(home, sizeof home - 8));
    strcat(home, "/home");
    setenv("XDG_CACHE_HOME", home, 1);
    snprintf(file, sizeof file, "%s/rungbench/constants-GPU-1", home);
    model_use(NULL);
    return 0;
}

AROUND_EACH_TEST(set_up, NULL)

static struct model_shape shape_of(int i)
{
    static const int64_t sizes[] = {1, 5, 24, 100, 333, 1024, 5000, 20000};
    const int64_t m = sizes[i % 8], k = sizes[(i / 8 + i) % 8] + i, n = sizes[(i / 8 * 3 + 1) % 8] + 3 * i;
    return (struct model_shape){m, k, n, 132, k % 4 == 0, n % 4 == 0};
}

/* Times of all candidates on all shapes, as the constants of model.def make them, each times `factor`. */
static size_t make_times(double factor)
{
    size_t count = 0;
    for (int i = 0; i < SHAPES; i++) {
        const struct model_shape each = shape_of(i);
        for (size_t j = 0; j < candidate_count; j++) {
            const double us = factor * model_us(j, &each);
            timed[count++] = (struct timed_shape){j, each, us, us};
        }
    }
    return count;
}

TEST(constants_are_those_that_made_the_times)
{
    const size_t count = make_times(3);
    constants_fit(timed, count, constants);
    model_use((const double(*)[MODEL_TERMS])constants);
    for (size_t i = 0; i < count; i++)
        assert_within(model_us(timed[i].candidate, &timed[i].shape), timed[i].us, 1e-3 * timed[i].us);
    for (int j = 0; j < MODEL_TERMS; j++)
        assert_within(constants[0][j], 3 * candidates[0].constants[j], 1e-3);
}

/* By a least-squares fit without that bound, the first would be negative. */
TEST(no_constant_is_negative)
{
    size_t count = make_times(1);
    for (size_t i = 0; i < count; i++)
        timed[i].us = timed[i].best_us =
            1e-3 * pow((double)(timed[i].shape.m * timed[i].shape.k * timed[i].shape.n), 1.3);
    constants_fit(timed, count, constants);
    for (size_t i = 0; i < candidate_count; i++)
        for (int j = 0; j < MODEL_TERMS; j++)
            assert_true(constants[i][j] >= 0);
}

TEST(a_candidate_counts_most_where_it_is_fastest)
{
    const size_t count = make_times(1);
    for (size_t i = 0; i < count; i++)
        if (timed[i].shape.m < 300)
            timed[i].us *= 2, timed[i].best_us = timed[i].us / 100;
    constants_fit(timed, count, constants);
    model_use((const double(*)[MODEL_TERMS])constants);
    for (size_t i = 0; i < count; i++)
        if (timed[i].shape.m >= 300)
            assert_within(model_us(timed[i].candidate, &timed[i].shape), timed[i].us, 0.02 * timed[i].us);
}

TEST(a_candidate_with_few_times_keeps_its_constants)
{
    constants_fit(timed, make_times(3) - (SHAPES - 5) * candidate_count, constants);
    for (size_t i = 0; i < candidate_count; i++)
        assert_memory_equal(constants[i], candidates[i].constants, sizeof constants[i]);
}

static void keep(double factor)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < candidate_count; i++)
        for (int j = 0; j < MODEL_TERMS; j++)
            constants[i][j] = factor * candidates[i].constants[j];
    MUST(constants_keep(&h100, (const double(*)[MODEL_TERMS])constants, path, &error));
    assert_string_equal(path, file);
}

/* How many notes a device gets that takes what is kept for it. */
static int take(const struct device_info *of)
{
    struct device_info info = *of;
    model_use((const double(*)[MODEL_TERMS])constants);
    constants_take(&info);
    return info.note_count;
}

TEST(what_is_kept_is_found_and_has_another_digest)
{
    char committed[MODEL_DIGEST];
    strcpy(committed, model_digest());
    const double us = model_us(1, &shape);
    keep(7);
    keep(2);
    assert_int_equal(take(&h100), 0);
    assert_within(model_us(1, &shape), 2 * us, 1e-3 * us);
    assert_string_not_equal(model_digest(), committed);
    struct device_info other = h100;
    strcpy(other.uuid, "GPU-2");
    assert_int_equal(take(&other), 0);
    assert_string_equal(model_digest(), committed);
}

static void assert_unused(const char *text)
{
    if (text)
        file_put(file, text);
    assert_int_equal(take(&h100), 1);
    const double us = model_us(1, &shape);
    model_use(NULL);
    assert_true(us == model_us(1, &shape));
}

TEST(a_file_that_is_damaged_is_not_used_and_the_device_says_so)
{
    static char text[1 << 13], damaged[1 << 13];
    keep(2);
    file_get(file, text, sizeof text);
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i += 7) {
        strcpy(damaged, text);
        damaged[i] = damaged[i] == '1' ? '2' : '1';
        assert_unused(damaged);
        strcpy(damaged, text);
        damaged[i] = '\0';
        assert_unused(damaged);
    }
    text[length] = '\n';
    assert_unused(text);
    keep(2);
    assert_int_equal(truncate(file, (off_t)length + 1), 0); /* a zero follows */
    assert_unused(NULL);
}

TEST(a_file_of_another_gpu_is_not_used)
{
    keep(2);
    struct device_info other = h100, *info = &other;
    strcpy(other.name, "NVIDIA A100");
    constants_take(info);
    assert_int_equal(info->note_count, 1);
    assert_int_equal(info->notes[0].traits, RUNG_AUTO);
    assert_non_null(strstr(info->notes[0].text, file));
}

TEST(a_folder_that_cannot_be_used_is_told_before_and_after)
{
    char path[PATH_MAX];
    struct error error = {""};
    file_put("home/rungbench", "a file");
    assert_false(constants_can_be_kept(&error));
    assert_non_null(strstr(error.text, "home/rungbench"));
    assert_false(constants_keep(&h100, (const double(*)[MODEL_TERMS])constants, path, &error));
    assert_int_equal(take(&h100), 0);
}

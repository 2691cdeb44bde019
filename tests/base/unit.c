/* The main program of tests that are written as TEST(...). */
#include "tests/unit.h"

static struct CMUnitTest tests[64];
static size_t count;
static CMFixtureFunction before_each, after_each, before_all, after_all;
static int (*begin_with)(int argc, char **argv);

void unit_add(const char *name, CMUnitTestFunction test)
{
    assert_true(count < sizeof tests / sizeof tests[0]);
    tests[count++] = (struct CMUnitTest){.name = name, .test_func = test};
}

void unit_within(double seen, double expected, double tolerance, const char *file, int line)
{
    if (seen - expected <= tolerance && expected - seen <= tolerance)
        return;
    print_error("saw %g, expected %g within %g\n", seen, expected, tolerance);
    _fail(file, line);
}

void unit_around_each(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    before_each = set_up;
    after_each = tear_down;
}

void file_put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void file_get(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    text[0] = '\0';
    if (!file)
        return;
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

int stream_redirect(FILE *stream, const char *path)
{
    fflush(stream);
    const int before = dup(fileno(stream)), file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(before >= 0 && file >= 0 && dup2(file, fileno(stream)) >= 0);
    close(file);
    return before;
}

void stream_restore(FILE *stream, int before)
{
    fflush(stream);
    assert_true(dup2(before, fileno(stream)) >= 0);
    close(before);
}

void unit_around_all(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    before_all = set_up;
    after_all = tear_down;
}

void unit_begin_with(int (*begin)(int argc, char **argv))
{
    begin_with = begin;
}

int unit_choose(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return RUN_TESTS;
}

int main(int argc, char **argv)
{
    int status = begin_with ? begin_with(argc, argv) : RUN_TESTS;
    if (status != RUN_TESTS)
        return status;
    for (size_t i = 0; i < count; i++) {
        tests[i].setup_func = before_each;
        tests[i].teardown_func = after_each;
    }
    return _cmocka_run_group_tests("tests", tests, count, before_all, after_all);
}

bool unit_at_length(void)
{
    const char *all = getenv("RUNGBENCH_TEST_ALL");
    return all && strcmp(all, "1") == 0;
}

/* What may stand together on a command line: files that are written are no other file there. */
#include "bench/base/files.h"
#include "output_files.h"
#include "tests/unit.h"

static bool are_apart(const char *written, const char *other_path, enum file_use use, struct error *error)
{
    struct named_files files = {.count = 0};
    *error = (struct error){""};
    named_files_add(&files, "in", other_path, use);
    named_files_add(&files, "out", written, FILE_WRITTEN);
    return named_files_are_apart(&files, error);
}

/* As an input and as another output. */
static void assert_same(const char *written, const char *other_path)
{
    struct error error;
    assert_false(are_apart(written, other_path, FILE_READ, &error));
    assert_names(&error, "--out=", "read as --in=");
    assert_false(are_apart(written, other_path, FILE_WRITTEN, &error));
    assert_names(&error, "to be written twice", "--in=");
}

static void assert_apart(const char *written, const char *other_path)
{
    MUST(are_apart(written, other_path, FILE_READ, &error));
    MUST(are_apart(written, other_path, FILE_WRITTEN, &error));
}

/* Whether it is there or not. */
TEST(one_file_has_many_paths)
{
    for (int is_there = 0; is_there < 2; is_there++) {
        assert_apart(path, other);
        assert_apart(other, path);
        assert_same(path, path);
        assert_same("./results.csv", path);
        file_put(path, "");
    }
    assert_int_equal(symlink(path, other), 0);
    assert_same(path, other);
    assert_same(other, path);
    assert_apart("no-such-folder/x", "no-such-folder/x"); /* which is refused when it is opened */
}

TEST(the_partial_file_is_written_too)
{
    struct error error;
    file_put(partial, "rows of a run that was killed");
    assert_same(path, partial);
    assert_false(are_apart(partial, path, FILE_WRITTEN, &error));
    assert_true(are_apart(partial, path, FILE_READ, &error));
}

TEST(pipes_and_devices_may_be_named_twice)
{
    assert_apart("/dev/null", "/dev/null");
    assert_int_equal(mkfifo(device, 0666), 0);
    assert_apart(device, device);
    assert_apart("-", "-"); /* stdout, of which reporter.c knows more */
}

TEST(two_inputs_may_be_one_and_the_last_value_of_a_flag_counts)
{
    static const struct named_file added[] = {
        {NULL, path, FILE_READ}, {NULL, path, FILE_READ}, {"out", path, FILE_WRITTEN}, {"out", other, FILE_WRITTEN}};
    static const bool apart[] = {true, true, false, true};
    struct named_files files = {.count = 0};
    struct error error;
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
        named_files_add(&files, added[i].flag, added[i].path, added[i].use);
        assert_int_equal(named_files_are_apart(&files, &error), apart[i]);
    }
}

TEST(stdout_is_an_output)
{
    static const char *const said[] = {[FILE_READ] = "stdout: is to be written, and read as",
                                       [FILE_WRITTEN] = "is to be written twice, also as stdout"};
    for (enum file_use use = FILE_READ; use <= FILE_WRITTEN; use++) {
        struct named_files files = {.count = 0};
        struct error error = {""};
        named_files_add(&files, "out", path, use);
        const int kept = stream_redirect(stdout, path);
        bool apart = named_files_are_apart(&files, &error);
        stream_restore(stdout, kept);
        assert_false(apart);
        assert_names(&error, "--out=results.csv", said[use]);
        assert_true(named_files_are_apart(&files, &error));
    }
}

AROUND_EACH_TEST(clean_up, clean_up)

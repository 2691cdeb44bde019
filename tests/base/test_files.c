/* What is read as input, and what is refused without waiting for it; and writing where write() takes a few bytes. */
#include "bench/base/files.h"
#include "output_files.h"
#include "tests/unit.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <zlib.h>

enum { WATCHED_FD = 1000 };
static char written[64];
static size_t written_count, at_most;
static int interruptions, failure;

ssize_t __real_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count)
{
    if (fd != WATCHED_FD)
        return __real_write(fd, bytes, count);
    errno = interruptions > 0 ? EINTR : failure;
    if (interruptions-- > 0 || failure)
        return -1;
    count = count < at_most ? count : at_most;
    memcpy(written + written_count, bytes, count);
    written_count += count;
    return (ssize_t)count;
}

TEST(all_is_written_unless_there_is_an_error)
{
    static const char text[] = "all of it";
    for (at_most = 1; at_most < sizeof written; at_most++)
        for (int signals = 0; signals < 3; signals++) {
            written_count = 0;
            interruptions = signals;
            assert_true(write_all(WATCHED_FD, text, sizeof text));
            assert_int_equal(written_count, sizeof text);
            assert_memory_equal(written, text, sizeof text);
        }
    failure = ENOSPC;
    assert_true(write_all(WATCHED_FD, text, 0));
    assert_false(write_all(WATCHED_FD, text, sizeof text));
    assert_int_equal(errno, ENOSPC);
}

static void put_zipped(const char *text)
{
    gzFile file = gzopen(other, "w");
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

/* Through a link, too; `read` is one of both. */
static void assert_limited(char *(*read)(const char *, const char *, size_t, size_t *, struct error *), bool is_zipped)
{
    enum { MOST = 3000000 };
    static char text[MOST + 2];
    static const size_t counts[] = {0, 1, 2, MOST - 1, MOST, MOST + 1};
    (void)unlink(path);
    struct error error = {""};
    assert_int_equal(symlink(other, path), 0);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        size_t bytes = 0;
        memset(text, 'x', counts[i]);
        text[counts[i]] = '\0';
        if (is_zipped)
            put_zipped(text);
        else
            file_put(other, text);
        char *got = read(path, "--flag", MOST, &bytes, &error);
        assert_int_equal(got != NULL, counts[i] <= MOST);
        if (got)
            assert_true(bytes == counts[i] && strcmp(got, text) == 0);
        else
            assert_names(&error, "--flag: ", "too large");
        free(got);
    }
    assert_int_equal(truncate(other, is_zipped ? 30 : (off_t)1 << 42), 0); /* nor is there memory for it */
    assert_null(read(path, "--flag", MOST, &(size_t){0}, &error));
    assert_names(&error, "--flag: ", is_zipped ? "truncated gzip" : "too large");
}

TEST(a_file_is_read_up_to_a_limit)
{
    assert_limited(regular_file_read, false);
    assert_limited(regular_file_unpack, false);
    assert_limited(regular_file_unpack, true);
}

static void assert_refused(const char *name, const char *reason)
{
    struct error error = {""};
    assert_null(regular_file_read(name, "--flag", 1, &(size_t){0}, &error));
    assert_names(&error, "--flag: ", reason);
}

TEST(what_is_no_regular_file_is_refused)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "device"};
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(mkfifo(other, 0666), 0); /* nobody writes: it would be waited for */
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(listening, (const struct sockaddr *)&address, sizeof address), 0);
    assert_refused(path, "No such file");
    assert_refused(folder, "a folder");
    assert_refused(other, "a pipe");
    assert_refused("/dev/zero", "a device");
    assert_refused(device, "cannot be read");
    close(listening);
}

/* As the shell gives it in place of <(...). */
TEST(a_pipe_that_an_argument_names_is_kept_as_a_file)
{
    enum { BYTES = 60000 };
    static char text[BYTES + 1];
    char argument[48];
    int ends[2];
    size_t bytes;
    struct error error;
    memset(text, 'x', BYTES);
    assert_int_equal(pipe(ends), 0);
    assert_true(write_all(ends[1], text, BYTES));
    close(ends[1]);
    snprintf(argument, sizeof argument, "--image=/dev/fd/%d", ends[0]);
    const char *name = strchr(argument, '/');
    assert_refused(name, "a pipe");
    piped_input_keep((char *[]){(char *)"program", argument, NULL});
    for (int time = 0; time < 2; time++) {
        char *got = regular_file_read(name, name, BYTES, &bytes, &error);
        assert_non_null(got);
        assert_string_equal(got, text);
        free(got);
    }
    close(ends[0]);
}

TEST(programs_are_found_as_a_shell_finds_them)
{
    static const struct {
        const char *name, *found; /* NULL: not */
    } cases[] = {{"program", "folder/program"},
                 {"./folder/program", "./folder/program"},
                 {"$HERE/program", "folder/program"},
                 {"$NOWHERE/program", NULL},
                 {"other", NULL},
                 {"./folder", NULL}};
    char found[PATH_MAX], before[PATH_MAX];
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    assert_int_equal(mkdir(folder, 0777), 0);
    file_put("folder/other", "");
    file_put("folder/program", "");
    assert_int_equal(chmod("folder/program", 0755), 0);
    setenv("PATH", "nowhere::folder", 1);
    setenv("HERE", "folder", 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is_found = program_path_find((const char *const[]){"none", cases[i].name, NULL}, found);
        assert_int_equal(is_found, cases[i].found != NULL);
        if (is_found)
            assert_string_equal(found, cases[i].found);
    }
    assert_int_equal(rename("folder/program", "program"), 0); /* an empty folder of PATH is this one */
    assert_true(program_path_find((const char *const[]){"program", NULL}, found));
    assert_string_equal(found, "./program");
    setenv("PATH", before, 1);
    unlink("program");
    unlink("folder/other");
}

AROUND_EACH_TEST(clean_up, clean_up)

/* Where output may go: devices, pipes and stdout are written in place, links are followed, bad paths are refused. */
#include "output_files.h"
#include "tests/unit.h"
#include "tests/skip.h"

#include <sys/sysmacros.h>

static void assert_cannot_be_opened(const char *name, const char *reason)
{
    struct output output;
    struct error error = {""};
    assert_false(output_open(&output, name, &error));
    assert_names(&error, name, reason);
}

/* As root, a node that the test makes, so that a bug cannot delete the machine's /dev/null. NULL: none can be made. */
static const char *null_device(void)
{
    enum { MEMORY = 1, NOTHING = 3 };
    if (geteuid() != 0)
        return "/dev/null";
    if (mknod(device, S_IFCHR | 0666, makedev(MEMORY, NOTHING)) != 0)
        return NULL;
    int fd = open(device, O_WRONLY);
    if (fd >= 0)
        close(fd);
    return fd >= 0 ? device : NULL;
}

/* What is written in place is no regular file afterwards either, and none stands beside it. */
static void assert_stays(const char *name, mode_t kind)
{
    struct stat status;
    assert_int_equal(lstat(name, &status), 0);
    assert_int_equal(status.st_mode & S_IFMT, kind);
    assert_false(exists(partial) || exists("device.partial") || exists("-.partial") || exists("/dev/null.partial"));
}

TEST(a_device_stays_a_device)
{
    const char *name = null_device();
    if (!name)
        skip_because("no device files can be made here");
    struct output output;
    open_output(&output, name);
    assert_true(output.in_place);
    write_record(&output, "one\n");
    output_rescue_all();
    commit(&output);
    assert_stays(name, S_IFCHR);
}

TEST(a_pipe_is_written_in_place)
{
    char text[8] = "";
    struct output output;
    assert_int_equal(mkfifo(path, 0666), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    open_output(&output, path);
    output_discard(&output);
    assert_stays(path, S_IFIFO);
    open_output(&output, path);
    assert_true(output.in_place);
    write_record(&output, "one\n");
    commit(&output);
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "one\n");
    close(reader);
    assert_stays(path, S_IFIFO);
}

TEST(a_dash_is_stdout)
{
    struct output output;
    struct error error;
    const int kept = stream_redirect(stdout, path);
    bool ok = output_open(&output, "-", &error) && output_write(&output, "one\n", 4, &error) &&
              output_commit(&output, &error) && fcntl(STDOUT_FILENO, F_GETFD) != -1;
    stream_restore(stdout, kept);
    assert_true(ok);
    assert_file_holds(path, "one\n");
    assert_false(exists("-") || exists("-.partial"));
}

/* /dev/stdout is such a link: renaming a file onto it would break it for the whole machine. */
TEST(a_link_leads_to_its_file)
{
    struct output output;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(symlink("../other.csv", "folder/link"), 0);
    assert_int_equal(symlink("folder/link", path), 0);
    assert_cannot_be_opened(path, "No such file");
    file_put(other, "older\n");
    open_output(&output, path);
    write_record(&output, "new\n");
    commit(&output);
    assert_stays(path, S_IFLNK);
    assert_file_holds(other, "new\n");
    assert_int_equal(remove("folder/link"), 0);
}

TEST(what_cannot_be_written_is_refused)
{
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(symlink(path, path), 0);
    assert_int_equal(mkfifo("device.partial", 0666), 0);
    file_put("folder/file", "precious");
    assert_int_equal(symlink("folder/file", other_partial), 0);
    static const struct {
        const char *name, *reason;
    } cases[] = {{path, "Too many levels of symbolic links"},
                 {other, "cannot be written"},
                 {device, "cannot be written"}, /* nor waited for */
                 {"not-there/results.csv", "No such file"},
                 {"not-there/", "cannot be written"},
                 {folder, "is a folder"},
                 {"folder/", "is a folder"},
                 {".", "is a folder"},
                 {"", "empty file name"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_cannot_be_opened(cases[i].name, cases[i].reason);
    assert_cannot_be_opened("folder/file/results.csv", "Not a directory");
    assert_file_holds("folder/file", "precious");
    assert_int_equal(remove("folder/file"), 0);
    assert_false(exists(".partial") || exists(device));
}

TEST(a_path_that_is_too_long_is_refused)
{
    static char name[3 * PATH_MAX + 1];
    static const size_t lengths[] = {PATH_MAX - 4, PATH_MAX, 3 * PATH_MAX};
    for (size_t i = 0; i < 3; i++) {
        memset(name, 'x', lengths[i]);
        for (size_t slash = 100; slash < lengths[i]; slash += 100)
            name[slash] = '/';
        struct output output;
        struct error error = {""};
        assert_false(output_open(&output, name, &error));
        assert_names(&error, "xxxx", "");
    }
}

TEST(what_the_user_may_not_write_is_refused)
{
    if (geteuid() == 0)
        skip_because("root may write everywhere");
    assert_int_equal(mkdir(folder, 0555), 0);
    assert_cannot_be_opened("folder/results.csv", "Permission denied");
    file_put(path, "older\n");
    assert_int_equal(chmod(path, 0444), 0);
    assert_cannot_be_opened(path, "Permission denied");
    assert_false(exists(partial));
}

AROUND_EACH_TEST(clean_up, clean_up)

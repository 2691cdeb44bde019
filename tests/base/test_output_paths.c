/* Where output may go: devices, pipes and stdout are written in place, links are followed, bad paths are refused. */
#include "output_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/skip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Minor numbers of /dev/null and /dev/full. */
enum { DEVICE_MEMORY = 1, DEVICE_NULL = 3, DEVICE_FULL = 7 };

static void assert_cannot_be_opened(const char *name, const char *reason)
{
    struct output output;
    struct error error = {""};
    assert_false(output_open(&output, name, &error));
    assert_names(&error, name, reason);
}

/* As root, a device node that the test makes, so that a bug cannot delete the machine's /dev/null. NULL: none can be
 * made. */
static const char *device_like(const char *name, unsigned minor_number)
{
    if (geteuid() != 0)
        return access(name, W_OK) == 0 ? name : NULL;
    if (mknod(device, S_IFCHR | 0666, makedev(DEVICE_MEMORY, minor_number)) != 0)
        return NULL;
    int fd = open(device, O_WRONLY);
    if (fd >= 0)
        close(fd);
    return fd >= 0 ? device : NULL;
}

static void a_device_stays_a_device(void **state)
{
    (void)state;
    const char *name = device_like("/dev/null", DEVICE_NULL);
    if (!name)
        skip_because("no device files can be made here");
    struct output output;
    open_output(&output, name);
    assert_true(output.in_place);
    write_record(&output, "one\n");
    output_rescue_all();
    commit(&output);
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_false(exists("device.partial") || exists("/dev/null.partial"));
}

static void a_pipe_is_written_in_place(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, 0666), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    struct output output;
    open_output(&output, path);
    assert_true(output.in_place);
    write_record(&output, "one\n");
    commit(&output);
    char text[8] = "";
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "one\n");
    close(reader);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_false(exists(partial));
}

static void a_discarded_pipe_stays(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, 0666), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    struct output output;
    open_output(&output, path);
    output_discard(&output);
    close(reader);
    assert_true(exists(path));
}

static void a_dash_is_stdout(void **state)
{
    (void)state;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(to, STDOUT_FILENO);
    close(to);
    struct output output;
    struct error error;
    int opened = output_open(&output, "-", &error);
    int written = opened && output_write(&output, "one\n", 4, &error);
    int committed = written && output_commit(&output, &error);
    int still_open = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_true(opened && written && committed && still_open);
    assert_file_holds(path, "one\n");
    assert_false(exists("-"));
    assert_false(exists("-.partial"));
}

/* /dev/stdout is such a link: renaming a file onto it would break it for the whole machine. */
static void a_symbolic_link_leads_to_its_file(void **state)
{
    (void)state;
    write_file(other, "older\n");
    assert_int_equal(symlink(other, path), 0);
    struct output output;
    open_output(&output, path);
    write_record(&output, "newer\n");
    assert_file_holds(other, "older\n");
    commit(&output);
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_file_holds(other, "newer\n");
}

static void a_link_to_a_file_that_is_not_there_stays(void **state)
{
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(symlink("../other.csv", "folder/link"), 0);
    assert_int_equal(symlink("folder/link", path), 0);
    struct output output;
    open_output(&output, path);
    write_record(&output, "new\n");
    commit(&output);
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_file_holds(other, "new\n");
    assert_int_equal(remove("folder/link"), 0);
}

static void a_link_that_leads_to_itself_is_refused(void **state)
{
    (void)state;
    assert_int_equal(symlink(path, path), 0);
    assert_cannot_be_opened(path, strerror(ELOOP));
}

static void a_path_below_a_file_cannot_be_written(void **state)
{
    (void)state;
    write_file(other, "");
    assert_cannot_be_opened("other.csv/results.csv", "Not a directory");
}

static void a_path_in_a_missing_folder_cannot_be_written(void **state)
{
    (void)state;
    assert_cannot_be_opened("not-there/results.csv", "No such file");
    assert_cannot_be_opened("not-there/", "cannot be written");
}

static void a_folder_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_cannot_be_opened(folder, "is a folder");
    assert_cannot_be_opened("folder/", "is a folder");
    assert_cannot_be_opened(".", "is a folder");
}

static void an_empty_path_is_no_file(void **state)
{
    (void)state;
    struct output output;
    struct error error = {""};
    assert_false(output_open(&output, "", &error));
    assert_false(exists(".partial"));
}

static void a_path_that_is_too_long_is_refused(void **state)
{
    (void)state;
    static const size_t lengths[] = {PATH_MAX - 4, PATH_MAX, 3 * PATH_MAX};
    for (size_t i = 0; i < 3; i++) {
        char *name = calloc(1, lengths[i] + 1);
        assert_non_null(name);
        memset(name, 'x', lengths[i]);
        for (size_t slash = 100; slash < lengths[i]; slash += 100)
            name[slash] = '/';
        struct output output;
        struct error error = {""};
        assert_false(output_open(&output, name, &error));
        assert_names(&error, "xxxx", "");
        free(name);
    }
}

static void what_the_user_may_not_write_is_refused(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip_because("root may write everywhere");
    assert_int_equal(mkdir(folder, 0555), 0);
    assert_cannot_be_opened("folder/results.csv", "Permission denied");
    write_file(path, "older\n");
    assert_int_equal(chmod(path, 0444), 0);
    assert_cannot_be_opened(path, "Permission denied");
    assert_false(exists(partial));
}

static void a_full_device_is_an_error(void **state)
{
    (void)state;
    const char *name = device_like("/dev/full", DEVICE_FULL);
    if (!name)
        skip_because("no device files can be made here");
    struct output output;
    struct error error = {""};
    open_output(&output, name);
    assert_true(output.in_place);
    assert_false(output_write(&output, "one\n", 4, &error));
    assert_names(&error, name, strerror(ENOSPC));
    output_discard(&output);
}

#define test(function) cmocka_unit_test_setup_teardown(function, clean_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_device_stays_a_device),
        test(a_pipe_is_written_in_place),
        test(a_discarded_pipe_stays),
        test(a_dash_is_stdout),
        test(a_symbolic_link_leads_to_its_file),
        test(a_link_to_a_file_that_is_not_there_stays),
        test(a_link_that_leads_to_itself_is_refused),
        test(a_path_below_a_file_cannot_be_written),
        test(a_path_in_a_missing_folder_cannot_be_written),
        test(a_folder_is_no_file),
        test(an_empty_path_is_no_file),
        test(a_path_that_is_too_long_is_refused),
        test(what_the_user_may_not_write_is_refused),
        test(a_full_device_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

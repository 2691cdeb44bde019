#define _GNU_SOURCE /* unshare() */
/* Output files are whole or not there: until they are committed, after a failed write, and after a signal. */
#include "output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static const char path[] = "results.csv", partial[] = "results.csv.partial";
static const char other[] = "other.csv", other_partial[] = "other.csv.partial";
static const char folder[] = "folder", disk[] = "disk", device[] = "device";

/* Minor numbers of /dev/null and /dev/full. */
enum { DEVICE_MEMORY = 1, DEVICE_NULL = 3, DEVICE_FULL = 7 };

static int clean_up(void **state)
{
    (void)state;
    const char *const files[] = {path, partial, other, other_partial, folder, device, ".partial", "device.partial"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(files[i]);
    return 0;
}

static int exists(const char *name)
{
    struct stat status;
    return lstat(name, &status) == 0;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_file_holds(const char *name, const char *text)
{
    char buffer[4096];
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    size_t count = fread(buffer, 1, sizeof buffer - 1, file);
    fclose(file);
    buffer[count] = '\0';
    assert_string_equal(buffer, text);
}

static void open_output(struct output *output, const char *name)
{
    struct error error = {""};
    if (!output_open(output, name, &error))
        fail_msg("%s", error.text);
}

static void write_record(struct output *output, const char *text)
{
    struct error error = {""};
    if (!output_write(output, text, strlen(text), &error))
        fail_msg("%s", error.text);
}

static void commit(struct output *output)
{
    struct error error = {""};
    if (!output_commit(output, &error))
        fail_msg("%s", error.text);
}

static void assert_names(const struct error *error, const char *name, const char *reason)
{
    assert_null(strchr(error->text, '\n'));
    if (!strstr(error->text, name) || !strstr(error->text, reason))
        fail_msg("'%s' does not say '%s' and '%s'", error->text, name, reason);
}

static void assert_cannot_be_opened(const char *name, const char *reason)
{
    struct output output;
    struct error error = {""};
    assert_false(output_open(&output, name, &error));
    assert_names(&error, name, reason);
}

static void records_go_to_a_partial_file_at_once(void **state)
{
    (void)state;
    struct output output;
    open_output(&output, path);
    assert_false(output.in_place);
    assert_true(exists(partial));
    write_record(&output, "one\n");
    assert_file_holds(partial, "one\n");
    write_record(&output, "two\n");
    assert_file_holds(partial, "one\ntwo\n");
    assert_false(exists(path));
    commit(&output);
}

static void commit_gives_the_file_its_name(void **state)
{
    (void)state;
    struct output output;
    open_output(&output, path);
    write_record(&output, "one\n");
    commit(&output);
    assert_file_holds(path, "one\n");
    assert_false(exists(partial));
}

static void an_older_file_stays_until_commit(void **state)
{
    (void)state;
    struct output output;
    write_file(path, "older\n");
    open_output(&output, path);
    write_record(&output, "newer\n");
    assert_file_holds(path, "older\n");
    commit(&output);
    assert_file_holds(path, "newer\n");
}

static void a_partial_file_left_by_a_crash_is_written_anew(void **state)
{
    (void)state;
    struct output output;
    write_file(partial, "much that a crashed run has left\n");
    open_output(&output, path);
    write_record(&output, "new\n");
    commit(&output);
    assert_file_holds(path, "new\n");
}

static void discard_leaves_nothing_new(void **state)
{
    (void)state;
    struct output output;
    write_file(path, "older\n");
    open_output(&output, path);
    write_record(&output, "newer\n");
    output_discard(&output);
    assert_file_holds(path, "older\n");
    assert_false(exists(partial));
    output_rescue_all();
    assert_file_holds(path, "older\n");
}

static void a_file_without_records_can_be_committed(void **state)
{
    (void)state;
    struct output output;
    open_output(&output, path);
    commit(&output);
    assert_file_holds(path, "");
}

/* For root a device of the test's own, so that a mistake cannot cost the machine its /dev/null. NULL: there is none. */
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
        skip();
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

/* /dev/stdout is such a link: renaming onto it would take it from the whole machine. */
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
        skip();
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
        skip();
    struct output output;
    struct error error = {""};
    open_output(&output, name);
    assert_true(output.in_place);
    assert_false(output_write(&output, "one\n", 4, &error));
    assert_names(&error, name, strerror(ENOSPC));
    output_discard(&output);
}

static const char forty_bytes[] = "a record of exactly forty bytes, no less";

/* The third record does not fit, and is taken away again whole; a short one still fits. */
static void fill_up(struct output *output, int code)
{
    struct error error = {""};
    write_record(output, forty_bytes);
    write_record(output, forty_bytes);
    size_t long_bytes = 1 << 20;
    char *long_record = malloc(long_bytes);
    assert_non_null(long_record);
    memset(long_record, 'x', long_bytes);
    int written = output_write(output, long_record, long_bytes, &error);
    free(long_record);
    assert_false(written);
    assert_names(&error, output->path, strerror(code));
    write_record(output, "short\n");
}

static void assert_holds_whole_records_only(const char *name)
{
    char expected[128];
    snprintf(expected, sizeof expected, "%s%sshort\n", forty_bytes, forty_bytes);
    assert_file_holds(name, expected);
}

static void a_record_that_does_not_fit_is_taken_away_whole(void **state)
{
    (void)state;
    struct rlimit unlimited;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    struct output output;
    open_output(&output, path);
    struct rlimit limited = {100, unlimited.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    fill_up(&output, EFBIG);
    setrlimit(RLIMIT_FSIZE, &unlimited);
    signal(SIGXFSZ, handler);
    commit(&output);
    assert_holds_whole_records_only(path);
}

static volatile sig_atomic_t term_waits, int_waits, alarm_waits;

static void see_which_signals_wait(int number)
{
    (void)number;
    sigset_t waiting;
    sigprocmask(SIG_BLOCK, NULL, &waiting);
    term_waits = sigismember(&waiting, SIGTERM);
    int_waits = sigismember(&waiting, SIGINT);
    alarm_waits = sigismember(&waiting, SIGALRM);
}

/* SIGXFSZ comes amid the write. The other handlers rename the file, and may not see it with half a record. */
static void signals_wait_for_the_end_of_a_record(void **state)
{
    (void)state;
    struct rlimit unlimited;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    void (*handler)(int) = signal(SIGXFSZ, see_which_signals_wait);
    struct output output;
    struct error error;
    open_output(&output, path);
    struct rlimit limited = {10, unlimited.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    int written = output_write(&output, forty_bytes, strlen(forty_bytes), &error);
    setrlimit(RLIMIT_FSIZE, &unlimited);
    signal(SIGXFSZ, handler);
    output_discard(&output);
    assert_false(written);
    assert_true(term_waits && int_waits && alarm_waits);
    see_which_signals_wait(0);
    assert_false(term_waits || int_waits || alarm_waits);
}

/* Mounted for this process alone, so that nothing is left behind whatever becomes of it. */
static int mount_small_disk(void **state)
{
    mkdir(disk, 0777);
    bool apart = geteuid() == 0 && unshare(CLONE_NEWNS) == 0 && mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
    bool mounted = apart && mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0;
    *state = mounted ? (void *)disk : NULL;
    return 0;
}

static int unmount_small_disk(void **state)
{
    if (*state)
        umount2(disk, MNT_DETACH);
    return rmdir(disk);
}

static void a_full_disk_keeps_whole_records_only(void **state)
{
    if (!*state)
        skip();
    struct output output;
    open_output(&output, "disk/results.csv");
    fill_up(&output, ENOSPC);
    commit(&output);
    assert_holds_whole_records_only("disk/results.csv");
    assert_false(exists("disk/results.csv.partial"));
}

static void rescue_names_files_that_hold_records(void **state)
{
    (void)state;
    struct output with, without;
    write_file(other, "older\n");
    open_output(&with, path);
    open_output(&without, other);
    write_record(&with, "one\n");
    output_rescue_all();
    assert_file_holds(path, "one\n");
    assert_false(exists(partial));
    assert_file_holds(other, "older\n");
    assert_false(exists(other_partial));
    output_discard(&with);
    output_discard(&without);
}

static void rescue_leaves_committed_files_alone(void **state)
{
    (void)state;
    struct output output;
    open_output(&output, path);
    write_record(&output, "one\n");
    commit(&output);
    write_file(partial, "of somebody else\n");
    output_rescue_all();
    assert_file_holds(path, "one\n");
    assert_file_holds(partial, "of somebody else\n");
}

/* In a child that a signal ends amid a run, as rungbench is. */
static void rescue_and_end(int number)
{
    output_rescue_all();
    _exit(number);
}

static void a_signal_handler_can_rescue(void **state)
{
    (void)state;
    void (*handler)(int) = signal(SIGTERM, rescue_and_end);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct output output;
        struct error error;
        if (output_open(&output, path, &error) && output_write(&output, "one\n", 4, &error))
            raise(SIGTERM);
        _exit(99);
    }
    signal(SIGTERM, handler);
    siginfo_t ended;
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED), 0);
    assert_int_equal(ended.si_status, SIGTERM);
    assert_file_holds(path, "one\n");
    assert_false(exists(partial));
}

static void several_files_can_be_open_at_once(void **state)
{
    (void)state;
    struct output first, second;
    open_output(&first, path);
    open_output(&second, other);
    write_record(&first, "one\n");
    write_record(&second, "two\n");
    commit(&first);
    output_rescue_all();
    assert_file_holds(path, "one\n");
    assert_file_holds(other, "two\n");
    output_discard(&second);
}

#define test(function) cmocka_unit_test_setup_teardown(function, clean_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(records_go_to_a_partial_file_at_once),
        test(commit_gives_the_file_its_name),
        test(an_older_file_stays_until_commit),
        test(a_partial_file_left_by_a_crash_is_written_anew),
        test(discard_leaves_nothing_new),
        test(a_file_without_records_can_be_committed),
        test(a_device_stays_a_device),
        test(a_pipe_is_written_in_place),
        test(a_discarded_pipe_stays),
        test(a_dash_is_stdout),
        test(a_symbolic_link_leads_to_its_file),
        test(a_path_below_a_file_cannot_be_written),
        test(a_path_in_a_missing_folder_cannot_be_written),
        test(a_folder_is_no_file),
        test(an_empty_path_is_no_file),
        test(a_path_that_is_too_long_is_refused),
        test(what_the_user_may_not_write_is_refused),
        test(a_full_device_is_an_error),
        test(a_record_that_does_not_fit_is_taken_away_whole),
        test(signals_wait_for_the_end_of_a_record),
        cmocka_unit_test_setup_teardown(a_full_disk_keeps_whole_records_only, mount_small_disk, unmount_small_disk),
        test(rescue_names_files_that_hold_records),
        test(rescue_leaves_committed_files_alone),
        test(a_signal_handler_can_rescue),
        test(several_files_can_be_open_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

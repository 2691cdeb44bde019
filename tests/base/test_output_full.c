#define _GNU_SOURCE /* unshare() */
/* A full disk, and signals during a write: files hold complete records only, and no older file is replaced. */
#include "output_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/skip.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char disk[] = "disk";
static const char forty_bytes[] = "a record of exactly forty bytes, no less";

/* The third record does not fit and is removed completely; a short one still fits. */
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
    assert_names(&error, output->path, output->partial); /* where the first two are */
    write_record(output, "short\n");
}

static void assert_holds_whole_records_only(const char *name)
{
    char expected[128];
    snprintf(expected, sizeof expected, "%s%sshort\n", forty_bytes, forty_bytes);
    assert_file_holds(name, expected);
}

/* Of 100 bytes. */
static void open_and_fill_up(struct output *output)
{
    struct rlimit unlimited;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    write_file(path, "older\n");
    open_output(output, path);
    struct rlimit limited = {100, unlimited.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    fill_up(output, EFBIG);
    setrlimit(RLIMIT_FSIZE, &unlimited);
    signal(SIGXFSZ, handler);
}

static void assert_is_left_as_partial_file(void)
{
    assert_holds_whole_records_only(partial);
    assert_file_holds(path, "older\n");
}

static void a_record_that_does_not_fit_is_taken_away_whole(void **state)
{
    (void)state;
    struct output output;
    struct error error = {""};
    open_and_fill_up(&output);
    assert_false(output_commit(&output, &error));
    assert_is_left_as_partial_file();
}

static void what_has_failed_is_not_written_anew(void **state)
{
    (void)state;
    struct output output;
    struct error error = {""};
    open_and_fill_up(&output);
    assert_false(output_begin_again(&output, &error));
    assert_true(output_commit_all(&output, 1, true, &error)); /* output_write() has said it */
    assert_is_left_as_partial_file();
}

static void what_does_not_fit_anew_leaves_the_records_as_they_were(void **state)
{
    (void)state;
    struct output output;
    struct error error = {""};
    struct rlimit unlimited;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    write_file(path, "older\n");
    open_output(&output, path);
    struct rlimit limited = {100, unlimited.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    write_record(&output, forty_bytes);
    write_record(&output, forty_bytes);
    assert_true(output_begin_again(&output, &error));
    for (int i = 0; i < 3; i++)
        write_record(&output, forty_bytes);
    assert_false(output_commit(&output, &error));
    setrlimit(RLIMIT_FSIZE, &unlimited);
    signal(SIGXFSZ, handler);
    assert_names(&error, output.path, strerror(EFBIG));
    char expected[128];
    snprintf(expected, sizeof expected, "%s%s", forty_bytes, forty_bytes);
    assert_file_holds(partial, expected);
    assert_file_holds(path, "older\n");
}

static void a_signal_names_no_file_that_has_failed(void **state)
{
    (void)state;
    struct output output;
    struct error error = {""};
    open_and_fill_up(&output);
    output_rescue_all();
    assert_is_left_as_partial_file();
    assert_false(output_commit(&output, &error));
}

static void one_that_has_failed_does_not_keep_another_from_its_name(void **state)
{
    (void)state;
    struct output outputs[2];
    struct error error = {""};
    open_and_fill_up(&outputs[0]);
    open_output(&outputs[1], other);
    write_record(&outputs[1], "all\n");
    assert_true(output_commit_all(outputs, 2, true, &error));
    assert_is_left_as_partial_file();
    assert_file_holds(other, "all\n");
}

static void a_run_that_was_cut_short_replaces_no_file(void **state)
{
    (void)state;
    struct output outputs[2];
    struct error error = {""};
    open_and_fill_up(&outputs[0]);
    write_file(other, "older\n");
    open_output(&outputs[1], other);
    write_record(&outputs[1], "some\n");
    assert_false(output_commit_all(outputs, 2, false, &error));
    assert_names(&error, outputs[1].partial, "");
    assert_is_left_as_partial_file();
    assert_file_holds(other, "older\n");
    assert_file_holds(other_partial, "some\n");
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

/* SIGXFSZ arrives during the write. The other handlers rename the file, so they must not run while it holds half a
 * record. */
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

/* Mounted for this process only: the mount disappears with it, even after a crash. */
static int mount_small_disk(void **state)
{
    mkdir(disk, 0777);
    bool apart = geteuid() == 0 && unshare(CLONE_NEWNS) == 0 && mount("", "/", "", MS_REC | MS_PRIVATE, "") == 0;
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
        skip_because("a small disk cannot be mounted (as root it can)");
    struct output output;
    struct error error = {""};
    open_output(&output, "disk/results.csv");
    fill_up(&output, ENOSPC);
    assert_false(output_commit(&output, &error));
    assert_holds_whole_records_only("disk/results.csv.partial");
    assert_false(exists("disk/results.csv"));
}

#define test(function) cmocka_unit_test_setup_teardown(function, clean_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_record_that_does_not_fit_is_taken_away_whole),
        test(what_has_failed_is_not_written_anew),
        test(what_does_not_fit_anew_leaves_the_records_as_they_were),
        test(a_signal_names_no_file_that_has_failed),
        test(one_that_has_failed_does_not_keep_another_from_its_name),
        test(a_run_that_was_cut_short_replaces_no_file),
        test(signals_wait_for_the_end_of_a_record),
        cmocka_unit_test_setup_teardown(a_full_disk_keeps_whole_records_only, mount_small_disk, unmount_small_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Output files are complete or absent: before commit, after commit and after a signal. */
#include "output_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void records_go_to_a_partial_file_at_once(void **state)
{
    (void)state;
    struct output output;
    open_output(&output, path);
    assert_false(output.in_place);
    assert_false(exists(partial)); /* a run that is killed here leaves nothing */
    write_record(&output, "one\n");
    assert_file_holds(partial, "one\n");
    write_record(&output, "two\n");
    assert_file_holds(partial, "one\ntwo\n");
    assert_false(exists(path));
    commit(&output);
}

static void the_header_comes_with_the_first_record(void **state)
{
    (void)state;
    struct output output;
    struct error error;
    open_output(&output, path);
    assert_true(output_write_preamble(&output, "header\n", 7, &error));
    assert_false(exists(partial));
    write_record(&output, "one\n");
    assert_file_holds(partial, "header\none\n");
    assert_true(output_begin_again(&output, &error));
    write_record(&output, "2\n");
    assert_file_holds(partial, "header\none\n");
    commit(&output);
    assert_file_holds(path, "header\n2\n");
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

static void a_partial_file_left_by_a_crash_is_overwritten(void **state)
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

static void rescue_reaches_every_open_file(void **state)
{
    (void)state;
    enum { FILES = 40 };
    struct output outputs[FILES];
    char name[16];
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d", i);
        open_output(&outputs[i], name);
        write_record(&outputs[i], "one\n");
    }
    for (int i = 0; i < FILES; i += 3)
        output_discard(&outputs[i]);
    output_rescue_all();
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_int_equal(exists(name), i % 3 != 0);
        if (i % 3 != 0)
            output_discard(&outputs[i]);
        unlink(name);
    }
}

static void what_a_crash_left_stays_until_there_are_records(void **state)
{
    (void)state;
    struct output output;
    write_file(partial, "rows of a run that was killed\n");
    open_output(&output, path);
    output_rescue_all();
    output_discard(&output);
    assert_file_holds(partial, "rows of a run that was killed\n");
    assert_false(exists(path));
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

/* As rungbench does: in a child process that a signal ends. */
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

static void what_is_written_anew_keeps_its_header(void **state)
{
    (void)state;
    struct output output;
    struct error error;
    open_output(&output, path);
    write_record(&output, "header\n");
    output.preamble = output.whole;
    write_record(&output, "provisional\n");
    assert_true(output_begin_again(&output, &error));
    assert_file_holds(partial, "header\nprovisional\n"); /* until the others are complete */
    write_record(&output, "last word\n");
    commit(&output);
    assert_file_holds(path, "header\nlast word\n");
}

#define test(function) cmocka_unit_test_setup_teardown(function, clean_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(records_go_to_a_partial_file_at_once),
        test(what_a_crash_left_stays_until_there_are_records),
        test(the_header_comes_with_the_first_record),
        test(commit_gives_the_file_its_name),
        test(an_older_file_stays_until_commit),
        test(a_partial_file_left_by_a_crash_is_overwritten),
        test(discard_leaves_nothing_new),
        test(a_file_without_records_can_be_committed),
        test(rescue_names_files_that_hold_records),
        test(rescue_reaches_every_open_file),
        test(rescue_leaves_committed_files_alone),
        test(a_signal_handler_can_rescue),
        test(several_files_can_be_open_at_once),
        test(what_is_written_anew_keeps_its_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

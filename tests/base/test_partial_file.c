/* FILE.partial: who may write it, and what is left where nothing is written. */
#include "bench/base/partial_file.h"
#include "output_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool other_finishes; /* another run, between our open() and our lock */

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command == F_SETLK && other_finishes) {
        other_finishes = false;
        assert_int_equal(rename(partial, path), 0);
    }
    return __real_fcntl(fd, command, argument);
}

/* Another process that is writing the file, from when this returns. */
static pid_t other_writer(bool in_place_of_output)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct error error;
        struct output output;
        bool ok = in_place_of_output ? partial_file_make(path, &error) >= 0
                                     : output_open(&output, path, &error) && output_write(&output, "one\n", 4, &error);
        ok = ok && write(ready[1], "", 1) == 1;
        for (; ok;)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static void end(pid_t child)
{
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void assert_names_process(const struct error *error, pid_t child)
{
    char process[32];
    snprintf(process, sizeof process, "process %ld ", (long)child);
    assert_names(error, path, process);
}

static void a_file_that_got_its_name_meanwhile_is_not_touched(void **state)
{
    (void)state;
    struct error error;
    write_file(partial, "all rows\n");
    other_finishes = true;
    int fd = partial_file_make(path, &error);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "new\n", 4), 4);
    close(fd);
    assert_file_holds(path, "all rows\n");
    assert_file_holds(partial, "new\n");
}

static void a_check_leaves_nothing(void **state)
{
    (void)state;
    struct error error;
    assert_true(partial_file_check(path, &error));
    assert_false(exists(partial));
}

static void a_check_keeps_what_a_crash_left(void **state)
{
    (void)state;
    struct error error;
    write_file(partial, "rows\n");
    assert_true(partial_file_check(path, &error));
    assert_file_holds(partial, "rows\n");
}

static void it_is_made_empty(void **state)
{
    (void)state;
    struct error error;
    write_file(partial, "rows\n");
    int fd = partial_file_make(path, &error);
    assert_true(fd >= 0);
    close(fd);
    assert_file_holds(partial, "");
}

static void one_process_writes_it(void **state)
{
    (void)state;
    struct error error = {""};
    pid_t child = other_writer(true);
    assert_false(partial_file_check(path, &error));
    assert_names_process(&error, child);
    assert_int_equal(partial_file_make(path, &error), -1);
    assert_names_process(&error, child);
    end(child);
    assert_true(partial_file_check(path, &error));
}

static void an_output_refuses_what_another_run_writes(void **state)
{
    (void)state;
    struct error error = {""};
    struct output early, late;
    open_output(&early, path); /* before the other has written anything */
    pid_t child = other_writer(false);
    assert_false(output_open(&late, path, &error));
    assert_names_process(&error, child);
    assert_false(output_write(&early, "two\n", 4, &error));
    assert_names_process(&error, child);
    output_discard(&early);
    assert_file_holds(partial, "one\n");
    end(child);
}

/* Whose target would be emptied. */
static void a_link_is_not_followed(void **state)
{
    (void)state;
    struct error error = {""};
    write_file(other, "precious\n");
    assert_int_equal(symlink(other, partial), 0);
    assert_int_equal(partial_file_make(path, &error), -1);
    assert_names(&error, path, "cannot be written");
    assert_file_holds(other, "precious\n");
}

static void a_pipe_is_not_waited_for(void **state)
{
    (void)state;
    struct error error = {""};
    assert_int_equal(mkfifo(partial, 0666), 0);
    assert_false(partial_file_check(path, &error));
    assert_names(&error, path, "");
}

#define test(function) cmocka_unit_test_setup_teardown(function, clean_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_file_that_got_its_name_meanwhile_is_not_touched),
        test(a_check_leaves_nothing),
        test(a_check_keeps_what_a_crash_left),
        test(it_is_made_empty),
        test(one_process_writes_it),
        test(an_output_refuses_what_another_run_writes),
        test(a_link_is_not_followed),
        test(a_pipe_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

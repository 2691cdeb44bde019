/* Output files are complete or absent: at every moment, on a full disk, after a signal, where another run writes. */
#include "output_files.h"
#include "tests/unit.h"

#include <sys/resource.h>

static const char forty_bytes[] = "a record of exactly forty bytes, no less";
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
        file_put(partial, "of a third\n");
    }
    return __real_fcntl(fd, command, argument);
}

TEST(a_file_has_its_name_when_it_is_complete)
{
    struct output output;
    file_put(path, "older\n");
    file_put(partial, "rows of a run that was killed\n");
    open_output(&output, path);
    assert_false(output.in_place);
    MUST(output_write_preamble(&output, "header\n", 7, &error));
    assert_file_holds(partial, "rows of a run that was killed\n"); /* which stay until there are others */
    write_record(&output, "one\n");
    assert_file_holds(partial, "header\none\n");
    write_record(&output, "two\n");
    assert_file_holds(partial, "header\none\ntwo\n");
    assert_file_holds(path, "older\n");
    commit(&output);
    assert_file_holds(path, "header\none\ntwo\n");
    assert_false(exists(partial));
}

TEST(nothing_is_made_for_nothing)
{
    struct output output;
    open_output(&output, path);
    assert_false(exists(path) || exists(partial));
    file_put(partial, "rows of a run that was killed\n");
    output_rescue_all();
    output_discard(&output);
    assert_false(exists(path));
    assert_file_holds(partial, "rows of a run that was killed\n");
    open_output(&output, path);
    commit(&output); /* which asks for it */
    assert_file_holds(path, "");
}

static void print_number(FILE *to, const void *number)
{
    fprintf(to, "%d\n", *(const int *)number);
}

TEST(what_is_written_anew_takes_the_place_of_the_records_at_the_end)
{
    struct output output;
    open_output(&output, path);
    MUST(output_write_preamble(&output, "header\n", 7, &error));
    write_record(&output, "provisional\n");
    MUST(output_begin_again(&output, &error));
    MUST(output_print(&output, print_number, &(int){2}, &error));
    assert_file_holds(partial, "header\nprovisional\n");
    commit(&output);
    assert_file_holds(path, "header\n2\n");
}

/* Of many open files some are discarded or committed, and some have no records. */
TEST(rescue_names_each_open_file_that_has_records)
{
    enum { FILES = 40, KINDS = 4 };
    struct output outputs[FILES];
    char name[16];
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d", i);
        open_output(&outputs[i], name);
        if (i % KINDS != 0)
            write_record(&outputs[i], "one\n");
    }
    for (int i = 1; i < FILES; i += KINDS) {
        output_discard(&outputs[i]);
        commit(&outputs[i + 1]);
    }
    file_put("2.partial", "of somebody else\n");
    output_rescue_all();
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_int_equal(exists(name), i % KINDS >= 2);
        if (i % KINDS == 0 || i % KINDS == 3)
            output_discard(&outputs[i]);
        unlink(name);
    }
    assert_file_holds("2.partial", "of somebody else\n");
    unlink("2.partial");
}

/* From now on no file gets longer; 0: all may. */
static void limit_files(rlim_t bytes, void (*handler)(int))
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes > 0 ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
}

/* Of 100 bytes. The third record does not fit and is removed completely; a short one still fits. */
static void open_and_fill_up(struct output *output)
{
    static char long_record[1 << 20];
    struct error error = {""};
    file_put(path, "older\n");
    open_output(output, path);
    limit_files(100, SIG_IGN);
    write_record(output, forty_bytes);
    write_record(output, forty_bytes);
    assert_false(output_write(output, long_record, sizeof long_record, &error));
    assert_names(&error, output->path, strerror(EFBIG));
    assert_names(&error, output->path, output->partial); /* where the first two are */
    write_record(output, "short\n");
    limit_files(0, SIG_DFL);
}

static void assert_is_left_as_partial_file(void)
{
    char expected[128];
    snprintf(expected, sizeof expected, "%s%sshort\n", forty_bytes, forty_bytes);
    assert_file_holds(partial, expected);
    assert_file_holds(path, "older\n");
}

TEST(one_that_has_failed_stays_a_partial_file)
{
    struct output outputs[2];
    struct error error = {""};
    open_and_fill_up(&outputs[0]);
    assert_false(output_begin_again(&outputs[0], &error));
    output_rescue_all();
    assert_is_left_as_partial_file();
    open_output(&outputs[1], other);
    write_record(&outputs[1], "all\n");
    assert_true(output_commit_all(outputs, 2, true, &error)); /* output_write() has said it */
    assert_is_left_as_partial_file();
    assert_file_holds(other, "all\n");
    open_and_fill_up(&outputs[0]);
    assert_false(output_commit(&outputs[0], &error));
    assert_is_left_as_partial_file();
}

TEST(a_run_that_was_cut_short_replaces_no_file)
{
    struct output outputs[3];
    struct error error = {""};
    open_and_fill_up(&outputs[0]);
    file_put(other, "older\n");
    open_output(&outputs[1], other);
    write_record(&outputs[1], "some\n");
    open_output(&outputs[2], device);
    write_record(&outputs[2], "some\n");
    assert_false(output_commit_all(outputs, 3, false, &error));
    assert_names(&error, outputs[1].partial, "/device.partial");
    assert_is_left_as_partial_file();
    assert_file_holds(other, "older\n");
    assert_file_holds(other_partial, "some\n");
}

TEST(what_does_not_fit_anew_leaves_the_records_as_they_were)
{
    struct output output;
    struct error error = {""};
    file_put(path, "older\n");
    open_output(&output, path);
    limit_files(100, SIG_IGN);
    write_record(&output, forty_bytes);
    assert_true(output_begin_again(&output, &error));
    for (int i = 0; i < 3; i++)
        write_record(&output, forty_bytes);
    assert_false(output_commit(&output, &error));
    limit_files(0, SIG_DFL);
    assert_names(&error, output.path, strerror(EFBIG));
    assert_file_holds(partial, forty_bytes);
    assert_file_holds(path, "older\n");
}

static volatile sig_atomic_t waiting_ones; /* of three */

static void see_which_signals_wait(int number)
{
    sigset_t waiting;
    sigprocmask(SIG_BLOCK, NULL, &waiting);
    waiting_ones = sigismember(&waiting, SIGTERM) + sigismember(&waiting, SIGINT) + sigismember(&waiting, SIGALRM);
}

/* SIGXFSZ arrives during the write. The other handlers rename the file, so they must not run while it holds half a
 * record. */
TEST(signals_wait_for_the_end_of_a_record)
{
    struct output output;
    struct error error;
    open_output(&output, path);
    limit_files(10, see_which_signals_wait);
    bool written = output_write(&output, forty_bytes, strlen(forty_bytes), &error);
    limit_files(0, SIG_DFL);
    output_discard(&output);
    assert_false(written);
    assert_int_equal(waiting_ones, 3);
    see_which_signals_wait(0);
    assert_int_equal(waiting_ones, 0);
}

/* Another process that has written a record, when this returns. */
static pid_t other_writer(void)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct error error;
        struct output output;
        bool ok = output_open(&output, path, &error) && output_write(&output, "one\n", 4, &error) &&
                  write(ready[1], "", 1) == 1;
        for (; ok;)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

TEST(one_process_writes_a_file)
{
    char process[32];
    struct error error = {""};
    struct output early, late;
    open_output(&early, path); /* before the other has written anything */
    pid_t child = other_writer();
    snprintf(process, sizeof process, "process %ld ", (long)child);
    assert_false(output_open(&late, path, &error));
    assert_names(&error, path, process);
    assert_false(output_write(&early, "two\n", 4, &error));
    assert_names(&error, path, process);
    output_discard(&early);
    assert_file_holds(partial, "one\n");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    open_output(&late, path);
    output_discard(&late);
}

TEST(a_file_that_got_its_name_meanwhile_is_not_touched)
{
    struct output output;
    open_output(&output, path);
    file_put(partial, "all rows\n");
    other_finishes = true;
    write_record(&output, "new\n");
    assert_file_holds(path, "all rows\n");
    assert_file_holds(partial, "new\n");
    output_discard(&output);
}

AROUND_EACH_TEST(clean_up, clean_up)

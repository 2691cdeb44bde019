#include "watch.h"

#include "bench/base/interrupt.h"
#include "bench/own/own_op.h"
#include "bench/report/report_text.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MS = 50, FILES_MAX = OWN_KERNELS_MAX + 1 };

struct watched_file {
    struct timespec changed;
    off_t bytes;
};

static const char *op_file;                    /* of the operation; NULL: there is none */
static struct watched_file as_read[FILES_MAX]; /* the files as they were read last; the first is the operation's */
static struct result_list last_times;          /* the last version's, by row */
static struct ceiling_table ceilings;          /* as the first version has found them */
static bool has_begun;

bool watch_has_begun(void)
{
    return has_begun;
}

/* How the files are. False: one is not there. */
static bool look(const struct own_request *own, struct watched_file files[FILES_MAX])
{
    bool are_all_there = true;
    for (size_t i = 0; i <= own->paths.count; i++) {
        const char *path = i == 0 ? op_file : own->paths.items[i - 1];
        struct stat file = {0};
        are_all_there = (!path || stat(path, &file) == 0) && are_all_there;
        files[i] = (struct watched_file){file.st_ctim, file.st_size};
    }
    return are_all_there;
}

static bool is_same(const struct watched_file *a, const struct watched_file *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

/* Waits until the files are others, and were not written since the look before: editors write in several steps. Returns
 * whether the operation's is another; without that when a signal comes. */
static bool wait_for_change(const struct own_request *own)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    struct watched_file last[FILES_MAX] = {0}, now[FILES_MAX] = {0};
    bool is_done = false;
    error_say("waiting for a change; Ctrl-C ends this");
    while (!is_done && !interrupt_ends_run()) {
        (void)nanosleep(&pause, NULL);
        bool are_all_there = look(own, now);
        is_done = are_all_there && is_same(now, last, FILES_MAX) && !is_same(now, as_read, FILES_MAX);
        memcpy(last, now, sizeof last);
    }
    return is_done && !is_same(now, as_read, 1);
}

/* The last version's; NULL: none has a time. */
static struct result *find_last(const char *name)
{
    for (size_t i = 0; i < last_times.count; i++)
        if (strcmp(last_times.items[i].name, name) == 0)
            return &last_times.items[i];
    return NULL;
}

static void print_time(const struct result *result)
{
    struct result *last = find_last(result->name);
    printf("  %10s", time_text(result->statistics.median).text);
    if (last)
        printf("  %s x the last version", number_text(last->statistics.median / result->statistics.median).text);
    if (!isnan(result->ceiling_pct))
        printf("  %s %% of the ceiling", percent_text(result->ceiling_pct).text);
    if (last)
        *last = *result;
    else
        result_list_add(&last_times, result);
}

static bool print_rows(const struct result_list *results, struct error *error)
{
    for (const struct result *result = results->items; result < results->items + results->count; result++) {
        printf("%-40s", result->name);
        if (result->status != STATUS_OK)
            printf("  %s: %s\n", status_name(result->status), result->reason);
        else if (result_is_measured(result))
            print_time(result);
        if (result->status == STATUS_OK)
            printf("  correct\n");
    }
    return fflush(stdout) == 0 || error_set(error, "stdout: what was measured cannot be written");
}

int watch_measure(const struct run *run, const struct selection *selection, const struct run_facts *facts)
{
    struct results results = {.registry = run->registry, .ceilings.table = ceilings};
    struct error error;
    int status = run_to_results(run, selection, facts, &results);
    if (!print_rows(&results.list, &error) && status != EXIT_USAGE)
        status = error_report(&error);
    status = run_status(run, &results, status);
    ceilings = results.ceilings.table;
    results.ceilings.table = (struct ceiling_table){0};
    results_free(&results);
    return status;
}

/* One that is not sound is waited for. Returns only when a signal comes. */
static int start_again(const struct options *options, char **argv, bool (*read_op)(char **argv, struct error *error))
{
    struct error error;
    while (!interrupt_ends_run()) {
        (void)look(&options->own, as_read);
        if (read_op(argv, &error)) {
            sigset_t before;
            own_op_forget();
            interrupt_block(&before); /* signals wait for the program that starts */
            if (!interrupt_signal())
                execv("/proc/self/exe", argv);
            interrupt_unblock(&before);
            if (interrupt_signal())
                return EXIT_RIGHT;
            error_say("--watch: cannot start again: %s", strerror(errno));
            return EXIT_USAGE;
        }
        if (!interrupt_ends_run()) {
            (void)error_report(&error);
            (void)wait_for_change(&options->own);
        }
    }
    return EXIT_RIGHT;
}

/* A kernel that does not compile is waited for, too. */
int watch_run(struct options *options, char **argv, int (*run)(struct options *options, char **argv),
              bool (*read_op)(char **argv, struct error *error))
{
    int status = EXIT_RIGHT;
    struct stat read;
    op_file = own_op_path(&read);
    while (status != EXIT_USAGE && !interrupt_ends_run()) {
        (void)look(&options->own, as_read);
        if (!has_begun)
            as_read[0] = (struct watched_file){read.st_ctim, read.st_size};
        (void)run(options, argv);
        has_begun = true;
        if (ferror(stdout) || fflush(stdout) != 0)
            status = EXIT_USAGE;
        else if (!interrupt_ends_run() && wait_for_change(&options->own))
            status = start_again(options, argv, read_op);
    }
    result_list_free(&last_times);
    free(ceilings.items);
    return status;
}

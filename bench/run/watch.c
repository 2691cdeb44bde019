#include "watch.h"

#include "bench/base/exit_status.h"
#include "bench/base/process.h"
#include "bench/report/column.h"
#include "bench/report/report_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { POLL_MS = 100, OWN_ARGUMENTS = 4 };

/* The last version's time of a row. */
struct known_time {
    char name[160];
    double seconds;
};

struct watching {
    const struct watch *watch;
    struct known_time *known;
    size_t count;
    bool has_run; /* once, at least */
};

/* When and how the files were written last. */
struct stamps {
    struct {
        dev_t device;
        ino_t inode;
        off_t size;
        struct timespec changed;
    } of[OWN_KERNELS_MAX];
    bool are_all_there;
};

static struct stamps read_stamps(const struct own_request *own)
{
    struct stamps stamps;
    memset(&stamps, 0, sizeof stamps); /* the space between members is compared, too */
    stamps.are_all_there = true;
    for (size_t i = 0; i < own->count; i++) {
        struct stat status;
        if (stat(own->paths[i], &status) != 0) {
            stamps.are_all_there = false;
            continue;
        }
        stamps.of[i].device = status.st_dev;
        stamps.of[i].inode = status.st_ino;
        stamps.of[i].size = status.st_size;
        stamps.of[i].changed = status.st_mtim;
    }
    return stamps;
}

/* Until the files are others, and were not written since the look before: editors write in several steps. */
static void wait_for_change(const struct watch *watch, const struct stamps *old)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    struct stamps last = *old;
    while (!watch->interrupted()) {
        (void)nanosleep(&pause, NULL);
        struct stamps now = read_stamps(&watch->options->own);
        bool is_settled = now.are_all_there && memcmp(&now, &last, sizeof now) == 0;
        if (is_settled && memcmp(&now, old, sizeof now) != 0)
            return;
        last = now;
    }
}

static double *known_time_of(struct watching *watching, const char *name)
{
    for (size_t i = 0; i < watching->count; i++)
        if (strcmp(watching->known[i].name, name) == 0)
            return &watching->known[i].seconds;
    struct known_time *known = realloc(watching->known, (watching->count + 1) * sizeof *known);
    if (!known)
        return NULL;
    watching->known = known;
    struct known_time *added = &known[watching->count++];
    *added = (struct known_time){.seconds = NAN};
    snprintf(added->name, sizeof added->name, "%s", name);
    return &added->seconds;
}

static void print_time(struct watching *watching, const struct result *result)
{
    char time[FIGURE_MAX], ratio[FIGURE_MAX], ceiling[FIGURE_MAX];
    double seconds = column_number(&result_columns[COLUMN_time_median_s], result);
    double *last_s = known_time_of(watching, result->name);
    if (isnan(seconds)) {
        printf("  correct\n");
        return;
    }
    printf("  %10s", time_text(seconds, time));
    if (last_s && !isnan(*last_s))
        printf("  %s x the last version", number_text(*last_s / seconds, ratio));
    if (!isnan(result->ceiling_pct))
        printf("  %s %% of the ceiling", percent_text(result->ceiling_pct, ceiling));
    printf("  correct\n");
    if (last_s)
        *last_s = seconds;
}

static void print_row(struct watching *watching, const struct result *result)
{
    printf("%-40s", result->name);
    if (result->status == STATUS_OK)
        print_time(watching, result);
    else
        printf("  %s: %s\n", status_name(result->status), result->reason);
}

/* Takes over the text. */
static void print_results(struct watching *watching, char *csv, size_t bytes)
{
    struct csv_table table;
    struct error error;
    if (!csv_parse(csv, bytes, "its results", &table, &error)) {
        (void)error_report(&error);
        return;
    }
    for (size_t i = 0; i < table.rows; i++) {
        struct run_facts facts;
        struct device_info device;
        struct result result;
        if (result_read(&table, i, watching->watch->registry, &facts, &device, &result, &error))
            print_row(watching, &result);
        else
            (void)error_report(&error);
    }
    csv_free(&table);
}

/* Whole lines of stderr. Notes about the machine are the same each time. */
static size_t pass_on(void *self, const char *text, size_t bytes)
{
    static const char note[] = "rungbench: note: ";
    const struct watching *watching = self;
    size_t taken = 0;
    for (const char *end; (end = memchr(text + taken, '\n', bytes - taken)); taken = (size_t)(end - text) + 1)
        if (!watching->has_run || strncmp(text + taken, note, sizeof note - 1) != 0)
            fwrite(text + taken, 1, (size_t)(end - text) + 1 - taken, stderr);
    return taken;
}

static int interrupted(const void *self)
{
    return ((const struct watching *)self)->watch->interrupted();
}

/* "--filter=/(kernel_a|kernel_b)/": what is watched, unless the user has chosen. */
static char *make_filter(const struct registry *registry)
{
    char *filter = NULL;
    size_t size;
    FILE *to = open_memstream(&filter, &size);
    const char *before = "--filter=/(";
    for (size_t i = 0; to && i < registry->rung_count; i++)
        if (registry->rungs[i].load) {
            fprintf(to, "%s%s", before, registry->rungs[i].variant);
            before = "|";
        }
    if (!to)
        return NULL;
    fputs(")/", to);
    return fclose(to) == 0 ? filter : NULL;
}

/* False, with the reason: it could not be started. */
static bool judge_once(struct watching *watching, char *filter, struct error *error)
{
    const struct options *options = watching->watch->options;
    size_t count = 0, at = 0;
    while (options->shared[count])
        count++;
    char **argv = calloc(count + OWN_ARGUMENTS + 1, sizeof *argv);
    if (!argv)
        return error_set(error, "no memory for the arguments of a run");
    argv[at++] = "rungbench";
    for (size_t i = 0; i < count; i++)
        argv[at++] = options->shared[i];
    argv[at++] = "--format=csv";
    argv[at++] = "--progress=off";
    if (!options->filter)
        argv[at++] = filter;
    const struct process process = {
        .program = watching->watch->program,
        .argv = argv,
        .interrupted = interrupted,
        .silence_s = process_no_silence,
        .now = watching->watch->now,
        .take = {[PROCESS_ERR] = pass_on},
        .self = watching,
    };
    struct process_end end;
    bool ok = process_run(&process, &end, error);
    free(argv);
    if (!ok)
        return false;
    if (end.bytes[PROCESS_OUT] > 0 && !watching->watch->interrupted()) {
        print_results(watching, end.text[PROCESS_OUT], end.bytes[PROCESS_OUT]);
        end.text[PROCESS_OUT] = NULL;
    }
    process_end_free(&end);
    watching->has_run = true;
    return true;
}

int watch_run(const struct watch *watch)
{
    struct watching watching = {.watch = watch};
    struct error error;
    char *filter = make_filter(watch->registry);
    bool ok = filter || error_set(&error, "no memory for a filter");
    while (ok && !watch->interrupted()) {
        struct stamps stamps = read_stamps(&watch->options->own);
        ok = judge_once(&watching, filter, &error);
        if (ok && fflush(stdout) != 0)
            ok = error_set(&error, "stdout: what was measured cannot be written");
        if (ok && !watch->interrupted()) {
            fputs("rungbench: waiting for a change; Ctrl-C ends this\n", stderr);
            wait_for_change(watch, &stamps);
        }
    }
    free(filter);
    return ok ? EXIT_RIGHT : error_report(&error);
}

#include "run.h"

#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/process.h"
#include "bench/own/own_kernels.h"
#include "bench/report/explain.h"
#include "bench/report/report_text.h"
#include "bench/table/backend.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double about = 1.1;
static const char exercise_n[] = "Exercise ";

/* The worst that is slow; false: nothing is. */
static bool find_slow(const struct exercise *exercise, const struct result *row, char *text, size_t size)
{
    const bool loads_too_much = exercise->loads > 0 && explain_loads(row) > about * exercise->loads;
    text[0] = '\0';
    for (int number = 0; text[0] == '\0' && explain_count(row, number, text, size); number++)
        if (!(number == EXPLAIN_LOADS ? loads_too_much : exercise->is_lean))
            text[0] = '\0';
    return text[0] != '\0';
}

/* Whether right answers are not enough. */
static bool needs_counts(const struct exercise *exercise)
{
    return exercise->is_lean || exercise->loads > 0;
}

int exercise_judge(const struct options *options, const struct result_list *results, int status)
{
    char text[512] = "";
    const char *is = "solved";
    const struct result *row = results->items; /* the only one */
    if (interrupt_signal() || results->count == 0)
        return status;
    if (row->status != STATUS_OK) {
        is = result_is_wrong(row) ? "wrong: " : "not solved: ";
        snprintf(text, sizeof text, "%s", row->reason);
    } else if (needs_counts(options->exercise) && isnan(explain_loads(row))) {
        is = "not judged: ";
        snprintf(text, sizeof text, "%s", "what it loads is not counted; expected plain loads in a .cu file");
        status = EXIT_USAGE;
    } else if (find_slow(options->exercise, row, text, sizeof text)) {
        is = "right, but slow: ";
        status = EXIT_WRONG;
    }
    putchar('\n');
    wrap_print(stdout, 0, 2, "%s%d (%s) is %s%s.", exercise_n, options->exercise->number, options->own.paths.items[0],
               is, text);
    return fflush(stdout) == 0 ? status : EXIT_USAGE;
}

/* Where a GPU is, and a compiler for it. */
static bool can_be_timed(const struct options *options)
{
    const char *file = options->own.paths.items[0];
    const struct backend_entry *entry = own_kernel_compiling(options->registry, file, NULL);
    const struct own_kernel kernel = {.backend = entry};
    return entry && entry->separate_memory && entry->backend->toolchain->target(options->backend.device) &&
           compile_has_compiler(&kernel);
}

int exercise_time(const struct options *options)
{
    char kernel[PATH_MAX + 16], op[64], device[32];
    const char *const argv[] = {
        error_program(), kernel, op, "--explain", options->backend.device >= 0 ? device : NULL, NULL};
    if (!can_be_timed(options))
        return EXIT_RIGHT;
    snprintf(kernel, sizeof kernel, "--kernel=%s", options->own.paths.items[0]);
    snprintf(op, sizeof op, "--op=%s", options->exercise->op);
    snprintf(device, sizeof device, "--device=%d", options->backend.device);
    execv("/proc/self/exe", (char *const *)argv);
    error_say("--exercise: cannot start again: %s", strerror(errno));
    return EXIT_USAGE;
}

/* What this program says of it at last, in a process of its own. */
static bool judge_apart(const struct exercise *exercise, struct error *error)
{
    static const char program[] = "/proc/self/exe";
    char flag[32];
    const char *const argv[] = {error_program(), flag, "--progress=off", NULL};
    const struct process process = {
        .program = program, .argv = (char *const *)argv, .interrupted = interrupt_ends_run, .now = host_now};
    struct process_end end;
    snprintf(flag, sizeof flag, "--exercise=%d", exercise->number);
    if (!process_run(&process, &end, error))
        return false;
    const char *out = end.text[PROCESS_OUT] ? end.text[PROCESS_OUT] : "", *said = strstr(out, exercise_n);
    if (said) {
        fputs(said, stdout);
    } else {
        char last[sizeof error->text];
        process_last_line(end.text[PROCESS_ERR] ? end.text[PROCESS_ERR] : end.how, last, sizeof last);
        error_set(error, "%s", error_said(last) ? error_said(last) : last);
    }
    process_end_free(&end);
    return said && fflush(stdout) == 0;
}

bool exercises_list(struct error *error)
{
    bool ok = true;
    for (const struct exercise *exercise = NULL; ok && (exercise = exercise_next(exercise)) && !interrupt_ends_run();)
        ok = judge_apart(exercise, error);
    return ok || interrupt_ends_run();
}

/* When all flags have been read: what may not stand together, what would do nothing, and what follows from them. */
#include "options.h"
#include "sizes.h"

#include "bench/own/own_op.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* A run that times nothing, or is none; NULL: rows are timed. */
static const char *untimed(const struct options *options)
{
    return options->list        ? "--list"
           : options->verify    ? "--verify"
           : options->info      ? "--info"
           : options->calibrate ? "--calibrate"
           : options->profile   ? "--profile"
                                : NULL;
}

const char *options_of_one_run(const struct options *o)
{
    const bool has_output = o->json || o->samples || o->google_csv || o->table || o->gray_out;
    return o->watch                                    ? "--watch"
           : o->tune                                   ? "--tune"
           : o->explain                                ? "--explain"
           : o->slowdown                               ? "--slowdown"
           : o->sitting[0]                             ? "--sitting"
           : has_output || o->format != FORMAT_CONSOLE ? "another output"
                                                       : NULL;
}

/* What may not stand together. Samples have no column that would say what was done to them; what is explained stands
 * below the table; rounds of a sitting can verify, too. */
static bool check_pairs(const struct options *o, struct error *error)
{
    static const char one[] = "one of them", timed[] = "a run that times rows";
    static const char watching[] = "no more than a line per row of each version";
    const bool is_sitting = o->sitting[0] != '\0', has_kernel = o->own.paths.count > 0;
    const bool has_devices = o->device_count > 0 || o->all_devices;
    const bool has_file = o->out || o->json || o->samples || o->google_csv || o->table;
    const bool has_table = o->format == FORMAT_CONSOLE && !is_stdout(o->out) && !is_stdout(o->json) &&
                           !is_stdout(o->samples) && !is_stdout(o->google_csv) && !is_stdout(o->table);
    const bool has_own_csv = o->out || o->format == FORMAT_CSV;
    const char *other = untimed(o);
    /* --explain has ncu profile rows with the flags that it was given itself. */
    const char *other_than_profile = o->profile ? NULL : other;
    const struct {
        bool is_wrong;
        const char *flag, *other, *expected;
    } pairs[] = {
        {o->summarize && o->crossovers, "--summarize", "--crossovers", one},
        {o->match && (o->summarize || o->crossovers), "--match", o->summarize ? "--summarize" : "--crossovers", one},
        {o->merge && (o->summarize || o->crossovers || o->match), "--merge",
         o->summarize    ? "--summarize"
         : o->crossovers ? "--crossovers"
                         : "--match",
         one},
        {is_sitting && o->rounds > 1, "--sitting", "--rounds", "one round in each process"},
        {has_devices && o->backend.device >= 0, "--devices", "--device", one},
        {o->only && backend_takes_all(o->only) && (has_devices || o->backend.device >= 0), "--backend",
         has_devices ? "--devices" : "--device", "CUDA_VISIBLE_DEVICES, which chooses among several GPUs"},
        {has_devices && (o->list || o->info || o->calibrate || o->profile), "--devices", other, timed},
        {has_devices && options_of_one_run(o), "--devices", options_of_one_run(o), "--out and one table for all"},
        {has_devices && (o->starter >= 0 || o->check || o->program), "--devices",
         o->starter >= 0 ? "--starter"
         : o->check      ? "--check"
                         : "a program of your own",
         timed},
        {o->merge && (o->starter >= 0 || has_devices), "--merge", o->starter >= 0 ? "--starter" : "--devices", one},
        {o->together && !has_devices, "--together", "one run", "--devices"},
        {is_stdout(o->gray_out), "--gray-out", "-", "a file name"},
        {o->slowdown && o->samples, "--slowdown", "--samples", "--out or --json, where rows are marked"},
        {o->tune && (o->slowdown || o->watch), "--tune", o->slowdown ? "--slowdown" : "--watch", timed},
        {o->tune && !o->suite_is_default, "--tune", "--suite", "its own shapes"},
        {o->tune && o->mode_count > 0, "--tune", "--modes", "cold"},
        {o->tune && has_kernel, "--tune", "--kernel", "candidates of cuda_auto"},
        {other && o->tune && !o->list, "--tune", other, timed},
        {o->explain && o->slowdown, "--explain", "--slowdown", "rows as fast as they are"},
        {o->explain && !o->list && !has_table, "--explain", "another output on stdout", "it below the table"},
        {other && o->explain && !o->list, "--explain", other, timed},
        {other && o->slowdown, "--slowdown", other, timed},
        {other_than_profile && o->samples_per_row > 0 && !o->list, "--samples-per-row", other, timed},
        {other && is_sitting && !o->verify, "--sitting", other, timed},
        {other_than_profile && o->exact_calls > 0 && !o->list, "--benchmark_min_time=...x", other, timed},
        {other_than_profile && o->dry_run, "--benchmark_dry_run", other, timed},
        {other_than_profile && o->min_warm_up_s > 0, "--benchmark_min_warmup_time", other, timed},
        {o->exact_calls > 0 && o->samples_per_row > 0, "--benchmark_min_time=...x", "--samples-per-row", one},
        {o->aggregates_only && has_own_csv, "--benchmark_report_aggregates_only", "CSV with a row per round",
         "--benchmark_format or --benchmark_out_format"},
        {o->displays_aggregates_only && o->format == FORMAT_CSV, "--benchmark_display_aggregates_only",
         "CSV with a row per round", "--benchmark_format"},
        {o->exercise && o->own.paths.count > 1, "--exercise", "several --kernel", "one"},
        {has_kernel && o->starter >= 0, "--kernel", "--starter", "one of them"},
        {has_kernel && (o->info || o->calibrate), "--kernel", other, "rows"},
        {o->watch && has_file, "--watch", "an output file", watching},
        {o->watch && o->profile, "--watch", "--profile", watching},
        {o->watch && is_sitting, "--watch", "--sitting", watching},
        {o->watch && o->rounds > 1, "--watch", "--rounds", watching},
        {o->watch && o->explain, "--watch", "--explain", watching},
        {o->watch && !isinf(o->budget_s), "--watch", "--budget", watching},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].is_wrong)
            return error_set(error, "%s: saw %s too, expected %s", pairs[i].flag, pairs[i].other, pairs[i].expected);
    return true;
}

static bool check_idle(const struct options *o, struct error *error)
{
    const char *summary = o->summarize ? "--summarize" : o->crossovers ? "--crossovers" : "--match";
    const bool has_kernel = o->own.paths.count > 0, is_summary = o->summarize || o->crossovers || o->match;
    const bool has_google = o->json || o->google_csv || o->format == FORMAT_JSON || o->format == FORMAT_GOOGLE_CSV;
    const bool keeps_context = has_google || o->out || o->format == FORMAT_CSV;
    const struct {
        const char *idle, *with, *expected;
    } cases[] = {
        {is_summary ? o->idle[IDLE_IN_SUMMARY] : NULL, summary, "only that flag"},
        {o->merge ? o->idle[IDLE_IN_MERGE] : NULL, "--merge", "files of results, and --out"},
        {o->exercise || o->lists_exercises ? o->idle[IDLE_IN_EXERCISE] : NULL, "--exercise",
         "a number, or --kernel=FILE too"},
        {!o->lists_exercises      ? NULL
         : has_kernel             ? "kernel"
         : o->backend.device >= 0 ? "device"
                                  : NULL,
         "--exercise without a number", "one"},
        {o->list && !is_summary ? o->idle[IDLE_IN_LIST] : NULL, "--list", "flags that choose rows"},
        {o->context[0] && !keeps_context ? "context" : NULL, "only the table", "CSV or JSON"},
        {o->google_out_format >= 0 && !o->google_out ? "benchmark_out_format" : NULL, "stdout",
         "--benchmark_out=FILE, or --benchmark_format"},
        {o->time_unit != 0 && !has_google ? "benchmark_time_unit" : NULL, "only the table", "JSON"},
        {o->check && !own_op() ? "check" : NULL, "no operation of your own", "--op=FILE.c"},
        {has_kernel || o->check || o->starter >= 0 || o->program ? NULL : o->idle_without_kernel,
         "no kernel of your own", "--kernel=FILE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && !o->help && !o->version; i++)
        if (cases[i].idle)
            return error_set(error, "--%s: does nothing with %s, expected %s", cases[i].idle, cases[i].with,
                             cases[i].expected);
    return true;
}

/* An exercise is a kernel of the user's own, its workload, and a run on the simulator. */
static void add_exercise(struct options *options)
{
    static char path[PATH_MAX], size[128];
    const struct exercise *exercise = options->exercise;
    if (!exercise)
        return;
    exercise_path(exercise, path);
    snprintf(size, sizeof size, "%s:%s", exercise->op, exercise->size);
    if (options->own.paths.count == 0)
        options->own.paths.items[options->own.paths.count++] = path;
    options->own.op = registry_find_op(options->registry, exercise->op);
    options->sizes[options->size_count++] = size;
    options->own.simulate = true;
    options->general = exercise->is_general;
}

const struct backend_entry *options_device_backend(const struct options *options)
{
    for (size_t i = 0; i < options->registry->backend_count; i++)
        if (options->registry->backends[i].separate_memory)
            return &options->registry->backends[i];
    return NULL;
}

static bool asks_for_size(const struct options *options)
{
    return options->size_count > 0 || options->user_count > 0 || options->image;
}

void options_simulate(struct options *options)
{
    if (options->modes_are_suites && !options->profile)
        options->verify = options->backend.times_nothing = true;
    if (options->suite_is_default && !asks_for_size(options) && !options->profile)
        options->suite = suite_find("own-small");
}

bool options_complete(struct options *options, struct error *error)
{
    if ((options->list || options->verify) + options->info + options->calibrate + (options->profile != NULL) > 1)
        return error_set(error, "expected one of --list, --verify, --info, --calibrate and --profile, saw several");
    const char **const google_files[] = {&options->json, &options->google_csv, &options->table};
    const char **const google_file = google_files[options->google_out_format < 0 ? 0 : options->google_out_format];
    if (options->google_out && *google_file)
        return error_set(error, "--benchmark_out: saw --json too, expected one of them");
    if (options->google_out)
        *google_file = options->google_out;
    add_exercise(options);
    if (!check_pairs(options, error) || !check_idle(options, error))
        return false;
    /* A kernel of the user's own is judged at the sizes that are asked for, or at one that its operation has for that.
     */
    const bool is_own = options->own.paths.count > 0 && options->suite_is_default;
    if (options->tune) {
        options->suite = &suite_of_tuning;
        sizes_add_tuning(options);
        options->require = options->require ? options->require : options_device_backend(options);
    }
    options->backend.untuned |= options->suite == suite_find("gate");
    if (is_own)
        options->suite = suite_find(asks_for_size(options) ? "none" : "own");
    const struct suite *times = is_own ? suite_find("own") : options->suite;
    if (isnan(options->min_time_s))
        options->min_time_s = times->min_time_s;
    if (options->backend.threads == 0)
        options->backend.threads = times->threads;
    options->backend.times_nothing = options->verify;
    if (options->exact_calls > 0)
        options->samples_per_row = options->exact_calls;
    if (options->dry_run) {
        options->rounds = options->samples_per_row = options->exact_calls = 1;
        options->min_time_s = OPTIONS_NO_TIME_S; /* the first call is long enough */
    }
    options->own.device = options->backend.device;
    options->own.has_size = asks_for_size(options) || !options->suite_is_default;
    if (options->profile) { /* any row that there is */
        options->suite = suite_find("all");
        return options_set_modes(options, &(struct given_flag){.value = mode_names}, error);
    }
    options->modes_are_suites = options->mode_count == 0;
    return !options->modes_are_suites || options_set_modes(options, &(struct given_flag){.value = times->modes}, error);
}

#include "options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool options_set_modes(struct options *options, const char *name, const char *value, struct error *error)
{
    options->mode_count = 0;
    for (const char *start = value;;) {
        size_t length = strcspn(start, ",");
        const struct mode *mode = mode_find(start, length);
        if (!mode)
            return error_set(error, "--%s=%s: unknown mode '%.*s', expected some of %s", name, value, (int)length,
                             start, mode_names);
        bool known = false;
        for (size_t i = 0; i < options->mode_count; i++)
            known = known || options->modes[i] == mode;
        if (!known)
            options->modes[options->mode_count++] = mode;
        if (start[length] == '\0')
            return true;
        start += length + 1;
    }
}

/* What means something only where rows are timed. */
static bool times_rows(const struct options *options, const char *flag, struct error *error)
{
    const char *other = options->list        ? "--list"
                        : options->verify    ? "--verify"
                        : options->info      ? "--info"
                        : options->calibrate ? "--calibrate"
                        : options->profile   ? "--profile"
                                             : NULL;
    return !other || error_set(error, "%s: saw %s too, expected a run that times rows", flag, other);
}

static bool check_session(const struct options *options, struct error *error)
{
    char flag[64];
    if (options->session[0] == '\0')
        return true;
    snprintf(flag, sizeof flag, "--sitting=%s:%d", options->session, options->session_round);
    if (options->rounds > 1)
        return error_set(error, "%s: saw --rounds=%d too, expected one round in each process", flag, options->rounds);
    return options->verify || times_rows(options, flag, error); /* rounds can verify, too */
}

/* Samples have no column that would say what was done to them. */
static bool check_slowdown(const struct options *options, struct error *error)
{
    char flag[128];
    if (!options->slowdown)
        return true;
    snprintf(flag, sizeof flag, "--slowdown=%s", options->slowdown);
    if (options->samples)
        return error_set(error, "%s: saw --samples=%s too, expected --out or --json, where rows are marked", flag,
                         options->samples);
    return times_rows(options, flag, error);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* It stands on stdout, below the table, and is about times as they are. */
static bool check_explain(const struct options *options, struct error *error)
{
    bool has_table = options->format == FORMAT_CONSOLE && !is_stdout(options->out) && !is_stdout(options->json) &&
                     !is_stdout(options->samples);
    if (!options->explain)
        return true;
    if (options->slowdown)
        return error_set(error, "--explain: saw --slowdown=%s too, expected rows as fast as they are",
                         options->slowdown);
    if (!has_table)
        return error_set(error, "--explain: stands below the table, expected none of --format and files that are -");
    return times_rows(options, "--explain", error);
}

static bool check_idle(const char *with, const char *idle, const char *expected, struct error *error)
{
    return !idle || error_set(error, "--%s: does nothing with %s, expected %s", idle, with, expected);
}

/* What is printed without a run refuses flags that would do nothing. */
static bool check_without_run(const struct options *options, struct error *error)
{
    if (options->help || options->version)
        return true;
    const char *const flags[] = {"--summarize", "--crossovers", "--match"};
    const char *const values[] = {options->summarize, options->crossovers, options->match};
    const char *alone = NULL;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (values[i] && alone)
            return error_set(error, "%s=%s: saw %s too, expected one of them", flags[i], values[i], alone);
        alone = values[i] ? flags[i] : alone;
    }
    if (alone)
        return check_idle(alone, options->idle_in_summary, "that flag alone", error);
    return !options->list || check_idle("--list", options->idle_in_list, "flags that choose rows", error);
}

void options_simulate(struct options *options)
{
    if (options->modes_are_suites && !options->profile)
        options->verify = options->backend.times_nothing = true;
    if (options->suite_is_default && !options->profile)
        options->suite = suite_find("smoke");
}

/* What means something only beside kernels of the user's own. */
static bool check_own(const struct options *options, struct error *error)
{
    const char *flag = options->own.op         ? "--op"
                       : options->own.simulate ? "--simulate"
                       : options->watch        ? "--watch"
                                               : NULL;
    if (options->own.count == 0)
        return !flag || error_set(error, "%s: does nothing without a kernel of your own, expected --kernel=FILE", flag);
    if (options->info || options->calibrate)
        return error_set(error, "--kernel=%s: does nothing with --info and --calibrate", options->own.paths[0]);
    bool has_output = options->out || options->json || options->samples || options->google_out;
    if (options->watch && (has_output || options->profile || options->session[0] != '\0' || options->rounds > 1 ||
                           options->explain || !isinf(options->budget_s)))
        return error_set(error, "--watch: runs once per version and prints a line per row, expected none of --profile, "
                                "--explain, --sitting, --rounds, --budget and output files");
    return true;
}

bool options_complete(struct options *options, struct error *error)
{
    if ((options->list || options->verify) + options->info + options->calibrate + (options->profile != NULL) > 1)
        return error_set(error, "expected one of --list, --verify, --info, --calibrate and --profile, saw several");
    if (!check_session(options, error) || !check_slowdown(options, error) || !check_without_run(options, error) ||
        !check_own(options, error))
        return false;
    if (options->google_out) {
        const char **file = options->google_out_is_csv ? &options->out : &options->json;
        if (*file)
            return error_set(error, "--benchmark_out=%s: --%s=%s is given too, expected one of them",
                             options->google_out, options->google_out_is_csv ? "out" : "json", *file);
        *file = options->google_out;
    }
    if (!check_explain(options, error))
        return false;
    if (isnan(options->min_time_s))
        options->min_time_s = options->suite->min_time_s;
    if (options->backend.threads == 0)
        options->backend.threads = options->suite->threads;
    options->backend.times_nothing = options->verify;
    options->own.device = options->backend.device;
    if (options->profile) { /* any row that there is */
        options->suite = suite_find("all");
        return options_set_modes(options, "modes", mode_names, error);
    }
    options->modes_are_suites = options->mode_count == 0;
    return !options->modes_are_suites || options_set_modes(options, "modes", options->suite->modes, error);
}

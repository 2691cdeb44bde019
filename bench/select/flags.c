#include "flags.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool flag_bad_value(struct error *error, const char *name, const char *value, const char *expected)
{
    return error_set(error, "--%s=%s: expected %s", name, value, expected);
}

static bool set_help(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)value, (void)error;
    return options->help = true;
}

static bool set_version(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)value, (void)error;
    return options->version = true;
}

/* Google Benchmark's flags may say =true or =false. */
static bool set_list(struct options *options, const char *name, const char *value, struct error *error)
{
    if (value && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
        return flag_bad_value(error, name, value, "true or false");
    options->list = !value || strcmp(value, "true") == 0;
    return true;
}

static bool set_calibrate(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)value, (void)error;
    return options->calibrate = true;
}

static bool set_info(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)value, (void)error;
    return options->info = true;
}

static bool set_profile(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    options->profile = value;
    return true;
}

/* What Google Benchmark's own tools may send, and what means nothing here. */
static bool set_nothing(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)options, (void)name, (void)value, (void)error;
    return true;
}

static bool set_verify(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)value, (void)error;
    return options->verify = true;
}

static bool set_filter(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    options->filter = value;
    return true;
}

static bool set_suite(struct options *options, const char *name, const char *value, struct error *error)
{
    options->suite = suite_find(value);
    return options->suite || flag_bad_value(error, name, value, suite_names);
}

bool flag_set_modes(struct options *options, const char *name, const char *value, struct error *error)
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

/* A positive number, with an optional 's' behind it. */
static bool seconds(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (*end == 's')
        end++;
    return end != text && *end == '\0' && errno == 0 && isfinite(*value) && *value > 0;
}

static bool set_min_time(struct options *options, const char *name, const char *value, struct error *error)
{
    return seconds(value, &options->min_time_s) || flag_bad_value(error, name, value, "a number of seconds above 0");
}

static bool set_budget(struct options *options, const char *name, const char *value, struct error *error)
{
    return seconds(value, &options->budget_s) || flag_bad_value(error, name, value, "a number of seconds above 0");
}

static bool file_name(const char **file, const char *name, const char *value, struct error *error)
{
    *file = value;
    return *value != '\0' || flag_bad_value(error, name, value, "a file name, or - for stdout");
}

/* Google Benchmark's flag of this kind means JSON, unless another says otherwise. */
static bool set_out(struct options *options, const char *name, const char *value, struct error *error)
{
    return file_name(strcmp(name, "out") == 0 ? &options->out : &options->google_out, name, value, error);
}

static bool set_google_out_format(struct options *options, const char *name, const char *value, struct error *error)
{
    options->google_out_is_csv = strcmp(value, "csv") == 0;
    return options->google_out_is_csv || strcmp(value, "json") == 0 ||
           flag_bad_value(error, name, value, "json or csv");
}

static bool set_json(struct options *options, const char *name, const char *value, struct error *error)
{
    return file_name(&options->json, name, value, error);
}

static bool set_samples(struct options *options, const char *name, const char *value, struct error *error)
{
    return file_name(&options->samples, name, value, error);
}

static bool set_format(struct options *options, const char *name, const char *value, struct error *error)
{
    if (strcmp(value, "console") == 0)
        options->format = FORMAT_CONSOLE;
    else if (strcmp(value, "csv") == 0)
        options->format = FORMAT_CSV;
    else if (strcmp(value, "json") == 0)
        options->format = FORMAT_JSON;
    else
        return flag_bad_value(error, name, value, "console, csv or json");
    return true;
}

static bool integer(const char *text, long minimum, long maximum, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < minimum || number > maximum)
        return false;
    *value = (int)number;
    return true;
}

static bool set_rounds(struct options *options, const char *name, const char *value, struct error *error)
{
    return integer(value, 1, OPTIONS_ROUNDS_MAX, &options->rounds) ||
           flag_bad_value(error, name, value, "a number of rounds from 1 to 1000");
}

static bool set_session(struct options *options, const char *name, const char *value, struct error *error)
{
    size_t length = strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
    const char *round = value + length + 1;
    if (length == 0 || length > OPTIONS_SESSION_MAX || value[length] != ':' || *round < '0' || *round > '9' ||
        !integer(round, 0, OPTIONS_SESSION_ROUND_MAX, &options->session_round))
        return flag_bad_value(error, name, value, "ID:N, 1 to 40 of [A-Za-z0-9._-] and a round from 0 to 999999");
    snprintf(options->session, sizeof options->session, "%.*s", (int)length, value);
    return true;
}

static bool set_slowdown(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    return (options->slowdown = value) != NULL; /* taken apart where the rows are at hand, as a filter is */
}

static bool set_device(struct options *options, const char *name, const char *value, struct error *error)
{
    return integer(value, 0, 1023, &options->backend.device) ||
           flag_bad_value(error, name, value, "the number of a device, from 0");
}

static bool set_threads(struct options *options, const char *name, const char *value, struct error *error)
{
    return integer(value, 1, 4096, &options->backend.threads) ||
           flag_bad_value(error, name, value, "a number of threads from 1 to 4096");
}

static bool set_seed(struct options *options, const char *name, const char *value, struct error *error)
{
    char *end;
    errno = 0;
    options->seed = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
        return flag_bad_value(error, name, value, "an integer from 0 to 2^64 - 1");
    return true;
}

static bool set_mnist(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    options->mnist = value;
    return true;
}

/* These two are resolved in complete(), where the registry is at hand. */
static bool set_backend(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    options->only_name = value;
    return true;
}

static bool set_require(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    options->require_name = value;
    return true;
}

static bool set_flush(struct options *options, const char *name, const char *value, struct error *error)
{
    options->flush_by_writing = strcmp(value, "write") == 0;
    return options->flush_by_writing || strcmp(value, "read") == 0 ||
           flag_bad_value(error, name, value, "read or write");
}

static bool choose(enum choice *choice, const char *value, const char *on, const char *off)
{
    *choice = strcmp(value, on) == 0 ? CHOICE_ON : strcmp(value, off) == 0 ? CHOICE_OFF : CHOICE_AUTO;
    return *choice != CHOICE_AUTO || strcmp(value, "auto") == 0;
}

static bool set_progress(struct options *options, const char *name, const char *value, struct error *error)
{
    return choose(&options->progress, value, "on", "off") || flag_bad_value(error, name, value, "auto, on or off");
}

static bool set_color(struct options *options, const char *name, const char *value, struct error *error)
{
    return choose(&options->color, value, "always", "never") || choose(&options->color, value, "true", "false") ||
           flag_bad_value(error, name, value, "auto, always or never");
}

const struct flag flags[] = {
    {"list", "benchmark_list_tests", NULL, "print every selected row, one name a line, and stop", set_list},
    {"filter", "benchmark_filter", "REGEX", "rows whose name op/workload/variant/mode matches; -REGEX: does not",
     set_filter},
    {"verify", NULL, NULL, "check every selected rung on ragged sizes and its workloads; time nothing", set_verify},
    {"info", NULL, NULL, "print what the machine is and its measured ceilings, and stop", set_info},
    {"calibrate", NULL, NULL, "print how well each mode times a kernel of known length, and stop", set_calibrate},
    {"profile", NULL, "NAME", "warm one row up, then launch its rung once, for ncu and nsys", set_profile},
    {"slowdown", NULL, "REGEX:PERCENT", "slow rows by known work, to test a gate; they are marked", set_slowdown},
    {"suite", NULL, suite_names, "which workloads (default mnist)", set_suite},
    {"backend", NULL, "BACKEND", "the rungs of that backend alone: cpu, sim or cuda", set_backend},
    {"modes", NULL, mode_names, "how to time; some of these (default: the suite's, mostly cold,hot,e2e)",
     flag_set_modes},
    {"min-time", "benchmark_min_time", "SECONDS", "how long a row is sampled at least (default 0.1)", set_min_time},
    {"budget", NULL, "SECONDS", "for the whole run; rows out of reach are skipped", set_budget},
    {"rounds", "benchmark_repetitions", "N", "so many fresh processes, rows shuffled anew in each (default 1)",
     set_rounds},
    {"sitting", NULL, "ID:N", "this process is round N of that session, of which others are the rest", set_session},
    {"out", "benchmark_out", "FILE.csv", "write the results as CSV; - is stdout", set_out},
    {NULL, "benchmark_out_format", "json|csv", NULL, set_google_out_format},
    {"json", NULL, "FILE.json", "write the results as Google Benchmark's JSON; - is stdout", set_json},
    {"samples", NULL, "FILE.csv", "write every single sample; - is stdout", set_samples},
    {"format", "benchmark_format", "console|csv|json", "what stdout gets (default console)", set_format},
    {"device", NULL, "N", "which GPU, from 0", set_device},
    {"threads", NULL, "N", "how many CPU threads rungs use (default: all; suite gate: 1)", set_threads},
    {"seed", NULL, "N", "seed of the random input (default 42)", set_seed},
    {"mnist", NULL, "DIR", "real MNIST in IDX form, gzipped or not, for K = 784 and 28x28 images", set_mnist},
    {"require", NULL, "BACKEND", "exit 77 where that backend cannot be used, instead of skipping its rows",
     set_require},
    {"flush", NULL, "read|write", "how a GPU's cache is emptied in cold (default read)", set_flush},
    {"progress", NULL, "auto|on|off", "the progress line on stderr", set_progress},
    {"color", "benchmark_color", "auto|always|never", "colours in the table; NO_COLOR is honoured", set_color},
    {"help", NULL, NULL, "print this text", set_help},
    {"version", NULL, NULL, "print version and revision", set_version},
    {NULL, "benchmark_counters_tabular", NULL, NULL, set_nothing},
    {NULL, "benchmark_display_aggregates_only", NULL, NULL, set_nothing},
    {NULL, "benchmark_report_aggregates_only", NULL, NULL, set_nothing},
    {NULL, "benchmark_enable_random_interleaving", NULL, NULL, set_nothing},
    {NULL, "benchmark_time_unit", "UNIT", NULL, set_nothing},
    {NULL, "benchmark_min_warmup_time", "SECONDS", NULL, set_nothing},
    {NULL, "benchmark_context", "KEY=VALUE", NULL, set_nothing},
    {NULL, "benchmark_perf_counters", "NAME,...", NULL, set_nothing},
};
const size_t flag_count = sizeof flags / sizeof flags[0];

#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLAGS_MAX = 64 };

/* A flag of the harness: its name, Google Benchmark's name for it, what it takes, and what it does. */
struct flag {
    const char *name;
    const char *google_name; /* NULL: none */
    const char *syntax;      /* NULL: takes no value */
    const char *help;
    bool (*set)(struct options *options, const char *name, const char *value, struct error *error);
};

static bool bad_value(struct error *error, const char *name, const char *value, const char *expected)
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
        return bad_value(error, name, value, "true or false");
    options->list = !value || strcmp(value, "true") == 0;
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
    return options->suite || bad_value(error, name, value, suite_names);
}

static bool set_modes(struct options *options, const char *name, const char *value, struct error *error)
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
    return seconds(value, &options->min_time_s) || bad_value(error, name, value, "a number of seconds above 0");
}

static bool set_budget(struct options *options, const char *name, const char *value, struct error *error)
{
    return seconds(value, &options->budget_s) || bad_value(error, name, value, "a number of seconds above 0");
}

static bool set_out(struct options *options, const char *name, const char *value, struct error *error)
{
    options->out = value;
    return *value != '\0' || bad_value(error, name, value, "a file name, or - for stdout");
}

static bool set_format(struct options *options, const char *name, const char *value, struct error *error)
{
    if (strcmp(value, "console") == 0)
        options->format = FORMAT_CONSOLE;
    else if (strcmp(value, "csv") == 0)
        options->format = FORMAT_CSV;
    else
        return bad_value(error, name, value, "console or csv");
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

static bool set_device(struct options *options, const char *name, const char *value, struct error *error)
{
    return integer(value, 0, 1023, &options->backend.device) ||
           bad_value(error, name, value, "the number of a device, from 0");
}

static bool set_threads(struct options *options, const char *name, const char *value, struct error *error)
{
    return integer(value, 1, 4096, &options->backend.threads) ||
           bad_value(error, name, value, "a number of threads from 1 to 4096");
}

static bool set_seed(struct options *options, const char *name, const char *value, struct error *error)
{
    char *end;
    errno = 0;
    options->seed = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
        return bad_value(error, name, value, "an integer from 0 to 2^64 - 1");
    return true;
}

static bool set_mnist(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    options->mnist = value;
    return true;
}

/* Resolved in complete(), where the registry is at hand. */
static bool set_require(struct options *options, const char *name, const char *value, struct error *error)
{
    (void)name, (void)error;
    options->require_name = value;
    return true;
}

static bool set_flush(struct options *options, const char *name, const char *value, struct error *error)
{
    options->flush_by_writing = strcmp(value, "write") == 0;
    return options->flush_by_writing || strcmp(value, "read") == 0 || bad_value(error, name, value, "read or write");
}

static bool choose(enum choice *choice, const char *value, const char *on, const char *off)
{
    *choice = strcmp(value, on) == 0 ? CHOICE_ON : strcmp(value, off) == 0 ? CHOICE_OFF : CHOICE_AUTO;
    return *choice != CHOICE_AUTO || strcmp(value, "auto") == 0;
}

static bool set_progress(struct options *options, const char *name, const char *value, struct error *error)
{
    return choose(&options->progress, value, "on", "off") || bad_value(error, name, value, "auto, on or off");
}

static bool set_color(struct options *options, const char *name, const char *value, struct error *error)
{
    return choose(&options->color, value, "always", "never") || choose(&options->color, value, "true", "false") ||
           bad_value(error, name, value, "auto, always or never");
}

static const struct flag flags[] = {
    {"list", "benchmark_list_tests", NULL, "print every selected row, one name a line, and stop", set_list},
    {"filter", "benchmark_filter", "REGEX", "rows whose name op/workload/variant/mode matches; -REGEX: does not",
     set_filter},
    {"verify", NULL, NULL, "check every selected rung on ragged sizes and its workloads; time nothing", set_verify},
    {"suite", NULL, suite_names, "which workloads (default mnist)", set_suite},
    {"modes", NULL, "MODE,...", "how to time: cold, hot, e2e (default: the suite's)", set_modes},
    {"min-time", "benchmark_min_time", "SECONDS", "measured time a row needs at least (default 0.1)", set_min_time},
    {"budget", NULL, "SECONDS", "for the whole run; rows out of reach are skipped", set_budget},
    {"out", NULL, "FILE.csv", "write the results as CSV; - is stdout", set_out},
    {"format", "benchmark_format", "console|csv", "what stdout gets (default console)", set_format},
    {"device", NULL, "N", "which GPU, from 0", set_device},
    {"threads", NULL, "N", "how many CPU threads rungs use (default: all)", set_threads},
    {"seed", NULL, "N", "seed of the random input (default 42)", set_seed},
    {"mnist", NULL, "DIR", "real MNIST in IDX form, gzipped or not, for K = 784 and 28x28 images", set_mnist},
    {"require", NULL, "BACKEND", "exit 77 where that backend cannot be used, instead of skipping its rows",
     set_require},
    {"flush", NULL, "read|write", "how a GPU's cache is emptied in cold (default read)", set_flush},
    {"progress", NULL, "auto|on|off", "the progress line on stderr", set_progress},
    {"color", "benchmark_color", "auto|always|never", "colours in the table; NO_COLOR is honoured", set_color},
    {"help", NULL, NULL, "print this text", set_help},
    {"version", NULL, NULL, "print version and revision", set_version},
};
enum { FLAG_COUNT = sizeof flags / sizeof flags[0] };

/* getopt's table: the harness's flags, Google's names for them, then the operations' flags. `val` leads back to the
 * entry. */
struct getopt_table {
    struct option options[FLAGS_MAX + 1];
    struct {
        const struct flag *flag;
        const struct op *op;
        const struct op_flag *op_flag;
    } entries[FLAGS_MAX];
    int count;
};

static void add_entry(struct getopt_table *table, const char *name, int argument, const struct flag *flag,
                      const struct op *op, const struct op_flag *op_flag)
{
    if (table->count == FLAGS_MAX)
        abort(); /* the table is made at build time; a test walks all of it */
    table->options[table->count] = (struct option){name, argument, NULL, 256 + table->count};
    table->entries[table->count].flag = flag;
    table->entries[table->count].op = op;
    table->entries[table->count].op_flag = op_flag;
    table->count++;
}

static void make_table(const struct registry *registry, struct getopt_table *table)
{
    memset(table, 0, sizeof *table);
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        add_entry(table, flags[i].name, flags[i].syntax ? required_argument : no_argument, &flags[i], NULL, NULL);
        if (flags[i].google_name)
            add_entry(table, flags[i].google_name, flags[i].syntax ? required_argument : optional_argument, &flags[i],
                      NULL, NULL);
    }
    for (size_t i = 0; i < registry->op_count; i++)
        for (size_t f = 0; f < registry->ops[i]->flag_count; f++)
            add_entry(table, registry->ops[i]->flags[f].name, required_argument, NULL, registry->ops[i],
                      &registry->ops[i]->flags[f]);
}

/* A workload given twice is one: its rows would share a name. */
static bool add_user_workload(struct options *options, const struct op *op, const struct workload *workload,
                              struct error *error)
{
    for (size_t i = 0; i < options->user_count; i++)
        if (options->user[i].op == op && strcmp(options->user[i].workload.name, workload->name) == 0)
            return true;
    if (options->user_count == OPTIONS_USER_WORKLOADS_MAX)
        return error_set(error, "more than %d workloads of your own", OPTIONS_USER_WORKLOADS_MAX);
    options->user[options->user_count++] = (struct user_workload){op, *workload};
    return true;
}

static bool set_op_flag(const struct op *op, const struct op_flag *flag, const char *value, struct options *options,
                        struct error *error)
{
    struct workload workload = {0};
    bool added = false;
    if (!flag->set(value, &workload, &added, error))
        return false;
    return !added || add_user_workload(options, op, &workload, error);
}

static bool find_required(const struct registry *registry, struct options *options, struct error *error)
{
    for (size_t i = 0; i < registry->backend_count; i++)
        if (strcmp(registry->backends[i].name, options->require_name) == 0)
            options->require = &registry->backends[i];
    return options->require || bad_value(error, "require", options->require_name, "the name of a backend; cuda is one");
}

/* What the suite says, where the user has not; and names that only the registry knows. */
static bool complete(const struct registry *registry, struct options *options, struct error *error)
{
    if (options->require_name && !find_required(registry, options, error))
        return false;
    if (isnan(options->min_time_s))
        options->min_time_s = options->suite->min_time_s;
    return options->mode_count > 0 || set_modes(options, "modes", options->suite->modes, error);
}

/* getopt_long() takes unique beginnings of a flag too, which would change their meaning with the next flag that we add.
 */
static bool is_spelt_out(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, "--", 2) == 0 && strncmp(argument + 2, name, length) == 0 &&
           (argument[2 + length] == '\0' || argument[2 + length] == '=');
}

static bool parse_all(struct getopt_table *table, int argc, char **argv, struct options *options, struct error *error)
{
    opterr = 0;
    optind = 0; /* glibc: start anew, for the tests */
    for (;;) {
        int at = optind > 0 ? optind : 1;
        int value = getopt_long(argc, argv, "+:h", table->options, NULL);
        if (value == -1)
            break;
        if (value == 'h') {
            options->help = true;
            continue;
        }
        if (value == ':')
            return error_set(error, "%s: expected a value, as in %s=...", argv[at], argv[at]);
        if (value == '?') {
            bool known = optopt >= 256 && optopt - 256 < table->count;
            if (known) /* a value was given to a flag that takes none */
                return error_set(error, "%s: --%s takes no value", argv[at], table->options[optopt - 256].name);
            return error_set(error, "unknown flag %s; --help lists all", argv[at]);
        }
        int i = value - 256;
        if (!is_spelt_out(argv[at], table->options[i].name))
            return error_set(error, "unknown flag %s; --help lists all", argv[at]);
        bool ok = table->entries[i].flag
                      ? table->entries[i].flag->set(options, table->options[i].name, optarg, error)
                      : set_op_flag(table->entries[i].op, table->entries[i].op_flag, optarg, options, error);
        if (!ok)
            return false;
    }
    if (optind < argc)
        return error_set(error, "unexpected argument '%s'; flags start with --", argv[optind]);
    return true;
}

bool options_parse(const struct registry *registry, int argc, char **argv, struct options *options, struct error *error)
{
    *options = (struct options){
        .suite = suite_find("mnist"),
        .min_time_s = NAN,
        .budget_s = INFINITY,
        .backend = {.device = -1, .threads = 0},
        .seed = 42,
    };
    struct getopt_table table;
    make_table(registry, &table);
    return parse_all(&table, argc, argv, options, error) && complete(registry, options, error);
}

static void print_flag(FILE *to, const char *name, const char *syntax, const char *help)
{
    char left[80];
    snprintf(left, sizeof left, "--%s%s%s", name, syntax ? "=" : "", syntax ? syntax : "");
    fprintf(to, strlen(left) < 28 ? "  %-28s%s\n" : "  %s\n                              %s\n", left, help);
}

void options_print_help(const struct registry *registry, FILE *to)
{
    fputs("Usage: rungbench [flags]\n"
          "Runs operations as a ladder of variants, checks every answer, and times every rung by the same rules.\n\n",
          to);
    for (size_t i = 0; i < FLAG_COUNT; i++)
        print_flag(to, flags[i].name, flags[i].syntax, flags[i].help);
    for (size_t i = 0; i < registry->op_count; i++)
        for (size_t f = 0; f < registry->ops[i]->flag_count; f++)
            print_flag(to, registry->ops[i]->flags[f].name, registry->ops[i]->flags[f].syntax,
                       registry->ops[i]->flags[f].help);
    fputs("\nGoogle Benchmark's names are accepted too:", to);
    for (size_t i = 0; i < FLAG_COUNT; i++)
        if (flags[i].google_name)
            fprintf(to, " --%s", flags[i].google_name);
    fputs("\n\nExit status: 0 measured or verified, and nothing wrong; 1 a rung was wrong or failed; 2 usage, input or "
          "output\n"
          "error; 77 all was skipped; 130 or 143 interrupted (finished rows are kept).\n",
          to);
}

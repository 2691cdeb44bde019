#include "options.h"

#include "flags.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLAGS_MAX = 96 };

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
    for (size_t i = 0; i < flag_count; i++) {
        if (flags[i].name)
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

/* The backend that a flag names; none where `name` is NULL. */
static bool find_backend(const struct registry *registry, const char *flag, const char *name,
                         const struct backend_entry **backend, struct error *error)
{
    for (size_t i = 0; i < registry->backend_count && name; i++)
        if (strcmp(registry->backends[i].name, name) == 0)
            *backend = &registry->backends[i];
    return !name || *backend || flag_bad_value(error, flag, name, "the name of a backend; cuda is one");
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
    return times_rows(options, flag, error);
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

/* What the suite says, where the user has not; and names that only the registry knows. */
static bool complete(const struct registry *registry, struct options *options, struct error *error)
{
    if (!find_backend(registry, "require", options->require_name, &options->require, error) ||
        !find_backend(registry, "backend", options->only_name, &options->only, error))
        return false;
    if ((options->list || options->verify) + options->info + options->calibrate + (options->profile != NULL) > 1)
        return error_set(error, "expected one of --list, --verify, --info, --calibrate and --profile, saw several");
    if (!check_session(options, error) || !check_slowdown(options, error))
        return false;
    if (options->google_out) {
        const char **file = options->google_out_is_csv ? &options->out : &options->json;
        if (*file)
            return error_set(error, "--benchmark_out=%s: --%s=%s is given too, expected one of them",
                             options->google_out, options->google_out_is_csv ? "out" : "json", *file);
        *file = options->google_out;
    }
    if (isnan(options->min_time_s))
        options->min_time_s = options->suite->min_time_s;
    if (options->backend.threads == 0)
        options->backend.threads = options->suite->threads;
    options->backend.times_nothing = options->verify;
    if (options->profile) { /* any row that there is */
        options->suite = suite_find("all");
        return flag_set_modes(options, "modes", mode_names, error);
    }
    options->modes_are_suites = options->mode_count == 0;
    return !options->modes_are_suites || flag_set_modes(options, "modes", options->suite->modes, error);
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
        .rounds = 1,
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
    for (size_t i = 0; i < flag_count; i++)
        if (flags[i].name)
            print_flag(to, flags[i].name, flags[i].syntax, flags[i].help);
    for (size_t i = 0; i < registry->op_count; i++)
        for (size_t f = 0; f < registry->ops[i]->flag_count; f++)
            print_flag(to, registry->ops[i]->flags[f].name, registry->ops[i]->flags[f].syntax,
                       registry->ops[i]->flags[f].help);
    fputs("\nGoogle Benchmark's names are accepted too:", to);
    for (size_t i = 0; i < flag_count; i++)
        if (flags[i].google_name)
            fprintf(to, " --%s", flags[i].google_name);
    fputs("\n\nExit status: 0 measured or verified, and nothing wrong; 1 a rung was wrong or failed; 2 usage, input or "
          "output\n"
          "error; 77 all was skipped; 130 or 143 interrupted (finished rows are kept).\n",
          to);
}

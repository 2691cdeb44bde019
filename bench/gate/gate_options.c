#include "gate_options.h"

#include "turns.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAIRS_DEFAULT = 100, PAIRS_MIN = 20, PAIRS_MAX = 1000, RUNS_DEFAULT = 1000, RUNS_MIN = 40, RUNS_MAX = 1000000 };

enum flag {
    FLAG_HELP = 256,
    FLAG_VERSION,
    FLAG_SESSION,
    FLAG_SELFTEST,
    FLAG_RATES,
    FLAG_CPU_ONLY,
    FLAG_OTHER_DEVICE,
    FLAG_THRESHOLD,
    FLAG_SEED,
    FLAG_PAIRS,
    FLAG_RUNS,
    FLAG_SLOWDOWN,
    FLAG_KEEP,
    FLAG_MARKDOWN,
    FLAG_JUNIT,
    FLAG_JSON,
    FLAG_CSV,
    FLAG_PROGRESS,
};

static const struct option table[] = {
    {"help", no_argument, NULL, FLAG_HELP},
    {"version", no_argument, NULL, FLAG_VERSION},
    {"sitting", no_argument, NULL, FLAG_SESSION},
    {"selftest", no_argument, NULL, FLAG_SELFTEST},
    {"rates", no_argument, NULL, FLAG_RATES},
    {"cpu-only", no_argument, NULL, FLAG_CPU_ONLY},
    {"other-device", no_argument, NULL, FLAG_OTHER_DEVICE},
    {"threshold", required_argument, NULL, FLAG_THRESHOLD},
    {"seed", required_argument, NULL, FLAG_SEED},
    {"pairs", required_argument, NULL, FLAG_PAIRS},
    {"runs", required_argument, NULL, FLAG_RUNS},
    {"slowdown", required_argument, NULL, FLAG_SLOWDOWN},
    {"keep", required_argument, NULL, FLAG_KEEP},
    {"markdown", required_argument, NULL, FLAG_MARKDOWN},
    {"junit", required_argument, NULL, FLAG_JUNIT},
    {"json", required_argument, NULL, FLAG_JSON},
    {"csv", required_argument, NULL, FLAG_CSV},
    {"progress", required_argument, NULL, FLAG_PROGRESS},
    {NULL, 0, NULL, 0},
};

/* clang-format off */
static const char help[] =
    "Usage: rungbench-gate [flags] BASE.csv NEW.csv\n"
    "       rungbench-gate [flags] --sitting BASE_PROGRAM NEW_PROGRAM [-- flags of rungbench]\n"
    "       rungbench-gate [flags] --selftest PROGRAM [-- flags of rungbench]\n"
    "       rungbench-gate [flags] --rates DIR...\n"
    "Says of each row whether the new side is slower than the base: from two files that rungbench wrote; or from two\n"
    "builds of it that take turns on this machine, 8 rounds each, then 12 more of the rows that these did not clear.\n"
    "--selftest does the latter with one build on both sides, and says how often the gate would be wrong; --rates says\n"
    "it from rounds that were kept. scripts/gate.sh BASE_REF builds two revisions and compares them.\n\n"
    "  --cpu-only                CPU rungs (default: CUDA rungs), whose rounds are six processes each instead of one, of\n"
    "                            which the least time counts; files too are then taken so\n"
    "  --threshold=PERCENT       a change up to so much is none (default 1 on a device's clock, 5 on the host's, and\n"
    "                            3 at least between two runs); twice as much is what a cleared row is not slower by\n"
    "  --other-device            compare files of different machines; at worst inconclusive\n"
    "  --seed=N                  of orders, and of rearrangements where there are too many (default 42)\n"
    "  --keep=DIR                keep the rounds of --sitting and --selftest there, as CSV\n"
    "  --pairs=N                 pairs of rounds of --selftest (default 100, at least 20)\n"
    "  --runs=N                  runs to draw for each of its rates (default 1000)\n"
    "  --slowdown=REGEX:PERCENT  one more side of --selftest, with these rows slowed by real work (repeatable)\n"
    "  --markdown=FILE           write the verdicts as Markdown; appended to $GITHUB_STEP_SUMMARY anyway, if it is set\n"
    "  --junit=FILE              ... as JUnit's XML\n"
    "  --json=FILE               ... as JSON\n"
    "  --csv=FILE                ... as CSV, for scripts/plot.sh\n"
    "  --progress=auto|on|off    the progress line on stderr\n"
    "  --help                    print this text\n"
    "  --version                 print version and revision\n\n"
    "Exit status: 0 every row is cleared or faster; 1 a row got slower, failed, vanished, or is newly skipped; 2 bad\n"
    "input, or nothing to compare; 3 inconclusive; 77 all was skipped on both sides; 130 or 143 interrupted.\n";
/* clang-format on */

void gate_options_print_help(FILE *to)
{
    fputs(help, to);
}

size_t gate_options_turns(const struct gate_options *options)
{
    return options->cpu_only ? TURNS_ON_CPU : TURNS_ALONE;
}

static bool bad_value(struct error *error, const char *name, const char *value, const char *expected)
{
    return error_set(error, "--%s=%s: expected %s", name, value, expected);
}

static bool set_integer(const char *name, const char *text, uint64_t low, uint64_t high, const char *expected,
                        uint64_t *value, struct error *error)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *value >= low && *value <= high) ||
           bad_value(error, name, text, expected);
}

static bool set_count(const char *name, const char *text, uint64_t low, uint64_t high, size_t *count,
                      struct error *error)
{
    char expected[64];
    uint64_t number;
    snprintf(expected, sizeof expected, "an integer from %" PRIu64 " to %" PRIu64, low, high);
    bool ok = set_integer(name, text, low, high, expected, &number, error);
    *count = (size_t)number;
    return ok;
}

static bool set_threshold(const char *text, struct gate_options *options, struct error *error)
{
    char *end;
    double percent = strtod(text, &end);
    options->threshold = percent / 100;
    return (end != text && *end == '\0' && percent > 0 && percent <= 1000) ||
           bad_value(error, "threshold", text, "a percentage above 0, 1000 at most");
}

static bool set_progress(const char *text, struct gate_options *options, struct error *error)
{
    options->progress = strcmp(text, "on") == 0 || (strcmp(text, "auto") == 0 && isatty(STDERR_FILENO));
    return options->progress || strcmp(text, "off") == 0 || strcmp(text, "auto") == 0 ||
           bad_value(error, "progress", text, "auto, on or off");
}

static bool set_file(const char *name, const char *text, const char **file, struct error *error)
{
    *file = text;
    return text[0] != '\0' || bad_value(error, name, text, "a name");
}

static bool add_slowdown(char *argument, struct gate_options *options, struct error *error)
{
    if (!strchr(argument, '='))
        return error_set(error, "--slowdown: expected --slowdown=REGEX:PERCENT");
    if (options->slowdown_count == GATE_SLOWDOWNS_MAX)
        return error_set(error, "more than %d times --slowdown", GATE_SLOWDOWNS_MAX);
    options->slowdowns[options->slowdown_count++] = argument;
    return true;
}

static bool set(enum flag flag, const char *name, char *value, char *argument, struct gate_options *options,
                struct error *error)
{
    switch (flag) {
    case FLAG_HELP: return options->help = true;
    case FLAG_VERSION: return options->version = true;
    case FLAG_SESSION: options->task = TASK_SESSION; return true;
    case FLAG_SELFTEST: options->task = TASK_SELFTEST; return true;
    case FLAG_RATES: options->task = TASK_RATES; return true;
    case FLAG_CPU_ONLY: return options->cpu_only = true;
    case FLAG_OTHER_DEVICE: return options->other_device = true;
    case FLAG_THRESHOLD: return set_threshold(value, options, error);
    case FLAG_SEED:
        return set_integer(name, value, 0, UINT64_MAX, "an integer from 0 to 2^64 - 1", &options->seed, error);
    case FLAG_PAIRS: return set_count(name, value, PAIRS_MIN, PAIRS_MAX, &options->pairs, error);
    case FLAG_RUNS: return set_count(name, value, RUNS_MIN, RUNS_MAX, &options->runs, error);
    case FLAG_SLOWDOWN: return add_slowdown(argument, options, error);
    case FLAG_KEEP: return set_file(name, value, &options->keep, error);
    case FLAG_MARKDOWN: return set_file(name, value, &options->markdown, error);
    case FLAG_JUNIT: return set_file(name, value, &options->junit, error);
    case FLAG_JSON: return set_file(name, value, &options->json, error);
    case FLAG_CSV: return set_file(name, value, &options->csv, error);
    case FLAG_PROGRESS: return set_progress(value, options, error);
    }
    return false;
}

static bool check_arguments(const struct gate_options *options, struct error *error)
{
    static const struct {
        size_t least, most;
        const char *what;
    } expected[] = {
        [TASK_FILES] = {2, 2, "two files, BASE.csv and NEW.csv"},
        [TASK_SESSION] = {2, 2, "two programs, BASE and NEW"},
        [TASK_SELFTEST] = {1, 1, "one program"},
        [TASK_RATES] = {1, GATE_ARGUMENTS_MAX, "from one to eight folders"},
    };
    if (options->argument_count < expected[options->task].least ||
        options->argument_count > expected[options->task].most)
        return error_set(error, "%zu arguments, expected %s; --help says more", options->argument_count,
                         expected[options->task].what);
    bool runs = options->task == TASK_SESSION || options->task == TASK_SELFTEST;
    if (!runs && (options->keep || options->flags[0]))
        return error_set(error, "%s: nothing is run, expected it with --sitting or --selftest",
                         options->keep ? "--keep" : options->flags[0]);
    if (options->slowdown_count > 0 && options->task != TASK_SELFTEST)
        return error_set(error, "%s: expected it with --selftest", options->slowdowns[0]);
    if (options->other_device && options->task != TASK_FILES)
        return error_set(error, "--other-device: expected it with two files");
    if ((options->pairs > 0 && options->task != TASK_SELFTEST) ||
        (options->runs > 0 && options->task != TASK_SELFTEST && options->task != TASK_RATES))
        return error_set(error, "%s: expected it with --selftest", options->pairs > 0 ? "--pairs" : "--runs");
    bool decides = options->task == TASK_FILES || options->task == TASK_SESSION;
    const char *report = options->markdown ? "--markdown"
                         : options->junit  ? "--junit"
                         : options->json   ? "--json"
                         : options->csv    ? "--csv"
                                           : NULL;
    if (!decides && report)
        return error_set(error, "%s: a self-test has no verdicts; what it finds is on stdout", report);
    return true;
}

/* Each flag spelt out: unique beginnings, which getopt_long() takes too, would change their meaning with the next
 * flag. */
static bool is_spelt_out(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument + 2, name, length) == 0 && (argument[2 + length] == '\0' || argument[2 + length] == '=');
}

bool gate_options_parse(int argc, char **argv, struct gate_options *options, struct error *error)
{
    *options = (struct gate_options){
        .threshold = NAN, .seed = 42, .progress = isatty(STDERR_FILENO), .progress_rewrites = isatty(STDERR_FILENO)};
    opterr = 0;
    optind = 0; /* glibc: start anew, for the tests */
    for (;;) {
        int at = optind > 0 ? optind : 1;
        /* '-': arguments come in their places, as values of the option 1. */
        int value = getopt_long(argc, argv, "-:", table, NULL);
        if (value == -1)
            break;
        if (value == 1) {
            if (options->argument_count == GATE_ARGUMENTS_MAX)
                return error_set(error, "unexpected argument '%s'; --help says more", optarg);
            options->arguments[options->argument_count++] = optarg;
            continue;
        }
        if (value == ':')
            return error_set(error, "%s: expected a value, as in %s=...", argv[at], argv[at]);
        if (value == '?' && optopt >= FLAG_HELP)
            return error_set(error, "%s: takes no value", argv[at]);
        if (value == '?' || !is_spelt_out(argv[at], table[value - FLAG_HELP].name))
            return error_set(error, "unknown flag %s; --help lists all", argv[at]);
        if (!set((enum flag)value, table[value - FLAG_HELP].name, optarg, argv[at], options, error))
            return false;
    }
    options->flags = argv + optind;
    if (!options->help && !options->version && !check_arguments(options, error))
        return false;
    options->pairs = options->pairs ? options->pairs : PAIRS_DEFAULT;
    options->runs = options->runs ? options->runs : RUNS_DEFAULT;
    return true;
}

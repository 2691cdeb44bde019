#include "gate_options.h"

#include "bench/base/host.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/select/options.h"
#include "rule.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *const gate_sides[GATE_SIDES_MAX] = {"base",     "new",      "slowed-1", "slowed-2",
                                                "slowed-3", "slowed-4", "slowed-5", "slowed-6"};

#define NO_SEED UINT64_MAX
enum { PAIRS_DEFAULT = 100, PAIRS_MIN = RULE_RUN_PAIRS, PAIRS_MAX = 1000 };

/* A text that is not empty; the context says what. */
static bool set_text(void *to, const struct given_flag *given, struct error *error)
{
    *(const char **)((char *)to + given->flag->at) = given->value;
    return *given->value || flag_bad_value(error, given, given->flag->context);
}

static bool set_threshold(void *to, const struct given_flag *given, struct error *error)
{
    struct gate_options *options = to;
    double percent;
    if (!number_read_positive(given->value, NULL, 1000, &percent))
        return flag_bad_value(error, given, "a percentage above 0, 1000 at most");
    options->threshold = percent / 100;
    return true;
}

static bool add_slowdown(void *to, const struct given_flag *given, struct error *error)
{
    struct gate_options *options = to;
    if (options->slowdown_count == GATE_SLOWDOWNS_MAX)
        return error_set(error, "more than %d times --slowdown", GATE_SLOWDOWNS_MAX);
    options->slowdowns[options->slowdown_count++] = given->value;
    return true;
}

static bool add_argument(void *to, const char *text, struct error *error)
{
    struct gate_options *options = to;
    if (options->argument_count == GATE_ARGUMENTS_MAX)
        return error_set(error, "unexpected argument '%s'; --help says more", text);
    options->arguments[options->argument_count++] = text;
    return true;
}

/* The tasks for which a flag means something; 0: all. */
enum {
    TO_FILES = 1 << TASK_FILES,
    TO_SELFTEST = 1 << TASK_SELFTEST,
    TO_RUN = TO_SELFTEST | 1 << TASK_SITTING | 1 << TASK_REFUSAL,
    TO_COMPARE = TO_FILES | 1 << TASK_SITTING | 1 << TASK_REFUSAL,
};

#define AT(field) .at = offsetof(struct gate_options, field)
/* clang-format off */
static const struct flag flags[] = {
    {"sitting", NULL, NULL, NULL, FLAG_SWITCH, AT(is_asked[TASK_SITTING])},
    {"selftest", NULL, NULL, NULL, FLAG_SWITCH, AT(is_asked[TASK_SELFTEST])},
    {"decide", NULL, NULL, NULL, FLAG_SWITCH, AT(is_asked[TASK_DECIDE])}, /* only scripts/rates.sh asks */
    {"base", NULL, "COMMAND", "a benchmark that /bin/sh runs for each round of the base; its stdout is read, or the file that\n"
        "stands for " GATE_OUT " in it; " GATE_FILTER " stands for a regular expression of the rows that are wanted", FLAG_OWN, AT(commands[0]), .set = set_text, .context = "a command for the shell", .scope = TO_RUN},
    {"new", NULL, "COMMAND", "the same for the new side", FLAG_OWN, AT(commands[1]), .set = set_text, .context = "a command for the shell", .scope = TO_RUN},
    {"no-intervals", NULL, NULL, NULL, FLAG_SWITCH, AT(no_intervals)}, /* which take longest; as above */
    {"cpu-only", NULL, NULL, "CPU rungs (default: CUDA rungs). A round is then six processes instead of one,\n"
        "and the fastest time of the six counts; files are read in the same way", FLAG_SWITCH, AT(cpu_only)},
    {"threshold", NULL, "PERCENT", "a smaller change is no change (default 1 on a device's clock, 5 on the host's, and\n"
        "at least 3 between two runs); a cleared row is not slower by twice as much", FLAG_OWN, .set = set_threshold, .scope = TO_COMPARE},
    {"other-device", NULL, NULL, "compare files of different machines; at worst inconclusive, unless a row is wrong", FLAG_SWITCH, AT(other_device), .scope = TO_FILES},
    {"filter", NULL, "REGEX", "compare only rows whose names it matches; a leading '-' negates", FLAG_TEXT, AT(filter), .scope = TO_FILES | TO_RUN},
    {"common", NULL, NULL, "compare the rows that both sides have, and count the others", FLAG_SWITCH, AT(common), .scope = TO_COMPARE},
    {"read", NULL, READ_FORMATS, "what wrote the results: rungbench, Google Benchmark, NVBench (JSON, or CSV), hyperfine,\n"
        "pytest-benchmark, or anybody (name,round,seconds); auto, the default, finds out", FLAG_WORD, AT(format), .scope = TO_FILES | TO_RUN},
    {"exceptions", NULL, "FILE", "what to accept or ignore, or to judge by another threshold; docs/gate.md has its form", FLAG_FILE, AT(exceptions), .file = FILE_READ, .scope = TO_COMPARE},
    {"trailers", NULL, "FILE", NULL, FLAG_FILE, AT(trailers), .file = FILE_READ}, /* only scripts/gate.sh makes it */
    {"commits", NULL, "FILE", NULL, FLAG_FILE, AT(commits), .file = FILE_READ}, /* the same */
    {"why", NULL, NULL, "say what NVIDIA's profiler, ncu, counts in both builds of rows that are slower or faster; of two files\n"
        "with flags of rungbench after --, by which it finds the rows", FLAG_SWITCH, AT(why), .scope = TO_COMPARE},
    {"base-program", NULL, "FILE", "the program that made the rounds of BASE.csv, to say why a row is slower or faster", FLAG_FILE, AT(programs[0]), .file = FILE_READ, .scope = TO_FILES},
    {"new-program", NULL, "FILE", "the same of NEW.csv", FLAG_FILE, AT(programs[1]), .file = FILE_READ, .scope = TO_FILES},
    {"strict", NULL, NULL, "inconclusive fails, and so does what is skipped on both sides: 1 instead of 3 and 77", FLAG_SWITCH, AT(strict), .scope = TO_COMPARE},
    {"seed", NULL, "N", "of orders, and of rearrangements where there are too many (default: drawn and reported; 42\n"
        "where nothing is run)", FLAG_NUMBER, AT(seed), 0, NO_SEED - 1},
    {"keep", NULL, "DIR", "keep the rounds of what is run there, as CSV", FLAG_FILE, AT(keep), .scope = TO_RUN},
    {"pairs", NULL, "N", "pairs of rounds of --selftest (default 100, at least 36), or of each confirmation (default 14)", FLAG_NUMBER, AT(pairs), RULE_CONFIRM_PAIRS, PAIRS_MAX, .scope = TO_RUN},
    {"process-limit", NULL, "SECONDS", "end a process that takes longer, and count the rows of its side as failed (default: a program\n"
        "that writes nothing for too long hangs; for commands see docs/gate-for-others.md)", FLAG_SECONDS, AT(process_limit_s), .most = OPTIONS_BUDGET_S_MAX, .scope = TO_RUN},
    {"slowdown", NULL, "REGEX:PERCENT", "one more side of --selftest, with these rows slowed down by real work, of a command by\n"
        "multiplying their times (repeatable)", FLAG_OWN, .set = add_slowdown, .adds = true, .scope = TO_SELFTEST},
    {"markdown", NULL, "FILE", "write the verdicts as Markdown; also appended to $GITHUB_STEP_SUMMARY, if that is set", FLAG_FILE, AT(markdown), .file = FILE_WRITTEN, .scope = TO_COMPARE},
    {"junit", NULL, "FILE", "... as JUnit's XML", FLAG_FILE, AT(junit), .file = FILE_WRITTEN, .scope = TO_COMPARE},
    {"json", NULL, "FILE", "... as JSON", FLAG_FILE, AT(json), .file = FILE_WRITTEN, .scope = TO_COMPARE},
    {"csv", NULL, "FILE", "... as CSV, for scripts/plot.sh", FLAG_FILE, AT(csv), .file = FILE_WRITTEN, .scope = TO_COMPARE},
    {"base-name", NULL, "TEXT", "call the base this in reports and messages, instead of its file or program", FLAG_TEXT, AT(base_name), .scope = TO_COMPARE},
    {"new-name", NULL, "TEXT", "the same for the new side", FLAG_TEXT, AT(new_name), .scope = TO_COMPARE},
    {"refuse", NULL, "TEXT", "compare nothing: write the reports with TEXT as the reason, and end with 2; for scripts\n"
        "that build BASE and NEW, when one of these does not build", FLAG_OWN, AT(refusal), .set = set_text, .context = "the reason"},
    {"progress", NULL, "auto|on|off", "the progress line on stderr; auto: where that is no terminal, a line per minute", FLAG_WORD, AT(progress)},
    {"help", NULL, NULL, "print this text", FLAG_SWITCH, AT(help), .letter = 'h'},
    {"version", NULL, NULL, "print version and revision", FLAG_SWITCH, AT(version)},
};
/* clang-format on */
enum { FLAGS = sizeof flags / sizeof flags[0] };
static_assert(PAIRS_MIN == 36 && PAIRS_MAX == 1000 && RULE_SCREEN_PAIRS == 8 && RULE_CONFIRM_PAIRS == 14,
              "what messages and the help say");

void gate_options_print_help(FILE *to)
{
    fputs("Usage: rungbench-gate [flags] BASE NEW\n"
          "       rungbench-gate [flags] --sitting BASE_PROGRAM NEW_PROGRAM [-- flags of rungbench]\n"
          "       rungbench-gate [flags] --base=COMMAND --new=COMMAND\n"
          "       rungbench-gate [flags] --selftest --keep=DIR PROGRAM [-- flags of rungbench]\n"
          "       rungbench-gate [flags] --selftest --keep=DIR --base=COMMAND\n"
          "       rungbench-gate [flags] --refuse=TEXT BASE NEW\n"
          "Says for each row whether the new side is slower than the base: from two files of results, of rungbench or "
          "of\n"
          "other benchmarks (docs/gate-for-others.md), or from two builds that take turns on this machine: 2 rounds "
          "each,\n"
          "6 more of the rows whose code differs, 14 of those that these did not clear, and 14 of those that are still "
          "open.\n"
          "--selftest runs one build on both sides, from whose rounds scripts/rates.sh DIR says how often the gate "
          "would be wrong.\n"
          "scripts/gate.sh BASE_REF builds two revisions and compares them.\n\n",
          to);
    command_line_print_flags(flags, FLAGS, to);
    fputs("\nExit status: 0 every row is cleared, faster, accepted, layout or same code; 1 a row got slower, failed,\n"
          "vanished, or is newly skipped; 2 bad input, or nothing to compare; 3 inconclusive; 77 all was skipped on\n"
          "both sides; 130 or 143 interrupted.\n",
          to);
}

size_t gate_options_turns(const struct gate_options *options)
{
    return options->cpu_only ? TURNS_ON_CPU : TURNS_ALONE;
}

static void note_given(void *to, const struct given_flag *given)
{
    struct gate_options *options = to;
    options->given |= UINT64_C(1) << (given->flag - flags);
}

/* Whether it stands in quotes, which end where it begins to be quoted itself. */
static bool quotes_filter(const char *command)
{
    char quote = '\0';
    for (; *command; command++) {
        if (*command == '\\' && quote != '\'' && command[1])
            command++;
        else if (quote ? *command == quote : *command == '\'' || *command == '"')
            quote = (char)(quote ? '\0' : *command);
        else if (quote && strncmp(command, GATE_FILTER, strlen(GATE_FILTER)) == 0)
            return true;
    }
    return false;
}

static bool take_commands(struct gate_options *options, struct error *error)
{
    const size_t wanted = options->task == TASK_SELFTEST ? 1 : 2;
    if (options->argument_count > 0 || options->flags[0])
        return error_set(error, "%s: means nothing with --base, where commands are run",
                         options->argument_count > 0 ? options->arguments[0] : options->flags[0]);
    for (size_t i = 0; i < 2; i++)
        if (!options->commands[i] != (i >= wanted))
            return error_set(error, "--%s: expected %s", i ? "new" : "base",
                             wanted == 1 ? "only --base with --selftest" : "both --base and --new");
    for (size_t i = 0; i < wanted; i++)
        if (quotes_filter(options->commands[i]))
            return error_set(error,
                             "--%s: " GATE_FILTER " stands in quotes, expected it without: it becomes a quoted word",
                             i ? "new" : "base");
    options->task = options->task == TASK_FILES ? TASK_SITTING : options->task;
    options->runs_commands = true;
    options->argument_count = wanted;
    memcpy(options->arguments, options->commands, sizeof options->commands);
    return true;
}

/* Whether there is code to look at: of --sitting that of the programs. */
static bool check_why(const struct gate_options *options, struct error *error)
{
    if (!options->programs[0] != !options->programs[1])
        return error_set(error, "--base-program, --new-program: expected both");
    if (options->why && (options->runs_commands || options->cpu_only))
        return error_set(error, "--why: means nothing with %s, where ncu counts nothing",
                         options->runs_commands ? "--base" : "--cpu-only");
    return !options->why || options->task != TASK_FILES || options->programs[0] ||
           error_set(error, "--why: expected --base-program and --new-program with two files");
}

/* Whether the task has its arguments, and all flags mean something for it. */
static bool check_task(struct gate_options *options, struct error *error)
{
    static const struct {
        size_t arguments;
        const char *what, *with;
    } tasks[] = {
        [TASK_FILES] = {2, "two files, BASE.csv and NEW.csv", "two files"},
        [TASK_SITTING] = {2, "two programs, BASE and NEW", "--sitting"},
        [TASK_SELFTEST] = {1, "one program", "--selftest, of which scripts/rates.sh says what it finds"},
        [TASK_DECIDE] = {0, "none", "--decide"},
        [TASK_REFUSAL] = {2, "the names of BASE and NEW", "--refuse"},
    };
    for (enum gate_task task = TASK_SITTING; task < TASK_REFUSAL; task++)
        options->task = options->is_asked[task] ? task : options->task;
    options->task = options->refusal ? TASK_REFUSAL : options->task;
    if ((options->commands[0] || options->commands[1]) && !take_commands(options, error))
        return false;
    const enum gate_task task = options->task;
    if (!options->runs_commands && task != TASK_FILES && (options->filter || options->format != READ_AUTO))
        return error_set(error, "--%s: means nothing with programs that take the flags of rungbench; expected --base",
                         options->filter ? "filter" : "read");
    if (options->argument_count != tasks[task].arguments)
        return error_set(error, "%zu arguments, expected %s; --help says more", options->argument_count,
                         tasks[task].what);
    for (size_t i = 0; i < FLAGS; i++)
        if ((options->given >> i & 1) != 0 && flags[i].scope != 0 && (flags[i].scope >> task & 1) == 0)
            return error_set(error, "--%s: means nothing with %s", flags[i].name, tasks[task].with);
    if (task == TASK_SELFTEST && options->pairs && options->pairs < PAIRS_MIN)
        return error_set(error, "--pairs=%" PRIu64 ": expected an integer from 36 to 1000", options->pairs);
    if (task == TASK_SELFTEST && !options->keep)
        return error_set(error, "--selftest: expected --keep=DIR, for scripts/rates.sh");
    if (!check_why(options, error))
        return false;
    return !options->flags[0] || (TO_RUN >> task & 1) != 0 || options->why ||
           error_set(error, "%s: means nothing with %s, where no rungbench is run", options->flags[0],
                     tasks[task].with);
}

bool gate_options_parse(int argc, char **argv, struct gate_options *options, struct error *error)
{
    *options = (struct gate_options){.threshold = NAN, .seed = NO_SEED};
    char notes[FLAG_NOTES_BYTES] = "";
    struct command_line line = {.flags = flags,
                                .count = FLAGS,
                                .argument = add_argument,
                                .given = note_given,
                                .files = &options->files,
                                .notes = notes};
    int rest = command_line_parse(&line, argc, argv, options, error);
    if (rest == 0)
        return false;
    fputs(notes, stderr);
    options->flags = argv + rest;
    if (!options->help && !options->version && !check_task(options, error))
        return false;
    if (options->seed == NO_SEED) /* what is made of files is the same each time */
        options->seed = options->task == TASK_SITTING || options->task == TASK_SELFTEST ? entropy_bits() >> 32 : 42;
    options->pairs = options->pairs                   ? options->pairs
                     : options->task == TASK_SELFTEST ? PAIRS_DEFAULT
                                                      : RULE_CONFIRM_PAIRS;
    return true;
}

char *gate_kept_path(const char *folder, size_t side)
{
    return memory_print("%s/%s.csv", folder, gate_sides[side]);
}

bool gate_options_files_are_apart(struct gate_options *options, struct error *error)
{
    static char *kept[GATE_SIDES_MAX];
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    if (summary && summary[0] != '\0')
        named_files_add(&options->files, NULL, summary, FILE_WRITTEN);
    for (size_t i = 0; i < options->argument_count && options->task != TASK_REFUSAL && !options->runs_commands; i++)
        named_files_add(&options->files, NULL, options->arguments[i], FILE_READ);
    for (size_t i = 0; options->keep && i < 2 + options->slowdown_count; i++) {
        kept[i] = gate_kept_path(options->keep, i);
        named_files_add(&options->files, NULL, kept[i], FILE_WRITTEN);
    }
    return named_files_are_apart(&options->files, error);
}

#include "options.h"
#include "sizes.h"

#include "bench/base/host.h"
#include "bench/base/plain_text.h"
#include "bench/data/mnist.h"
#include "bench/measure/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART_BYTES = 512 };

static bool set_suite(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    options->suite = suite_find(given->value);
    options->suite_is_default = false;
    return options->suite || flag_bad_value(error, given, given->flag->syntax);
}

/* Of a list with commas between its parts, the next one, which is cut off where there is no room for it. `rest` is the
 * list at first. False: there is no more. */
static bool next_part(const char **rest, char part[PART_BYTES])
{
    if (!*rest)
        return false;
    const size_t length = strcspn(*rest, ",");
    snprintf(part, PART_BYTES, "%.*s", (int)length, *rest);
    *rest = (*rest)[length] ? *rest + length + 1 : NULL;
    return true;
}

bool options_set_modes(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    char name[PART_BYTES];
    options->mode_count = 0;
    for (const char *rest = given->value; next_part(&rest, name);) {
        const struct mode *mode = mode_find(name);
        bool known = false;
        if (!mode)
            return error_set(error, "--%s=%s: unknown mode '%s', expected some of %s", given->name, given->value, name,
                             mode_names);
        for (size_t i = 0; i < options->mode_count; i++)
            known = known || options->modes[i] == mode;
        if (!known)
            options->modes[options->mode_count++] = mode;
    }
    return true;
}

static bool set_sitting(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    char round[8];
    int length = 0;
    uint64_t number = 0;
    bool ok = sscanf(given->value, "%40[A-Za-z0-9._-]:%7[0-9]%n", options->sitting, round, &length) == 2 &&
              given->value[length] == '\0' && number_read_integer(round, 0, OPTIONS_SITTING_ROUND_MAX, &number);
    options->sitting_round = (int)number;
    return ok || flag_bad_value(error, given, "ID:N, 1 to 40 of [A-Za-z0-9._-] and a round from 0 to 999999");
}

static bool set_devices(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    char part[PART_BYTES];
    bool ok = true;
    options->device_count = 0;
    options->all_devices = strcmp(given->value, "all") == 0;
    for (const char *rest = options->all_devices ? NULL : given->value; ok && next_part(&rest, part);) {
        uint64_t number = 0;
        ok = options->device_count < OPTIONS_DEVICES_MAX && number_read_integer(part, 0, OPTIONS_DEVICE_MOST, &number);
        for (size_t i = 0; i < options->device_count; i++)
            ok = ok && options->devices[i] != (int)number;
        if (ok)
            options->devices[options->device_count++] = (int)number;
    }
    return ok ||
           flag_bad_value(error, given, "all, or up to 64 different numbers from 0 to 1023 with commas between them");
}

/* The backend that a flag names, into the field at `at`. */
static bool set_backend(void *to, const struct given_flag *given, struct error *error)
{
    const struct backend_entry **at = (const struct backend_entry **)((char *)to + given->flag->at);
    *at = registry_find_backend(((struct options *)to)->registry, given->value);
    return *at || flag_bad_value(error, given, "the name of a backend; cuda is one");
}

static bool add_context(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    char pair[PART_BYTES];
    for (const char *rest = given->value; next_part(&rest, pair);)
        if (pair[0] == '=' || !strchr(pair, '='))
            return flag_bad_value(error, given, "KEY=VALUE, or several with commas between them");
    const size_t length = strlen(options->context), size = sizeof options->context;
    text_append(options->context, size, "%s%s", length > 0 ? "," : "", given->value);
    return strlen(options->context) == length + (length > 0) + strlen(given->value) ||
           error_set(error, "--%s: expected %zu bytes in all, saw more", given->name, size - 1);
}

/* Google Benchmark has a word for everything, too. */
static bool set_filter(void *to, const struct given_flag *given, struct error *error)
{
    const bool is_all = given->name == given->flag->google_name && strcmp(given->value, "all") == 0;
    (void)error;
    ((struct options *)to)->filter = is_all ? NULL : given->value;
    return true;
}

/* Seconds, or so many calls: "100x". */
static bool set_min_time(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    const char *value = given->value, *const end = value + strspn(value, "0123456789");
    char number[32];
    uint64_t calls;
    snprintf(number, sizeof number, "%.*s", (int)(end - value), value);
    options->exact_calls = 0;
    if (given->name == given->flag->google_name && strcmp(end, "x") == 0) {
        if (!number_read_integer(number, 1, STOPPING_MAX_SAMPLES, &calls))
            return flag_bad_value(error, given, "1x to 50000x");
        options->exact_calls = (int)calls;
        options->min_time_s = NAN;
        return true;
    }
    return number_read_positive(value, "s", OPTIONS_MIN_TIME_S_MAX, &options->min_time_s) ||
           flag_bad_value(error, given, "a number of seconds above 0, 3600 at most");
}

/* The words are the same, but CSV is not. */
static bool set_google_format(void *to, const struct given_flag *given, struct error *error)
{
    static const enum format formats[] = {FORMAT_CONSOLE, FORMAT_JSON, FORMAT_GOOGLE_CSV};
    static const char *const words[] = {"console", "json", "csv"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(given->value, words[i]) == 0) {
            ((struct options *)to)->format = formats[i];
            return true;
        }
    return flag_bad_value(error, given, given->flag->syntax);
}

/* Of a kernel of the user's own, into the list at `at`. */
static bool add_own(void *to, const struct given_flag *given, struct error *error)
{
    struct own_texts *texts = (struct own_texts *)((char *)to + given->flag->at);
    if (given->value[0] == '\0')
        return flag_bad_value(error, given, "a file name");
    if (texts->count == OWN_KERNELS_MAX)
        return error_set(error, "--%s=%s: saw more than %d, expected that many at most", given->name, given->value,
                         OWN_KERNELS_MAX);
    texts->items[texts->count++] = given->value;
    return true;
}

static bool set_op(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    options->own.op = own_op_is_file(given->value) ? own_op() : registry_find_op(options->registry, given->value);
    return options->own.op ||
           flag_bad_value(error, given,
                          "the name of an operation, with which --list begins rows, or a file that ends "
                          "in .c");
}

static bool set_exercise(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    options->exercise = given->value ? exercise_find(given->value) : NULL;
    options->lists_exercises = !given->value;
    return !given->value || options->exercise || flag_bad_value(error, given, "1 to 10; --exercise alone lists them");
}

static bool set_object(void *to, const struct given_flag *given, struct error *error)
{
    (void)to;
    return given->value[0] == '/' || flag_bad_value(error, given, "one that this program makes");
}

static bool add_size(void *to, const struct given_flag *given, struct error *error)
{
    struct options *options = to;
    if (options->size_count == OPTIONS_USER_WORKLOADS_MAX)
        return error_set(error, "more than %d times --%s", OPTIONS_USER_WORKLOADS_MAX, given->name);
    options->sizes[options->size_count++] = given->value;
    return true;
}

static bool add_shape(void *to, const struct given_flag *given, struct error *error)
{
    struct user_workload user = {.op = given->flag->context};
    struct error reason;
    return (sizes_read_shape(user.op, given->value, given->flag->syntax, &user.workload, &reason) &&
            sizes_add_workload(to, &user, &reason)) ||
           error_set(error, "--%s=%s: %s", given->name, given->value, reason.text);
}

/* Where a flag means something besides in runs that time or verify rows. */
enum {
    IN_LISTS = 1 << IDLE_IN_LIST,
    IN_MERGES = 1 << IDLE_IN_MERGE,
    IN_EXERCISES = 1 << IDLE_IN_EXERCISE,
    EVERYWHERE = (1 << IDLE_PLACES) - 1,
    FOR_KERNELS = 1 << IDLE_PLACES, /* of the user's own, only */
};

static void note_idle(void *to, const struct given_flag *given)
{
    struct options *options = to;
    for (enum idle_place place = 0; place < IDLE_PLACES; place++)
        if (!options->idle[place] && !(given->flag->scope & 1 << place))
            options->idle[place] = given->name;
    if ((given->flag->scope & FOR_KERNELS) && !options->idle_without_kernel)
        options->idle_without_kernel = given->name;
}

void flags_note(const struct options *options)
{
    if (!options->player && !options->is_hushed)
        fputs(options->notes, stderr);
}

#define AT(field) .at = offsetof(struct options, field)
#define OF_REPORTS .for_one_process = true
#define SCOPE(where) .scope = (where)
/* clang-format off */
static const struct flag table[] = {
    {"list", "benchmark_list_tests", NULL, "print the name of every selected row, one per line, and stop", FLAG_SWITCH, AT(list), SCOPE(IN_LISTS)},
    {"filter", "benchmark_filter", "REGEX", "only rows whose name op/workload/variant/mode matches; -REGEX: does not match", FLAG_OWN, .set = set_filter, SCOPE(IN_LISTS)},
    {"verify", NULL, NULL, "check every selected rung on ragged sizes and its workloads; time nothing", FLAG_SWITCH, AT(verify), SCOPE(IN_LISTS)},
    {"info", NULL, NULL, "print the machine and its measured ceilings, and stop", FLAG_SWITCH, AT(info)},
    {"calibrate", NULL, NULL, "print how well each mode times a kernel of known length, and stop", FLAG_SWITCH, AT(calibrate)},
    {"explain", NULL, NULL, "say after the table why each measured row is not faster; ncu counts, where there is one", FLAG_SWITCH, AT(explain), OF_REPORTS},
    {"profile", NULL, "NAME", "warm up one row, then launch its rung once, for ncu and nsys", FLAG_TEXT, AT(profile)},
    {"summarize", NULL, "FILE.csv", "print as JSON what this file of results says, rounds merged, for charts, and stop", FLAG_FILE, AT(summarize), .file = FILE_READ, SCOPE(EVERYWHERE)},
    {"crossovers", NULL, "FILE.csv", "print as CSV where the GPU overtakes the CPU in this file of results, and stop", FLAG_FILE, AT(crossovers), .file = FILE_READ, SCOPE(EVERYWHERE)},
    {"merge", NULL, NULL, "compare files of results of several GPUs or machines, FILE.csv ..., row by row, and stop; --out: as one file", FLAG_SWITCH, AT(merge), OF_REPORTS, SCOPE(IN_MERGES)},
    {"match", NULL, "REGEX", "print the lines of stdin that match, and stop; for scripts", FLAG_TEXT, AT(match), SCOPE(EVERYWHERE)},
    {"tune", NULL, NULL, "measure the constants by which cuda_auto chooses on this GPU, and keep them next to the compiled kernels", FLAG_SWITCH, AT(tune), OF_REPORTS, SCOPE(IN_LISTS)},
    {"untuned", NULL, NULL, "let cuda_auto choose as if --tune had never run, as suite gate does", FLAG_SWITCH, AT(backend.untuned)},
    {"slowdown", NULL, "REGEX:PERCENT", "slow rows down by known work, to test a gate; they are marked", FLAG_TEXT, AT(slowdown)},
    {"suite", NULL, suite_names, "which workloads (default mnist)", FLAG_OWN, .set = set_suite, SCOPE(IN_LISTS)},
    {"size", NULL, "OP:NAME=VALUES,...", "add workloads: all combinations of 7, 28,784, 1..128, 1..128+16, 1..128*2 (repeatable)", FLAG_OWN, .set = add_size, .adds = true, SCOPE(IN_LISTS)},
    {"shape", NULL, "MxKxN", "add a matmul workload, MxK by KxN (repeatable)", FLAG_OWN, .set = add_shape, .context = &matmul_op, .adds = true, SCOPE(IN_LISTS)},
    {"image-size", NULL, "HxW", "add a greyscale workload, or of N images: NxHxW (repeatable)", FLAG_OWN, .set = add_shape, .context = &grayscale_op, .adds = true, SCOPE(IN_LISTS)},
    {"image", NULL, "FILE", "add a photo (JPEG, PNG, PPM, PGM) as a greyscale workload", FLAG_FILE, AT(image), .file = FILE_READ, SCOPE(IN_LISTS)},
    {"gray-out", NULL, "FILE.png", "write the photo in grey, as computed by the last verified rung", FLAG_FILE, AT(gray_out), .file = FILE_WRITTEN},
    {"backend", NULL, "BACKEND", "only the rungs of one backend: cpu, cuda, gpus (several together) or sim", FLAG_OWN, AT(only), .set = set_backend, SCOPE(IN_LISTS)},
    {"kernel", NULL, "FILE", "judge a kernel of your own, a .cu, .cuh, .c, .cpp, .py or .so file; repeatable (docs/own-kernel.md)", FLAG_OWN, AT(own.paths), .set = add_own, .adds = true, SCOPE(IN_LISTS | IN_EXERCISES)},
    {"op", NULL, "OPERATION|FILE.c", "what the kernel computes (default: by its function's name, else matmul); of your own: docs/own-operation.md", FLAG_OWN, .set = set_op, SCOPE(IN_LISTS | FOR_KERNELS)},
    {"starter", NULL, "[plain|solve|torch]", "print a file to begin a kernel of --op with, and stop", FLAG_WORD, AT(starter), OF_REPORTS, SCOPE(EVERYWHERE)},
    {"check", NULL, NULL, "say whether the operation of --op=FILE.c is sound, and stop", FLAG_SWITCH, AT(check), OF_REPORTS},
    {"exercise", NULL, "[N]", "judge exercise N of docs/exercises/, or the file of --kernel as a solution to it; without N: list all, judged", FLAG_OWN, .set = set_exercise, SCOPE(IN_EXERCISES)},
    {"launch", NULL, "CALL", "how the kernel is called, with the operation's names: NAME, 'NAME(A, B, C, n)' or 'NAME<<<GRID, BLOCK>>>(...)'", FLAG_TEXT, AT(own.launch), SCOPE(IN_LISTS | FOR_KERNELS)},
    {"nvcc-flags", NULL, "FLAGS", "what nvcc gets too, for .cu files; of these the simulator takes -D and -U", FLAG_TEXT, AT(own.compiler_flags), SCOPE(IN_LISTS | FOR_KERNELS)},
    {"include", NULL, "DIR", "where files look for headers, too; repeatable, also as -I DIR", FLAG_OWN, AT(own.include), .letter = 'I', .set = add_own, .adds = true, SCOPE(IN_LISTS | FOR_KERNELS)},
    {"unordered", NULL, NULL, "the kernel may add in another order in each call, as by atomic additions", FLAG_SWITCH, AT(own.unordered), SCOPE(IN_LISTS | FOR_KERNELS)},
    {"general", NULL, NULL, "the kernel must be right at all sizes, and wherever arrays begin, not only at those that are asked for", FLAG_SWITCH, AT(general), OF_REPORTS, SCOPE(FOR_KERNELS)},
    {"simulate", NULL, NULL, "run .cu files on the simulator, even where there is a GPU", FLAG_SWITCH, AT(own.simulate), SCOPE(IN_LISTS | FOR_KERNELS)},
    {"watch", NULL, NULL, "judge the kernel again whenever its file changes, until Ctrl-C", FLAG_SWITCH, AT(watch), OF_REPORTS, SCOPE(FOR_KERNELS)},
    {"kernel-object", NULL, "OBJECT", NULL, FLAG_OWN, AT(own.objects), .set = add_own, .adds = true, OF_REPORTS, SCOPE(IN_LISTS | IN_EXERCISES)}, /* own_kernels_flags() alone makes it */
    {"op-object", NULL, "OBJECT", NULL, FLAG_OWN, .set = set_object, OF_REPORTS, SCOPE(IN_LISTS)}, /* own_op.c alone makes it, and reads it */
    {"modes", NULL, mode_names, "how to time; one or more of these (default: the suite's, mostly cold,hot,e2e)", FLAG_OWN, .set = options_set_modes, SCOPE(IN_LISTS)},
    {"min-time", "benchmark_min_time", "SECONDS", "sample each row at least this long (default: the suite's, 0.005 to 0.1)", FLAG_OWN, .set = set_min_time},
    {"samples-per-row", NULL, "N", "take exactly so many samples of each row", FLAG_INTEGER, AT(samples_per_row), 1, STOPPING_MAX_SAMPLES},
    {"budget", NULL, "SECONDS", "for the whole run; rows out of reach are skipped", FLAG_SECONDS, AT(budget_s), .most = OPTIONS_BUDGET_S_MAX, OF_REPORTS},
    {"rounds", "benchmark_repetitions", "N", "run N times, each in a new process with rows in random order (default 1)", FLAG_INTEGER, AT(rounds), 1, OPTIONS_ROUNDS_MAX, OF_REPORTS},
    {"sitting", NULL, "ID:N", "this process is round N of sitting ID; other processes run the other rounds", FLAG_OWN, .set = set_sitting, OF_REPORTS},
    {"player", NULL, NULL, NULL, FLAG_SWITCH, AT(player), OF_REPORTS, SCOPE(IN_EXERCISES)}, /* bench/player/link.c alone sends it */
    {"out", NULL, "FILE.csv", "write the results as CSV; - is stdout", FLAG_FILE, AT(out), .file = FILE_WRITTEN, SCOPE(IN_MERGES)},
    {NULL, "benchmark_out", "FILE", NULL, FLAG_FILE, AT(google_out), .file = FILE_WRITTEN},
    {NULL, "benchmark_out_format", "json|csv|console", NULL, FLAG_WORD, AT(google_out_format), OF_REPORTS},
    {"json", NULL, "FILE.json", "write the results as Google Benchmark's JSON; - is stdout", FLAG_FILE, AT(json), .file = FILE_WRITTEN},
    {"samples", NULL, "FILE.csv", "write every single sample; - is stdout", FLAG_FILE, AT(samples), .file = FILE_WRITTEN},
    {"format", NULL, "console|csv|json|markdown", "what stdout gets (default console)", FLAG_WORD, AT(format), OF_REPORTS},
    {NULL, "benchmark_format", "console|json|csv", NULL, FLAG_OWN, .set = set_google_format, OF_REPORTS},
    {"context", "benchmark_context", "KEY=VALUE,...", "what CSV and JSON say too, of all rows (repeatable)", FLAG_OWN, .set = add_context, .adds = true, OF_REPORTS},
    {"device", NULL, "N", "which GPU, from 0", FLAG_INTEGER, AT(backend.device), 0, OPTIONS_DEVICE_MOST, SCOPE(IN_EXERCISES)},
    {"devices", NULL, "0,1|all", "a run on each of these GPUs, and what they say side by side (docs/many.md)", FLAG_OWN, .set = set_devices, OF_REPORTS},
    {"together", NULL, NULL, "the runs of --devices at the same time, which share power and memory", FLAG_SWITCH, AT(together), OF_REPORTS},
    {"threads", NULL, "N", "how many CPU threads rungs use (default: OMP_NUM_THREADS, else all; suite gate: 1)", FLAG_INTEGER, AT(backend.threads), 1, 1024},
    {"seed", NULL, "N", "seed of the random input (default 42)", FLAG_NUMBER, AT(seed), 0, UINT64_MAX},
    {"mnist", NULL, "DIR", "real MNIST, or its like, in IDX form, gzipped or not, for K = 784 and 28x28 images", FLAG_TEXT, AT(mnist)},
    {"require", NULL, "BACKEND", "exit 77 where that backend cannot be used, instead of skipping its rows", FLAG_OWN, AT(require), .set = set_backend},
    {"flush", NULL, "read|write", "how a GPU's cache is emptied in cold (default read)", FLAG_WORD, AT(flush_by_writing)},
    {"progress", NULL, "auto|on|off", "the progress line on stderr", FLAG_WORD, AT(progress), OF_REPORTS, SCOPE(EVERYWHERE)},
    {"color", NULL, "auto|always|never", "colours in the table; NO_COLOR and TERM=dumb are honoured", FLAG_WORD, AT(color), OF_REPORTS, SCOPE(EVERYWHERE)},
    {NULL, "benchmark_color", "auto|true|false", NULL, FLAG_WORD, AT(color), OF_REPORTS, SCOPE(EVERYWHERE)},
    {"help", NULL, NULL, "print this text", FLAG_SWITCH, AT(help), .letter = 'h', SCOPE(EVERYWHERE)},
    {"version", NULL, NULL, "print version and revision", FLAG_SWITCH, AT(version), SCOPE(EVERYWHERE)},
    {NULL, "benchmark_dry_run", NULL, NULL, FLAG_SWITCH, AT(dry_run)},
    {NULL, "benchmark_min_warmup_time", "SECONDS", NULL, FLAG_SECONDS, AT(min_warm_up_s), .most = OPTIONS_MIN_TIME_S_MAX},
    {NULL, "benchmark_report_aggregates_only", NULL, NULL, FLAG_SWITCH, AT(aggregates_only), OF_REPORTS},
    {NULL, "benchmark_display_aggregates_only", NULL, NULL, FLAG_SWITCH, AT(displays_aggregates_only), OF_REPORTS},
    {NULL, "benchmark_time_unit", "ns|us|ms|s", NULL, FLAG_WORD, AT(time_unit), OF_REPORTS},
    {NULL, "benchmark_enable_random_interleaving", NULL, NULL, .kind = FLAG_ALWAYS, OF_REPORTS},
    {NULL, "benchmark_counters_tabular", NULL, NULL, .kind = FLAG_ALWAYS, OF_REPORTS},
};
/* clang-format on */
enum { FLAGS = sizeof table / sizeof table[0] };

/* What is no flag: files to be merged, or a program with a main() of its own. */
static bool take_argument(void *opaque, const char *text, struct error *error)
{
    struct options *options = opaque;
    if (options->file_count == OPTIONS_FILES_MAX)
        return error_set(error, "--merge: saw more than %d files, expected that many at most", OPTIONS_FILES_MAX);
    options->files[options->file_count++] = text;
    return true;
}

/* One argument is a program, and what stands behind -- is the program's. */
static bool take_program(struct options *options, int argc, char **argv, int rest, struct error *error)
{
    static char *program[2];
    const char *name = options->file_count > 0 ? options->files[0] : rest < argc ? argv[rest] : NULL;
    if (options->merge && rest == argc)
        return true;
    if (name && !(options->own.simulate && options->file_count > 0))
        return error_set(error,
                         "unexpected argument '%s'; flags start with --, a kernel is --kernel=FILE, and a program of "
                         "your own is run by --simulate",
                         name);
    if (options->file_count > 1)
        return error_set(error, "unexpected argument '%s'; arguments of %s stand after --", options->files[1], name);
    options->program = name ? program : NULL;
    program[0] = (char *)(uintptr_t)name;
    options->file_count = 0;
    options->files[0] = NULL;
    if (options->program && rest < argc) {
        argv[rest - 1] = program[0];
        options->program = argv + rest - 1;
    }
    return true;
}

bool flags_parse(const struct registry *registry, int argc, char **argv, char **arguments, struct options *options,
                 struct error *error)
{
    *options = (struct options){
        .registry = registry,
        .shared = arguments,
        .suite = suite_find("mnist"),
        .suite_is_default = true,
        .starter = -1,
        .google_out_format = -1,
        .min_time_s = NAN,
        .budget_s = INFINITY,
        .backend = {.device = -1, .threads = 0},
        .rounds = 1,
        .seed = 42,
    };
    static struct mnist_files mnist; /* which `files` names */
    struct error missing;            /* is told of when they are read */
    struct named_files files = {0};
    struct command_line line = {.flags = table,
                                .count = FLAGS,
                                .shared = arguments,
                                .files = &files,
                                .argument = take_argument,
                                .given = note_idle,
                                .notes = options->notes};
    int rest = command_line_parse(&line, argc, argv, options, error);
    bool ok = rest > 0 && take_program(options, argc, argv, rest, error) && options_complete(options, error);
    for (size_t i = 0; i < options->file_count; i++)
        named_files_add(&files, NULL, options->files[i], FILE_READ);
    for (size_t i = 0; i < options->own.paths.count; i++)
        named_files_add(&files, NULL, options->own.paths.items[i], FILE_READ);
    if (ok && options->mnist && mnist_find(options->mnist, &mnist, &missing)) {
        named_files_add(&files, NULL, mnist.images, FILE_READ);
        if (mnist.labels[0] != '\0')
            named_files_add(&files, NULL, mnist.labels, FILE_READ);
    }
    return ok && named_files_are_apart(&files, error);
}

void flags_print_help(FILE *to)
{
    fputs("Usage: rungbench [flags]\n"
          "       rungbench plot|gate|history|record|train ... (each with a --help of its own)\n"
          "Runs operations as a ladder of variants, checks every answer, and times every rung by the same rules.\n\n",
          to);
    command_line_print_flags(table, FLAGS, to);
    fputs("\nGoogle Benchmark's names are accepted too:", to);
    for (size_t i = 0; i < FLAGS; i++)
        if (table[i].google_name)
            fprintf(to, " --%s", table[i].google_name);
    fputs("\ndocs/design.md says what they do.\n\nExit status: 0 measured or "
          "verified, and nothing wrong; 1 a rung was wrong or failed; 2 usage, input or "
          "output\n"
          "error; 77 all was skipped; 130 or 143 interrupted (finished rows are kept).\n",
          to);
}

/* rungbench: argv -> options -> selection -> runner -> reporters. */
#include "devices.h"
#include "git_revision.h"
#include "host.h"
#include "interrupt.h"
#include "mnist.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "reporter.h"
#include "runner.h"
#include "selection.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum exit_status {
    EXIT_RIGHT = 0,
    EXIT_WRONG = 1,
    EXIT_USAGE = 2,
    EXIT_ALL_SKIPPED = 77,
    EXIT_SIGNAL_BASE = 128,
};

static int complain(const struct error *error)
{
    fprintf(stderr, "rungbench: %s\n", error->text);
    return EXIT_USAGE;
}

static struct progress progress;

static void step(size_t done, const char *name)
{
    progress_step(&progress, done, name, host_now());
}

/* Reporters write while the progress line is away. */
static bool console_result(void *self, const struct result *result, struct error *error)
{
    progress_clear(&progress);
    return report_console_result(self, result, error);
}

static bool console_end(void *self, struct error *error)
{
    progress_clear(&progress);
    return report_console_end(self, error);
}

static bool csv_result(void *self, const struct result *result, struct error *error)
{
    return report_csv_result(self, result, error);
}

/* Says on stderr what is wrong, and the command that shows it again. */
static bool failure_result(void *self, const struct result *result, struct error *error)
{
    (void)error;
    char *const *argv = self;
    if (result->status != STATUS_FAILED)
        return true;
    progress_clear(&progress);
    fprintf(stderr, "rungbench: %s: %s\nrungbench: to reproduce:", result->name, result->reason);
    for (size_t i = 0; argv[i]; i++)
        fprintf(stderr, strpbrk(argv[i], " '\"$\\*?[](){}|&;<>") ? " '%s'" : " %s", argv[i]);
    fprintf(stderr, " --filter='^%s/%s/%s/'\n", result->op, result->workload, result->variant);
    return true;
}

static bool begin_ops(const struct registry *registry, struct error *error)
{
    for (size_t i = 0; i < registry->op_count; i++)
        if (registry->ops[i]->begin && !registry->ops[i]->begin(error))
            return false;
    return true;
}

static bool finish_ops(const struct registry *registry, struct error *error)
{
    bool ok = true;
    for (size_t i = 0; i < registry->op_count; i++)
        if (registry->ops[i]->finish && !registry->ops[i]->finish(error))
            ok = false;
    return ok;
}

static int list(const struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++) {
        char name[160];
        row_name(&selection->rows[i], name, sizeof name);
        puts(name);
    }
    struct error error;
    if (fflush(stdout) == 0)
        return EXIT_RIGHT;
    error_set(&error, "stdout: the list cannot be written");
    return complain(&error);
}

static bool wants(enum choice choice, int fd)
{
    return choice == CHOICE_ON || (choice == CHOICE_AUTO && isatty(fd));
}

static bool wants_color(const struct options *options)
{
    const char *no_color = getenv("NO_COLOR");
    bool refused = no_color && no_color[0] != '\0';
    return options->color == CHOICE_ON || (!refused && wants(options->color, STDOUT_FILENO));
}

struct outputs {
    struct output csv, standard;
    bool has_csv;
    struct reporter reporters[4];
    size_t count;
};

static void add_reporter(struct outputs *outputs, struct reporter reporter)
{
    outputs->reporters[outputs->count++] = reporter;
}

/* The file of --out, the first that may fail. */
static bool open_csv(const char *path, struct outputs *outputs, struct error *error)
{
    if (!output_open(&outputs->csv, path, error))
        return false;
    if (!report_csv_begin(&outputs->csv, error)) {
        output_discard(&outputs->csv);
        return false;
    }
    outputs->has_csv = true;
    add_reporter(outputs, (struct reporter){&outputs->csv, csv_result, NULL});
    return true;
}

static bool open_stdout(const struct options *options, bool is_csv, struct outputs *outputs, struct error *error)
{
    if (is_csv) {
        add_reporter(outputs, (struct reporter){&outputs->standard, csv_result, NULL});
        return output_open(&outputs->standard, "-", error) && report_csv_begin(&outputs->standard, error);
    }
    struct console_report *table = report_console_make(stdout, wants_color(options));
    if (!table)
        return error_set(error, "no memory");
    add_reporter(outputs, (struct reporter){table, console_result, console_end});
    return true;
}

/* Everything that will be written to, before anything is measured. */
static bool open_outputs(const struct options *options, char **argv, struct outputs *outputs, struct error *error)
{
    *outputs = (struct outputs){0};
    bool out_is_stdout = options->out && strcmp(options->out, "-") == 0;
    add_reporter(outputs, (struct reporter){argv, failure_result, NULL});
    if (options->out && !out_is_stdout && !open_csv(options->out, outputs, error))
        return false;
    if (open_stdout(options, out_is_stdout || options->format == FORMAT_CSV, outputs, error) &&
        begin_ops(&rungbench_registry, error))
        return true;
    struct error ignored;
    for (size_t i = 0; i < outputs->count; i++)
        if (outputs->reporters[i].end)
            outputs->reporters[i].end(outputs->reporters[i].self, &ignored);
    if (outputs->has_csv)
        output_discard(&outputs->csv);
    return false;
}

static int status_of(const struct run_outcome *outcome)
{
    if (outcome->failed > 0)
        return EXIT_WRONG;
    return outcome->ok > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}

static void gather_facts(const struct options *options, struct run_facts *facts)
{
    *facts = (struct run_facts){.git_revision = RUNGBENCH_GIT_REVISION, .seed = options->seed};
    host_name(facts->host, sizeof facts->host);
    host_timestamp(facts->timestamp, sizeof facts->timestamp);
    host_unique_id(facts->sitting, sizeof facts->sitting);
}

static void say_warnings(const struct devices *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        for (int n = 0; n < devices->items[i].info.note_count; n++)
            fprintf(stderr, "rungbench: warning: %s\n", devices->items[i].info.notes[n].text);
}

/* Measures with everything open; says what went wrong by the status. */
static int run(const struct options *options, const struct selection *selection, const struct devices *devices,
               const struct mnist *mnist, struct outputs *outputs)
{
    struct run_facts facts;
    gather_facts(options, &facts);
    say_warnings(devices);
    progress =
        progress_make(wants(options->progress, STDERR_FILENO), isatty(STDERR_FILENO), selection->count, host_now());
    struct runner_settings settings = {
        .options = options,
        .registry = &rungbench_registry,
        .devices = devices,
        .mnist = mnist,
        .facts = &facts,
        .reporters = outputs->reporters,
        .reporter_count = outputs->count,
        .now = host_now,
        .interrupted = interrupt_signal,
        .step = step,
    };
    struct run_outcome outcome;
    struct error error;
    bool written = runner_run(&settings, selection, &outcome, &error);
    interrupt_heard();
    progress_clear(&progress);
    int status = written ? status_of(&outcome) : complain(&error);
    if (outputs->has_csv && interrupt_signal() && outputs->csv.whole == outputs->csv.preamble)
        output_discard(&outputs->csv); /* no row: whatever was there before is worth more */
    else if (outputs->has_csv && !output_commit(&outputs->csv, &error))
        status = complain(&error);
    return status;
}

/* With the backends open: outputs are opened, then everything runs. */
static int run_selection(const struct options *options, const struct selection *selection,
                         const struct devices *devices, const struct mnist *mnist, char **argv)
{
    struct error error;
    if (options->require && !devices_find(devices, options->require)->usable) {
        fprintf(stderr, "rungbench: --require=%s: %s\n", options->require->name,
                devices_find(devices, options->require)->reason);
        return EXIT_ALL_SKIPPED;
    }
    struct outputs outputs;
    if (!open_outputs(options, argv, &outputs, &error))
        return complain(&error);
    signal(SIGPIPE, SIG_IGN); /* a reader that has gone is a write that fails; files are finished all the same */
    int status = run(options, selection, devices, mnist, &outputs);
    if (finish_ops(&rungbench_registry, &error))
        return status;
    complain(&error);
    return status == EXIT_RIGHT ? EXIT_USAGE : status;
}

static int select_and_run(const struct options *options, char **argv)
{
    struct error error;
    struct selection selection;
    if (!selection_make(&rungbench_registry, options, &selection, &error))
        return complain(&error);
    if (options->list) {
        int status = list(&selection);
        free(selection.rows);
        return status;
    }
    struct mnist mnist = {0};
    struct devices devices = {0};
    int status;
    if ((options->mnist && !mnist_read(options->mnist, &mnist, &error)) ||
        !devices_open(&rungbench_registry, &options->backend, &devices, &error))
        status = complain(&error);
    else
        status = run_selection(options, &selection, &devices, options->mnist ? &mnist : NULL, argv);
    devices_close(&devices);
    mnist_free(&mnist);
    free(selection.rows);
    return status;
}

/* A file must not get the number of a standard stream that the caller closed. */
static void fill_standard_streams(void)
{
    int fd;
    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    struct options options;
    struct error error;
    interrupt_install(output_rescue_all);
    if (!options_parse(&rungbench_registry, argc, argv, &options, &error))
        return complain(&error);
    if (options.help || options.version) {
        if (options.help)
            options_print_help(&rungbench_registry, stdout);
        else
            printf("rungbench %s %s\n", RUNGBENCH_VERSION, RUNGBENCH_GIT_REVISION);
        return fflush(stdout) == 0 ? EXIT_RIGHT : EXIT_USAGE;
    }
    int status = select_and_run(&options, argv);
    return interrupt_signal() ? EXIT_SIGNAL_BASE + interrupt_signal() : status;
}

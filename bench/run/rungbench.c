#include "rungbench.h"

#include "bench/base/files.h"
#include "bench/base/home.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/output.h"
#include "bench/base/process.h"
#include "bench/base/progress.h"
#include "bench/data/mnist.h"
#include "bench/data/photo.h"
#include "bench/measure/calibration.h"
#include "bench/measure/info.h"
#include "bench/own/own_kernels.h"
#include "bench/own/own_op.h"
#include "bench/own/python.h"
#include "bench/own/sound.h"
#include "bench/own/starter.h"
#include "bench/report/legend.h"
#include "bench/report/side_by_side.h"
#include "bench/report/summary.h"
#include "bench/select/options.h"
#include "bench/select/selection.h"
#include "bench/select/sizes.h"
#include "ranks.h"
#include "run.h"
#include "run_devices.h"
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct rungbench *this_program;
static struct registry known; /* the table, with an operation of the user's own */

/* `status`, unless what was printed cannot be written. */
static int flush_stdout(int status, const char *what)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    error_say("stdout: %s cannot be written", what);
    return EXIT_USAGE;
}

static int summarize(const struct options *options)
{
    const struct summary_table table = {this_program->registry, this_program->sources};
    struct error error;
    flags_note(options);
    int status = summary_print(options->summarize ? options->summarize : options->crossovers, &table,
                               options->summarize ? SUMMARY_ALL : SUMMARY_CROSSOVERS, stdout, &error);
    return status == EXIT_USAGE ? error_report(&error) : flush_stdout(status, "the summary");
}

static int merge(const struct options *options)
{
    struct output out;
    struct error error;
    flags_note(options);
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead, and the file is still finished */
    if (options->out && !output_open(&out, options->out, &error))
        return error_report(&error);
    const int status =
        side_by_side(options->files, this_program->registry, false, options->out ? &out : NULL, stdout, &error);
    return status == EXIT_USAGE ? error_report(&error) : status;
}

static int match(const char *pattern)
{
    struct error error;
    return lines_match(pattern, &error) ? flush_stdout(EXIT_RIGHT, "the lines") : error_report(&error);
}

static const char *or_unknown(const char *text)
{
    return text ? text : "unknown";
}

static struct run_facts gather_facts(const struct options *options)
{
    struct run_facts facts = {
        .code = this_program->code, .seed = options->seed, .start_s = host_now(), .round_count = options->rounds};
    snprintf(facts.git_revision, sizeof facts.git_revision, "%s", or_unknown(this_program->revision));
    snprintf(facts.compiler, sizeof facts.compiler, "%s", or_unknown(this_program->compiler));
    snprintf(facts.context, sizeof facts.context, "%s", options->context);
    host_name(facts.host, sizeof facts.host);
    host_timestamp(facts.timestamp, sizeof facts.timestamp);
    host_unique_id(facts.sitting, sizeof facts.sitting);
    if (options->sitting[0] != '\0') {
        snprintf(facts.sitting, sizeof facts.sitting, "%s", options->sitting);
        facts.round = options->sitting_round;
    }
    return facts;
}

static int measure(const struct run *run, const struct selection *selection, const char *program)
{
    const struct run_facts facts = gather_facts(run->options);
    return run->options->watch ? watch_measure(run, selection, &facts)
                               : run_to_outputs(run, selection, &facts, program);
}

/* --info and --calibrate. */
static int run_inspection(const struct run *run)
{
    const struct options *options = run->options;
    struct devices devices;
    struct error error;
    const bool is_open = devices_open(run->registry, &options->backend, &devices, &error);
    int status = !is_open ? error_report(&error) : run_has_required(run, &devices) ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
    if (status == EXIT_RIGHT && options->info)
        info_print(&devices, &run->clock, stdout);
    if (status == EXIT_RIGHT && options->calibrate &&
        !calibration_print(&devices, &run->clock, options->min_time_s, stdout)) {
        error_say("--calibrate: not every t(n) - t(0) is n; see the table");
        status = EXIT_WRONG;
    }
    devices_close(&devices);
    return flush_stdout(status, "the report");
}

static void set_for_players(void)
{
    for (size_t i = 0; i < this_program->registry->backend_count; i++) {
        const struct backend *backend = this_program->registry->backends[i].backend;
        if (backend && backend->before_start)
            backend->before_start();
    }
}

/* Else a player does. */
static bool measures_here(const struct options *options)
{
    return options->player || options->info || options->calibrate || options->profile;
}

static void rescue(void)
{
    output_rescue_all();
    device_runs_rescue();
    process_kill();
}

/* Compiles kernels of the user's own. An empty error: a signal came. */
static bool compile_own(const struct options *options, struct error *error)
{
    progress_begin(options->progress, 1, false, host_now());
    bool ok = own_kernels_compile(error);
    progress_clear();
    return ok;
}

static int do_run(const struct run *run, const struct selection *selection, const char *program)
{
    const struct options *options = run->options;
    const char *clock_error = measures_here(options) ? host_clock_error() : NULL;
    if (options->list) {
        list_print(selection, options->suite);
        return flush_stdout(EXIT_RIGHT, "the list");
    }
    if (options->player)
        return run_player(run);
    if (clock_error) {
        error_say("%s", clock_error);
        return EXIT_USAGE;
    }
    if (options->profile)
        return profile_row(run, selection, options->profile);
    if (options->info || options->calibrate)
        return run_inspection(run);
    return measure(run, selection, program);
}

static int select_and_run(const struct options *options, const struct registry *registry, const struct photo *photo,
                          char **argv)
{
    struct error error;
    struct selection selection = {0};
    struct mnist mnist = {0};
    bool selects = options->profile || !(options->info || options->calibrate);
    int status = selects ? selection_make(registry, options, &selection, &error) : EXIT_RIGHT;
    if (status != EXIT_RIGHT) {
        error_report(&error);
        return status;
    }
    if (selects && !slowed_rows_choose(options->slowdown, &selection, &error)) {
        free(selection.rows);
        return error_report(&error);
    }
    set_for_players();
    flags_note(options);
    const struct run run = {
        .options = options,
        .registry = registry,
        .real = {options->mnist ? &mnist : NULL, options->image ? photo : NULL},
        .clock = {host_now, measures_here(options) ? interrupt_signal : interrupt_ends_run},
    };
    const bool is_ready = options->list || (compile_own(options, &error) &&
                                            (!options->mnist || mnist_read(options->mnist, &mnist, &error)));
    status = is_ready ? do_run(&run, &selection, argv[0]) : error_report(&error);
    mnist_free(&mnist);
    free(selection.rows);
    return status;
}

/* Says so once: neither in a player, nor where it was asked for. */
static void simulate(struct options *options)
{
    options_simulate(options);
    if (!options->player && !options->own.simulate && !options->list && !watch_has_begun())
        error_say("note: there is no GPU that this build can use: .cu files run on the simulator");
}

/* A photo is a workload of its own. */
static bool add_photo(struct options *options, struct photo *photo, struct error *error)
{
    struct user_workload user = {.op = &grayscale_op};
    struct error reason;
    if (!options->image)
        return true;
    if (!photo_read(options->image, photo, error))
        return false;
    user.workload = (struct workload){.size = {1, photo->height, photo->width}};
    snprintf(user.workload.name, sizeof user.workload.name, "%s", photo_workload);
    return sizes_add_workload(options, &user, &reason) ||
           error_set(error, "--image=%s: %s", options->image, reason.text);
}

/* The process of Python has the library's table. */
static bool are_for_table(const struct own_texts *kernels, struct error *error)
{
    for (size_t i = 0; i < kernels->count; i++)
        if (python_is(kernels->items[i]) && this_program->registry != &rungbench_registry)
            return error_set(error, "--kernel=%s: this program has a table of its own, expected rungbench itself",
                             kernels->items[i]);
    return true;
}

static int run_with_own(struct options *options, char **argv)
{
    struct registry registry;
    struct photo photo = {0};
    struct error error;
    int status;
    if (!are_for_table(&options->own.paths, &error) || !own_kernels_read(&known, &options->own, &registry, &error) ||
        !sizes_add(options, &registry, &error) || !add_photo(options, &photo, &error)) {
        status = error_report(&error);
    } else {
        if (own_kernels_are_simulated())
            simulate(options);
        status = sizes_add_fitting(options, &registry, &error) ? select_and_run(options, &registry, &photo, argv)
                                                               : error_report(&error);
    }
    free(photo.planes);
    own_kernels_forget();
    return status;
}

static bool read_own_op(char **argv, struct error *error)
{
    return own_op_read(argv, this_program->registry, &known, error);
}

/* Those of the tree have tests. */
static bool are_ops_sound(struct error *error)
{
    for (size_t i = 0; i < this_program->registry->op_count; i++) {
        const struct op *op = this_program->registry->ops[i];
        struct error reason = {"saw no .ragged, expected small sizes, on which every rung is verified"};
        if (op->problem_bytes == 0 && (!op_is_users(op, &reason) || !op_is_sound(op, &reason) || op->ragged_count == 0))
            return error_set(error, "the operation %s: %s", op->name ? op->name : "without a name", reason.text);
    }
    return true;
}

static int print_starter(const struct options *options)
{
    struct error error;
    const struct op *op = options->own.op ? options->own.op : known.ops[0];
    return starter_print(op, (enum starter)options->starter, stdout, &error) ? flush_stdout(EXIT_RIGHT, "the starter")
                                                                             : error_report(&error);
}

static int run_program(const struct options *options)
{
    struct error error;
    int status;
    return program_run(this_program->registry, &options->own, options->program, options->budget_s, &status, &error)
               ? status
               : error_report(&error);
}

/* `rungbench plot ...` and the like: a script of this program's, or rungbench-gate beside it. Returns only if it is
 * none of these, or cannot be started. */
static bool start_command(char **argv, struct error *error)
{
    static const char *const scripts[] = {"history", "plot", "record", "train"};
    char self[PATH_MAX], path[PATH_MAX + 64] = "";
    const char *name = argv[1] ? argv[1] : "";
    if (!realpath("/proc/self/exe", self))
        return true;
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        if (strcmp(name, scripts[i]) == 0)
            snprintf(path, sizeof path, "%s/scripts/%s.sh", home_folder(), name);
    if (strcmp(name, "gate") == 0)
        snprintf(path, sizeof path, "%s-gate", self);
    if (!path[0])
        return true;
    (void)setenv("RUNGBENCH", self, false);
    argv[1] = path;
    signal(SIGXFSZ, SIG_DFL);
    execv(path, argv + 1);
    return error_set(error, "%s: cannot be started: %s", path, strerror(errno));
}

static int print_help_or_version(const struct options *options)
{
    if (options->help) {
        flags_print_help(stdout);
        legend_print_all(stdout);
    } else {
        size_t simulated = 0;
        for (size_t i = 0; i < this_program->registry->rung_count; i++)
            simulated += this_program->registry->rungs[i].backend->simulates;
        const char *libraries = or_unknown(this_program->libraries);
        printf("rungbench %s %s\nby %s\nwith %s\nand %zu kernels on the simulator\n", RUNGBENCH_VERSION,
               or_unknown(this_program->revision), or_unknown(this_program->compiler),
               libraries[0] ? libraries : "no library", simulated);
    }
    return flush_stdout(EXIT_RIGHT, options->help ? "the help" : "the version");
}

/* A run that makes rows. */
static bool is_for_ranks(const struct options *options)
{
    return !(options->player || options->list || options->info || options->calibrate || options->profile ||
             options->device_count > 0 || options->all_devices);
}

int rungbench_main(int argc, char **argv, const struct rungbench *of)
{
    this_program = of;
    interrupt_install(rescue);
    prctl(PR_SET_NAME, "rungbench"); /* a player is started as /proc/self/exe, which ps and top would call "exe" */
    standard_streams_fill();
    piped_input_keep(argv);
    struct options options = {0};
    struct error error;
    char **arguments = memory_get((size_t)argc + 2, sizeof *arguments);
    static struct device_runs runs;
    runs = (struct device_runs){.options = &options,
                                .arguments = arguments,
                                .argv = argv,
                                .run = run_with_own,
                                .interrupted = interrupt_ends_run};
    int status = EXIT_RIGHT;
    if (!start_command(argv, &error) || !are_ops_sound(&error) || !read_own_op(argv, &error) ||
        !flags_parse(&known, argc, argv, arguments, &options, &error))
        status = error_report(&error);
    else if (options.help || options.version)
        status = print_help_or_version(&options);
    else if (options.summarize || options.crossovers)
        status = summarize(&options);
    else if (options.merge)
        status = merge(&options);
    else if (options.match)
        status = match(options.match);
    else if (options.starter >= 0)
        status = print_starter(&options);
    else if (options.program)
        status = run_program(&options);
    else if (options.lists_exercises)
        status = exercises_list(&error) ? EXIT_RIGHT : error_report(&error);
    else if (options.check)
        status = flush_stdout(own_op_check(), "the check");
    else if (is_for_ranks(&options) && ranks_are_several())
        status = ranks_run(&runs);
    else if (options.device_count > 0 || options.all_devices)
        status = run_devices(&runs);
    else
        status = options.watch ? watch_run(&options, argv, run_with_own, read_own_op) : run_with_own(&options, argv);
    if (status == EXIT_RIGHT && options.exercise && !options.player)
        status = exercise_time(&options);
    free(arguments);
    return interrupt_signal() ? EXIT_SIGNAL_BASE + interrupt_signal() : status;
}

/* --devices: which runs are started, what each is told, and what becomes of their files and statuses. */
#include "bench/run/run_devices.h"

#include "bench/report/reporter.h"
#include "tests/report/sample_results.h"
#include "tests/unit.h"

#include <limits.h>
#include <time.h>

enum { FOUND = 3, WAIT_MS = 20000 };

static int found;

static int count_found(void)
{
    return found;
}

static const struct backend gpu = {.device_count = count_found};
static const struct backend_entry entry = {"cuda", "CUDA", true, false, &gpu};
static const struct registry registry = {.backends = &entry, .backend_count = 1};

static struct options options;
static char *arguments[4], *argv[1];
static char folder[PATH_MAX - 64], text[TEXT_MAX], table[TEXT_MAX], said[TEXT_MAX];
static int (*behave)(int device);
static bool waits_for_others;
static int more_rows_of; /* a device */

static int set_up(void **state)
{
    found = FOUND;
    options = (struct options){.registry = &registry, .backend = {.device = -1}, .shared = arguments};
    memset(arguments, 0, sizeof arguments);
    arguments[0] = (char *)(uintptr_t) "--seed=42";
    behave = NULL;
    waits_for_others = false;
    more_rows_of = -1;
    assert_non_null(getcwd(folder, sizeof folder - 32));
    assert_non_null(mkdtemp(strcat(folder, "/devices-XXXXXX")));
    return setenv("TMPDIR", folder, true);
}

static int tear_down(void **state)
{
    assert_int_equal(unsetenv("TMPDIR"), 0);
    return rmdir(folder); /* nothing is left in it */
}

AROUND_EACH_TEST(set_up, tear_down)

static void write_row(const char *path, int device)
{
    struct run_facts facts = sample_facts;
    struct device_info info = sample_gpu;
    struct result result = timed(row("matmul", "mnist", "cuda_tiled", "cold"), 1e-5 * (1 + device));
    FILE *file = fopen(path, "w");
    snprintf(facts.sitting, sizeof facts.sitting, "sitting-%d", device);
    snprintf(info.uuid, sizeof info.uuid, "GPU-%d", device);
    result.run = &facts;
    result.device = &info;
    if (!file)
        exit(EXIT_USAGE);
    fputs(report_csv_header, file);
    report_csv_print(file, &result);
    if (device == more_rows_of) {
        strcpy(result.name, "matmul/mnist/cuda_other/cold");
        strcpy(result.variant, "cuda_other");
        report_csv_print(file, &result);
    }
    fclose(file);
}

/* Whether the files of all devices are there soon. */
static bool others_come(void)
{
    int there = 0;
    for (int waited = 0; waited < WAIT_MS && there < FOUND; waited++) {
        there = 0;
        for (int i = 0; i < FOUND; i++) {
            char path[PATH_MAX];
            snprintf(path, sizeof path, "%.*s/%d.csv", (int)(strrchr(options.out, '/') - options.out), options.out, i);
            there += access(path, F_OK) == 0;
        }
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return there == FOUND;
}

/* A whole run, as the program would make it of these options. */
static int run_one(struct options *told, char **given)
{
    assert_ptr_equal(given, argv);
    const int device = told->backend.device;
    if (device < 0)
        return told->require == &entry && !told->out ? EXIT_ALL_SKIPPED : EXIT_USAGE;
    char flag[32];
    snprintf(flag, sizeof flag, "--device=%d", device);
    if (!arguments[1] || strcmp(arguments[1], flag) != 0 || told->only != &entry || told->own.device != device ||
        told->is_hushed != (device != options.devices[0]))
        return EXIT_USAGE;
    write_row(told->out, device);
    if (waits_for_others && !others_come())
        return EXIT_USAGE;
    return behave ? behave(device) : EXIT_RIGHT;
}

static struct device_runs runs;

static struct device_runs *start_with(int (*run)(struct options *, char **), int (*interrupted)(void))
{
    runs = (struct device_runs){
        .options = &options, .arguments = arguments, .argv = argv, .run = run, .interrupted = interrupted};
    return &runs;
}

static void restore(FILE *stream, int before, const char *path, char seen[TEXT_MAX])
{
    stream_restore(stream, before);
    file_get(path, seen, TEXT_MAX);
    (void)unlink(path);
}

/* What comes to stdout, stderr and --out is left in table, said and text. */
static int run_all(void)
{
    char out[PATH_MAX], output[PATH_MAX], errors[PATH_MAX];
    snprintf(out, sizeof out, "%s.csv", folder);
    snprintf(output, sizeof output, "%s.stdout", folder);
    snprintf(errors, sizeof errors, "%s.stderr", folder);
    options.out = out;
    const int before_output = stream_redirect(stdout, output), before_errors = stream_redirect(stderr, errors);
    const int status = run_devices(start_with(run_one, never_interrupted));
    restore(stdout, before_output, output, table);
    restore(stderr, before_errors, errors, said);
    file_get(out, text, sizeof text);
    (void)unlink(out);
    return status;
}

static void want(const int *devices, size_t count)
{
    memcpy(options.devices, devices, count * sizeof *devices);
    options.device_count = count;
}

TEST(each_device_has_a_run_of_its_own_and_all_rows_are_in_one_file)
{
    want((int[]){2, 0}, 2);
    assert_int_equal(run_all(), EXIT_RIGHT);
    const char *third = strstr(text, "GPU-2"), *first = strstr(text, "GPU-0");
    assert_true(third && first && third < first && !strstr(text, "GPU-1"));
    assert_non_null(strstr(table, "GPU-2"));
    assert_non_null(strstr(table, "30.00 us"));
    assert_non_null(strstr(table, "10.00 us"));
}

TEST(without_any_the_run_says_what_is_missing)
{
    options.all_devices = true;
    found = 0;
    options.out = NULL;
    assert_int_equal(run_devices(start_with(run_one, never_interrupted)), EXIT_ALL_SKIPPED);
}

TEST(one_that_is_not_there_stops_all)
{
    want((int[]){0, FOUND}, 2);
    assert_int_equal(run_all(), EXIT_USAGE);
    assert_string_equal(text, "");
    assert_non_null(strstr(said, "--devices=3: there is no such device; 3 usable CUDA devices were found"));
}

TEST(all_that_the_backend_counts_run_at_the_same_time_where_that_is_asked_for)
{
    options.all_devices = options.together = waits_for_others = true;
    assert_int_equal(run_all(), EXIT_RIGHT);
    assert_true(strstr(text, "GPU-0") && strstr(text, "GPU-1") && strstr(text, "GPU-2"));
}

TEST(a_run_may_lack_rows_that_others_have)
{
    more_rows_of = 1;
    want((int[]){0, 1}, 2);
    assert_int_equal(run_all(), EXIT_RIGHT);
    assert_non_null(strstr(table, "cuda_other         cold             -  20.00 us"));
}

static int statuses[FOUND];

static int end_with(int device)
{
    return statuses[device];
}

TEST(the_worst_status_counts_and_a_skipped_run_does_not)
{
    static const int cases[][FOUND + 1] = {
        {EXIT_RIGHT, EXIT_ALL_SKIPPED, EXIT_RIGHT, EXIT_RIGHT},
        {EXIT_ALL_SKIPPED, EXIT_ALL_SKIPPED, EXIT_ALL_SKIPPED, EXIT_ALL_SKIPPED},
        {EXIT_WRONG, EXIT_ALL_SKIPPED, EXIT_RIGHT, EXIT_WRONG},
        {EXIT_RIGHT, EXIT_USAGE, EXIT_WRONG, EXIT_USAGE},
    };
    behave = end_with;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        memcpy(statuses, cases[i], sizeof statuses);
        want((int[]){0, 1, 2}, 3);
        memset(arguments + 1, 0, sizeof *arguments);
        assert_int_equal(run_all(), cases[i][FOUND]);
    }
}

static int die_on_1(int device)
{
    char partial[PATH_MAX];
    if (device != 1)
        return EXIT_RIGHT;
    snprintf(partial, sizeof partial, "%s.partial", options.out);
    if (rename(options.out, partial) != 0)
        return EXIT_USAGE;
    raise(SIGKILL);
    return EXIT_USAGE;
}

TEST(of_a_run_that_is_killed_the_finished_rows_are_kept)
{
    behave = die_on_1;
    want((int[]){0, 1, 2}, 3);
    assert_int_equal(run_all(), EXIT_WRONG);
    assert_non_null(strstr(said, "the run on device 1 was ended by signal 9"));
    assert_true(strstr(text, "GPU-0") && strstr(text, "GPU-1") && strstr(text, "GPU-2"));
}

static int leave_half_a_row(int device)
{
    FILE *file = fopen(options.out, "a");
    if (!file || (device == 1 && fputs("1,matmul/mnist/cuda", file) < 0) || fclose(file) != 0)
        return EXIT_USAGE;
    return EXIT_RIGHT;
}

TEST(what_cannot_be_merged_stays_and_is_named)
{
    behave = leave_half_a_row;
    want((int[]){0, 1}, 2);
    assert_int_equal(run_all(), EXIT_USAGE);
    const char *named = strstr(said, "what the runs have finished is in ");
    assert_non_null(named);
    char kept[PATH_MAX], path[PATH_MAX + 16];
    assert_int_equal(sscanf(named, "what the runs have finished is in %4000s", kept), 1);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%d.csv", kept, i);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(kept), 0);
}

static int rescue_then_go_on(void)
{
    device_runs_rescue();
    return 0;
}

static int end_at_once(struct options *told, char **given)
{
    return EXIT_RIGHT;
}

static int run_and_rescue(struct options *told, char **given)
{
    device_runs_rescue();
    return EXIT_RIGHT;
}

/* A second signal ends the process: what runs have written stays where it is. A run says nothing of it. */
TEST(a_process_that_is_ended_says_where_the_files_are)
{
    for (int in_run = 0; in_run < 2; in_run++) {
        struct error error;
        int status;
        char errors[PATH_MAX], expected[PATH_MAX + 64] = "";
        snprintf(errors, sizeof errors, "%s.stderr", folder);
        want((int[]){0}, 1);
        const int before = stream_redirect(stderr, errors);
        const bool ok = device_runs_begin(in_run ? start_with(run_and_rescue, never_interrupted)
                                                 : start_with(end_at_once, rescue_then_go_on),
                                          &status, &error);
        device_runs_end(&runs, false);
        device_runs_rescue(); /* nothing runs any more */
        restore(stderr, before, errors, said);
        assert_true(ok);
        if (!in_run)
            snprintf(expected, sizeof expected, "test_run_devices: what the runs have finished is in %s\n",
                     runs.folder);
        assert_true((said[0] != '\0') == !in_run && strncmp(said, expected, strlen(expected)) == 0);
    }
}

TEST(statuses_are_known_where_ends_of_children_were_ignored)
{
    want((int[]){0, 1}, 2);
    signal(SIGCHLD, SIG_IGN);
    const int status = run_all();
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(status, EXIT_RIGHT);
}

static sigset_t waiting; /* blocked */

/* It ends when a signal is passed on to it. */
static int run_until_told(struct options *told, char **given)
{
    int number = 0;
    write_row(told->out, told->backend.device);
    return sigwait(&waiting, &number) == 0 ? EXIT_SIGNAL_BASE + number : EXIT_USAGE;
}

/* When the first run has begun. */
static int interrupted(void)
{
    return access(runs.files[0], F_OK) == 0 ? SIGTERM : 0;
}

TEST(a_signal_is_passed_on_and_no_further_run_begins)
{
    int status = -1;
    want((int[]){0, 1}, 2);
    sigemptyset(&waiting);
    sigaddset(&waiting, SIGTERM);
    sigprocmask(SIG_BLOCK, &waiting, NULL); /* in runs, too: none ends unseen */
    MUST(device_runs_begin(start_with(run_until_told, interrupted), &status, &error));
    sigprocmask(SIG_UNBLOCK, &waiting, NULL);
    assert_int_equal(status, EXIT_WRONG);
    assert_non_null(runs.paths[0]);
    assert_null(runs.paths[1]);
    device_runs_end(&runs, false);
}

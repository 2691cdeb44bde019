#include "ranks.h"

#include "bench/base/files.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/output.h"
#include "bench/base/plain_text.h"
#include "bench/report/side_by_side.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLAGS_BYTES = 8192, VERDICT_BYTES = 512, RESULTS_MOST = 1 << 30 };

static const struct ranks_mpi *mpi;

/* Beside the program, or where it is installed. NULL, with the reason. */
static const struct ranks_mpi *load(char reason[VERDICT_BYTES])
{
    static const char *const places[] = {"", "../lib/rungbench/", "../lib64/rungbench/"};
    char program[PATH_MAX], path[PATH_MAX + 64];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *name = strrchr(program, '/');
    if (name)
        name[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s%s%s", program, places[i], RANKS_MODULE);
        if (access(path, R_OK) != 0)
            continue;
        void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        if (!module)
            snprintf(reason, VERDICT_BYTES, "%s", dlerror());
        return module ? dlsym(module, RANKS_SYMBOL) : NULL;
    }
    snprintf(reason, VERDICT_BYTES, "this program was built without MPI");
    return NULL;
}

bool ranks_are_several(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    char reason[VERDICT_BYTES];
    bool are_several = false;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *size = getenv(sizes[i]);
        are_several = are_several || (size && atoi(size) > 1);
    }
    mpi = are_several ? load(reason) : NULL;
    if (are_several && !mpi)
        error_say("note: this is one of several tasks, and runs alone: %s", reason);
    return mpi;
}

/* What ranks must agree in: all that was given. */
static void join_flags(char *const *argv, char flags[FLAGS_BYTES])
{
    flags[0] = '\0';
    for (char *const *flag = argv + 1; *flag; flag++)
        text_append(flags, FLAGS_BYTES, "%s ", *flag);
}

/* Of rank 0: the first rank whose flags are others. */
struct comparison {
    char flags[FLAGS_BYTES];
    char verdict[VERDICT_BYTES];
};

static void compare_flags(void *self, int rank, const char *text, size_t bytes)
{
    struct comparison *comparison = self;
    const char *host = text + strlen(text) + 1, *complaint = host + strlen(host) + 1;
    if (rank == 0)
        snprintf(comparison->flags, sizeof comparison->flags, "%s", text);
    if (bytes > 0 && comparison->verdict[0] == '\0' && complaint[0] != '\0')
        snprintf(comparison->verdict, sizeof comparison->verdict, "rank %d on %.60s: %.400s", rank, host, complaint);
    else if (comparison->verdict[0] == '\0' && strcmp(comparison->flags, text) != 0)
        snprintf(comparison->verdict, sizeof comparison->verdict,
                 "rank %d on %.60s: saw other flags, %.160s, expected those of rank 0, %.160s", rank, host, text,
                 comparison->flags);
}

/* Of rank 0: the files that come from all, and the worst of their statuses. */
struct collection {
    char folder[PATH_MAX];
    char **paths;
    size_t count;
    int status;
    bool has_failed;
};

static void take_file(void *self, int rank, const char *text, size_t bytes)
{
    struct collection *collection = self;
    const char *host = strchr(text, ' ') + 1, *rows = strchr(text, '\n') + 1;
    const int status = atoi(text);
    collection->status = device_runs_worse(collection->status, status);
    if (status == EXIT_USAGE || status == EXIT_WRONG)
        error_say("rank %d on %.*s ended with exit status %d", rank, (int)(rows - 1 - host), host, status);
    const size_t left = bytes - (size_t)(rows - text);
    if (left == 0)
        return;
    char *path = memory_print("%s/rank%d.csv", collection->folder, rank);
    collection->paths[collection->count++] = path;
    FILE *file = fopen(path, "w");
    if (!file || fwrite(rows, 1, left, file) != left || fclose(file) != 0)
        collection->has_failed = true;
}

/* "STATUS HOST", and what the file of the run holds. */
static char *message_of(const struct device_runs *runs, int status, const char *host, size_t *bytes)
{
    struct error error;
    size_t left = 0;
    char *rows = runs->paths[0] ? regular_file_read(runs->paths[0], runs->paths[0], RESULTS_MOST, &left, &error) : NULL;
    char *text = NULL;
    FILE *stream = memory_stream(&text, bytes);
    fprintf(stream, "%d %s\n", rows || !runs->paths[0] ? status : error_report(&error), host);
    fwrite(rows ? rows : "", 1, left, stream);
    memory_stream_end(stream);
    free(rows);
    return text;
}

/* What a rank that is interrupted has, it keeps: it talks to nobody any more. */
static int keep(const char *const *paths, const struct registry *registry, const char *wanted, const struct rank *rank,
                const char *host)
{
    char path[PATH_MAX];
    struct output out;
    struct error error;
    error_say("rank %d on %s was interrupted%s", rank->number, host, paths[0] ? "" : " before a row was finished");
    if (!paths[0])
        return EXIT_WRONG;
    snprintf(path, sizeof path, "%.*s.rank%d", PATH_MAX - 32, wanted ? wanted : "rungbench.csv", rank->number);
    if (!output_open(&out, path, &error) || side_by_side(paths, registry, true, &out, NULL, &error) == EXIT_USAGE)
        return error_report(&error);
    error_say("what was finished before is in %s", path);
    return EXIT_WRONG;
}

static int merge_all(struct collection *all, const struct registry *registry, const struct rank *rank,
                     struct output *out)
{
    const bool is_cut_short = all->status != EXIT_RIGHT || all->count < (size_t)rank->count;
    struct error error;
    int merged = EXIT_USAGE;
    if (all->has_failed)
        error_set(&error, "%s: the files of ranks cannot be written", all->folder);
    else
        merged = side_by_side((const char *const *)all->paths, registry, is_cut_short, out, stdout, &error);
    all->has_failed = merged == EXIT_USAGE;
    return all->has_failed ? error_report(&error) : all->status;
}

/* All rows of all ranks come to rank 0, unless one is interrupted. `out`: of rank 0, open; NULL: there is none. */
static int bring_together(const struct device_runs *runs, int status, const char *host, const struct rank *rank,
                          const char *wanted, struct output *out, bool *has_failed)
{
    const struct registry *registry = runs->options->registry;
    struct collection all = {.status = EXIT_ALL_SKIPPED,
                             .paths = memory_get((size_t)rank->count + 1, sizeof *all.paths)};
    size_t bytes = 0;
    char *message = message_of(runs, status, host, &bytes);
    snprintf(all.folder, sizeof all.folder, "%s", runs->folder);
    const char *said = interrupt_ends_run() ? "" : mpi->gather(message, bytes, take_file, &all, interrupt_ends_run);
    free(message);
    if (said && out)
        output_discard(out);
    if (said && interrupt_ends_run()) {
        status = keep(all.count > 0 ? (const char *const *)all.paths : runs->paths, registry, wanted, rank, host);
    } else if (said) {
        error_say("MPI: %s", said);
        status = EXIT_USAGE;
    } else {
        status = rank->number == 0 ? merge_all(&all, registry, rank, out) : EXIT_RIGHT;
    }
    *has_failed = all.has_failed;
    for (size_t i = 0; i < all.count; i++) {
        if (!all.has_failed)
            (void)unlink(all.paths[i]);
        free(all.paths[i]);
    }
    free(all.paths);
    return status;
}

/* What stands against a run of this rank; empty: nothing. Makes it one of a single device. */
static void prepare(struct options *options, const struct rank *rank, struct output *out, char complaint[VERDICT_BYTES])
{
    int *device = options->devices;
    struct error error = {""};
    const int count = run_devices_count(options);
    *device = options->backend.device;
    options->device_count = 1;
    options->is_hushed = rank->number > 0;
    options->together = true;
    if (count > 1 && *device < 0 && rank->local_count > count)
        error_set(&error, "saw %d ranks and %d devices, expected a device for each rank", rank->local_count, count);
    else if (count > 0 && *device < 0)
        *device = rank->local % count;
    if (options_of_one_run(options))
        error_set(&error, "saw %s, expected --out and one table for all", options_of_one_run(options));
    if (rank->number == 0 && options->out && error.text[0] == '\0')
        (void)output_open(out, options->out, &error);
    snprintf(complaint, VERDICT_BYTES, "%s", error.text);
}

/* Whether all ranks may begin; else rank 0 says why not. */
static bool all_agree(const char *flags, const char *complaint, const char *host, bool is_first)
{
    struct comparison comparison = {.verdict = ""};
    char *message = NULL;
    size_t bytes = 0;
    FILE *stream = memory_stream(&message, &bytes);
    fprintf(stream, "%s%c%s%c%s%c", flags, 0, host, 0, complaint, 0);
    memory_stream_end(stream);
    const char *said = mpi->gather(message, bytes, compare_flags, &comparison, interrupt_ends_run);
    free(message);
    said = said ? said : mpi->share(comparison.verdict, sizeof comparison.verdict, interrupt_ends_run);
    if (said || (is_first && comparison.verdict[0]))
        error_say("%s", said ? said : comparison.verdict);
    return !said && comparison.verdict[0] == '\0';
}

static int run_ranks(struct device_runs *runs, const struct rank *rank)
{
    char flags[FLAGS_BYTES], complaint[VERDICT_BYTES], host[128];
    const char *wanted = runs->options->out;
    struct output out = {.fd = -1};
    struct error error;
    bool has_failed = false;
    int status = EXIT_USAGE;
    join_flags(runs->argv, flags);
    host_name(host, sizeof host);
    prepare(runs->options, rank, &out, complaint);
    if (!all_agree(flags, complaint, host, rank->number == 0)) {
        if (rank->number == 0 && wanted && complaint[0] == '\0')
            output_discard(&out);
        return rank->number == 0 ? EXIT_USAGE : EXIT_RIGHT;
    }
    if (!device_runs_begin(runs, &status, &error)) /* others wait for what it has */
        status = error_report(&error);
    status = bring_together(runs, status, host, rank, wanted, rank->number == 0 && wanted ? &out : NULL, &has_failed);
    device_runs_end(runs, has_failed);
    return status;
}

int ranks_run(struct device_runs *runs)
{
    const struct backend_entry *only = runs->options->only;
    struct rank rank;
    if (only && backend_takes_all(only)) {
        error_say("--backend=%s: saw several ranks, expected one, which has all GPUs", only->name);
        return EXIT_USAGE;
    }
    const char *said = mpi->begin(&rank);
    if (said) {
        error_say("MPI: %s", said);
        return EXIT_USAGE;
    }
    const int status = rank.count > 1 ? run_ranks(runs, &rank) : runs->run(runs->options, runs->argv);
    mpi->end(interrupt_ends_run);
    return status;
}

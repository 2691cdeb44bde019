#include "arms.h"

#include "bench/base/plain_text.h"
#include "bench/measure/stopping.h"
#include "bench/place/feasible.h"
#include "bench/select/options.h"
#include "bench/select/suite.h"
#include "kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(struct arms *arms, const char *name, const char *program, const char *extra_flag)
{
    snprintf(arms->names[arms->count], sizeof arms->names[0], "%s", name);
    arms->items[arms->count] =
        (struct arm){.program = program, .extra_flag = extra_flag, .recording = {.name = arms->names[arms->count]}};
    arms->count++;
}

static bool open_files(const char *folder, struct arms *arms, struct error *error)
{
    char path[PATH_MAX];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, "--keep=%s: the folder cannot be made (%s)", folder, strerror(errno));
    for (size_t i = 0; i < arms->count; i++) {
        if (!kept_path(folder, arms->names[i], path, sizeof path, error) || !output_open(&arms->files[i], path, error))
            return false;
        arms->file_count++;
        arms->items[i].kept = &arms->files[i];
    }
    return true;
}

static const char *const of_cuda[] = {"--suite=gate", "--backend=cuda", "--require=cuda"};
static const char *const of_cpu[] = {"--suite=gate", "--backend=cpu"};

/* The limit of the longest row that any program may have: the gate does not know their rows. */
static double row_limit(const char *const *flags)
{
    static const char name[] = "--min-time=";
    double min_time_s = 0, value_s;
    for (; *flags; flags++)
        if (strncmp(*flags, name, sizeof name - 1) == 0 &&
            number_read_positive(*flags + sizeof name - 1, "s", OPTIONS_MIN_TIME_S_MAX, &value_s))
            min_time_s = value_s; /* the last one counts */
    return stopping_row_limit_s(false, min_time_s, FEASIBLE_SLOW_FLOP_LIMIT);
}

/* The gate's own flags, then the user's, so that the user's win. Measuring time and threads are passed explicitly: the
 * suite of the other revision may have others. */
static bool make_flags(const struct gate_options *options, struct arms *arms)
{
    const char *const *own = options->cpu_only ? of_cpu : of_cuda;
    size_t own_count = options->cpu_only ? sizeof of_cpu / sizeof of_cpu[0] : sizeof of_cuda / sizeof of_cuda[0];
    const struct suite *suite = suite_find("gate");
    size_t users = 0, count = 0;
    snprintf(arms->threads, sizeof arms->threads, "--threads=%d", suite->threads);
    snprintf(arms->min_time, sizeof arms->min_time, "--min-time=%g", suite->min_time_s);
    while (options->flags[users])
        users++;
    arms->flags = malloc((own_count + 2 + users + 1) * sizeof(*arms->flags));
    if (!arms->flags)
        return false;
    for (size_t i = 0; i < own_count; i++)
        arms->flags[count++] = own[i];
    arms->flags[count++] = arms->threads;
    arms->flags[count++] = arms->min_time;
    for (size_t i = 0; i < users; i++)
        arms->flags[count++] = options->flags[i];
    arms->flags[count] = NULL;
    arms->row_limit_s = row_limit(arms->flags);
    return true;
}

/* An arm for each --slowdown: the base program with that flag. */
static bool add_slowed(const struct gate_options *options, struct arms *arms)
{
    static const char name[] = "--slowdown=";
    for (size_t i = 0; i < options->slowdown_count; i++) {
        char arm[32];
        size_t bytes = sizeof name + strlen(options->slowdowns[i]);
        char *flag = arms->slowdowns[i] = malloc(bytes);
        if (!flag)
            return false;
        snprintf(flag, bytes, "%s%s", name, options->slowdowns[i]);
        kept_slowed_name(i + 1, arm, sizeof arm);
        add(arms, arm, options->arguments[0], flag);
    }
    return true;
}

bool arms_make(const struct gate_options *options, struct arms *arms, struct error *error)
{
    *arms = (struct arms){0};
    add(arms, "base", options->arguments[0], NULL);
    add(arms, "new", options->arguments[options->argument_count - 1], NULL);
    arms->items[0].label = options->base_name;
    arms->items[1].label = options->new_name;
    bool ok = (add_slowed(options, arms) && make_flags(options, arms)) || error_set(error, "no memory");
    ok = ok && (!options->keep || open_files(options->keep, arms, error));
    if (!ok)
        arms_free(arms);
    return ok;
}

bool arms_keep(struct arms *arms, struct error *error)
{
    bool is_whole = true; /* else the arms have different rounds */
    for (size_t i = 0; i < arms->file_count; i++)
        is_whole = is_whole && !arms->files[i].has_failed;
    bool ok = output_commit_all(arms->files, arms->file_count, is_whole, error);
    arms->file_count = 0;
    return ok;
}

void arms_free(struct arms *arms)
{
    for (size_t i = 0; i < arms->file_count; i++)
        output_discard(&arms->files[i]);
    for (size_t i = 0; i < arms->count; i++)
        recording_free(&arms->items[i].recording);
    for (size_t i = 0; i < SESSION_ARMS_MAX; i++)
        free(arms->slowdowns[i]);
    free(arms->flags);
    *arms = (struct arms){0};
}

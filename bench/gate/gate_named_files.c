#include "gate_named_files.h"

#include "kept.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The programs and the recordings, which are read. */
static void add_arguments(struct gate_options *options)
{
    if (options->task == TASK_REFUSAL) /* names of sides */
        return;
    for (size_t i = 0; i < options->argument_count; i++)
        named_files_add(&options->files, NULL, options->arguments[i], FILE_READ);
}

static bool add_kept(struct gate_options *options, struct error *error)
{
    static char paths[SESSION_ARMS_MAX][PATH_MAX];
    for (size_t i = 0; i < 2 + options->slowdown_count; i++) {
        char side[32];
        if (i < 2)
            strcpy(side, i == 0 ? "base" : "new");
        else
            kept_slowed_name(i - 1, side, sizeof side);
        if (!kept_path(options->keep, side, paths[i], sizeof paths[i], error))
            return false;
        named_files_add(&options->files, NULL, paths[i], FILE_WRITTEN);
    }
    return true;
}

bool gate_named_files_are_apart(struct gate_options *options, struct error *error)
{
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    if (summary && summary[0] != '\0')
        named_files_add(&options->files, NULL, summary, FILE_WRITTEN);
    add_arguments(options);
    return (!options->keep || add_kept(options, error)) && named_files_are_apart(&options->files, error);
}

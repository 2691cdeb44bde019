#include "gate_named_files.h"

#include "kept.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The programs and the recordings, which are read. */
static void add_arguments(const struct gate_options *options, struct named_files *files)
{
    if (options->task == TASK_REFUSAL) /* names of sides */
        return;
    for (size_t i = 0; i < options->argument_count; i++)
        named_files_add(files, NULL, options->arguments[i], FILE_READ);
}

static bool add_kept(const struct gate_options *options, struct named_files *files, struct error *error)
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
        named_files_add(files, NULL, paths[i], FILE_WRITTEN);
    }
    return true;
}

bool gate_named_files_are_apart(const struct gate_options *options, struct error *error)
{
    struct named_files files = options->files;
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    if (summary && summary[0] != '\0')
        named_files_add(&files, NULL, summary, FILE_WRITTEN);
    add_arguments(options, &files);
    return (!options->keep || add_kept(options, &files, error)) && named_files_are_apart(&files, error);
}

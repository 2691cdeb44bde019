#include "gate_named_files.h"

#include "kept.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The programs and the recordings, which are read. */
static bool add_arguments(struct gate_options *options, struct error *error)
{
    if (options->task == TASK_REFUSAL) /* names of sides */
        return true;
    for (size_t i = 0; i < options->argument_count; i++)
        if (!named_files_add(&options->files, NULL, options->arguments[i], FILE_READ, error))
            return false;
    return true;
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
        if (!kept_path(options->keep, side, paths[i], sizeof paths[i], error) ||
            !named_files_add(&options->files, NULL, paths[i], FILE_WRITTEN, error))
            return false;
    }
    return true;
}

bool gate_named_files_are_apart(struct gate_options *options, struct error *error)
{
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    bool has_summary = summary && summary[0] != '\0';
    bool ok = (!has_summary || named_files_add(&options->files, NULL, summary, FILE_WRITTEN, error)) &&
              add_arguments(options, error) && (!options->keep || add_kept(options, error)) &&
              named_files_are_apart(&options->files, error);
    named_files_free(&options->files);
    return ok;
}

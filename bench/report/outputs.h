/* All outputs of a run, files and stdout, with their reporters. They are opened before anything is measured. */
#pragma once

#include "bench/select/options.h"
#include "bench/select/selection.h"
#include "reporter.h"

enum { OUTPUT_FILES = 5 };

struct outputs {
    struct output files[OUTPUT_FILES];
    size_t file_count;
    struct output *samples; /* one of the files; NULL: not asked for */
    struct failure_report failures;
    struct reporter *reporters;
    size_t reporter_count;
};

/* `program` becomes part of the command that reproduces a failure; `before_text` is called before anything is written
 * to a terminal. False, with the reason: nothing stays open. */
bool outputs_open(const struct options *options, const char *program, const struct selection *selection,
                  void (*before_text)(void), struct outputs *outputs, struct error *error);

/* Ends the reporters and renames the files to their final names, as output_commit_all() does. */
bool outputs_commit(struct outputs *outputs, bool is_whole, struct error *error);

/* Ends the reporters, and leaves what was there before. */
void outputs_discard(struct outputs *outputs);

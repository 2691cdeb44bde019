/* All outputs of a run, files and stdout, with their reporters. They are opened before anything is measured. */
#pragma once

#include "bench/select/options.h"
#include "bench/select/selection.h"
#include "reporter.h"

enum { OUTPUT_FILES = 5 };

struct outputs {
    const struct options *options;
    const struct selection *selection;
    void (*before_text)(void);
    struct output files[OUTPUT_FILES];
    size_t file_count;
    struct failure_report failures;
    struct reporter reporters[OUTPUT_FILES + 1];
    size_t reporter_count;
    /* What is written at the end, of all results. */
    struct output *documents[OUTPUT_FILES]; /* JSON */
    size_t document_count;
    bool has_text;
};

/* `program` becomes part of the command that reproduces a failure; `before_text` is called before anything is written
 * to a terminal. All that is given must outlive the outputs. False, with the reason: nothing stays open. */
bool outputs_open(const struct options *options, const char *program, const struct selection *selection,
                  void (*before_text)(void), struct outputs *outputs, struct error *error);

/* Writes what needs all results, and renames the files to their final names, as output_commit_all() does. */
bool outputs_commit(struct outputs *outputs, const struct result_list *results, bool is_whole, struct error *error);

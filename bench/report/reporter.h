/* All outputs of a run, files and stdout, and the reporters that write results there. None of them measures. */
#pragma once

#include "bench/base/output.h"
#include "bench/select/options.h"
#include "bench/select/selection.h"
#include "result.h"

/* A result comes twice: as soon as it is measured, and when the run has ended and all its ceilings are known, which may
 * change the verdict on it. All functions may be NULL, and return false, with the reason, when nothing more can be
 * written. */
struct reporter {
    void *self;
    bool (*early)(void *self, const struct result *result, struct error *error);
    bool (*begin_again)(void *self, struct error *error);                         /* forgets what early() has written */
    bool (*result)(void *self, const struct result *result, struct error *error); /* the last word */
};

/* Passes the result to each reporter, up to the first that cannot write. */
bool reporters_early(const struct reporter *reporters, size_t count, const struct result *result, struct error *error);

/* The functions below fit the interface; the comment says what `self` is. */

/* CSV, one record per result. `self` is an open output. RFC 4180: commas, quotes and line breaks are quoted. */
extern const char *const report_csv_header;
bool report_csv_begin_again(void *self, struct error *error);
bool report_csv_result(void *self, const struct result *result, struct error *error);

/* The record of a struct result, as text. */
void report_csv_print(FILE *to, const void *result);

/* CSV of every sample. `self` is an open output; all samples of a result are written at once. */
extern const char report_samples_header[];
bool report_samples_result(void *self, const struct result *result, struct error *error);

/* Why a row failed, and the command that reproduces it, on stderr. `self` is the outputs of the run. */
bool report_failure_result(void *self, const struct result *result, struct error *error);

/* What needs all rows of a run writes them at once, by the last word on each: what the tables say is what files say.
 * Rounds are merged (merge_rounds.h), except for JSON. False: no memory, or it cannot be written. */

/* The table on the console: one block per workload, and how many rows were measured, verified, skipped and wrong. */
bool report_console(const struct result_list *rows, FILE *to, bool has_color, struct error *error);

/* The same as Markdown tables. */
void report_markdown(const struct result_list *rows, FILE *to);

/* Google Benchmark's JSON, for its compare.py and other readers, of this program and as these options want it. Without
 * a result all of it is preamble. */
bool report_json(const struct result_list *results, const char *program, const struct options *options,
                 struct output *output, struct error *error);

enum { OUTPUT_FILES = 5 };

struct outputs {
    const struct options *options;
    const char *program;
    const struct selection *selection;
    void (*before_text)(void);
    struct output files[OUTPUT_FILES];
    bool is_document[OUTPUT_FILES]; /* JSON, of all results: written at the end */
    size_t file_count;
    struct reporter reporters[OUTPUT_FILES + 1];
    size_t reporter_count;
    bool has_text;
};

/* Before anything is measured. `program` becomes part of the command that reproduces a failure; `before_text` is called
 * before anything is written to a terminal. All that is given must outlive the outputs. False, with the reason: nothing
 * stays open. */
bool outputs_open(const struct options *options, const char *program, const struct selection *selection,
                  void (*before_text)(void), struct outputs *outputs, struct error *error);

/* Writes what needs all results, and renames the files to their final names, as output_commit_all() does. */
bool outputs_commit(struct outputs *outputs, const struct result_list *results, bool is_whole, struct error *error);

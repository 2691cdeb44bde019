/* All outputs of a run, files and stdout, and what writes results there. None of it measures. */
#pragma once

#include "bench/base/output.h"
#include "bench/select/options.h"
#include "result.h"

/* CSV: its first line, and the record of a struct result. RFC 4180: commas, quotes and line breaks are quoted. */
extern const char *const report_csv_header;
void report_csv_print(FILE *to, const void *result);

/* What needs all rows of a run writes them at once, by the last word on each: what the tables say is what files say.
 * Rounds are merged (merge_rounds.h), except for Google Benchmark's forms. */

/* The table on the console: one block per workload, and how many rows were measured, verified, skipped and wrong. */
void report_console(const struct result_list *rows, FILE *to, bool has_color);

/* The same as Markdown tables. */
void report_markdown(const struct result_list *rows, FILE *to);

/* Google Benchmark's JSON or CSV, for its compare.py and other readers, of this program and as these options want it.
 * Without a result all of it is preamble. False: it cannot be written. */
struct google_form {
    bool is_csv;
    bool aggregates_only; /* of rows with several measured rounds */
};
bool report_google(const struct result_list *results, const char *program, const struct options *options,
                   struct google_form form, struct output *output, struct error *error);

enum { OUTPUT_FILES = 6 };
enum output_kind {
    OUTPUT_CSV,
    OUTPUT_SAMPLES,
    /* Of all results, written at the end: */
    OUTPUT_JSON,
    OUTPUT_GOOGLE_CSV,
    OUTPUT_TABLE, /* the console's, in a file */
};

struct outputs {
    const struct options *options;
    const char *program;
    struct output files[OUTPUT_FILES];
    enum output_kind kinds[OUTPUT_FILES];
    bool is_stdout[OUTPUT_FILES];
    size_t file_count;
    bool has_text;
};

/* Before anything is measured. `program` becomes part of the command that reproduces a failure. All that is given must
 * outlive the outputs. False, with the reason: nothing stays open. */
bool outputs_open(const struct options *options, const char *program, struct outputs *outputs, struct error *error);

/* Each result comes twice: as soon as it is measured, and with all others when the run has ended and its ceilings are
 * known, which may change the verdict on it. `self` is the outputs. False, with the reason: one cannot be written any
 * more; at the end the others are. Of a row that has failed, stderr gets the reason, and the command that reproduces
 * it. */
bool outputs_take_early(void *self, const struct result *result, struct error *error);
bool outputs_take_all(struct outputs *outputs, const struct result_list *results, struct error *error);

/* The table and what stands below it, on stdout, unless another output is there. False, with the reason: it cannot be
 * written, and somebody waits for it. */
bool outputs_tell(const struct outputs *outputs, const struct result_list *results, struct error *error);

/* Writes what needs all results, and renames the files to their final names, as output_commit_all() does. */
bool outputs_commit(struct outputs *outputs, const struct result_list *results, bool is_whole, struct error *error);

/* Several runs of one revision and the same flags, as files of results have them: each with its rows, and each row in
 * all runs. Runs differ in their hosts or sittings. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/registry.h"
#include "results_file.h"

struct one_run {
    const char *path;           /* of its first row */
    const struct result *known; /* one of its rows: with a device of its own if there is one */
    struct result_list rows, merged;
    double *excess_pct; /* over the run in the middle, of rows that others have measured, too; who compares sets it */
    size_t excess_count, slower_count;
};

/* A row in all runs; NULL: a run has none. */
struct line {
    const struct result *first; /* of the first run that has one */
    const struct result **of_run;
};

struct several_runs {
    struct results_file *files;
    size_t file_count;
    struct one_run *items;
    size_t count;
    struct line *lines; /* in the order of the first run; what it lacks comes last */
    size_t line_count;
};

/* `paths` ends with a NULL. `is_cut_short`: runs may lack rows, and there may be one alone. False, with the reason;
 * several_runs_free() in any case. */
bool several_runs_read(struct several_runs *runs, const char *const *paths, const struct registry *registry,
                       bool is_cut_short, struct error *error);
void several_runs_free(struct several_runs *runs);

/* The selection: which rows a run has. A row is a rung on a workload in a mode. */
#pragma once

#include "bench/measure/mode.h"
#include "bench/table/registry.h"
#include "options.h"

#include <stdint.h>

struct row {
    const struct workload *workload;
    const struct rung *rung;
    const struct mode *mode; /* NULL: verify only */
    double slowdown_pct;     /* slow the row down by this much; 0: do not */
    size_t place;            /* in the order of the table */
};

/* Rows in the order of the table: operation, workload, rung, mode. */
struct selection {
    struct row *rows;
    size_t count;
};

/* "op/workload/variant/mode". */
enum { ROW_NAME = 160 };
void row_name(const struct row *row, char *text, size_t size);

/* Selects what the options ask for. EXIT_RIGHT: free it with free(selection->rows). Else why not, and EXIT_USAGE:
 * nothing is left, or nothing of a kernel of the user's own; EXIT_ALL_SKIPPED: its modes need a device that is not
 * here. */
int selection_make(const struct registry *registry, const struct options *options, struct selection *selection,
                   struct error *error);

/* For one round of the sitting with this seed, shuffles the workloads, the rungs of each workload, and the modes of
 * each rung: rows that share input and a verified answer stay together. The order is that of digests of the seed and
 * the name. So all orders are equally likely, and rows that two builds have in common come in the same order in both.
 */
void selection_shuffle(struct selection *selection, uint64_t seed, int round);

/* Sets slowdown_pct of the rows whose name matches. `wish` is REGEX:PERCENT, split at the last colon; NULL: no
 * slowdown. False, with the reason: it has another form, or matches no row. */
bool slowed_rows_choose(const char *wish, struct selection *selection, struct error *error);

/* --match: prints the lines of stdin that match the pattern, for names that scripts have. False, with the reason: it is
 * none. */
bool lines_match(const char *pattern, struct error *error);

/* --list: one name per line on stdout. On stderr: how many there are and of which suite. */
void list_print(const struct selection *selection, const struct suite *suite);

/* One result a row from the results of all rounds, for people to read: medians of rounds, and their spread. */
#ifndef RUNGBENCH_ROUND_SUMMARY_H
#define RUNGBENCH_ROUND_SUMMARY_H

#include "bench/select/selection.h"
#include "reporter.h"

/* A reporter that stands before others. It takes results of any round, in any order; what a result points to, but its
 * samples, must outlive it. At its end it hands one result for each row of the selection, in the selection's order, to
 * each reporter after it, and ends those; rows that no result has come for are left out.
 *
 * A row that failed in any round has failed; else it is ok if it was in any round. Its statistics are those of the
 * rounds' medians, its speed-up is the ratio of the medians that are shown, and the rest is merged as columns.def says;
 * a mark says so where it was not ok in all rounds. The round means nothing any more: it is 0. */
struct round_summary;
struct round_summary *round_summary_make(const struct selection *selection, const struct reporter *after,
                                         size_t count); /* NULL: no memory */
bool round_summary_result(void *self, const struct result *result, struct error *error);
bool round_summary_end(void *self, struct error *error); /* frees it too */

#endif

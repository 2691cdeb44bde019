/* One result a row from the results of all rounds, for people to read: medians of rounds, and their spread. */
#ifndef RUNGBENCH_ROUND_SUMMARY_H
#define RUNGBENCH_ROUND_SUMMARY_H

#include "bench/base/error.h"
#include "reporter.h"
#include "result.h"

#include <stdbool.h>
#include <stddef.h>

struct round_summary;

/* NULL: no memory. */
struct round_summary *round_summary_make(void);
void round_summary_free(struct round_summary *summary);

/* Takes a result of any round, in any order; fits struct reporter. What the result points to, but its samples, must
 * outlive the summary. */
bool round_summary_result(void *self, const struct result *result, struct error *error);

/* Hands one result for each of the names, in their order, to each of the reporters; names that no result has come for
 * are left out. Does not end the reporters.
 * A row that failed in any round has failed; else it is ok if it was in any round. Its statistics are those of the
 * rounds' medians, its speed-up is the ratio of the medians that are shown, and the rest is merged as columns.def says;
 * a mark says so where it was not ok in all rounds. The round means nothing any more: it is 0. */
bool round_summary_emit(const struct round_summary *summary, const char *const *names, size_t name_count,
                        const struct reporter *reporters, size_t reporter_count, struct error *error);

#endif

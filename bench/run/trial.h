/* A row: one rung on one workload in one mode, and its result. */
#pragma once

#include "bench/report/result.h"
#include "bench/select/selection.h"
#include "bench/verify/verify.h"

struct trial {
    const struct options *options;
    const struct run_facts *facts;
    int round;                       /* of those of this run, from 0 */
    struct link *link;               /* NULL: no player could be started */
    struct problem *problem;         /* with the answer that was verified; NULL: none was made */
    struct kernel_launches launches; /* of a call of the rung */
    char runs_as[64];                /* the rung whose kernel the rung runs instead of its own; empty: its own */
    char answer[32]; /* the digest of the verified answer; empty: unknown, or the order of sums varies */
};

/* A result with the identity of the row; everything measured is unknown. */
struct result trial_blank(const struct trial *trial, const struct row *row);

/* What verification found, without times. */
struct result trial_verified(const struct trial *trial, const struct row *row, const struct check *verified);

/* A row that failed, with the reason, and has no times. */
struct result trial_failed(const struct trial *trial, const struct row *row, const struct check *check);

/* What is known of the state of the device before and after the row. */
void trial_note_conditions(const struct trial *trial, const struct row *row, struct result *result);

/* How long a row may go on to have an interval; where there are rounds, these have one. */
double trial_interval_s(const struct options *options);

/* Measures a rung whose verified answer is in the problem, and compares what the timed calls left with that answer. The
 * result is not judged by ceilings yet; free(result.sample_s). False: interrupted, no result. */
bool trial_measure(const struct trial *trial, const struct row *row, const struct check *verified,
                   struct result *result);

/* What the judge has in hand. */
#pragma once

#include "trial.h"

struct judge_settings;

/* Results of a stranger, until its player has ended. */
struct held {
    struct result *items;
    size_t count;
};

struct judging {
    const struct judge_settings *settings;
    int round;
    struct board *board; /* of the table's players */
    int board_fd;
    struct link *link;             /* the table's player; NULL: none runs */
    bool has_started;              /* one was started before */
    struct ragged_verdict *ragged; /* by rung */
    struct held held;              /* where results wait; without items, they are passed on */
    struct error *error;
    int status; /* of the run, as far as it is known */
};

/* Rows that share a workload, or a workload and a rung. */
struct group {
    const struct row *rows;
    size_t count;
};
struct group group_at(const struct row *rows, size_t count, bool by_rung);

/* Whether the run goes on. */
bool judging_goes_on(const struct judging *judging);
double judging_time_left_s(const struct judging *judging);
void judging_step(const struct judging *judging, const struct row *row);

struct trial judging_trial(const struct judging *judging, struct link *link, struct problem *problem);

/* Passes a result on, or holds it. Its samples belong to the judge from now on. */
void judging_report(struct judging *judging, struct result *result);

/* One with times, unless the rung has changed what is not its own. */
void judging_report_timed(struct judging *judging, const struct trial *trial, const struct row *row,
                          struct result *result);

/* All rows of a group, as skipped or failed. */
void judging_report_all(struct judging *judging, const struct trial *trial, struct group group, enum status status,
                        const char *reason);
void judging_report_failed(struct judging *judging, const struct trial *trial, struct group group,
                           const struct check *check);

/* Starts the table's player unless it runs. False: it cannot, and the status says so. */
bool judging_link(struct judging *judging);
void judging_end_link(struct judging *judging);

/* What is known of a rung on ragged sizes, and at far ones where those are asked for; it is tried by `link` where that
 * was not done yet. If an earlier round has, it is correct without a call. */
const struct check *judging_ragged(struct judging *judging, struct link *link, const struct rung *rung);

/* How long the player may take for an ask about the row. */
void judging_limit(const struct judging *judging, struct link *link, const struct row *row);

/* The rest of a trial: verifies the rung on its problem, whose buffers it makes. */
void judging_verify(const struct judging *judging, struct trial *trial, const struct row *row, struct check *check);

/* Why the rung cannot run the workload, as the player says; NULL: it can. */
const char *judging_infeasible(struct link *link, const struct rung *rung, const struct workload *workload);

/* Judges the rows of a kernel of the user's own, in a player for it alone. */
void judge_stranger(struct judging *judging, const struct rung *rung, const struct selection *selection);

/* The judge: it asks players, decides what is right, and makes a result of each row. No rung runs in its process, and
 * it opens no device. */
#pragma once

#include "bench/base/host.h"
#include "bench/select/selection.h"
#include "bench/verify/verify.h"
#include "results.h"

/* What a run has to do, and with what. */
struct run {
    const struct options *options;
    const struct registry *registry;
    struct real_input real;
    struct host_clock clock;
};

/* Whether the backend that must be there can be used; else stderr has the reason. */
bool run_has_required(const struct run *run, const struct devices *devices);

struct judge {
    const struct run *run;
    const struct run_facts *facts;
    struct results *results; /* get the rows and the ceilings */
    void (*note)(const char *line);
    /* Starts a player: of the table, or of the rung of a stranger. NULL, with the reason. */
    struct link *(*start)(void *self, const struct rung *stranger, struct board *board, int fd, struct error *error);
    void *self;
    /* Its own: */
    const struct selection *selection; /* the rows of the round */
    int round;                         /* of those of this run, from 0 */
    struct board *board;               /* of its players, one after the other; of a stranger's meanwhile */
    int board_fd;
    struct link *link;         /* the player; NULL: none runs */
    bool has_started;          /* one was started before */
    struct ragged *ragged;     /* by rung */
    size_t reported;           /* rows of the group; */
    bool has_failed;           /* one of them */
    struct stranger *stranger; /* whose player it is; its results wait until that has ended: */
    struct result_list held;
    char left[160]; /* what players of it have left behind */
    bool has_hung;  /* the last player */
    struct error *error;
    int status; /* of the run, as far as it is known */
};

/* Runs the rounds of the sitting, each with players of its own: where code, stack and heap of a process lie differs
 * from one to the next (T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). In a round
 * rows of the table come first, then kernels of the user's own, each in a player for it alone. A wrong rung fails its
 * own rows only.
 *
 * Returns an exit status: EXIT_USAGE: `error` says what, or is empty where it was said; EXIT_ALL_SKIPPED: a backend
 * that must be there is not; EXIT_WRONG: a player ended before its first row; else EXIT_RIGHT, whatever the results
 * are. */
int judge_run(struct judge *judge, const struct selection *selection, struct error *error);

/* What follows is for the files of the judge alone. */

/* Whether the run goes on. */
bool judge_goes_on(const struct judge *judge);
bool judge_is_first_round(const struct judge *judge);              /* or has to do all that the first one does */
void judge_step(const struct judge *judge, const struct row *row); /* of the progress: that row begins */

/* Whether there are kernels of the user's own, but none on this backend: its rows only show what they are compared
 * with, take half the time, and have no ceilings. */
bool judge_is_aside(const struct judge *judge, const char *backend);

/* Passes a result on, or holds it. Its samples belong to the judge from now on. */
void judge_report(struct judge *judge, struct result *result);

/* Starts the player unless it runs. False: it cannot, and the status says so. */
bool judge_link_up(struct judge *judge);
void judge_end_link(struct judge *judge);

/* How long the player may take for an ask about the rung, or about a row with so much work. */
void judge_limit(const struct judge *judge, const struct rung *rung, double work);

/* Why the rung cannot run the workload, as the player says; NULL: it can. */
const char *judge_infeasible(const struct judge *judge, const struct row *row);

/* What is known of a rung on ragged sizes, as a rule: where it is wrong, it is not tried on workloads. */
void judge_set_ragged(const struct judge *judge, const struct rung *rung, const struct check *check);

/* Verifies beyond 2^32 elements; what is left out is noted. */
void judge_try_far(const struct judge *judge, const struct rung *rung, struct check *check);

/* Whether the row is of the library that a kernel of the user's own is compared with, which answers in that kernel's
 * player. `own`: of this kernel; NULL: of any. */
bool judge_is_library_of(const struct judge *judge, const struct row *row, const struct rung *own);

/* Judges the rows of a kernel of the user's own, one at least, in a player for it alone. */
void judge_stranger(struct judge *judge, const struct selection *rows);

/* Whose player is to be started; NULL: one of the table. */
const struct rung *stranger_rung(const struct stranger *stranger);

/* Rows that share a workload, or a workload and a rung. */
struct group {
    const struct row *rows;
    size_t count;
};
struct group group_at(const struct row *rows, size_t count, bool by_rung);

/* Judges rows of a workload by the player. */
void judge_workload(struct judge *judge, struct group workload);

/* A rung on a workload, and what is known of it before it is timed. */
struct trial {
    struct judge *judge;
    struct problem *problem;         /* with the answer that was verified; NULL: none was made */
    struct check check;              /* what verification has found */
    struct kernel_launches launches; /* of a call of the rung */
    struct warp_accesses warps;      /* of one, if it is simulated, and to be explained */
    char runs_as[64];                /* the rung whose kernel the rung runs instead of its own; empty: its own */
    char choice[64];                 /* what the rung chose for the workload; empty: nothing */
    char answer[32]; /* the digest of the verified answer; empty: unknown, or the order of sums varies */
};

/* All rows of a group, as skipped or failed. */
void judge_report_all(struct judge *judge, struct group group, enum status status, const char *reason);

/* Whether the group cannot even be tried: then all of its rows are reported. */
bool judge_cannot_try(struct judge *judge, struct group group);

/* Input and reference of a workload, for the first rung that can run it. */
struct prepared_problem {
    struct problem problem;
    bool is_made;
    struct error why_not; /* empty: nobody has tried */
};

/* Makes it the trial's. False: there is no memory for it, as it says. */
bool trial_prepare(struct trial *trial, const struct row *row, struct prepared_problem *prepared);

/* Verifies the rung on the problem, whose buffers it makes. */
void trial_verify(struct trial *trial, const struct row *row);

/* A result of what verification has found, without times. */
struct result trial_verified(const struct trial *trial, const struct row *row);

/* Measures a rung whose verified answer is in the problem, and compares what the timed calls left with that answer. The
 * result is not judged by ceilings yet. False: interrupted, no result. */
bool trial_measure(const struct trial *trial, const struct row *row, struct result *result);

/* The same of a kernel of the user's own: by questions where stranger_asks(). */
bool stranger_asks(const struct row *row);
bool stranger_measure(const struct trial *trial, const struct row *row, struct result *result);

/* How a row is measured, as the options want it. */
struct measure_settings trial_settings(const struct options *options);

/* What was measured, its samples being the result's from now on; and the state of the device before and after. */
void trial_note_measurement(struct measurement *measured, struct result *result);
void trial_note_conditions(const struct trial *trial, const struct row *row, struct result *result);

/* Reports a result with times, unless the rung has changed what is not its own. */
void trial_report_timed(const struct trial *trial, const struct row *row, struct result *result);

/* All rows of a group, as what verification has found wrong. */
void trial_report_wrong(const struct trial *trial, struct group group);

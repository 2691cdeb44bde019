/* A session: programs that take turns on one machine, in an order that seeded coins decide. What drifts while it lasts
 * (clocks, temperature, other work) then drifts for all of them. */
#ifndef RUNGBENCH_SESSION_H
#define RUNGBENCH_SESSION_H

#include "bench/base/error.h"
#include "bench/base/output.h"
#include "recording.h"

#include <stdint.h>

enum { SESSION_ARMS_MAX = 8 };

/* One of the programs. */
struct arm {
    const char *program;
    const char *extra_flag;     /* NULL: none */
    struct recording recording; /* what its rounds said, under the arm's name; free it */
    struct output *kept;        /* its CSV goes there, too; NULL: nowhere */
    /* Why it has no more rounds; empty: it has. Its rows are then owed: as failed after a crash, as skipped where it
     * says that nothing can be measured. */
    char ended[768];
    enum status owes;
};

struct session {
    const char *id;
    uint64_t seed;
    const char *const *flags; /* for all programs, ended by NULL */
    struct arm *arms;
    size_t arm_count;
    size_t turns; /* processes of each arm in a round */
    int (*interrupted)(void);
    void (*step)(size_t turn, const char *arm); /* before each process; turns are numbered through */
};

enum session_end {
    SESSION_DONE,
    SESSION_FAILED,      /* a program could not be used; the error says why */
    SESSION_ALL_SKIPPED, /* all programs say that nothing can be measured here; the error is the first one's word on it
                          */
    SESSION_INTERRUPTED,
};

/* Runs the rounds from `first` to before `end` of the rows that `filter` selects (NULL: all that the flags do), and
 * puts them into the arms' recordings, which have none yet. What is kept has the turns, as rounds of their own. Where
 * an arm other than the first ends early, what it owes to that round is added, and no more rounds are run. */
enum session_end session_run(struct session *session, size_t first, size_t end, const char *filter,
                             struct error *error);

#endif

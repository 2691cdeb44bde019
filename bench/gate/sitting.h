/* A sitting: programs that take turns on one machine in random order, so that drift (clocks, temperature, other work)
 * affects all of them alike. */
#pragma once

#include "arm.h"
#include "comparison.h"

enum { SITTING_FIRST_PAIRS = 2 }; /* which show what needs more; orders come in twos */

struct sitting {
    struct terms terms;
    struct arm arms[GATE_SIDES_MAX]; /* the base, the new program, and one for each --slowdown */
    size_t arm_count;
    struct output files[GATE_SIDES_MAX];
    size_t file_count;
    const struct exceptions *exceptions;
    bool is_over;    /* no more rounds: a row of an arm is wrong, or an arm has ended */
    size_t screened; /* pairs of the screen */
    size_t done;     /* rows of its first pairs that need no more */
    struct {
        size_t pairs, rows;
        struct recording earlier[2]; /* those of the first arms of the stage before */
    } confirmation[RULE_CONFIRMATIONS];
    size_t confirmations; /* how many there were */
};

/* A sitting of an own id, as the options say, which must outlive it; the caller sets exceptions, and clock and step of
 * the terms. With
 * --keep, makes the folder and opens a file per arm in it. False, with the reason: nothing is left open. */
bool sitting_make(struct sitting *sitting, const struct gate_options *options, struct error *error);

/* Runs rounds `first` to `end` - 1 of the rows that `filter` selects (a pattern; NULL: all that the flags select)
 * into the arms' recordings, which are empty. In the kept files each process is a round. When an arm other than the
 * base ends early, the rows that it owes are added, and no more rounds are run; nor are they after a failure, but for a
 * self-test. */
enum sitting_end sitting_run(struct sitting *sitting, size_t first, size_t end, const char *filter,
                             struct error *error);

/* Two builds in one sitting: a screen of all rows that may have changed, then a confirmation of the rows that the
 * screen did not clear, then one more of those that it left inconclusive. Each confirmation decides alone, in new
 * rounds. Decides every row; unless the result is SITTING_DONE there is no comparison. Its texts are the sitting's. */
enum sitting_end sitting_decide(struct sitting *sitting, struct comparison *comparison, struct error *error);

/* Renames the kept files to their final names. */
bool sitting_keep(struct sitting *sitting, struct error *error);

/* Frees everything, recordings too; removes kept files that sitting_keep() has not renamed. */
void sitting_free(struct sitting *sitting);

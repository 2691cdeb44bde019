/* Two builds in one session: a screen of all rows, then a confirmation of the rows that the screen did not clear, then
 * one more of those that it left inconclusive. Each confirmation decides alone, in new rounds. */
#pragma once

#include "comparison.h"
#include "session.h"

struct stages {
    struct session *session; /* arm 0 is the base, arm 1 the new build */
    const struct comparison_settings *settings;
    struct recording earlier[RULE_CONFIRMATIONS][2]; /* the arms' recordings of earlier stages; texts of the comparison
                                                        point into them */
    struct comparison confirmed[RULE_CONFIRMATIONS]; /* and into these */
    size_t confirmations;                            /* how many there were */
    struct {
        size_t pairs, rows;
    } confirmation[RULE_CONFIRMATIONS];
};

/* Runs the stages and decides every row. Unless the result is SESSION_DONE there is no comparison. */
enum session_end stages_run(struct stages *stages, struct comparison *comparison, struct error *error);

/* Frees what the comparison's texts point to: call it after the last use of the comparison. */
void stages_free(struct stages *stages);

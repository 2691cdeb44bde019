/* Two builds in one session: a screen of all rows, then a confirmation of the rows that the screen did not clear, then
 * one more of those that it left inconclusive. Each confirmation decides alone, in new rounds. */
#pragma once

#include "comparison.h"
#include "session.h"

struct stages {
    struct session *session; /* arm 0 is the base, arm 1 the new build */
    const struct comparison_settings *settings;
    struct {
        size_t pairs, rows;
        struct recording earlier[2]; /* the arms' recordings of the stage before */
        struct comparison confirmed; /* texts of the whole comparison point into these */
    } confirmation[RULE_CONFIRMATIONS];
    size_t confirmations; /* how many there were */
};

/* Runs the stages and decides every row. Unless the result is SESSION_DONE there is no comparison. */
enum session_end stages_run(struct stages *stages, struct comparison *comparison, struct error *error);

/* Frees what the comparison's texts point to: call it after the last use of the comparison. */
void stages_free(struct stages *stages);

/* Two builds in one session: a screen of all rows, then a confirmation of the rows that the screen did not clear. Only
 * the confirmation decides on these, in new rounds: no row is tested repeatedly until it fails. */
#pragma once

#include "comparison.h"
#include "session.h"

struct stages {
    struct session *session; /* arm 0 is the base, arm 1 the new build */
    const struct comparison_settings *settings;
    struct recording screened[2]; /* the arms' recordings of the screen; texts of the comparison point into them */
    struct comparison confirmed;  /* and into this */
    size_t pairs, confirm_pairs, confirmed_rows; /* how many there were */
};

/* Runs both stages and decides every row. Unless the result is SESSION_DONE there is no comparison. */
enum session_end stages_run(struct stages *stages, struct comparison *comparison, struct error *error);

/* Frees what the comparison's texts point to: call it after the last use of the comparison. */
void stages_free(struct stages *stages);

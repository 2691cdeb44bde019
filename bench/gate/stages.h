/* Two builds in one session: a screen of all rows, then a confirmation of those that it did not clear. The confirmation
 * alone decides on these, in rounds of their own: nothing is tested again and again until it fails. */
#ifndef RUNGBENCH_STAGES_H
#define RUNGBENCH_STAGES_H

#include "comparison.h"
#include "session.h"

struct stages {
    struct session *session; /* its first arm is the base, its second the new build */
    const struct comparison_settings *settings;
    struct recording screened[2]; /* the arms' recordings of the screen; the comparison's texts point into them */
    struct comparison confirmed;  /* and here */
    size_t pairs, confirm_pairs, confirmed_rows; /* how many there were */
};

/* Runs both stages and decides every row. Where the end is not SESSION_DONE there is no comparison. */
enum session_end stages_run(struct stages *stages, struct comparison *comparison, struct error *error);

/* For when the comparison is no longer needed. */
void stages_free(struct stages *stages);

#endif

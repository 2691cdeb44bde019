/* The verdicts on the rows of a comparison. */
#pragma once

#include "comparison.h"

/* Whether its code is the same on both sides, and nothing was added to its time. Code that has not changed cannot have
 * become slower. */
bool row_is_unchanged(const struct compared_row *row);

/* Decides all undecided rows at significance `level`, those that may have changed together. An unchanged row is
 * VERDICT_LAYOUT where it would be slower or faster, and VERDICT_SAME_CODE where it would be inconclusive. With
 * `other_device` a slower row is only suspected, and there are neither of these: the device may be the cause. A CPU row
 * of another run is only suspected too: what else its cores did, no clock shows. False: out of memory. */
bool verdicts_decide(struct comparison *comparison, double level, bool other_device);

/* Makes accepted what the exceptions accept, and not gated what they ignore; reasons point into them. */
void verdicts_except(struct comparison *comparison, const struct exceptions *exceptions);

/* A slowdown of known size, put into rows on purpose, so that whoever judges results can be seen to find it. It is real
 * work in the timed region: after each call of the rung one more launch, which is busy for so long. */
#ifndef RUNGBENCH_SLOWDOWN_H
#define RUNGBENCH_SLOWDOWN_H

#include "measure.h"

/* Finds the length at which the further launch makes the row `wished_pct` slower, from the row's time without it and
 * with one that ends at once, which is not free either; `context` has that launch from then on. `pct` is what was put
 * in: more than wished where the launch alone costs more. Returns NULL, or what went wrong; if interrupted, too early
 * for either to mean anything. */
const char *slowdown_calibrate(const struct mode *mode, struct mode_context *context,
                               const struct measure_settings *settings, double wished_pct, double *pct);

#endif

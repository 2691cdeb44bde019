/* --slowdown: slows rows by a known amount, to test that the gate detects it. The slowdown is real work in the timed
 * region: each call of the rung is followed by one more launch, which spins for a set time. */
#pragma once

#include "measure.h"

/* Finds the spin time that makes the row `requested_pct` slower and sets it in `context`. To do so it times the row
 * without the extra launch and with one that ends immediately, since that already costs something. `pct` is the actual
 * slowdown: more than requested if the launch alone costs more. Returns NULL or an error message. After an
 * interruption neither the result nor `pct` is valid. */
const char *slowdown_calibrate(const struct mode *mode, struct mode_context *context,
                               const struct measure_settings *settings, double requested_pct, double *pct);

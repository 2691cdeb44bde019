/* --tune: from the rows of a run, the constants by which auto rungs choose on this device. */
#pragma once

#include "bench/measure/constants.h"
#include "bench/report/result.h"

/* Fits the model to the rows that were timed, keeps its constants for their device, and says so on stderr. False, with
 * the reason: there are no such rows, or they cannot be kept. */
bool tune_keep(const struct result_list *rows, struct error *error);

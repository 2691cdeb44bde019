/* What the ceilings say of a timed row: how near it is to the device's limit, or that its time is impossible. */
#pragma once

#include "bench/measure/ceilings.h"
#include "bench/report/result.h"

/* Compares a row's time with its floor and derives the columns that follow from both. A row with an impossible time
 * gets none: it becomes `untimed`, and fails. */
void verdict_judge(struct ceilings *ceilings, const struct ceiling_question *question, const struct result *untimed,
                   struct result *result);

/* What the ceilings say of a timed row: how near it comes to the device's limit, or that its time is impossible. A
 * ceiling that is measured later may be better, and then the verdict is another. */
#pragma once

#include "bench/measure/ceilings.h"
#include "bench/report/result.h"

/* Measures the empty kernel and the ceilings of a timed row: those that are not known yet, and again while the row is
 * faster than they allow; where its time seems impossible, those of fewer bytes too, which a cache may hold. The row is
 * not judged; but where its time stays impossible, it has no samples. */
void verdict_measure_ceilings(struct ceilings *ceilings, struct result *result);

/* Compares a row's time with its floor, and derives the columns that follow from both. A row that is faster is marked;
 * one with an impossible time gets none and fails. A row that is not timed stays as it is. */
void verdict_judge(const struct ceiling_table *table, struct result *result);

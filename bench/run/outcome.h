/* How many rows came to what. */
#pragma once

#include "bench/report/result.h"

struct run_outcome {
    size_t ok, skipped, failed;
};

void run_outcome_count(struct run_outcome *outcome, const struct result *result);

/* How many rows have a result. */
size_t run_outcome_rows(const struct run_outcome *outcome);

/* The exit status that follows from it. */
int run_outcome_status(const struct run_outcome *outcome);

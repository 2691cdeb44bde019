/* The verdicts on runs that are made of saved rounds: what scripts/rates.sh asks, so that the rule stands here only.
 *
 * It writes the numbers of rows and of pairs of rounds; of each row threshold, tick, the times of the base and those of
 * the new side; then of each run the row whose new times are scaled (-1: none) and by how much more than 1, and the
 * run's pairs. For each run it reads how many pairs were needed, and the first letter of the verdict on each row. */
#pragma once

#include "bench/base/error.h"

#include <stdio.h>

bool runs_decide(FILE *from, FILE *to, struct error *error);

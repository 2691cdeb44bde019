/* --exercise: is it solved? */
#pragma once

#include "bench/report/result.h"
#include "bench/select/options.h"

/* Says whether it is solved, by the results of its kernel and the status of their run, and where it is wrong or slow.
 * Returns the exit status. */
int exercise_judge(const struct options *options, const struct result_list *results, int status);

/* The kernel of a solved exercise on the GPU, where there is one: in this process, which starts again. Returns where it
 * does not, with the exit status. */
int exercise_time(const struct options *options);

/* Says that of all. False, with the reason: one of them cannot be judged, and the rest is left out. */
bool exercises_list(struct error *error);

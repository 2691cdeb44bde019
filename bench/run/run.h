/* A whole run, and the other ways in which this process is used. */
#pragma once

#include "bench/own/compile.h"
#include "judge.h"

/* Opens the outputs, has all rows of all rounds judged, writes and, if that was asked for, explains them, and gives the
 * outputs their final names. `program` is what the user called. Returns an exit status; errors have been said on
 * stderr. */
int run_to_outputs(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                   const char *program);

/* The part between: the rows are judged. */
int run_to_results(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                   struct results *results);

/* The exit status that follows from this one, and from the results where nothing worse was said. On stderr: which
 * kernel that somebody has named was neither measured nor verified. */
int run_status(const struct run *run, const struct results *results, int status);

/* Answers the judge that has started this process. Returns an exit status. */
int run_player(const struct run *run);

/* --profile: verifies and warms up the row's rung in this process, then launches it once between cudaProfilerStart and
 * cudaProfilerStop, where ncu or nsys sees it alone, with cold caches if the row's mode has them. `name` is a row's
 * name, with or without the mode. Returns an exit status after a line on stderr. */
int profile_row(const struct run *run, const struct selection *selection, const char *name);

/* A whole program in CUDA on the simulator: rungbench --simulate program.cu -- ARGUMENTS. Compiles the first of
 * `arguments`, which a NULL ends, and runs its main() with all of them in a process of its own. It has the folder and
 * the streams of this process, and `budget_s` seconds. `status` becomes that of the program: 1 where it was 0 and the
 * simulator has found something; EXIT_SIGNAL_BASE and the signal that ended it. False, with the reason: it could not
 * run, or its time was up. */
bool program_run(const struct registry *registry, const struct own_request *request, char *const *arguments,
                 double budget_s, int *status, struct error *error);

/* --exercise: says whether it is solved, by the results of its kernel and the status of their run, and where it is
 * wrong or slow. Returns the exit status. */
int exercise_judge(const struct options *options, const struct result_list *results, int status);

/* The kernel of a solved exercise on the GPU, where there is one: in this process, which starts again. Returns where it
 * does not, with the exit status. */
int exercise_time(const struct options *options);

/* Says that of all. False, with the reason: one of them cannot be judged, and the rest is left out. */
bool exercises_list(struct error *error);

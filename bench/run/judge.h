/* The judge: it asks players, decides what is right, and makes a result of each row. No rung runs in its process, and
 * it opens no device. */
#pragma once

#include "bench/base/host.h"
#include "bench/data/mnist.h"
#include "bench/player/link.h"
#include "bench/select/selection.h"
#include "results.h"

struct judge_settings {
    const struct options *options;
    const struct registry *registry;
    const struct mnist *mnist; /* NULL: random input */
    const struct run_facts *facts;
    struct results *results; /* get the rows and the ceilings */
    struct host_clock clock;
    void (*step)(size_t done, const char *name); /* called before each row */
    void (*note)(const char *line);
    /* Starts a player. NULL, with the reason. */
    struct link *(*start)(void *self, bool is_strangers, struct board *board, int fd, struct error *error);
    void *self;
    bool shares_board; /* with players in other processes */
};

/* Runs the rounds of the session, each with players of its own: where code, stack and heap of a process lie differs
 * from one to the next (T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). In a round
 * rows of the table come first, in the order of the selection or, of several, in random order; then kernels of the
 * user's own, each in a player for it alone. A wrong rung fails its own rows only; a player that has failed is
 * replaced.
 *
 * Returns an exit status: EXIT_USAGE: `error` says what, or is empty where it was said; EXIT_ALL_SKIPPED: a backend
 * that must be there is not; EXIT_WRONG: a player ended before its first row; else EXIT_RIGHT, whatever the results
 * are. */
int judge_run(const struct judge_settings *settings, const struct selection *selection, struct error *error);

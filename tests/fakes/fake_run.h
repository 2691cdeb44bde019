/* A run on the fake backend, as host and as device, of rungs that a test makes; its results are kept. */
#pragma once

#include "bench/base/error.h"
#include "bench/run/judge.h"
#include "fake_backend.h"
#include "fake_rungs.h"

enum { ENTRIES = 3, OPS = 1, RESULTS_MAX = 128 };
extern const struct backend_entry entries[ENTRIES]; /* the host, the device, and one that is not there */
extern const struct op *const ops[OPS];

/* Reset by set_up(): one small workload, three modes, nothing that ends the run early. */
extern struct options options;
extern struct run_facts facts;
extern size_t write_limit;      /* so many results can be written */
extern int64_t interrupt_after; /* so many results; -1: never */

/* Starts a player; set_up() makes it one in this process, which sees the scripted clock. */
typedef struct link *player_start(const struct registry *registry, const struct rung *stranger, struct board *board,
                                  int fd, struct error *error);
extern player_start *fake_start;

int set_up(void **state);
int tear_down(void **state); /* nothing is left allocated, pinned or open */

struct rung host_rung(const char *variant, rung_function *function, unsigned traits);
struct rung device_rung(const char *variant, rung_function *function);
struct rung own_rung(const char *variant, rung_function *function); /* a kernel of the user's own, on the device */

/* What came of the last run. */
extern struct result results[RESULTS_MAX];
extern size_t result_count, player_count;
extern struct outcomes {
    size_t ok, skipped, failed;
} outcomes;
extern struct error run_error;
extern char notes[1024]; /* a line each */

/* Runs the rungs. Returns what judge_run() does. */
int run(const struct rung *rungs, size_t count);

/* Runs these rungs, which must come to an end. */
#define RUN(...)                                                                     \
    do {                                                                             \
        const struct rung rungs_[] = {__VA_ARGS__};                                  \
        assert_int_equal(run(rungs_, sizeof rungs_ / sizeof rungs_[0]), EXIT_RIGHT); \
    } while (0)

/* The result of that name, which there must be. */
const struct result *find(const char *name);

/* A run on the fake backend, as host and as device, of rungs that a test makes; its results are kept. */
#pragma once

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

extern struct result results[RESULTS_MAX];
extern size_t result_count;

int set_up(void **state);
int tear_down(void **state); /* nothing is left allocated, pinned or open */

struct rung host_rung(const char *variant, rung_function *function, unsigned traits);
struct rung device_rung(const char *variant, rung_function *function);

/* Runs the rungs, or the rows (which are freed); false if the reporter could not write. */
bool run(const struct rung *rungs, size_t count, struct outcomes *outcomes, struct error *error);
bool run_selection(const struct registry *registry, struct selection *selection, struct outcomes *outcomes,
                   struct error *error);

/* The result of that name, which there must be. */
const struct result *find(const char *name);

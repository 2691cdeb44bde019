/* A player in this process, as the judge asks it: for tests of what verification finds. One at a time. */
#pragma once

#include "bench/base/host.h"
#include "bench/verify/verify.h"

/* Starts it with the rungs of the registry, which must live as long. */
struct link *here_open(const struct registry *registry, const struct backend_settings *settings, double (*now)(void));
void here_close(void);

/* What verification says of one answer to random input; where the backend has several orders, of the answers in all. */
struct check here_verdict(const struct rung *rung, const struct workload *workload, uint64_t seed);

/* The same for a problem that was made, and is asked in buffers of its own. */
struct check here_verdict_on(const struct rung *rung, struct problem *problem);

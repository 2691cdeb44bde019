/* Suites: named sets of workloads, with the modes and the measuring time that suit them. */
#ifndef RUNGBENCH_SUITE_H
#define RUNGBENCH_SUITE_H

#include <stdbool.h>

struct workload;
struct rung;
struct mode;

/* A workload carries the suites that it belongs to as a set of these. */
enum suite_member {
    SUITE_MNIST = 1 << 0,
    SUITE_LECTURE = 1 << 1,
    SUITE_SWEEP = 1 << 2,
    SUITE_SMOKE = 1 << 3,
    SUITE_GATE_SHORT = 1 << 4, /* work for the gate: of a few microseconds on a GPU, */
    SUITE_GATE_LONG = 1 << 5,  /* and of more */
};

struct suite {
    const char *name;
    unsigned members;  /* the workloads that carry one of these; 0: none */
    const char *modes; /* unless --modes says otherwise */
    double min_time_s; /* unless --min-time says otherwise */
    int threads;       /* of CPU rungs, unless --threads says otherwise; 0: all */
    bool is_simulated; /* its workloads have rows on simulators, too */
    /* Which rows of its workloads it has, unless --modes is given; NULL: all. */
    bool (*wants)(const struct workload *workload, const struct rung *rung, const struct mode *mode);
};

/* The suite of that name, or NULL. */
const struct suite *suite_find(const char *name);

/* All names, "mnist|lecture|...", for help and error texts. */
extern const char suite_names[];

#endif

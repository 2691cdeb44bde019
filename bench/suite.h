/* Suites: named sets of workloads, with the modes and the measuring time that suit them. */
#ifndef RUNGBENCH_SUITE_H
#define RUNGBENCH_SUITE_H

#include <stdbool.h>

/* A workload carries the suites that it belongs to as a set of these. */
enum suite_member {
    SUITE_MNIST = 1 << 0,
    SUITE_LECTURE = 1 << 1,
    SUITE_SWEEP = 1 << 2,
    SUITE_SMOKE = 1 << 3,
    SUITE_GATE = 1 << 4,
};

struct suite {
    const char *name;
    unsigned members;  /* the workloads that carry one of these; 0: none */
    const char *modes; /* unless --modes says otherwise */
    double min_time_s; /* unless --min-time says otherwise */
    bool is_simulated; /* its workloads have rows on simulators, too */
};

/* The suite of that name, or NULL. */
const struct suite *suite_find(const char *name);

/* All names, "mnist|lecture|...", for help and error texts. */
extern const char suite_names[];

#endif

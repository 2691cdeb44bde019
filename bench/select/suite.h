/* Suites: named sets of workloads, with the modes and the measuring time that suit them. */
#ifndef RUNGBENCH_SUITE_H
#define RUNGBENCH_SUITE_H

#include <stdbool.h>

struct workload;
struct rung;
struct mode;

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

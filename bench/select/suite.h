/* Suites: named sets of workloads, with their default modes and measuring time. */
#pragma once

#include <stdbool.h>

struct workload;
struct rung;
struct mode;

struct suite {
    const char *name;
    unsigned members;  /* set of enum suite_member: workloads with any of these; 0: none */
    const char *modes; /* unless --modes says otherwise */
    double min_time_s; /* unless --min-time says otherwise */
    int threads;       /* of CPU rungs, unless --threads says otherwise; 0: all */
    bool is_simulated; /* has rows of simulated rungs, too */
    bool is_brief;     /* only --filter and --verify add steps; these, and --backend, simulated rungs */
    /* Selects rows, unless --modes is given; NULL: all rows. */
    bool (*wants)(const struct workload *workload, const struct rung *rung, const struct mode *mode);
};

/* The suite of that name, or NULL. */
const struct suite *suite_find(const char *name);

/* How --tune times, on shapes that are added as the user's (sizes.h). */
extern const struct suite suite_of_tuning;

/* All names, "mnist|lecture|...", for help and error texts. */
extern const char suite_names[];

/* What NVIDIA's profiler, Nsight Compute (ncu), counts in one launch of a row's rung: the few metrics that matter for
 * what limits the row, in plain sentences. */
#pragma once

#include "bench/base/error.h"
#include "bench/report/result.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct ncu {
    char path[PATH_MAX];    /* of ncu */
    char program[PATH_MAX]; /* this one: it is started again, with --profile */
    char *const *flags;     /* that every process gets, ended by a NULL */
    int (*interrupted)(void);
    double (*now)(void);
};

/* Where ncu is looked for. */
extern const char ncu_places[];

/* Finds ncu and this program. False: one of them is not there. */
bool ncu_find(struct ncu *ncu);

/* Profiles one launch and prints the sentences, with a space behind each. False, with the reason: ncu refused, and what
 * was printed is worth nothing. */
bool ncu_explain(const struct ncu *ncu, const struct result *row, FILE *to, struct error *error);

/* The sentences of what ncu has printed: a page "raw" as CSV, lines of other kinds around it. */
bool ncu_read(const char *text, const struct result *row, FILE *to, struct error *error);

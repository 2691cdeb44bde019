/* A program like rungbench, with operations and rungs of its own. */
#pragma once

#include "bench/own/python.h"
#include "bench/report/result.h"
#include "bench/report/summary.h"
#include "bench/table/registry.h"

struct rungbench {
    const struct registry *registry;
    const struct code_digest *code;                        /* as run_facts has it */
    const struct rung_source *sources;                     /* where rungs are, up to one without a name */
    const char *version, *revision, *compiler, *libraries; /* what --version and rows say */
};

/* All that the program does: argv -> options -> selection -> run (by players) -> outputs. Flags and exit status are
 * those of docs/design.md. Players are this program, started again: what is in `of`, and what it points to, stays, and
 * is the same each time. Once in a process. */
int rungbench_main(int argc, char **argv, const struct rungbench *of);

/* Of the library alone: rungbench itself, as a player in the process of Python, which finds functions. */
int rungbench_play(int argc, char **argv, python_find *find);

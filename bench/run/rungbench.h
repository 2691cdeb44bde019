/* A program like rungbench, with operations and rungs of its own. */
#pragma once

#include "bench/table/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is NULL is unknown, but for the registry. */
struct rungbench {
    const struct registry *registry;
    const struct code_digest *code;              /* of the rungs, up to one without a name: column `code` */
    const struct rung_source *sources;           /* where they are, up to one without a name */
    const char *revision, *compiler, *libraries; /* what --version and rows say of the program */
};

/* All that the program does: argv -> options -> selection -> run (by players) -> outputs. Flags and exit status are
 * those of docs/design.md. Players are this program, started again: what is in `of`, and what it points to, stays, and
 * is the same each time. Once in a process. */
int rungbench_main(int argc, char **argv, const struct rungbench *of);

#ifdef __cplusplus
}
#endif

/* What the library has for Python: a program like rungbench, whose player runs functions of Python. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "bench/own/python.h"
#include "bench/run/rungbench.h"
#include "compiler.h"
#include "git_revision.h"

#include <errno.h>

int rungbench_play(int argc, char **argv, python_find *find)
{
    const struct rungbench program = {
        .registry = &rungbench_registry,
        .revision = RUNGBENCH_GIT_REVISION,
        .compiler = RUNGBENCH_COMPILER,
        .libraries = RUNGBENCH_LIBRARIES,
    };
    program_invocation_short_name = argv[0]; /* messages are not Python's */
    python_host(find);
    return rungbench_main(argc, argv, &program);
}

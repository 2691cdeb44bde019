/* What the library has for Python: a program like rungbench, whose player runs functions of Python. */
#include "bench/own/python.h"
#include "bench/run/rungbench.h"
#include "compiler.h"
#include "git_revision.h"

int rungbench_play(int argc, char **argv, python_find *find)
{
    const struct rungbench program = {
        .registry = &rungbench_registry,
        .revision = RUNGBENCH_GIT_REVISION,
        .compiler = RUNGBENCH_COMPILER,
        .libraries = RUNGBENCH_LIBRARIES,
    };
    python_host(find);
    return rungbench_main(argc, argv, &program);
}

/* rungbench: the program with the rungs of the table. */
#include "bench/base/interrupt.h"
#include "bench/run/rungbench.h"
#include "code_digests.h"
#include "compiler.h"
#include "git_revision.h"

INTERRUPTS_WAIT;

static const struct code_digest code[] = {RUNGBENCH_CODE_DIGESTS};
static const struct rung_source sources[] = {
#include "rung_sources.h"
    {NULL, NULL}};
static const struct rungbench program = {
    .registry = &rungbench_registry,
    .code = code,
    .sources = sources,
    .revision = RUNGBENCH_GIT_REVISION,
    .compiler = RUNGBENCH_COMPILER,
    .libraries = RUNGBENCH_LIBRARIES,
};

int main(int argc, char **argv)
{
    return rungbench_main(argc, argv, &program);
}

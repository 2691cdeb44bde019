#include "suite.h"

#include "bench/measure/mode.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

#include <stddef.h>
#include <string.h>

/* Rungs in the mode that varies least between processes, which README quotes: on a device, `graph` for short work
 * (launch overhead would hide it otherwise) and `cold` for long work; on a CPU, short work in `hot`. Long CPU work is
 * left out: on a shared machine it is always disturbed. */
static bool gate_wants(const struct workload *workload, const struct rung *rung, const struct mode *mode)
{
    bool is_short = (workload->suites & SUITE_GATE_SHORT) != 0;
    bool takes_few = (workload->suites & SUITE_GATE_FEW) != 0;
    unsigned leads = is_short ? RUNG_LEADS_SHORT : RUNG_LEADS_LONG;
    if ((rung->traits & RUNG_CHOOSES) != 0) /* its times need not be the next process's */
        return false;
    if (!rung->backend->separate_memory)
        return (workload->suites & SUITE_GATE_CPU) != 0 && mode == &mode_hot;
    if (takes_few && (rung->traits & (RUNG_LIBRARY | leads)) == 0)
        return false;
    return mode == (is_short ? &mode_graph : &mode_cold);
}

enum { GATE = SUITE_GATE_SHORT | SUITE_GATE_LONG };

/* Several GPUs, and of one the library and what leads: they are not to be compared with each other here. */
static bool scaling_wants(const struct workload *workload, const struct rung *rung, const struct mode *mode)
{
    (void)workload, (void)mode;
    return (rung->traits & (RUNG_GPUS | RUNG_LIBRARY | RUNG_COMPARED | RUNG_BASELINE)) != 0;
}

static const struct suite suites[] = {
    /* A first look: short. */
    {"mnist", SUITE_MNIST, "cold,hot,e2e", 0.005, 0, false, true, NULL},
    {"lecture", SUITE_LECTURE, "cold,hot,e2e", 0.1, 0, true, false, NULL},
    {"sweep", SUITE_SWEEP, "cold,hot,e2e", 0.1, 0, false, false, NULL},
    {"smoke", SUITE_SMOKE, "cold,hot,e2e", 0.02, 0, true, true, NULL},
    {"network", SUITE_NETWORK, "cold,hot,e2e", 0.1, 0, false, false, NULL},
    /* Few and short rows: a gate runs this suite dozens of times. One thread: it never waits for a descheduled one. */
    {"gate", GATE, "cold,hot,graph", 0.02, 1, false, true, gate_wants},
    {"scaling", SUITE_SCALING, "cold,hot", 0.05, 0, false, false, scaling_wants},
    {"own", SUITE_OWN, "cold", 0.02, 0, false, false, NULL},
    {"own-small", SUITE_OWN_SMALL, "cold", 0.02, 0, true, false, NULL},
    {"all",
     SUITE_MNIST | SUITE_LECTURE | SUITE_SWEEP | SUITE_SMOKE | SUITE_NETWORK | SUITE_OWN | SUITE_OWN_SMALL | GATE |
         SUITE_SCALING,
     "cold,hot,e2e", 0.1, 0, true, false, NULL},
    {"none", 0, "cold,hot,e2e", 0.1, 0, true, false, NULL},
};

const struct suite suite_of_tuning = {"tune", 0, "cold", 0.003, 0, false, false, NULL};

const char suite_names[] = "mnist|lecture|sweep|smoke|network|gate|scaling|own|own-small|all|none";

const struct suite *suite_find(const char *name)
{
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

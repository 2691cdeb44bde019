#include "suite.h"

#include <stddef.h>
#include <string.h>

static const struct suite suites[] = {
    {"mnist", SUITE_MNIST, "cold,hot,e2e", 0.1},
    {"lecture", SUITE_LECTURE, "cold,hot,e2e", 0.1},
    {"sweep", SUITE_SWEEP, "cold,hot,e2e", 0.1},
    {"smoke", SUITE_SMOKE, "cold,hot,e2e", 0.1},
    /* Few and short rows: a gate runs this suite dozens of times. */
    {"gate", SUITE_GATE, "cold,hot", 0.02},
    {"all", SUITE_MNIST | SUITE_LECTURE | SUITE_SWEEP | SUITE_SMOKE | SUITE_GATE, "cold,hot,e2e", 0.1},
    {"none", 0, "cold,hot,e2e", 0.1},
};

const char suite_names[] = "mnist|lecture|sweep|smoke|gate|all|none";

const struct suite *suite_find(const char *name)
{
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

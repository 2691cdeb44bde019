#include "suite.h"

#include <stddef.h>
#include <string.h>

static const struct suite suites[] = {
    {"mnist", SUITE_MNIST, "cold,hot,e2e", 0.1, false},
    {"lecture", SUITE_LECTURE, "cold,hot,e2e", 0.1, true},
    {"sweep", SUITE_SWEEP, "cold,hot,e2e", 0.1, false},
    {"smoke", SUITE_SMOKE, "cold,hot,e2e", 0.1, true},
    /* Few and short rows: a gate runs this suite dozens of times. */
    {"gate", SUITE_GATE, "cold,hot", 0.02, false},
    {"all", SUITE_MNIST | SUITE_LECTURE | SUITE_SWEEP | SUITE_SMOKE | SUITE_GATE, "cold,hot,e2e", 0.1, true},
    {"none", 0, "cold,hot,e2e", 0.1, true},
};

const char suite_names[] = "mnist|lecture|sweep|smoke|gate|all|none";

const struct suite *suite_find(const char *name)
{
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (strcmp(suites[i].name, name) == 0)
            return &suites[i];
    return NULL;
}

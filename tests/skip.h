/* A test that is skipped says why: scripts/test.sh counts those lines and shows them. */
#pragma once

#include "tests/unit.h"

#define skip_because(reason)                    \
    do {                                        \
        print_message("skipped: %s\n", reason); \
        skip();                                 \
    } while (0)

static inline const char *real_input(void)
{
    const char *named = getenv("RUNGBENCH_TEST_DATA");
    return named && named[0] ? named : TEST_DATA_DIR;
}

/* The path of a file of real input; where it is not there, the test is skipped. */
#define find_real_input(path, name, what)                                                                    \
    do {                                                                                                     \
        snprintf(path, sizeof path, "%s/%s", real_input(), name);                                            \
        if (access(path, R_OK) != 0)                                                                         \
            skip_because("no real " what " (RUNGBENCH_TEST_DATA names its folder; scripts/test.sh --help)"); \
    } while (0)

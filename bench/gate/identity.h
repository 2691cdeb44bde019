/* Whether two rows may be compared: the same work, on the same machine. */
#pragma once

#include "bench/base/error.h"
#include "recording.h"

enum identity_demand {
    IDENTITY_ANY_MACHINE, /* the same work */
    IDENTITY_SAME,        /* the same work, and no known difference between the machines */
    IDENTITY_KNOWN,       /* as IDENTITY_SAME, and the machine's UUID or host name is known */
};

/* Whether two observations are of the same work, and of the same machine as far as demanded. If not, the error names
 * the column and both values. A device's rows must have the same device, UUID, driver, CUDA and BLAS versions,
 * application clock and power limit. Rows of CPU rungs, or with transfers, must also have the same host, threads,
 * affinity and governor. */
bool identity_check(const struct observation *base, const char *base_file, const struct observation *other,
                    const char *other_file, enum identity_demand demand, struct error *error);

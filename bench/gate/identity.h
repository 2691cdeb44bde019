/* Whether two rows may be compared: the same work, on the same machine. */
#ifndef RUNGBENCH_IDENTITY_H
#define RUNGBENCH_IDENTITY_H

#include "bench/base/error.h"
#include "recording.h"

enum identity_demand {
    IDENTITY_ANY_MACHINE, /* the work alone */
    IDENTITY_SAME,        /* what is known of the machine is the same */
    IDENTITY_KNOWN,       /* and what tells one machine from another is known */
};

/* Whether the observations of `name` in the two files are of the same work, and of the same machine as far as
 * demanded; if not, the error says which column differs, and how. A device's rows must agree in device, UUID, driver,
 * CUDA and BLAS versions, application clock and power limit; rows in which the host has a part in host, threads,
 * affinity and governor as well. */
bool identity_check(const struct observation *base, const char *base_file, const struct observation *other,
                    const char *other_file, enum identity_demand demand, struct error *error);

#endif

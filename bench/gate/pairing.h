/* Rounds of two recordings that belong together: the same round of the same session. */
#ifndef RUNGBENCH_PAIRING_H
#define RUNGBENCH_PAIRING_H

#include "bench/base/error.h"
#include "recording.h"

/* Whether any session is in both. */
bool pairing_shares_session(const struct recording *base, const struct recording *other);

/* Whether each round of the one is in the other; if not, the error names the first that is not. */
bool pairing_check(const struct recording *base, const struct recording *other, struct error *error);

/* The same for the rounds of a row that both have. */
bool pairing_check_row(const struct recording *base, const struct row_rounds *base_rounds,
                       const struct recording *other, const struct row_rounds *other_rounds, struct error *error);

#endif

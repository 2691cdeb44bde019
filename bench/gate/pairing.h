/* Pairs of rounds: the same round of the same session in two recordings. */
#pragma once

#include "bench/base/error.h"
#include "recording.h"

/* Whether the recordings have a session in common. False: no memory. */
bool pairing_shares_session(const struct recording *base, const struct recording *other, bool *shares,
                            struct error *error);

/* Whether both have the same rounds; if not, the error names the first round that only one has. */
bool pairing_check(const struct recording *base, const struct recording *other, struct error *error);

/* The same for the rounds of one row. */
bool pairing_check_row(const struct recording *base, const struct row_rounds *base_rounds,
                       const struct recording *other, const struct row_rounds *other_rounds, struct error *error);

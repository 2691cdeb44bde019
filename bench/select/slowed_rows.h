/* Which rows --slowdown slows down on purpose, and by how much. */
#pragma once

#include "selection.h"

/* Sets slowdown_pct of the rows whose name matches. `wish` is REGEX:PERCENT, split at the last colon; NULL: no
 * slowdown. False, with the reason: it has another form, or matches no row. */
bool slowed_rows_choose(const char *wish, struct selection *selection, struct error *error);

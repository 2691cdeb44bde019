/* Which rows --slowdown slows on purpose, and by how much. */
#ifndef RUNGBENCH_SLOWED_ROWS_H
#define RUNGBENCH_SLOWED_ROWS_H

#include "selection.h"

/* Notes in the rows whose name matches by how much they are to be slowed. `wish` is REGEX:PERCENT, split at the last
 * colon; NULL: nothing. False, with the reason, where it is not that, or matches no row. */
bool slowed_rows_choose(const char *wish, struct selection *selection, struct error *error);

#endif

/* Which rung was handed over to: rung_hand_over() and rung_run_part() of rung.h. */
#pragma once

#include "registry.h"

/* From here on, no rung has handed over. */
void hand_over_forget(void);

/* The variant of the rung that was last handed over to, or of the library that has run; NULL: none. */
const char *hand_over_variant(const struct registry *registry);

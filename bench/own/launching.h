/* How a kernel of the user's own is launched that has no function for it: as another function of the file does, such as
 * main(), or as what its threads do with their numbers asks for. */
#pragma once

#include "match.h"

/* Writes "kernel<<<grid, block>>>(" with what it needs before it. False: it is not known. */
bool launching_write(const struct source *source, const struct op *op, const struct function *kernel,
                     const struct given given[], struct call *call);

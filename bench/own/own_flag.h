/* The flag by which the first process tells the next what became of a kernel. The next one does not read the file,
 * which its user may be writing by then. */
#pragma once

#include "own_kernel.h"

void own_flag_write(struct own_kernel *kernel);

/* Its value. False: it is not as own_flag_write() makes it. */
bool own_flag_read(const struct registry *registry, const char *text, struct own_kernel *kernel);

/* Standard input, output and error, any of which the caller may have closed. */
#pragma once

#include <stdbool.h>

/* Opens /dev/null in place of closed standard streams, so that no other file gets their descriptors. What is written to
 * a closed standard output fails. */
void standard_streams_fill(void);
bool standard_output_is_open(void);

/* Whether it is a pipe or a socket that nobody will read any more. */
bool standard_output_is_unread(void);

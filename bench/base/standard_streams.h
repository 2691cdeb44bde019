/* Standard input, output and error, any of which the caller may have closed. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Opens /dev/null in place of closed standard streams, so that no other file gets their descriptors. What is written to
 * a closed standard output fails. */
void standard_streams_fill(void);
bool standard_output_is_open(void);

/* Whether it is a pipe or a socket that nobody will read any more. */
bool standard_output_is_unread(void);

/* Keeps standard output for this program's own results: what rungs and libraries print there goes to stderr from now
 * on. False: that is not possible, and nothing has changed. */
bool standard_output_keep(void);

/* Where results go. */
int standard_output(void);
FILE *standard_output_file(void);

/* Standard input, output and error, any of which the caller may have closed. */
#pragma once

/* Opens /dev/null in place of closed standard streams, so that no other file gets their descriptors. */
void standard_streams_fill(void);

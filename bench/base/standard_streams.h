/* Standard input, output and error of a program whose caller may have closed them. */
#ifndef RUNGBENCH_STANDARD_STREAMS_H
#define RUNGBENCH_STANDARD_STREAMS_H

/* Opens /dev/null in place of those that are closed: a file must not get the number of a standard stream. */
void standard_streams_fill(void);

#endif

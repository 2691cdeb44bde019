/* write(2) until all is written. */
#ifndef RUNGBENCH_WRITE_ALL_H
#define RUNGBENCH_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Goes on after signals. False, with errno, if it cannot. */
bool write_all(int fd, const void *bytes, size_t count);

#endif

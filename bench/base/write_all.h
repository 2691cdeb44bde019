/* write(2), repeated until everything is written. */
#ifndef RUNGBENCH_WRITE_ALL_H
#define RUNGBENCH_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Continues after signals. False on an error, which is in errno. */
bool write_all(int fd, const void *bytes, size_t count);

#endif

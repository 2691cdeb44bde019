#include "write_all.h"

#include <errno.h>
#include <unistd.h>

bool write_all(int fd, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        ssize_t written = write(fd, at, count);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            at += written;
            count -= (size_t)written;
        }
    }
    return true;
}

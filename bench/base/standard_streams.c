#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

void standard_streams_fill(void)
{
    int fd;
    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

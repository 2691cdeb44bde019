#include "standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* open() takes the lowest descriptor that is free. */
void standard_streams_fill(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

bool standard_output_is_open(void)
{
    return (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

bool standard_output_is_unread(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP));
}

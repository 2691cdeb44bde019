#define _DEFAULT_SOURCE
#include "standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { FIRST_HIGH_FD = 100 };

static FILE *kept;

/* open() takes the lowest descriptor that is free. */
void standard_streams_fill(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

bool standard_output_is_open(void)
{
    return (fcntl(standard_output(), F_GETFL) & O_ACCMODE) != O_RDONLY;
}

bool standard_output_is_unread(void)
{
    struct pollfd output = {.fd = standard_output()};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP));
}

bool standard_output_keep(void)
{
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, FIRST_HIGH_FD);
    kept = fd < 0 ? NULL : fdopen(fd, "w");
    if (kept && fflush(stdout) == 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        return true;
    if (fd >= 0)
        close(fd);
    kept = NULL;
    return false;
}

int standard_output(void)
{
    return kept ? fileno(kept) : STDOUT_FILENO;
}

FILE *standard_output_file(void)
{
    return kept ? kept : stdout;
}

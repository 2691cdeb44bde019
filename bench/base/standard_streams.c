#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

enum { FIRST_HIGH_FD = 100 };

static FILE *kept;

void standard_streams_fill(void)
{
    int fd;
    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

bool standard_output_keep(void)
{
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, FIRST_HIGH_FD);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file || fflush(stdout) != 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what a rung prints comes even if it crashes then */
    kept = file;
    return true;
}

int standard_output(void)
{
    return kept ? fileno(kept) : STDOUT_FILENO;
}

FILE *standard_output_file(void)
{
    return kept ? kept : stdout;
}

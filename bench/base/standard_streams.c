#define _GNU_SOURCE /* fopencookie() */
#include "standard_streams.h"

#include "files.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { FIRST_HIGH_FD = 100, PRINTED_BYTES_MAX = 1 << 16 };

static FILE *kept;
static size_t printed_bytes;

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

/* A rung that prints is called thousands of times. */
static ssize_t print(void *cookie, const char *text, size_t bytes)
{
    (void)cookie;
    if (printed_bytes < PRINTED_BYTES_MAX)
        (void)write_all(STDERR_FILENO, text, bytes);
    printed_bytes += bytes;
    return (ssize_t)bytes;
}

bool standard_output_was_printed_to(void)
{
    if (kept)
        (void)fflush(stdout);
    bool was = printed_bytes > 0;
    printed_bytes = 0;
    return was;
}

bool standard_output_keep(void)
{
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, FIRST_HIGH_FD);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    FILE *watched = fopencookie(NULL, "w", (cookie_io_functions_t){.write = print});
    if (!file || !watched || fflush(stdout) != 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    setvbuf(watched, NULL, _IOLBF, BUFSIZ); /* what a rung prints comes even if it crashes then */
    stdout = watched;
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

#define _GNU_SOURCE /* memfd_create() */
#include "piped_input.h"

#include "write_all.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* -1: the argument names none. */
static int named_pipe(const char *argument)
{
    int fd, flags;
    struct stat status;
    const char *value = strchr(argument, '=');
    if (sscanf(value ? value + 1 : argument, "/dev/fd/%d", &fd) != 1 || fstat(fd, &status) != 0 ||
        !S_ISFIFO(status.st_mode))
        return -1;
    flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY ? fd : -1;
}

static bool copy(int from, int to)
{
    char bytes[1 << 16];
    ssize_t got;
    while ((got = read(from, bytes, sizeof bytes)) > 0)
        if (!write_all(to, bytes, (size_t)got))
            return false;
    return got == 0;
}

/* Where that fails, the pipe stays, and whoever reads it says what is wrong. */
void piped_input_keep(char *const *argv)
{
    for (; *argv; argv++) {
        int fd = named_pipe(*argv);
        int file = fd >= 0 ? memfd_create("input", MFD_CLOEXEC) : -1;
        if (file >= 0 && copy(fd, file))
            (void)dup2(file, fd);
        if (file >= 0)
            close(file);
    }
}

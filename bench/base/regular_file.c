#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : "a device";
}

int regular_file_open(const char *path, const char *name, struct error *error)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* a pipe would wait for who writes */
    if (fd < 0 || fstat(fd, &status) != 0)
        error_set(error, "%s: cannot be read (%s)", name, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        error_set(error, "%s: is %s, expected a regular file", name, kind_of(status.st_mode));
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

FILE *regular_file_stream(const char *path, const char *name, struct error *error)
{
    int fd = regular_file_open(path, name, error);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (fd >= 0 && !file) {
        error_set(error, "%s: cannot be read (%s)", name, strerror(errno));
        close(fd);
    }
    return file;
}

/* Up to `most` + 1 bytes of the file. NULL: no memory. */
static char *read_stream(FILE *file, size_t most, size_t *bytes)
{
    size_t room = 0;
    char *text = NULL;
    *bytes = 0;
    while (*bytes == room && room <= most) {
        room = room ? 2 * room : 1 << 16;
        room = room <= most ? room : most + 1;
        char *more = realloc(text, room + 1);
        if (!more) {
            free(text);
            return NULL;
        }
        text = more;
        *bytes += fread(text + *bytes, 1, room - *bytes, file);
    }
    text[*bytes] = '\0';
    return text;
}

char *regular_file_read(const char *path, const char *name, size_t most, size_t *bytes, struct error *error)
{
    FILE *file = regular_file_stream(path, name, error);
    if (!file)
        return NULL;
    char *text = read_stream(file, most, bytes);
    const char *reason = !text           ? "no memory"
                         : ferror(file)  ? strerror(errno)
                         : *bytes > most ? "it is too large"
                                         : NULL;
    fclose(file);
    if (!reason)
        return text;
    error_set(error, "%s: cannot be read (%s)", name, reason);
    free(text);
    return NULL;
}

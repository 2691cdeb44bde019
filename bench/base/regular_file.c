#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
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

/* What is wrong, or NULL. A file that grows meanwhile is read as far as it was. */
static const char *read_whole(FILE *file, size_t most, char **text, size_t *bytes)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0)
        return strerror(errno);
    if ((uintmax_t)status.st_size > most)
        return "it is too large";
    *text = malloc((size_t)status.st_size + 1);
    if (!*text)
        return "no memory";
    *bytes = fread(*text, 1, (size_t)status.st_size, file);
    (*text)[*bytes] = '\0';
    return ferror(file) ? strerror(errno) : NULL;
}

char *regular_file_read(const char *path, const char *name, size_t most, size_t *bytes, struct error *error)
{
    FILE *file = regular_file_stream(path, name, error);
    if (!file)
        return NULL;
    char *text = NULL;
    const char *reason = read_whole(file, most, &text, bytes);
    fclose(file);
    if (!reason)
        return text;
    error_set(error, "%s: cannot be read (%s)", name, reason);
    free(text);
    return NULL;
}

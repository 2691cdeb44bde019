#include "partial_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 3 };

bool partial_file_path(const char *path, char partial[PATH_MAX])
{
    int length = snprintf(partial, PATH_MAX, "%s.partial", path);
    return length >= 0 && length < PATH_MAX;
}

/* False: another process has it locked. Where nothing can be locked, nothing is. */
static bool lock(int fd, const char *path, struct error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN))
        return true;
    if (fcntl(fd, F_GETLK, &whole) != 0 || whole.l_type == F_UNLCK || whole.l_pid <= 0)
        return error_set(error, "%s: another process is writing it, expected a file of this run alone", path);
    return error_set(error, "%s: process %ld is writing it, expected a file of this run alone", path,
                     (long)whole.l_pid);
}

/* False: whoever had the lock before has given the file its final name, or removed it. */
static bool is_still_there(int fd, const char *partial)
{
    struct stat named, opened;
    return lstat(partial, &named) == 0 && fstat(fd, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

static int open_one(const char *path, const char *partial, bool *is_new, struct error *error)
{
    struct stat status;
    int fd = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *is_new = fd >= 0;
    if (fd < 0 && errno == EEXIST) /* since a crash, or another run has it */
        fd = open(partial, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        error_set(error, "%s: is no regular file, expected to write there", partial);
    else if (lock(fd, path, error))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static int open_locked(const char *path, char partial[PATH_MAX], bool *is_new, struct error *error)
{
    if (!partial_file_path(path, partial)) {
        error_set(error, "%s: the path is too long", path);
        return -1;
    }
    int fd = open_one(path, partial, is_new, error);
    for (int i = 1; i < ATTEMPTS && fd >= 0 && !is_still_there(fd, partial); i++) {
        close(fd);
        fd = open_one(path, partial, is_new, error);
    }
    return fd;
}

bool partial_file_check(const char *path, struct error *error)
{
    char partial[PATH_MAX];
    bool is_new;
    int fd = open_locked(path, partial, &is_new, error);
    if (fd < 0)
        return false;
    if (is_new)
        unlink(partial);
    close(fd);
    return true;
}

int partial_file_make(const char *path, struct error *error)
{
    char partial[PATH_MAX];
    bool is_new;
    int fd = open_locked(path, partial, &is_new, error);
    if (fd >= 0 && ftruncate(fd, 0) != 0) {
        error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
        close(fd);
        fd = -1;
    }
    return fd;
}

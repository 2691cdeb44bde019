#include "output.h"

#include "files.h"
#include "interrupt.h"
#include "memory.h"
#include "plain_text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 3 };

/* A list that is whole at each moment, for a signal's handler. */
static struct output *volatile first_open;

static void add_to_open(struct output *output)
{
    output->next_open = first_open;
    first_open = output;
}

static void remove_from_open(const struct output *output)
{
    for (struct output *volatile *at = &first_open; *at; at = &(*at)->next_open)
        if (*at == output) {
            *at = output->next_open;
            return;
        }
}

/* False: another process has it locked. Where nothing can be locked, nothing is. */
static bool lock(const struct output *output, int fd, struct error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN))
        return true;
    if (fcntl(fd, F_GETLK, &whole) != 0 || whole.l_type == F_UNLCK || whole.l_pid <= 0)
        return error_set(error, "%s: another process is writing it, expected a file of only this run", output->path);
    return error_set(error, "%s: process %ld is writing it, expected a file of only this run", output->path,
                     (long)whole.l_pid);
}

/* FILE.partial, locked; -1: it cannot be. */
static int open_once(const struct output *output, bool *is_new, struct error *error)
{
    struct stat status;
    int fd = open(output->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *is_new = fd >= 0;
    if (fd < 0 && errno == EEXIST) /* since a crash, or another run has it */
        fd = open(output->partial, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        error_set(error, "%s: cannot be written (%s)", output->path, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        error_set(error, "%s: is no regular file, expected to write there", output->partial);
    else if (lock(output, fd, error))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* False: whoever had the lock before has given the file its final name, or removed it. */
static bool is_still_there(const struct output *output, int fd)
{
    struct stat named, opened;
    return lstat(output->partial, &named) == 0 && fstat(fd, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

static int open_partial(const struct output *output, bool *is_new, struct error *error)
{
    int fd = open_once(output, is_new, error);
    for (int i = 1; i < ATTEMPTS && fd >= 0 && !is_still_there(output, fd); i++) {
        close(fd);
        fd = open_once(output, is_new, error);
    }
    return fd;
}

/* Nothing new is left. */
static bool check_partial(struct output *output, struct error *error)
{
    bool is_new;
    if (!file_path_partial(output->path, output->partial))
        return error_set(error, "%s: the path is too long", output->path);
    int fd = open_partial(output, &is_new, error);
    if (fd < 0)
        return false;
    if (is_new)
        unlink(output->partial);
    close(fd);
    return true;
}

/* What is at the path: a file that is made anew, or what is written in place. */
static bool open_path(struct output *output, const char *path, struct error *error)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return error_set(error, "%s: is a folder, expected a file", path);
    if (exists && access(path, W_OK) != 0)
        return error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
    if (!exists || S_ISREG(status.st_mode))
        return check_partial(output, error);
    output->in_place = true;
    output->fd = open(path, O_WRONLY | O_CLOEXEC);
    return output->fd >= 0 || error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
}

bool output_open(struct output *output, const char *path, struct error *error)
{
    *output = (struct output){.fd = -1};
    if (path[0] == '\0')
        return error_set(error, "empty file name, expected a file to write to");
    if (strcmp(path, "-") == 0) {
        if (!standard_output_is_open())
            return error_set(error, "stdout: is closed, expected it open for what is to be written there");
        strcpy(output->path, "stdout");
        output->in_place = true;
        output->fd = STDOUT_FILENO;
        return true;
    }
    if (!file_path_follow(path, output->path))
        return error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
    if (!open_path(output, path, error))
        return false;
    if (!output->in_place)
        add_to_open(output);
    return true;
}

static bool has_records(const struct output *output)
{
    return output->whole > output->preamble;
}

static bool fail(struct output *output, const char *reason, struct error *error)
{
    output->has_failed = true;
    if (output->in_place || !has_records(output))
        return error_set(error, "%s: %s", output->path, reason);
    return error_set(error, "%s: %s; what was finished before is in %s", output->path, reason, output->partial);
}

/* With its header. */
static bool make(struct output *output, struct error *error)
{
    bool is_new;
    output->fd = open_partial(output, &is_new, error);
    output->has_failed = output->fd < 0;
    if (output->has_failed)
        return false;
    if (ftruncate(output->fd, 0) == 0 &&
        (!output->header || write_all(output->fd, output->header, (size_t)output->preamble)))
        return true;
    fail(output, strerror(errno), error);
    unlink(output->partial);
    close(output->fd);
    output->fd = -1;
    return false;
}

static bool append(struct output *output, const void *record, size_t bytes, struct error *error)
{
    if (write_all(output->fd, record, bytes)) {
        output->whole += (off_t)bytes;
        return true;
    }
    fail(output, strerror(errno), error);
    if (!output->in_place && ftruncate(output->fd, output->whole) == 0)
        lseek(output->fd, output->whole, SEEK_SET);
    return false;
}

bool output_write(struct output *output, const void *record, size_t bytes, struct error *error)
{
    sigset_t before;
    interrupt_block(&before); /* its handlers rename files: not while a record is written */
    bool ok = output->anew ? fwrite(record, 1, bytes, output->anew) == bytes || fail(output, strerror(errno), error)
                           : (output->fd >= 0 || make(output, error)) && append(output, record, bytes, error);
    interrupt_unblock(&before);
    return ok;
}

bool output_print(struct output *output, void (*print)(FILE *to, const void *self), const void *self,
                  struct error *error)
{
    char *record;
    size_t bytes;
    FILE *to = memory_stream(&record, &bytes);
    print(to, self);
    memory_stream_end(to);
    bool ok = output_write(output, record, bytes, error);
    free(record);
    return ok;
}

bool output_write_preamble(struct output *output, const char *text, size_t bytes, struct error *error)
{
    if (output->in_place) {
        if (!output_write(output, text, bytes, error))
            return false;
    } else {
        output->header = memory_have(strndup(text, bytes));
        output->whole = (off_t)bytes;
    }
    output->preamble = output->whole;
    return true;
}

bool output_begin_again(struct output *output, struct error *error)
{
    if (output->has_failed)
        return fail(output, "cannot be written again", error);
    output->anew = memory_stream(&output->anew_text, &output->anew_bytes);
    return true;
}

/* Room for all of it is made before a byte is replaced. */
static bool replace_records(struct output *output)
{
    memory_stream_end(output->anew);
    output->anew = NULL;
    off_t end = output->preamble + (off_t)output->anew_bytes;
    int failure = end > output->whole ? posix_fallocate(output->fd, output->whole, end - output->whole) : 0;
    if (failure != 0) {
        (void)!ftruncate(output->fd, output->whole);
        errno = failure;
        return false;
    }
    return lseek(output->fd, output->preamble, SEEK_SET) >= 0 &&
           write_all(output->fd, output->anew_text, output->anew_bytes) && ftruncate(output->fd, end) == 0;
}

static bool write_anew(struct output *output, struct error *error)
{
    sigset_t before;
    interrupt_block(&before);
    bool ok = replace_records(output) || fail(output, strerror(errno), error);
    interrupt_unblock(&before);
    return ok;
}

/* Closes it, under whatever name it has. */
static bool end(struct output *output)
{
    remove_from_open(output);
    free(output->header);
    output->header = NULL;
    if (output->anew)
        fclose(output->anew);
    free(output->anew_text);
    output->anew = NULL;
    output->anew_text = NULL;
    return output->fd < 0 || output->fd == STDOUT_FILENO || close(output->fd) == 0;
}

/* Its name comes before its end: with that the lock goes. A network file system may report a full disk only in fsync().
 */
static bool give_name(struct output *output, struct error *error)
{
    if (output->has_failed)
        return fail(output, "not all of it could be written", error);
    if (output->fd < 0 && !make(output, error))
        return false;
    if (output->anew && !write_anew(output, error))
        return false;
    if (fsync(output->fd) != 0)
        return fail(output, strerror(errno), error);
    return rename(output->partial, output->path) == 0 ||
           error_set(error, "%s: cannot be renamed from %s (%s)", output->path, output->partial, strerror(errno));
}

bool output_commit(struct output *output, struct error *error)
{
    bool ok = output->in_place || give_name(output, error);
    return (end(output) || !ok || error_set(error, "%s: %s", output->path, strerror(errno))) && ok;
}

bool output_commit_all(struct output *outputs, size_t count, bool is_whole, struct error *error)
{
    bool ok = true;
    char left[sizeof error->text] = ""; /* under the name FILE.partial, of which output_write() has not said it */
    struct error more;
    for (struct output *output = outputs; output < outputs + count; output++) {
        if (!has_records(output) || (output->in_place && !is_whole)) {
            output_discard(output); /* keep what was there before */
        } else if (!output->in_place && (output->has_failed || !is_whole)) {
            if (!output->has_failed)
                text_append(left, sizeof left, "%s%s", left[0] ? " and " : "", output->partial);
            (void)end(output);
        } else {
            ok = output_commit(output, ok ? error : &more) && ok;
        }
    }
    return left[0] ? error_set(error, "the run was cut short; what was finished before is in %s", left) : ok;
}

void output_discard(struct output *output)
{
    if (output->fd >= 0 && !output->in_place)
        unlink(output->partial);
    (void)end(output);
}

void output_rescue_all(void)
{
    for (const struct output *output = first_open; output; output = output->next_open) {
        if (output->fd < 0)
            continue;
        /* Another thread may be in the middle of writing a record: cut that one off. */
        if (!has_records(output) || ftruncate(output->fd, output->whole) != 0)
            unlink(output->partial);
        else if (!output->has_failed)
            rename(output->partial, output->path);
    }
}

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

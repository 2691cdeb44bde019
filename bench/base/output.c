#include "output.h"

#include "interrupt.h"
#include "standard_streams.h"
#include "write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_MAX_AT_ONCE = 16 };
static struct output *volatile open_outputs[OPEN_MAX_AT_ONCE];

static void add_to_open(struct output *output)
{
    for (int i = 0; i < OPEN_MAX_AT_ONCE; i++) {
        if (!open_outputs[i]) {
            open_outputs[i] = output;
            return;
        }
    }
}

static void remove_from_open(const struct output *output)
{
    for (int i = 0; i < OPEN_MAX_AT_ONCE; i++)
        if (open_outputs[i] == output)
            open_outputs[i] = NULL;
}

/* Whether another output has the same file open, under this path or another. */
static bool is_open_twice(const struct output *output)
{
    struct stat this, other;
    if (fstat(output->fd, &this) != 0)
        return false;
    for (int i = 0; i < OPEN_MAX_AT_ONCE; i++)
        if (open_outputs[i] && fstat(open_outputs[i]->fd, &other) == 0 && this.st_dev == other.st_dev &&
            this.st_ino == other.st_ino)
            return true;
    return false;
}

static bool open_partial(struct output *output, struct error *error)
{
    int length = snprintf(output->partial, sizeof output->partial, "%s.partial", output->path);
    if (length < 0 || (size_t)length >= sizeof output->partial)
        return error_set(error, "%.64s...: the path is too long", output->path);
    output->fd = open(output->partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output->fd < 0)
        return error_set(error, "%s: cannot be written (%s)", output->path, strerror(errno));
    return true;
}

/* Resolves symbolic links: the file that a link points to is replaced, the link stays. */
static bool resolve_path(struct output *output, const char *path)
{
    if (realpath(path, output->path))
        return true;
    if (strlen(path) >= sizeof output->path)
        return false;
    strcpy(output->path, path);
    return true;
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
        output->fd = standard_output();
        return true;
    }
    if (!resolve_path(output, path))
        return error_set(error, "%.64s...: the path is too long", path);
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return error_set(error, "%s: is a folder, expected a file", path);
    if (exists && access(path, W_OK) != 0)
        return error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
    if (exists && !S_ISREG(status.st_mode)) {
        output->in_place = true;
        output->fd = open(path, O_WRONLY | O_CLOEXEC);
        return output->fd >= 0 || error_set(error, "%s: cannot be written (%s)", path, strerror(errno));
    }
    if (!open_partial(output, error))
        return false;
    if (is_open_twice(output)) {
        close(output->fd);
        return error_set(error, "%s: is to be written twice, expected a different file for each output", path);
    }
    add_to_open(output);
    return true;
}

bool output_write(struct output *output, const void *record, size_t bytes, struct error *error)
{
    sigset_t before;
    interrupt_block(&before); /* its handlers rename files: not while a record is written */
    bool ok = write_all(output->fd, record, bytes);
    if (ok) {
        output->whole += (off_t)bytes;
    } else {
        error_set(error, "%s: %s", output->path, strerror(errno));
        if (!output->in_place && ftruncate(output->fd, output->whole) == 0)
            lseek(output->fd, output->whole, SEEK_SET);
    }
    interrupt_unblock(&before);
    return ok;
}

bool output_begin_again(struct output *output, struct error *error)
{
    output->whole = output->preamble;
    if (ftruncate(output->fd, output->whole) == 0 && lseek(output->fd, output->whole, SEEK_SET) >= 0)
        return true;
    return error_set(error, "%s: cannot be written anew (%s)", output->path, strerror(errno));
}

bool output_commit(struct output *output, struct error *error)
{
    remove_from_open(output);
    if (output->fd == standard_output())
        return true;
    if (close(output->fd) != 0) /* a network file system may report a full disk only here */
        return error_set(error, "%s: %s", output->path, strerror(errno));
    if (!output->in_place && rename(output->partial, output->path) != 0)
        return error_set(error, "%s: cannot be renamed from %s (%s)", output->path, output->partial, strerror(errno));
    return true;
}

void output_discard(struct output *output)
{
    remove_from_open(output);
    if (output->fd < 0 || output->fd == standard_output())
        return;
    close(output->fd);
    if (!output->in_place)
        unlink(output->partial);
}

void output_rescue_all(void)
{
    for (int i = 0; i < OPEN_MAX_AT_ONCE; i++) {
        const struct output *output = open_outputs[i];
        if (!output)
            continue;
        /* Another thread may be in the middle of writing a record: cut that one off. */
        if (output->whole > output->preamble && ftruncate(output->fd, output->whole) == 0)
            rename(output->partial, output->path);
        else
            unlink(output->partial);
    }
}

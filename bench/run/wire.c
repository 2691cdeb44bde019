#include "wire.h"

#include "bench/base/write_all.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 100 };

bool wire_send(int fd, const struct wire_message *message)
{
    bool ok = write_all(fd, message, sizeof *message);
    if (message->kind != WIRE_RESULT)
        return ok;
    const struct result *result = &message->result;
    if (ok && result->device)
        ok = write_all(fd, result->device, sizeof *result->device);
    if (ok && result->sample_s)
        ok = write_all(fd, result->sample_s, result->statistics.count * sizeof *result->sample_s);
    return ok;
}

static bool read_all(int fd, void *bytes, size_t count, void (*wait)(void *self), void *self)
{
    for (char *at = bytes; count > 0;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, LOOK_EVERY_MS) <= 0) {
            wait(self);
            continue;
        }
        ssize_t got = read(fd, at, count);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            at += got;
            count -= (size_t)got;
        }
    }
    return true;
}

bool wire_receive(int fd, struct wire_message *message, void (*wait)(void *self), void *self)
{
    wire_free(message);
    if (!read_all(fd, message, sizeof *message, wait, self))
        return false;
    message->sample_s = NULL; /* what came was the sender's */
    struct result *result = &message->result;
    if (message->kind != WIRE_RESULT)
        return true;
    if (result->device) {
        if (!read_all(fd, &message->device, sizeof message->device, wait, self))
            return false;
        result->device = &message->device;
    }
    if (result->sample_s) {
        size_t bytes = result->statistics.count * sizeof *result->sample_s;
        result->sample_s = message->sample_s = malloc(bytes);
        return message->sample_s && read_all(fd, message->sample_s, bytes, wait, self);
    }
    return true;
}

void wire_free(struct wire_message *message)
{
    free(message->sample_s);
    message->sample_s = NULL;
}

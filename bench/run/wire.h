/* What a process and its fork say to each other through a pipe: steps, results, the end. Pointers in a result are sent
 * as they are, for what they point to (names, the run's facts) was there before the fork; what was not, the device and
 * the samples, is sent along. */
#ifndef RUNGBENCH_WIRE_H
#define RUNGBENCH_WIRE_H

#include "bench/report/result.h"

#include <stdbool.h>

enum wire_kind {
    WIRE_STEP,   /* a row begins */
    WIRE_RESULT, /* a row is done */
    WIRE_END,    /* the process ends of its own will */
};

struct wire_message {
    enum wire_kind kind;
    union {
        struct {
            size_t done; /* rows before it */
            char name[160];
        } step;
        struct result result; /* its device and samples point to what follows, valid until the next message */
        int exit_status;
    };
    struct device_info device;
    double *sample_s;
};

/* False if the other end is gone. */
bool wire_send(int fd, const struct wire_message *message);

/* Waits for the next message. False: the other end is gone, perhaps amid a message. `wait` is called ten times a second
 * while there is none, and whenever a signal came. The message must be zero before the first call; wire_free() it at
 * the end. */
bool wire_receive(int fd, struct wire_message *message, void (*wait)(void *self), void *self);
void wire_free(struct wire_message *message);

#endif

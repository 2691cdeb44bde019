/* The state of the machine while a row was measured, from the device's state before and after it. */
#pragma once

#include "bench/table/backend.h"

#include <stdbool.h>
#include <stddef.h>

/* Unknown: NAN, or an empty text. */
struct conditions {
    double sm_clock_mhz;     /* cycles counted by an SM per device time; otherwise from the driver */
    double memory_clock_mhz; /* this and the next two: at the end of the row */
    double temperature_c;
    double power_w;
    double energy_j, energy_over_s; /* energy used in that many seconds, with warm-up and pauses; long rows only */
    double preemptions;
    double cpu_clock_mhz; /* of the host's core before or after the row, the higher one */
    char throttled[64];   /* reasons before or after the row, joined by '+'; "no": none */
    char marks[160];      /* marks for readers of the row, separated by spaces */
};

/* What a mark of a row means, by those of other modules too; whether it says that other work or a quota took time from
 * the row. The last one has no name. */
struct mark {
    const char *name, *meaning;
    bool disturbs;
};
extern const struct mark conditions_marks[];

/* Whether a mark says that. */
bool conditions_are_disturbed(const struct conditions *conditions);

/* Whether the energy of a row that takes so many seconds is known. */
bool conditions_have_energy(double elapsed_s);

/* `elapsed_s` is the host's time from `before` to `after`, `info` the device that both were read from,
 * `traits` the rung's. */
struct conditions conditions_between(const struct device_state *before, const struct device_state *after,
                                     double elapsed_s, const struct device_info *info, unsigned traits);

bool words_have(const char *words, const char *word, char separator);

/* Adds each of more words, separated by spaces, unless it is there already or there is no room. */
void words_join(char *words, size_t size, const char *more);

/* The same for the marks. */
void conditions_mark(struct conditions *conditions, const char *mark);
bool conditions_have_mark(const struct conditions *conditions, const char *mark);

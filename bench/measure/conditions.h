/* The state of the machine while a row was measured, from what its device said before and after. */
#ifndef RUNGBENCH_CONDITIONS_H
#define RUNGBENCH_CONDITIONS_H

#include "bench/table/backend.h"

#include <stdbool.h>
#include <stddef.h>

/* Unknown: NAN, or an empty text. */
struct conditions {
    double sm_clock_mhz; /* cycles that a multiprocessor counted over the device's own time; else as the driver says */
    double memory_clock_mhz; /* these three: at the end of the row */
    double temperature_c;
    double power_w;
    double energy_j, energy_over_s; /* used in so many seconds, warm-up and pauses included; of long rows only */
    double preemptions;
    char throttled[64]; /* reasons seen before or after, joined by '+'; "no": none was seen */
    char marks[160];    /* what the row has to be read with, words separated by spaces */
};

/* Nothing is known. */
struct conditions conditions_unknown(void);

/* `elapsed_s` is the host's time from `before` to `after`, `info` the device that both were read from. */
struct conditions conditions_between(const struct device_state *before, const struct device_state *after,
                                     double elapsed_s, const struct device_info *info);

/* Adds a word to those of the text; one that is there already, or finds no room, is left out. */
void words_add(char *words, size_t size, const char *word, char separator);

/* The same to the marks. */
void conditions_mark(struct conditions *conditions, const char *mark);

#endif

/* How long other threads of the process may go on computing, by what is seen of them at looks one after the other. */
#pragma once

#include <stdbool.h>

/* What a look sees. */
struct look {
    double now_s;
    double computed_s; /* by the other threads, since they began */
    bool any_runs;     /* one of them is running, or waiting for a processor, at this very moment */
};

struct quiet_watch {
    struct look first, last;
    int quiet; /* looks in a row that saw nothing */
};

struct quiet_watch quiet_watch_begin(const struct look *look);

void quiet_watch_look(struct quiet_watch *watch, const struct look *look);

/* The threads rest. */
bool quiet_watch_is_quiet(const struct quiet_watch *watch);

/* They do not, and have had their time. */
bool quiet_watch_is_over(const struct quiet_watch *watch);

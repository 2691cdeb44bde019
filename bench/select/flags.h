/* The table of the harness's flags, and what each value means. */
#ifndef RUNGBENCH_FLAGS_H
#define RUNGBENCH_FLAGS_H

#include "options.h"

struct flag {
    const char *name;        /* NULL: ours has none, only Google Benchmark's does */
    const char *google_name; /* NULL: there is none */
    const char *syntax;      /* NULL: takes no value; Google's may have =true or =false */
    const char *help;
    bool (*set)(struct options *options, const char *name, const char *value, struct error *error);
};

extern const struct flag flags[];
extern const size_t flag_count;

/* "--name=value: expected ..."; returns false. */
bool flag_bad_value(struct error *error, const char *name, const char *value, const char *expected);

/* --modes=`value`. */
bool flag_set_modes(struct options *options, const char *name, const char *value, struct error *error);

#endif

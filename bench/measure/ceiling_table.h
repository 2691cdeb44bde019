/* What a device can do at best, as far as it was measured: one entry per kind and size, the best time so far. Nothing
 * is measured here, so that the table can be kept, and asked, in a process that opens no device. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/op.h"
#include "arithmetic.h"
#include "mode.h"

#include <stdbool.h>
#include <stddef.h>

/* Further kinds, which need no function of the backend: an empty kernel, alone or with the row's transfers. */
enum { CEILING_EMPTY = CEILING_KINDS, CEILING_TRANSFER };

/* One measurement. Entries are told apart by all but the last two. */
struct ceiling {
    char backend[16], mode[16]; /* their names */
    int kind;
    double amount;      /* bytes or operations; 0 where there is only one */
    char workload[144]; /* of transfers: op/workload; else empty */
    double seconds;     /* NAN: could not be measured */
    int variant;        /* the one that was fastest */
};

struct ceiling_table {
    struct ceiling *items;
    size_t count;
};

/* The row for which a floor is asked. */
struct floor_question {
    const char *backend; /* its name */
    const struct mode *mode;
    double bytes, flops;                 /* NAN: has none */
    double written;                      /* of the bytes; NAN: unknown */
    const struct arithmetic *arithmetic; /* of the flops; NULL: they have no ceiling */
    const char *op, *workload;
};

struct time_floor {
    double seconds;          /* NAN: unknown */
    const char *ceiling;     /* what limits it: "read", "copy", "transfer", an arithmetic's name; empty if unknown */
    double bytes_s, flops_s; /* what its bytes and its operations take alone; NAN: unknown, or none */
    double limit_s;          /* no kernel takes less, whatever it finds in a cache: at most `seconds`; NAN: unknown */
    const char *limit;       /* what limits it then */
};

/* Whether this kind does operations, rather than move bytes. */
bool ceiling_is_arithmetic(int kind);

/* The entry that a question needs of this kind; arithmetic has further ones, with larger amounts. Its time is unknown.
 * False: it needs none. */
bool ceiling_needed(const struct floor_question *question, int kind, struct ceiling *needed);

/* The entry for the same measurement; NULL: there is none. */
struct ceiling *ceiling_table_find(const struct ceiling_table *table, const struct ceiling *like);

/* Adds a measurement, or keeps the better of the two. False: no memory. */
bool ceiling_table_add(struct ceiling_table *table, const struct ceiling *measured);

/* The floor of a row: the larger of the least time to move its bytes (by reading all, or by copying half of them,
 * whichever is faster) and, with an arithmetic, the least time for its operations. In modes with transfers it is the
 * least time of the transfers, and there is no limit. A copy ends while a cache holds part of what it has written,
 * which goes to memory later: it says nothing of a row that writes little. The limit has the bytes at the best rate of
 * this size and smaller ones, copies among them: a cache may hold part of them, and how large a part depends on a
 * kernel's order and hints. */
struct time_floor ceiling_table_floor(const struct ceiling_table *table, const struct floor_question *question);

/* The best rate of this kind of arithmetic, or of any, in operations per second; NAN if unknown. */
double ceiling_table_rate(const struct ceiling_table *table, const char *backend, int kind);

void ceiling_table_free(struct ceiling_table *table);

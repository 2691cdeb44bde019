/* What a device can do at best: the least time for a row's bytes, operations or transfers, measured in the same run, in
 * the row's mode and at the row's size. One entry per kind and size, the best time so far. The table is kept, and
 * asked, in a process that opens no device. */
#pragma once

#include "calibration.h"

/* Besides those of a backend: whichever is the fastest. */
enum { CEILING_ANY = -1 };

/* What a rung multiplies with, which decides the ceiling of its operations: FP32 multiply-adds, or the products of
 * tensor cores, one or several for each multiplication of the operation. */
struct arithmetic {
    const char *name; /* column `arithmetic`; also the name of the ceiling */
    int kind;         /* what is measured, of enum ceiling_kind; or CEILING_ANY */
    int products;     /* that each multiplication takes: the operation's rate is this part of the ceiling's */
};

/* NULL: its operations have no ceiling. */
const struct arithmetic *arithmetic_of(enum precision precision, unsigned traits);

/* "any" is what a kernel may use of which nobody knows: the fastest arithmetic of the device is its ceiling, but for
 * that of integers, which is not measured. NULL: there is none of that name. */
const struct arithmetic *arithmetic_find(const char *name);

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

/* Adds a measurement, or keeps the better of the two, and returns what is known then. */
struct ceiling *ceiling_table_add(struct ceiling_table *table, const struct ceiling *measured);

/* The floor of a row: the larger of the least time to move its bytes (by reading all, or by copying half of them,
 * whichever is faster) and, with an arithmetic, the least time for its operations. In modes with transfers it is the
 * least time of the transfers, and there is no limit. A copy ends while a cache holds part of what it has written,
 * which goes to memory later: it says nothing of a row that writes little. The limit has the bytes at the best rate of
 * this size and smaller ones, copies among them: a cache may hold part of them, and how large a part depends on a
 * kernel's order and hints. */
struct time_floor ceiling_table_floor(const struct ceiling_table *table, const struct floor_question *question);

/* Times what sets a ceiling, in its mode on a struct bench: of its variants the fastest, or the one that `ceiling`
 * names, if it is not negative. Sets seconds and variant. */
void ceiling_time(void *bench, double min_time_s, struct ceiling *ceiling);

struct ceilings {
    /* ceiling_time(), or the like on the device of the ceiling's backend; `self` is the next member. */
    void (*time)(void *self, double min_time_s, struct ceiling *ceiling);
    void *self;
    struct ceiling_table table; /* what was measured so far */
};

/* How thorough a measurement is. */
enum ceiling_care {
    CEILING_ONCE,  /* only what was not measured yet */
    CEILING_AGAIN, /* once more, and for longer: the first time may have been disturbed */
    CEILING_LAST,  /* once more, briefly, and only what was the fastest way */
};

/* Measures the ceilings that a row needs. */
void ceilings_measure(struct ceilings *ceilings, const struct floor_question *question, enum ceiling_care care);

/* Measures all known ceilings a last time, but for transfers: their buffers are no longer there. */
void ceilings_measure_last(struct ceilings *ceilings);

/* The time of an empty kernel in this mode, in seconds; NAN if unknown. */
double ceilings_empty_kernel(struct ceilings *ceilings, const char *backend, const struct mode *mode);

/* The best rate of this kind, in bytes or operations per second; NAN if unknown. Reads and copies are of `bytes`. */
double ceilings_rate(struct ceilings *ceilings, const char *backend, const struct mode *mode, enum ceiling_kind kind,
                     double bytes);

void ceilings_free(struct ceilings *ceilings);

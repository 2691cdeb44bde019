/* A result: one row of the table or the CSV. Plain data: the runner makes it, reporters only write it. */
#pragma once

#include "bench/base/error.h"
#include "bench/base/statistics.h"
#include "bench/measure/conditions.h"
#include "bench/table/backend.h"
#include "bench/table/rung.h"

struct backend_entry;
struct mode;
struct rung;

enum { RESULT_SCHEMA = 1 };

enum status { STATUS_OK, STATUS_SKIPPED, STATUS_FAILED };

/* The machine code of a rung of this program. */
struct code_digest {
    const char *rung; /* "matmul_cpu_scalar" */
    const char *digest;
};

/* The same for all rows of a run in one process. */
struct run_facts {
    char host[128];
    char git_revision[64];
    char compiler[256];
    char timestamp[32];
    char session[48];
    uint64_t seed;
    double start_s;                 /* start of the whole run on the host's clock */
    int round, round_count;         /* the number of this process, from 0, of how many */
    const struct code_digest *code; /* of the rungs, up to one without a name; NULL: unknown */
};

/* What is no column can be derived from the columns (result_classify), or is known to those who run rounds. */
struct result {
    const struct run_facts *run;
    const struct device_info *device; /* NULL where the backend could not be opened */
#define MEMBER_WORD(name) char name[64]
#define MEMBER_LINE(name) char name[160]
#define MEMBER_KNOWN_WORD MEMBER_WORD
#define MEMBER_KNOWN_LINE MEMBER_LINE
#define MEMBER_TEXT(name) char name[512]
#define MEMBER_NUMBER(name) double name
#define MEMBER_COUNT(name) int64_t name
#define MEMBER_WHOLE(name) int64_t name
#define MEMBER_FLAG(name) bool name
#define MEMBER_STATUS(name) enum status name
#define COLUMN(name, type, ...) MEMBER_##type(name);
#define COLUMN_OF(...)
#include "columns.def"
    struct statistics statistics; /* of the timed calls */
    struct conditions conditions;
    struct kernel_launches launches;
    int round_count;
    const char *baseline_mode; /* the mode of the time that a speed-up divides; empty: no speed-up */
    bool is_host;              /* ran in host memory */
    bool is_library;           /* a vendor's or other library, to compare with */
    const char *unfair;        /* what of its backend and precision is: "tf32", "simulated"; or empty */
    const double *sample_s;    /* statistics.count of them in order, seconds per call */
};

/* Fills the fields that are no columns from the backend, the rung (NULL: not in the table), the precision and the mode
 * (NULL: only verified). */
void result_classify(struct result *result, const struct backend_entry *backend, const struct rung *rung,
                     const struct mode *mode);

/* Computes the derived columns: rates, per cent of the ceiling, cycles. */
void result_derive(struct result *result);

/* Why it is never called best: "tf32", "simulated", or a mark; empty: it may be. */
const char *result_unfair(const struct result *result);

/* Whether it has a time, and whether that may be compared with others. */
bool result_is_measured(const struct result *result);
bool result_is_fair(const struct result *result);

/* The seconds that its time lies between: the 95 % interval of the median, or all that was seen in few rounds, which
 * have none. NAN: nobody knows. */
struct range {
    double low, high;
};
struct range result_interval(const struct result *result);

/* Whether that interval is known, and its upper end at most this many times the lower one: else ratios of its time are
 * approximate. */
#define RESULT_INTERVAL_FACTOR 1.5
bool result_has_interval(const struct result *result);

/* Whether it may be called best or tied: it is fair, and has an interval. */
bool result_has_rank(const struct result *result);

/* Makes it failed. `is_wrong`: its answers are wrong, or it does what it must not; else it could not be run or timed.
 * The reason is `what` followed by `why`. */
void result_fail(struct result *result, bool is_wrong, const char *what, const char *why);
bool result_is_wrong(const struct result *result);

/* Whether a call can take so long: no kernel is shorter than a cycle, and nobody waits for a longer one. */
bool result_time_is_possible(double seconds);

const char *status_name(enum status status);
bool status_parse(const char *name, enum status *status); /* false: there is none of that name */
const char *precision_name(enum precision precision);

bool result_same_workload(const struct result *a, const struct result *b);

/* A growing list of results. */
struct result_list {
    struct result *items;
    size_t count, room;
};

/* Copies the result without its samples; whatever else it points to must outlive the list. False: no memory. */
bool result_list_add(struct result_list *list, const struct result *result, struct error *error);
void result_list_free(struct result_list *list);

/* The rows from the `first` on that share its workload. They stay the list's. */
struct result_list result_list_block(const struct result_list *list, size_t first);

/* How many there are of each; those that are wrong have failed, too. */
struct result_counts {
    size_t measured, verified, wrong, failed, skipped;
};
struct result_counts result_list_counts(const struct result_list *list);

/* A result: one row of the table or the CSV. Plain data: the judge makes it, outputs only write it. Its columns are
 * those of columns.def, as members and as data, for the CSV, its reader, JSON and the summary of rounds. */
#pragma once

#include "bench/base/csv_text.h"
#include "bench/base/statistics.h"
#include "bench/measure/conditions.h"
#include "bench/table/registry.h"

#include <jansson.h>

struct mode;

enum { RESULT_SCHEMA = 1 };

enum status { STATUS_OK, STATUS_SKIPPED, STATUS_FAILED };

/* The same for all rows of a run in one process. */
struct run_facts {
    char host[128];
    char git_revision[64];
    char compiler[256];
    char timestamp[32];
    char context[512];
    char sitting[48];
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
    struct warp_accesses warps; /* of a simulated row that is to be explained */
    char counters[1024];
    char not_general[512]; /* why column `general` is not "yes" */
    size_t place;          /* of its row in the order of the table; where rounds of several are shown */
    int round_count;
    const char *baseline_mode; /* the mode of the time that a speed-up divides; empty: no speed-up */
    bool is_host;              /* ran in host memory */
    bool is_library;           /* a vendor's or other library, to compare with */
    const char *unfair;        /* what of its backend and precision is: "tf32", "simulated"; or empty */
    double *sample_s;          /* statistics.count of them in order, seconds per call */
};

/* A result with every column unknown. */
struct result result_blank(void);

/* Makes unknown what timing has filled; identity and the check of the answer stay. */
void result_forget_times(struct result *result);

/* Fills the fields that are no columns from the backend, the rung (NULL: not in the table), the precision and the mode
 * (NULL: only verified). */
void result_classify(struct result *result, const struct backend_entry *backend, const struct rung *rung,
                     const struct mode *mode);

/* Computes the derived columns: rates, per cent of the ceiling, cycles. */
void result_derive(struct result *result);

/* Why it is never called best: "tf32", "simulated", or a mark; empty: it may be. */
const char *result_unfair(const struct result *result);

/* Whether it has a time; one that was not slowed on purpose; and one that may be compared with others. */
bool result_is_measured(const struct result *result);
bool result_is_comparable(const struct result *result);
bool result_is_fair(const struct result *result);

/* Whether there is a ratio of their times: there is none across accuracies. */
bool result_has_ratio(const struct result *a, const struct result *b);

/* The seconds that its time lies between: the 95 % interval of the median, or all that was seen in few rounds, which
 * have none. NAN: nobody knows. */
struct range {
    double low, high;
};
struct range result_interval(const struct result *result);

/* Whether that is known, and narrow; and of what was measured, that it is not: ratios of its time are approximate. */
bool result_has_interval(const struct result *result);
bool result_is_approximate(const struct result *result);

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
    size_t count;
};

/* Copies the result; what it points to must outlive the list. */
void result_list_add(struct result_list *list, const struct result *result);
void result_list_free(struct result_list *list);

/* Whether no row before this one in the list is like it. */
bool result_is_first(const struct result_list *list, const struct result *row,
                     bool (*is_like)(const struct result *other, const struct result *row));

/* The row and all neighbours that share its workload. They stay the list's. */
struct result_list result_list_around(const struct result_list *list, const struct result *row);

/* How many there are of each; those that are wrong have failed, too. */
struct result_counts {
    size_t measured, verified, wrong, failed, skipped;
};
struct result_counts result_list_counts(const struct result_list *list);

/* The words of columns.def; it says what they mean. */
enum column_type { TYPE_TEXT, TYPE_KNOWN, TYPE_NUMBER, TYPE_POSITIVE, TYPE_COUNT, TYPE_WHOLE, TYPE_FLAG, TYPE_STATUS };
enum column_part { PART_result, PART_run_facts, PART_device_info };
enum merge {
    MERGE_SAME,
    MERGE_MEDIAN,
    MERGE_LEAST,
    MERGE_DERIVED,
    MERGE_FIRST,
    MERGE_WORST,
    MERGE_JOINED,
    MERGE_DROPPED
};
enum json_place { JSON_IN_ENTRY, JSON_IN_CONTEXT, JSON_BY_HAND };
enum gate_use { GATE_OPTIONAL, GATE_NEEDED, GATE_WORK, GATE_MACHINE, GATE_LIBRARY, GATE_HOST };

struct column {
    const char *name;
    enum column_type type;
    const char *unit;
    enum merge merge;
    enum json_place json;
    const char *key; /* in JSON; NULL: the name */
    enum gate_use gate;
    const char *meaning;
    enum column_part part; /* that has the member, */
    size_t offset, size;   /* which is there */
};

/* In the order of the CSV. */
enum column_id {
#define COLUMN(name, ...) COLUMN_##name,
#include "columns.def"
    RESULT_COLUMNS
};
extern const struct column result_columns[RESULT_COLUMNS];

/* Where each column is in a CSV file; CSV_NO_COLUMN where the file, which errors name, lacks it. False: it lacks one
 * that all files have. */
bool columns_find(const struct csv_table *table, const char *file, int at[RESULT_COLUMNS], struct error *error);

/* The value of a numeric column; NAN: unknown. */
double column_number(const struct column *column, const struct result *result);

/* The text of its cell, before CSV quoting; empty: unknown. Points into the result or to `buffer`. */
enum { COLUMN_BUFFER = 32 };
const char *column_text(const struct column *column, const struct result *result, char buffer[COLUMN_BUFFER]);

/* The reverse: sets the member in `part`, the struct that has it. False, and nothing set: the text is no value of the
 * column, or too long for it. */
bool column_parse(const struct column *column, const char *text, void *part);

/* The column's value; NULL if it is unknown. An integer that is always known, as the seed is, becomes a text: readers
 * may take a number for one of 53 bits. */
json_t *column_json(const struct column *column, const struct result *result);

/* Reads row `row`, from 0, and classifies it by the registry. The result points to `facts` and `device` and to nothing
 * else; its device is NULL if the row names none. Columns that the file lacks are unknown, and so is what no column
 * has. False: a cell has no valid value; the error names line and column. */
bool result_read(const struct csv_table *table, size_t row, const struct registry *registry, struct run_facts *facts,
                 struct device_info *device, struct result *result, struct error *error);

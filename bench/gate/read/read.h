/* Results that a benchmark has written become rounds of a recording: what some tools write, a reader a file in this
 * folder. Which one, the content says. */
#pragma once

#include "bench/base/csv_text.h"
#include "bench/gate/recording.h"

#include <jansson.h>

enum { RESULTS_BYTES_MAX = 1 << 30 };

/* What is read, and where to. */
struct reading {
    const char *name; /* for errors: a file, or a program */
    const char *path; /* beside which there may be others; NULL: it is no file */
    char *text;       /* `bytes` bytes and a zero; a reader may overwrite it, and one that keeps it makes it NULL */
    size_t bytes;
    const json_t *json; /* the same; NULL: it is no JSON */
    const char *array;  /* whose item is read, for errors; NULL: none's */
    size_t place;       /* of that in it */
    bool is_process;    /* all times of a row are of one round */
    struct recording *to;
    struct error *error; /* of a reader that returns false */
};

/* A reader of CSV reads all of it, one of JSON takes the items of an array of the document one by one. */
struct reader {
    const char *about;    /* what is expected: "NVBench's JSON" */
    const char *marks[2]; /* columns, or members of the document, that tell it from others */
    bool (*read)(struct reading *reading);
    const char *array;
    bool (*take)(const struct reading *reading, json_t *item);
};
extern const struct reader rungbench_csv_reader, google_reader, nvbench_reader, nvbench_csv_reader, hyperfine_reader,
    pytest_reader, plain_csv_reader;

/* Rounds as plain CSV: the header, and the lines of a struct recording. */
extern const char plain_csv_header[];
void plain_csv_put(FILE *to, const void *recording);

/* Reads all of it into its empty recording, by the reader with that place in READ_FORMATS, and frees
 * the text. False, with the reason: it is damaged, or has no row. */
bool results_read(struct reading *reading, int format, struct error *error);

/* The same of a file; the recording gets its name. */
bool results_read_file(const char *path, int format, struct recording *recording, struct error *error);

/* Adds the rows of a table of rungbench's CSV, of which it takes ownership even if it fails. */
bool recording_add(struct recording *recording, struct csv_table *table, struct error *error);

/* For readers. What a tool has measured of a row, one after the other: a time is a round, but of more than 20 in a file
 * it is blocks of them, as what lies close together is alike. In a block, as in a process, the median counts on a
 * device's clock, else the least. */
struct measured {
    const char *name, *reason, *device, *host; /* NULL: unknown */
    enum status status;
    bool on_device; /* timed by its clock */
    const double *times_s;
    size_t count; /* 0 unless ok */
    long round;   /* of the first one */
};
bool reading_take(const struct reading *reading, const struct measured *measured);

/* All of the text as a table, for which it is taken over. False: it is none. */
bool reading_table(struct reading *reading, struct csv_table *table);

/* A copy that is the recording's; NULL becomes an empty one. */
const char *reading_keep(const struct reading *reading, const char *text);

/* Sets the error: "NAME: WHAT", in an array "NAME: benchmarks[3]: WHAT"; returns false. */
__attribute__((format(printf, 2, 3))) bool reading_refuse(const struct reading *reading, const char *format, ...);

/* json_unpack() of such an item, with the error. */
bool reading_unpack(const struct reading *reading, json_t *item, const char *format, ...);

/* reading_take() of such an item with all numbers of `times`, in seconds; without any, `otherwise` is its time. */
bool reading_take_times(const struct reading *reading, const json_t *times, double otherwise, struct measured measured);

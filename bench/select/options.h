/* What is asked for: every flag of rungbench ends here. */
#pragma once

#include "bench/base/command_line.h"
#include "bench/base/error.h"
#include "bench/measure/mode.h"
#include "bench/own/own_op.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"
#include "exercises.h"
#include "suite.h"

#include <stdio.h>

enum format { FORMAT_CONSOLE, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN, FORMAT_GOOGLE_CSV };
enum {
    OPTIONS_USER_WORKLOADS_MAX = 1000,
    OPTIONS_ROUNDS_MAX = 1000,
    OPTIONS_FILES_MAX = 1024,
    OPTIONS_DEVICES_MAX = 64,
    OPTIONS_DEVICE_MOST = 1023,
    OPTIONS_MIN_TIME_S_MAX = 3600,
    OPTIONS_BUDGET_S_MAX = 30 * 24 * 3600,
    OPTIONS_SITTING_MAX = 40,
    OPTIONS_SITTING_ROUND_MAX = 999999
};

/* Where a flag may do nothing. */
enum idle_place { IDLE_IN_LIST, IDLE_IN_SUMMARY, IDLE_IN_MERGE, IDLE_IN_EXERCISE, IDLE_PLACES };

#define OPTIONS_NO_TIME_S 1e-300

struct user_workload {
    const struct op *op;
    struct workload workload;
    unsigned axes; /* bits: the sizes that vary in the --size that it comes from */
};

struct options {
    const struct registry *registry;
    bool help, version, list, verify, info, calibrate;
    bool check;                               /* the operation of the user's own */
    bool general;                             /* a kernel of the user's own must be right at all sizes */
    bool explain;                             /* the rows, after the table */
    bool tune;                                /* times candidates, and keeps what follows for the model of model.h */
    const char *summarize;                    /* a file of results; NULL: none */
    const char *crossovers;                   /* the same */
    bool merge;                               /* the files: */
    const char *files[OPTIONS_FILES_MAX + 1]; /* ended by a NULL */
    size_t file_count;
    int starter;                     /* enum starter; -1: none is asked for */
    const struct exercise *exercise; /* what is judged; NULL: none is */
    bool lists_exercises;
    const char *match;    /* a pattern for the lines of stdin; NULL: none */
    const char *profile;  /* the row to profile; NULL: none */
    int flush_by_writing; /* 1: yes */
    const char *filter;   /* NULL: none */
    const char *slowdown; /* REGEX:PERCENT; NULL: none */
    const struct suite *suite;
    bool suite_is_default; /* nobody asked for another */
    const struct mode *modes[MODE_COUNT];
    size_t mode_count;
    bool modes_are_suites; /* nobody asked for others */
    double min_time_s;
    int samples_per_row; /* 0: as many as are needed */
    int exact_calls;     /* becomes samples_per_row, of a call each; 0: it does not */
    bool dry_run;        /* a round and a call */
    double min_warm_up_s;
    double budget_s; /* INFINITY: none */
    int rounds;
    char *const *shared;                   /* the arguments that players get too, ended by a NULL */
    char sitting[OPTIONS_SITTING_MAX + 1]; /* this process is a round of that; empty: a sitting of its own */
    int sitting_round;
    bool player;                                    /* this process is one: bench/player */
    const char *out, *json, *samples;               /* files; NULL: none */
    const char *google_csv, *table;                 /* likewise, of Google Benchmark's formats */
    const char *google_out;                         /* becomes `json`, `google_csv` or `table` */
    int google_out_format;                          /* in that order; -1: nobody says */
    char context[512];                              /* "KEY=VALUE,KEY=VALUE"; empty: none */
    bool aggregates_only, displays_aggregates_only; /* everywhere; on stdout */
    int time_unit;                                  /* ns, us, ms, s; of Google Benchmark's formats */
    enum format format;
    struct backend_settings backend;
    int devices[OPTIONS_DEVICES_MAX]; /* a run on each; none: one run */
    size_t device_count;
    bool all_devices; /* of the backend that has some */
    bool together;    /* these runs */
    bool is_hushed;   /* one of them says for all what is to be said of the program and the machine */
    uint64_t seed;
    const char *mnist, *image, *gray_out; /* NULL: none */
    const struct backend_entry *require;  /* must be usable; NULL: none must */
    const struct backend_entry *only;     /* whose rungs alone are selected; NULL: those of all */
    enum choice progress, color;
    const char *sizes[OPTIONS_USER_WORKLOADS_MAX]; /* sizes_add() makes workloads of them */
    size_t size_count;
    struct user_workload user[OPTIONS_USER_WORKLOADS_MAX];
    size_t user_count;
    struct own_request own; /* kernels of the user's own; without any, no rung is */
    bool watch;             /* judge them again whenever their files change */
    char *const *program;   /* to be simulated, and its arguments, ended by a NULL; NULL: none */
    char notes[FLAG_NOTES_BYTES];
    const char *idle[IDLE_PLACES], *idle_without_kernel; /* a flag that was given and does nothing there; NULL: none */
};

/* Reads argv. `arguments`, with room for argc + 1 of them, becomes the options' `shared`. */
bool flags_parse(const struct registry *registry, int argc, char **argv, char **arguments, struct options *options,
                 struct error *error);

/* What was given that has no place where several runs have one file and one table; NULL: all has one. */
const char *options_of_one_run(const struct options *options);

/* The backend that has devices; NULL: this build has none. */
const struct backend_entry *options_device_backend(const struct options *options);

/* Takes the names of modes that a flag has. */
bool options_set_modes(void *options, const struct given_flag *given, struct error *error);

/* When all flags have been read: what the suite says where the user has not. False: what was given may not stand
 * together, or does nothing. */
bool options_complete(struct options *options, struct error *error);

/* A line on stderr for each flag that was given twice with different values, that has no effect, or, of --size, became
 * several workloads; none in a player, which gets the same flags. */
void flags_note(const struct options *options);

void flags_print_help(FILE *to);

/* Of kernels of the user's own, one at least runs on a simulator. Its times say nothing: unless modes were asked for,
 * rows are verified alone, and unless a suite was, on small workloads. */
void options_simulate(struct options *options);

/* The command line of rungbench-gate. */
#pragma once

#include "bench/base/command_line.h"
#include "bench/base/error.h"

enum gate_task {
    TASK_FILES,    /* BASE.csv NEW.csv */
    TASK_SITTING,  /* BASE_PROGRAM NEW_PROGRAM */
    TASK_SELFTEST, /* PROGRAM */
    TASK_DECIDE,   /* what scripts/rates.sh asks on stdin */
    TASK_REFUSAL,  /* BASE NEW, two names: nothing is compared */
};

/* What wrote the results that are read; the first finds out. */
#define READ_FORMATS "auto|rungbench|google|nvbench|nvbench-csv|hyperfine|pytest|csv"
enum { READ_AUTO };

/* In a command: a file, new for each run, whose content is read instead of stdout; and a regular expression of the rows
 * that are wanted, quoted. */
#define GATE_OUT "{out}"
#define GATE_FILTER "{filter}"

/* The sides of a sitting: base, new, and one for each --slowdown. */
enum { GATE_SIDES_MAX = 8, GATE_SLOWDOWNS_MAX = GATE_SIDES_MAX - 2, GATE_ARGUMENTS_MAX = 8 };
extern const char *const gate_sides[GATE_SIDES_MAX];

struct gate_options {
    bool help, version;
    uint64_t given;              /* of each flag, whether it was: a set of bits */
    bool is_asked[TASK_REFUSAL]; /* of each task, whether a flag asks for it */
    enum gate_task task;
    const char *commands[2]; /* --base and --new */
    const char *arguments[GATE_ARGUMENTS_MAX];
    size_t argument_count;
    char *const *flags; /* for rungbench, ended by NULL: what stood after -- */
    int format;         /* of what is read: its place in READ_FORMATS */
    bool runs_commands; /* the arguments are not programs like rungbench, but commands for a shell */
    const char *filter; /* NULL: all rows */
    bool common;
    bool cpu_only, other_device, strict, no_intervals;
    enum choice progress;
    double threshold;       /* relative; NAN: the rule's own */
    double process_limit_s; /* 0: none */
    uint64_t seed;
    uint64_t pairs;                            /* of a self-test, or of each confirmation */
    const char *slowdowns[GATE_SLOWDOWNS_MAX]; /* REGEX:PERCENT, one per arm */
    size_t slowdown_count;
    const char *refusal;              /* why nothing can be compared */
    const char *base_name, *new_name; /* of the sides in reports and messages; NULL: files or programs */
    const char *exceptions;           /* a file; NULL: none */
    const char *trailers;             /* the same, of commits */
    const char *commits;              /* a file: which commits touched which rungs; NULL: none */
    const char *programs[2];          /* whose rounds two files have; NULL: they are not there */
    bool why;                         /* ncu is to count launches of what is slower or faster */
    const char *keep, *markdown, *junit, *json, *csv; /* NULL: none */
    struct named_files files;                         /* those that flags name */
};

/* Turns: several processes of one side, seconds apart. On a shared CPU one process may find no quiet moment, and then
 * even its fastest sample is disturbed; of several, usually one finds a quiet moment. */
enum { TURNS_ALONE = 1, TURNS_ON_CPU = 6 };

/* Processes that make a round. */
size_t gate_options_turns(const struct gate_options *options);

bool gate_options_parse(int argc, char **argv, struct gate_options *options, struct error *error);

void gate_options_print_help(FILE *to);

/* Whether no file that is written is another file that the command line names, or means: what is kept, and the summary
 * of a job. */
bool gate_options_files_are_apart(struct gate_options *options, struct error *error);

/* The path of a side's rounds in a folder of --keep; free() it. */
char *gate_kept_path(const char *folder, size_t side);

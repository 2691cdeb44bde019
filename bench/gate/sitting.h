/* A sitting: programs that take turns on one machine in random order, so that drift (clocks, temperature, other work)
 * affects all of them alike. */
#pragma once

#include "bench/base/error.h"
#include "bench/base/host.h"
#include "bench/base/output.h"
#include "comparison.h"
#include "gate_options.h"

/* An arm: one of the programs. */
struct arm {
    const char *program;    /* or a command for the shell */
    const char *label;      /* names the program in messages */
    char *slowdown;         /* a flag; NULL: none */
    struct pattern *slowed; /* of a command: the rows whose times are multiplied; NULL: none */
    double factor;
    struct recording recording; /* its rounds, under the name of the side */
    struct output *kept;        /* gets a copy of its CSV; NULL: none */
    /* Why it runs no more rounds; empty: it does. The rows that it owes are then added: as failed after a crash, a
     * hang or too long a time, as skipped where it says that nothing can be measured. */
    char ended[768];
    enum status owes;
};

struct sitting {
    char id[48];
    const struct gate_options *options;
    struct arm arms[GATE_SIDES_MAX]; /* the base, the new program, and one for each --slowdown */
    size_t arm_count;
    struct output files[GATE_SIDES_MAX];
    size_t file_count;
    const char **argv; /* of a process: its program, the flags that all get, and room for its own */
    size_t shared_count;
    char threads[32], min_time[32]; /* two of the flags */
    double row_limit_s;             /* a process that is silent for longer hangs, and is killed */
    const struct exceptions *exceptions;
    char *folder;             /* of {out}; NULL: none */
    struct row_filter wanted; /* of commands: the rows of this stage */
    double longest_s;         /* that a command took */
    struct host_clock clock;
    void (*step)(size_t turn, const char *arm); /* called before each process */
    bool ends_with_failure;                     /* no more rounds after one in which a row of an arm is wrong */
    bool has_failure;                           /* that was so */
    bool is_over;                               /* no more rounds: because of that, or an arm has ended */
    struct {
        size_t pairs, rows;
        struct recording earlier[2]; /* those of the first arms of the stage before */
    } confirmation[RULE_CONFIRMATIONS];
    size_t confirmations; /* how many there were */
};

/* A sitting of an own id, as the options say, which must outlive it; the caller sets exceptions, clock and step. With
 * --keep, makes the folder and opens a file per arm in it. False, with the reason: nothing is left open. */
bool sitting_make(struct sitting *sitting, const struct gate_options *options, struct error *error);

enum sitting_end {
    SITTING_DONE,
    SITTING_FAILED,      /* a program could not be used; the error says why */
    SITTING_ALL_SKIPPED, /* no program can measure anything here; the error is the base's */
    SITTING_INTERRUPTED,
};

/* Runs rounds `first` to `end` - 1 of the rows that `filter` selects (a --filter flag; NULL: all that the flags select)
 * into the arms' recordings, which are empty. In the kept files each process is a round. When an arm other than the
 * base ends early, the rows that it owes are added, and no more rounds are run; nor are they after a failure, where the
 * sitting is to end with one. */
enum sitting_end sitting_run(struct sitting *sitting, size_t first, size_t end, const char *filter,
                             struct error *error);

/* Two builds in one sitting: a screen of all rows, then a confirmation of the rows that the screen did not clear, then
 * one more of those that it left inconclusive. Each confirmation decides alone, in new rounds. Decides every row;
 * unless the result is SITTING_DONE there is no comparison. Its texts are the sitting's. */
enum sitting_end sitting_decide(struct sitting *sitting, struct comparison *comparison, struct error *error);

/* Renames the kept files to their final names. */
bool sitting_keep(struct sitting *sitting, struct error *error);

/* Frees everything, recordings too; removes kept files that sitting_keep() has not renamed. */
void sitting_free(struct sitting *sitting);

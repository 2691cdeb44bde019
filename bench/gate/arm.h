/* An arm of a sitting: one of the programs, or commands, that take turns. Each of its processes is a turn. */
#pragma once

#include "bench/base/error.h"
#include "bench/base/host.h"
#include "bench/base/output.h"
#include "gate_options.h"
#include "recording.h"

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

/* What all arms share. */
struct terms {
    char id[48]; /* of the sitting */
    const struct gate_options *options;
    const char **argv; /* of a process: its program, the flags that all get, and room for its own */
    size_t shared_count;
    char threads[32], min_time[32]; /* two of the flags */
    double row_limit_s;             /* a program that is silent for longer hangs, and is killed */
    char folder[PATH_MAX];          /* of {out} of the process that runs; empty: none */
    char out[PATH_MAX + 4];         /* that file */
    struct pattern *filter;         /* --filter; NULL: none */
    size_t results_bytes_max;       /* of what a command writes */
    double longest_s;               /* that a command took */
    struct host_clock clock;
    void (*step)(size_t turn, const char *arm); /* called before each process */
};

enum sitting_end {
    SITTING_DONE,
    SITTING_FAILED,      /* a program could not be used; the error says why */
    SITTING_ALL_SKIPPED, /* no program can measure anything here; the error is the base's */
    SITTING_INTERRUPTED,
};

bool terms_make(struct terms *terms, const struct gate_options *options, struct error *error);

/* The flags that all processes get, ended by a NULL, as long as none runs; NULL: commands have none. */
char *const *terms_flags(struct terms *terms);

void terms_free(struct terms *terms);

/* The arm of that side. */
bool arm_make(struct arm *arm, size_t side, const struct terms *terms, struct error *error);

/* Runs it once: the rows of the turn come into its recording, and its file. It gets the filter, a pattern; NULL: all
 * that the flags select. */
enum sitting_end arm_run(struct arm *arm, struct terms *terms, size_t turn, const char *filter, struct error *error);
void arm_free(struct arm *arm);

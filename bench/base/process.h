/* A process that this one starts, listens to, and ends where it hangs. */
#pragma once

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/* What is listened to. PROCESS_EXTRA is the child's file descriptor 3, "/dev/fd/3". */
enum process_stream { PROCESS_OUT, PROCESS_ERR, PROCESS_EXTRA, PROCESS_STREAMS };
enum { PROCESS_EXTRA_FD = 3, PROCESS_MEMORY_FD };

struct process {
    const char *program; /* found as execvp() finds it */
    char *const *argv;   /* ended by a NULL */
    /* The signal that the child is to get, or 0: one that came for this process, say. Asked once a second, and when a
     * signal comes. */
    int (*interrupted)(void);
    bool is_killed;          /* it gets SIGKILL instead: it may wait for others, which then are left behind */
    const double *silence_s; /* killed when it has written nothing for so long: it hangs; NULL: never */
    double limit_s;          /* killed when it has run for so long; 0: no limit */
    /* It is asked: PROCESS_EXTRA goes in both directions, in records, PROCESS_MEMORY_FD is its copy of `memory`, it has
     * a process group of its own, and it ends when nobody can ask it any more. What it writes is no sign of life: it
     * hangs when process_listen() has not had enough for silence_s. */
    bool is_asked;
    int memory;
    bool (*prepare)(void *self); /* called in the child before it becomes the program; false: it fails. May be NULL */
    const bool *has_enough;      /* process_listen() returns then; NULL: when it has ended */
    /* Why the process with that number is to be killed, asked once a second; NULL: it is not. May be NULL itself. */
    const char *(*excess)(const void *self, long number);
    double (*now)(void); /* seconds */
    /* Called with what has come of a stream and was not taken yet, until it takes nothing; returns how many bytes it
     * takes. NULL: nothing is taken, and all is there at the end. */
    size_t (*take[PROCESS_STREAMS])(void *self, const char *text, size_t bytes);
    void *self;
};

/* How it ended, and what was not taken. */
struct process_end {
    int status;                  /* its exit status; EXIT_SIGNAL_BASE + the signal that ended it */
    int signal;                  /* that ended it; 0: none */
    bool hung;                   /* and was killed for it */
    bool overran;                /* its time limit, and was killed for it */
    const char *excess;          /* why it was killed for what it takes; NULL: it was not */
    char how[96];                /* "ended with exit status 2", "was ended by signal 11 (Segmentation fault)" */
    char *text[PROCESS_STREAMS]; /* with a zero behind it; process_end_free() */
    size_t bytes[PROCESS_STREAMS];
};

/* Runs it to its end. Its stdin is /dev/null. One that does not end within 4 s of a signal is killed. If this process
 * dies, the child is killed. False: it could not be started; nothing is to be freed. */
bool process_run(const struct process *process, struct process_end *end, struct error *error);

/* The same step by step. `process` must live as long. process_start() returns NULL, with the reason, where it could not
 * be started. */
struct running;
struct running *process_start(const struct process *process, struct error *error);
bool process_send(const struct running *running, const void *record, size_t bytes); /* false: nobody is there */
void process_listen(struct running *running);
long process_id(const struct running *running);
bool process_finish(struct running *running, struct process_end *end, struct error *error); /* frees it */

/* Kills the process that is being run, if any, and waits for it. Async-signal-safe. */
void process_kill(void);
void process_end_free(struct process_end *end);

/* A list of what these lists have, each ended by a NULL, as they are; free() it. */
char **arguments_join(char *const *const *lists);

/* Copies the last line of `text` that is not empty. */
void process_last_line(const char *text, char *line, size_t size);

/* Makes this process the parent of all that its children leave behind. */
void left_behind_adopt(void);

/* Whether this process has children. */
bool left_behind_are_any(void);

/* Kills the children of this process, and what they leave behind; how many there were. The first is named: "sleep
 * (process 1234)"; empty: there was none. With size 0 nobody wants to know. */
size_t left_behind_kill(char *name, size_t size);

/* The judge's end of a player, which is a process of its own, or, for inspections and tests, in this one. */
#pragma once

#include "bench/base/error.h"
#include "board.h"

#include <stdbool.h>

/* How a player's process is started. */
struct link_settings {
    /* The program, and what stands before the flags, ended by a NULL; NULL: this program. */
    char *const *program;
    char *const *flags;       /* ended by a NULL; the player reads them as this process has */
    bool is_strangers;        /* a kernel of the user's own will run in it: it may write nowhere */
    double open_limit_s;      /* a player that has not opened its devices then hangs; 0: it may take for ever */
    double (*now)(void);      /* seconds */
    int (*interrupted)(void); /* the signal that came, or 0 */
    void (*message)(const char *line); /* of its stderr, and what rungs print */
};

struct link {
    const struct registry *registry;
    struct board *board;
    struct devices devices; /* as they were when the player opened them */
    double limit_s;         /* for each ask: a player that has not answered then hangs */
    bool has_ended;
    bool has_hung;
    char how[384];                /* what the rung did to its process: "crashed: SIGSEGV"; empty: nothing */
    bool has_printed;             /* to standard output */
    struct player *player;        /* in this process; NULL: another */
    struct link_process *process; /* NULL: in this one */
};

/* Starts a player and opens its devices. The board, which `fd` stands for, must live longer; what is there stays. NULL,
 * with the reason. */
struct link *link_start(const struct link_settings *settings, const struct registry *registry, struct board *board,
                        int fd, struct error *error);

/* A player in this process, with its settings and a board of this process alone. */
struct link *link_to(struct player *player, struct error *error);

/* Ends the player, and frees the link. What it has left behind is said in `left`: "3 processes"; empty: nothing. */
void link_end(struct link *link, char *left, size_t size);

/* Asks: the rung of the registry is `rung`, and the workload, where the ask takes one, `workload`. Returns what became
 * of it; if that is not OUTCOME_DONE, `board->text` says why. `reply` may be NULL. */
enum outcome link_ask(struct link *link, const struct rung *rung, struct ask *ask, struct reply *reply);

/* For how long judge and player, since they began, have had work and no processor, in seconds; NAN where the system
 * does not say. */
double link_waited_s(const struct link *link);

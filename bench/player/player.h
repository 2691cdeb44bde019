/* The player: the process that has the devices and calls rungs. It answers what the judge asks (board.h). */
#pragma once

#include "bench/base/host.h"
#include "bench/table/registry.h"
#include "board.h"

#include <signal.h>

struct player {
    const struct registry *registry;
    const struct backend_settings *settings;
    struct real_input real; /* for questions */
    bool evict_by_writing;
    struct host_clock clock;
    struct board *board;
    /* Its own: */
    struct devices devices; /* after ASK_OPEN */
    const struct op *op;    /* of the problem that is placed; NULL: none is */
    struct workload workload;
    struct placement placement;
    struct buffers buffers;
    bool is_asked;                    /* questions about it */
    bool is_on_board;                 /* the outputs are */
    void *board_host[OP_BUFFERS_MAX]; /* the buffers on the board */
    bool is_pinned[OP_BUFFERS_MAX];   /* these */
    void *host[OP_BUFFERS_MAX];       /* copies in memory of its own, while transfers are timed */
    size_t pinned;                    /* so many of them */
    uint64_t seed;                    /* of the question */
    double others_s;                  /* host_others_s(), as the last question was put */
    sigset_t signals;                 /* that were blocked then */
    void *data[OP_BUFFERS_MAX];       /* on the backend: the rows that an input is made of; NULL: not there */
    int lapses;                       /* of the last questions, one after the other, whose hold ended by itself */
};

/* Does what is asked. Errors are texts on the board. */
void player_answer(struct player *player, const struct ask *ask, struct reply *reply);

/* Answers asks from the file descriptor until it is closed. */
void player_serve(struct player *player, int fd);

/* Gives back buffers and devices. */
void player_close(struct player *player);

/* What the files of the player share. */

/* Of a rung for which a hold has ended by itself twice in a row: the first time the machine may have been busy. */
extern const char player_waits[];

/* Without an error OUTCOME_DONE; else this outcome, and `what`, followed by the error, is the text on the board. */
enum outcome player_end(const struct player *player, enum outcome outcome, const char *what, const char *error);

/* Since hand_over_forget(): board->runs_as. */
void player_note_whose_kernel_ran(const struct player *player, const struct rung *rung);

/* calls.c */
enum outcome player_call(struct player *player, const struct rung *rung, const struct ask *ask);
enum outcome player_repeat(struct player *player, const struct rung *rung, int64_t *other_at);
enum outcome player_look_for_leaks(const struct player *player, const struct rung *rung);
enum outcome player_call_far(struct player *player, const struct rung *rung, const struct ask *ask, int64_t *missed);

/* timing.c */
/* A row on that backend begins: threads that worked for the one before rest. */
void player_begin_row(const struct backend *backend);
enum outcome player_measure(struct player *player, const struct rung *rung, const struct ask *ask);
enum outcome player_prepare_question(struct player *player, const struct ask *ask);
void player_allow_writing(const struct player *player, bool is_allowed);
enum outcome player_go(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply);
enum outcome player_time_ceiling(struct player *player, const struct backend_entry *backend, const struct ask *ask,
                                 struct reply *reply);

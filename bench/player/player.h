/* The player: the process that has the devices and calls rungs. It answers what the judge asks (board.h). */
#pragma once

#include "bench/base/host.h"
#include "bench/data/mnist.h"
#include "board.h"

#include <signal.h>

struct player {
    const struct registry *registry;
    const struct backend_settings *settings;
    const struct mnist *mnist; /* for questions; NULL: their inputs are random */
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
    void *host[OP_BUFFERS_MAX];       /* copies in memory of its own, for modes that transfer; NULL: not made */
    bool is_pinned;
    bool has_pinned_outputs;     /* on the board */
    uint64_t seed;               /* of the question */
    double others_s;             /* host_others_s(), as the last question was put */
    sigset_t signals;            /* that were blocked then */
    void *data;                  /* on the backend: the rows that questions are made of; NULL: not there */
    void *given[OP_BUFFERS_MAX]; /* pinned: inputs of questions that the host makes; NULL: not there */
};

/* Does what is asked. Errors are texts on the board. */
void player_answer(struct player *player, const struct ask *ask, struct reply *reply);

/* Answers asks from the file descriptor until it is closed. */
void player_serve(struct player *player, int fd);

/* Gives back buffers and devices. */
void player_close(struct player *player);

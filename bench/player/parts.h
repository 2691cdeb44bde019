/* What the files of the player share. */
#pragma once

#include "bench/table/registry.h"
#include "board.h"

struct player;

/* Sets the outcome, and the text on the board: `what`, followed by `why`. */
void player_fail(const struct player *player, struct reply *reply, enum outcome outcome, const char *what,
                 const char *why);

/* Since hand_over_forget(): board->runs_as. */
void player_note_whose_kernel_ran(const struct player *player, const struct rung *rung);

/* calls.c */
void player_call(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply);
void player_repeat(struct player *player, const struct rung *rung, struct reply *reply);
void player_look_for_leaks(const struct player *player, const struct rung *rung, struct reply *reply);
void player_call_graph(struct player *player, const struct rung *rung, struct reply *reply);
void player_call_far(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply);

/* timing.c */
void player_measure(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply);
void player_prepare_question(struct player *player, const struct ask *ask, struct reply *reply);
void player_allow_writing(const struct player *player, bool is_allowed);
void player_go(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply);
void player_time_ceiling(struct player *player, const struct backend_entry *backend, const struct ask *ask,
                         struct reply *reply);
void player_forget_copies(struct player *player);
void player_forget_given(struct player *player);

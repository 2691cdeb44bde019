#include "here.h"

#include "bench/player/player.h"
#include "tests/unit.h"

static struct backend_settings settings;
static struct player player;
static struct link *here;
static int board_fd;

struct link *here_open(const struct registry *registry, const struct backend_settings *chosen, double (*now)(void))
{
    struct error error = {""};
    settings = *chosen;
    player = (struct player){
        .registry = registry, .settings = &settings, .clock = {now, never_interrupted}, .board = board_make(&board_fd)};
    assert_non_null(player.board);
    here = link_to(&player, &error);
    if (!here)
        fail_msg("%s", error.text);
    return here;
}

void here_close(void)
{
    struct board *board = here->board;
    link_end(here, NULL, 0);
    board_free(board, board_fd);
}

struct check here_verdict_on(const struct rung *rung, struct problem *problem)
{
    struct check check;
    if (!verify_place(here, rung, problem, &(struct placement){.edge = EDGE_ANY}, &check))
        return check;
    if (verify_order_count(here, rung) > 1)
        verify_orders(here, rung, problem, &check);
    else
        verify_answer(here, rung, problem, CALL_FRESH, &check);
    return check;
}

struct check here_verdict(const struct rung *rung, const struct workload *workload, uint64_t seed)
{
    struct problem problem;
    assert_true(problem_make(&problem, here, rung->op, workload, &(struct input_source){.seed = seed}));
    struct check check = here_verdict_on(rung, &problem);
    problem_free(&problem);
    return check;
}

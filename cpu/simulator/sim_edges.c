#include "sim_edges.h"

#include "sim_fiber.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

enum {
    /* Less than on any GPU, so that small problems test the code for large ones. */
    GRID_YZ_MAX_NEAR = 3,
    MULTIPROCESSORS = 4,
    WHOLE_UP_TO = 128, /* blocks in a row */
    FIRST = 4,
    LAST = 4,
    MANY_ELEMENTS = 256, /* of output, per thread */
    FEW_THREADS_S = 1,   /* they may have to go through all of the problem */
    MANY_THREADS_S = 20,
};

int64_t sim_grid_yz_max = GRID_YZ_MAX_NEAR;
int sim_multiprocessors = MULTIPROCESSORS;

static uint64_t output_elements; /* 0: whole grids */
static bool many_multiprocessors;
static bool failed, few_threads, starts_nothing, missed;
static volatile sig_atomic_t late;
static struct sigaction before;

enum edges_reached sim_edges_use(uint64_t elements, int multiprocessors)
{
    enum edges_reached reached = missed ? EDGES_MISSED : failed ? EDGES_FAILED : EDGES_END;
    output_elements = elements;
    sim_grid_yz_max = elements > 0 ? INT32_MAX : GRID_YZ_MAX_NEAR;
    many_multiprocessors = multiprocessors > 0;
    sim_multiprocessors = many_multiprocessors ? multiprocessors : MULTIPROCESSORS;
    failed = starts_nothing = missed = false;
    late = false;
    return reached;
}

void sim_edges_fail(void)
{
    failed = true;
}

bool sim_edges_only(void)
{
    return output_elements > 0;
}

unsigned sim_edges_count(unsigned count)
{
    if (starts_nothing)
        return 0;
    return sim_edges_only() && count > WHOLE_UP_TO ? FIRST + LAST : count;
}

unsigned sim_edges_block(unsigned i, unsigned count)
{
    return i < FIRST ? i : count - sim_edges_count(count) + i;
}

/* Runs on the stack of who is interrupted. */
static void interrupt(int signal)
{
    (void)signal;
    late = true;
    missed = missed || few_threads;
    if (sim_fibers_own(&signal))
        sim_fibers_yield();
}

static bool is_whole(struct uint3 grid)
{
    return grid.x <= WHOLE_UP_TO && grid.y <= WHOLE_UP_TO && grid.z <= WHOLE_UP_TO;
}

static void set_timer(time_t seconds)
{
    struct itimerval timer = {.it_interval = {.tv_usec = seconds > 0 ? 10000 : 0}, .it_value = {.tv_sec = seconds}};
    (void)setitimer(ITIMER_PROF, &timer, NULL);
}

void sim_edges_begin(const struct sim_launch *launch)
{
    if (!sim_edges_only())
        return;
    const struct uint3 grid = launch->grid, block = launch->block;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z, threads = blocks * block.x * block.y * block.z;
    few_threads = !launch->is_runtime && threads < output_elements / MANY_ELEMENTS;
    bool take_turns = many_multiprocessors && blocks >= (uint64_t)sim_multiprocessors;
    starts_nothing = few_threads && is_whole(grid) && !many_multiprocessors;
    missed = missed || (few_threads && !is_whole(grid)) || take_turns || starts_nothing;
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_NODEFER};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGPROF, &action, &before);
    set_timer(few_threads ? FEW_THREADS_S : MANY_THREADS_S);
}

bool sim_edges_late(void)
{
    return late;
}

void sim_edges_end(void)
{
    if (!sim_edges_only())
        return;
    set_timer(0);
    (void)sigaction(SIGPROF, &before, NULL);
}

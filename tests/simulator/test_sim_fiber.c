/* Fibers take turns, each on a stack of its own with pages below it that nobody may touch. */
#include "cpu/simulator/sim_fiber.h"
#include "tests/unit.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { FIBERS = 3, STACK_BYTES = 256 << 10, GUARD_BYTES = 64 << 10, STEP = 4096 };

static struct sim_fibers *fibers;
static size_t running;
static unsigned steps[FIBERS]; /* since it began */
static char *frames[FIBERS];

static void count_steps(void)
{
    size_t self = running;
    frames[self] = __builtin_frame_address(0);
    for (volatile unsigned step = 1;; step++) {
        steps[self] = step;
        sim_fibers_yield(fibers);
    }
}

static void resume(size_t fiber)
{
    running = fiber;
    sim_fibers_resume(fibers, fiber);
}

static int set_up(void **state)
{
    fibers = sim_fibers_make(FIBERS, count_steps);
    if (!fibers)
        return -1;
    for (size_t i = 0; i < FIBERS; i++)
        resume(i);
    return 0;
}

TEST(a_fiber_goes_on_where_it_yielded)
{
    static const size_t turns[] = {2, 0, 2, 2, 1, 0, 2};
    sim_fibers_restart(fibers);
    for (size_t i = 0; i < FIBERS; i++)
        steps[i] = 0;
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++)
        resume(turns[i]);
    assert_int_equal(steps[0], 2);
    assert_int_equal(steps[1], 1);
    assert_int_equal(steps[2], 4);
}

TEST(restarted_fibers_begin_anew)
{
    for (size_t i = 0; i < FIBERS; i++) {
        resume(i);
        resume(i);
    }
    sim_fibers_restart(fibers);
    for (size_t i = 0; i < FIBERS; i++) {
        resume(i);
        assert_int_equal(steps[i], 1);
    }
}

/* Whether a byte can be read; the kernel says so without a signal. */
static bool can_be_read(const char *byte)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    ssize_t written = write(ends[1], byte, 1);
    int error = errno;
    (void)close(ends[0]);
    (void)close(ends[1]);
    if (written < 0)
        assert_int_equal(error, EFAULT);
    return written == 1;
}

/* Where the stack ends; the frame of a body is less than a step below. */
static const char *top_of(size_t fiber)
{
    return frames[fiber] - (size_t)frames[fiber] % STEP + STEP;
}

TEST(below_each_stack_is_what_nobody_may_touch)
{
    for (size_t i = 0; i < FIBERS; i++) {
        const char *top = top_of(i), *end = top - STACK_BYTES;
        for (const char *byte = top - 1; byte >= end; byte -= STEP) {
            assert_true(can_be_read(byte));
            assert_false(sim_fibers_overflowed(fibers, byte));
        }
        assert_true(can_be_read(end));
        assert_false(sim_fibers_overflowed(fibers, end));
        for (const char *byte = end - 1; byte >= end - GUARD_BYTES; byte -= STEP) {
            assert_false(can_be_read(byte));
            assert_true(sim_fibers_overflowed(fibers, byte));
        }
    }
}

TEST(other_memory_is_no_stack_that_is_used_up)
{
    char here;
    const char *lowest = top_of(0), *highest = top_of(0);
    for (size_t i = 1; i < FIBERS; i++) {
        lowest = top_of(i) < lowest ? top_of(i) : lowest;
        highest = top_of(i) > highest ? top_of(i) : highest;
    }
    assert_false(sim_fibers_overflowed(fibers, NULL));
    assert_false(sim_fibers_overflowed(fibers, &here));
    for (ptrdiff_t step = 0; step < 1 << 20; step += STEP) {
        assert_false(sim_fibers_overflowed(fibers, highest + step));
        assert_false(sim_fibers_overflowed(fibers, lowest - STACK_BYTES - GUARD_BYTES - 1 - step));
    }
}

AROUND_ALL_TESTS(set_up, NULL)

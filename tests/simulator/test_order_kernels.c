/* What shows in another order than the usual one: verification names the deed, the element, the order and who wrote it.
 */
#include "bench/base/plain_text.h"
#include "cpu/simulator/sim_fiber.h"
#include "order_kernels.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

#include <fnmatch.h>

extern const struct op matmul_op;

enum { NUMBERS = 4 * TURN_BLOCK };

static const struct backend_entry sim_entry = {"sim", "Simulator", false, true, &sim_backend};
static struct rung rung;
static const struct registry registry = {&sim_entry, 1, NULL, 0, &rung, 1};

/* Kernels move integers, which as floats are subnormal numbers. */
static void turn_make(const int64_t *size, uint64_t seed, int64_t count, void *to)
{
    (void)size, (void)seed;
    for (int64_t i = 0; i < count; i++)
        ((int *)to)[i] = 1000 + 7 * (int)i;
}

static bool turn_compute(const struct op_piece *piece)
{
    for (int64_t e = 0; e < piece->count; e++) {
        const int64_t i = piece->first + e;
        piece->value[e] = op_read(&piece->inputs[0], i / TURN_BLOCK * TURN_BLOCK + TURN_BLOCK - 1 - i % TURN_BLOCK);
    }
    return true;
}

static const struct op turn_op = {
    .name = "turn",
    .sizes = "n",
    .args = {{"in", "n", .make = turn_make}, {"out", "n", .is_output = true}},
    .compute = turn_compute,
    .is_exact = true,
};

static struct check verdict_on(const struct op *op, const struct workload *workload, rung_function *run,
                               unsigned traits)
{
    rung = (struct rung){.variant = "sim", .op = op, .backend = &sim_entry, .run = run, .traits = traits};
    return here_verdict(&rung, workload, 1);
}

static struct check turned_by(rung_function *run)
{
    static const struct workload workload = {"256", {NUMBERS}, 0};
    return verdict_on(&turn_op, &workload, run, 0);
}

static const struct order_case {
    const char *name;
    rung_function *wrong, *mended;
    int element, block;
    const char *shows, *order;
} cases[] = {
#define CASE(name, element, block, shows, order) \
    {#name, turn_##name, turn_##name##_mended, element, block, shows, order},
    TURN_KERNELS(CASE)};

/* What a trace adds to the message is cut off, and returned. */
static const char *cut_trace(char *reason)
{
    char *trace = strstr(reason, ": thread (");
    if (!trace)
        return "";
    *trace = '\0';
    return trace + 2;
}

/* An element below 0 is whichever that order brings up first. Who stores itself, not by a copy, is named with the line.
 */
static void assert_blamed(const struct order_case *one, struct check *check)
{
    char element[16] = "*", block[16] = "*", pattern[320];
    if (check->correct)
        fail_msg("%s is accepted", one->name);
    (void)cut_trace(check->reason);
    if (one->element >= 0) {
        snprintf(element, sizeof element, "%d", one->element);
        snprintf(block, sizeof block, "%d", one->block);
    }
    snprintf(pattern, sizeof pattern,
             "%s: element %s of buffer 1 differs in the order '%s' from 'forward'; written by ", one->shows, element,
             one->order);
    if (one->element >= 0 && one->block < 0)
        text_append(pattern, sizeof pattern, "no block");
    else
        text_append(pattern, sizeof pattern, "kernel %s<false>, block (%s,0,0)", one->name, block);
    const bool is_whole = fnmatch(pattern, check->reason, 0) == 0;
    text_append(pattern, sizeof pattern, ", thread (*) at simulator/*");
    if (!is_whole && fnmatch(pattern, check->reason, 0) != 0)
        fail_msg("%s: '%s' is not '%s'", one->name, check->reason, pattern);
}

TEST(what_an_order_shows_is_named_with_element_order_and_writer)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct check check = turned_by(cases[i].wrong), again = turned_by(cases[i].wrong);
        assert_string_equal(again.reason, check.reason); /* an order with a seed, too, can be looked at again */
        assert_blamed(&cases[i], &check);
        check = turned_by(cases[i].mended);
        if (!check.correct)
            fail_msg("%s, mended, is rejected: %s", cases[i].name, check.reason);
    }
}

/* Empty: nothing is said, though it is wrong. Whoever teaches the simulator to find it writes here what it says. */
TEST(what_else_kernels_do_wrong_is_named_or_known_to_be_missed)
{
    static const struct {
        const char *name;
        rung_function *wrong, *mended;
        const char *said;
    } kernels[] = {
#define HOPPER_CASE(name, threads, said) {#name, turn_##name, turn_##name##_mended, said},
#define OTHER_CASE(name, said) HOPPER_CASE(name, 64, said)
        HOPPER_KERNELS(HOPPER_CASE) TENSOR_KERNELS(OTHER_CASE) OTHER_KERNELS(OTHER_CASE)};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        struct check check = turned_by(kernels[i].wrong);
        if (check.correct != (kernels[i].said[0] == '\0') || !strstr(check.reason, kernels[i].said))
            fail_msg("%s: '%s' is said, expected '%s'", kernels[i].name, check.reason, kernels[i].said);
        check = turned_by(kernels[i].mended);
        if (!check.correct)
            fail_msg("%s, mended, is rejected: %s", kernels[i].name, check.reason);
    }
}

/* Whose lines are so many apart. */
TEST(two_threads_that_share_memory_with_no_barrier_between_are_named_with_their_lines)
{
    static const struct {
        rung_function *run;
        const char *first, *second;
        int lines;
    } races[] = {
        {turn_no_barrier, "thread (31,0,0) reads", "thread (32,0,0) writes", 3},
        {turn_no_barrier_on_written, "thread (32,0,0) reads", "thread (31,0,0) writes", 3},
        {turn_no_barrier_in_loop, "thread (32,0,0) writes", "thread (31,0,0) reads", -2},
        {turn_no_syncwarp, "thread (48,0,0) reads", "thread (47,0,0) writes", 3},
        {turn_syncwarp_for_barrier, "thread (31,0,0) reads", "thread (32,0,0) writes", 5},
        {turn_middle_thread, "thread (30,0,0) reads", "thread (10,0,0) writes", 1},
    };
    for (size_t i = 0; i < sizeof races / sizeof races[0]; i++) {
        struct check check = turned_by(races[i].run);
        char expected[256];
        const char *trace = cut_trace(check.reason), *line = strchr(trace, ':');
        int at = line ? atoi(line + 1) : 0;
        snprintf(
            expected, sizeof expected,
            "%s at simulator/order_kernels.cu:%d what %s at simulator/order_kernels.cu:%d, with no barrier between",
            races[i].first, at, races[i].second, at - races[i].lines);
        assert_true(at > 0);
        assert_string_equal(trace, expected);
    }
}

TEST(who_reads_what_nobody_wrote_is_named_with_the_line)
{
    struct check check = turned_by(turn_unwritten);
    const char *trace = cut_trace(check.reason), *line = strchr(trace, ':');
    char expected[128];
    snprintf(expected, sizeof expected,
             "thread (58,0,0) reads at simulator/order_kernels.cu:%d what no thread has written",
             line ? atoi(line + 1) : 0);
    assert_string_equal(trace, expected);
}

static struct check summed_by(rung_function *run, unsigned traits)
{
    static const struct workload workload = {"3x4x200", {3, 4, 200}, 0};
    return verdict_on(&matmul_op, &workload, run, traits);
}

static void assert_begins(const struct check *check, const char *begin)
{
    assert_false(check->correct);
    if (strncmp(check->reason, begin, strlen(begin)) != 0)
        fail_msg("'%s' does not begin with '%s'", check->reason, begin);
}

TEST(sums_may_round_otherwise_in_each_order_only_if_the_rung_says_so)
{
    struct check check = summed_by(sums_atomically, 0);
    assert_begins(&check, "depends on the order in which threads run: element ");
    assert_non_null(strstr(check.reason, "written by kernel sum<(sum_kind)0>, block ("));
    check = summed_by(sums_atomically, RUNG_UNORDERED);
    if (!check.correct)
        fail_msg("%s", check.reason);
    assert_true(check.max_abs_err <= check.err_bound);
}

TEST(a_wrong_sum_is_rejected_in_whichever_order_it_is_wrong)
{
    struct check check = summed_by(sums_without_last, RUNG_UNORDERED);
    assert_begins(&check, "in the order 'forward': ");
    check = summed_by(sums_zeroed_by_thread_0, RUNG_UNORDERED);
    assert_begins(&check, "in the order 'reverse': ");
}

static size_t switched;

void __real_sim_fibers_switch(size_t index);
void __wrap_sim_fibers_switch(size_t index);
void __wrap_sim_fibers_switch(size_t index)
{
    switched++;
    __real_sim_fibers_switch(index);
}

/* Threads that wait are not asked whether they still do: with 1024 of them that would take a thousand times as long. */
TEST(a_barrier_resumes_each_thread_at_most_once)
{
    enum { BARRIERS = 200, THREADS = 1024 };
    static int out[THREADS];
    switched = 0;
    assert_null(many_barriers(BARRIERS, out));
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(out[t], BARRIERS);
    assert_in_range(switched, 1, (BARRIERS + 1) * THREADS);
}

static int set_up(void **state)
{
    here_open(&registry, &(struct backend_settings){.device = -1, .times_nothing = true}, host_now);
    return 0;
}

static int tear_down(void **state)
{
    here_close();
    return 0;
}

AROUND_ALL_TESTS(set_up, tear_down)

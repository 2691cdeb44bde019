/* Verification rejects a rung that is wrong in any way and accepts a correct one. */
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

static struct rung rung;
static const struct registry registry = {&fake_entry, 1, NULL, 0, &rung, 1};
static const struct workload small = {"5x40x4", {5, 40, 4}, 0}, counted = {"37x5x6", {FAKE_COUNTED_M, 5, 6}, 0};
static struct link *here;

static int set_up(void **state)
{
    fake_reset();
    fake_rungs_reset();
    rung = (struct rung){.variant = "fake", .op = &matmul_op, .backend = &fake_entry, .run = fake_right};
    here = here_open(&registry, &(struct backend_settings){.device = -1}, fake_now);
    return 0;
}

static int tear_down(void **state)
{
    here_close();
    fake_rungs_reset();
    assert_int_equal(fake.blocks, 0);
    return 0;
}

static struct check verdict_on(rung_function *run)
{
    struct check check;
    rung.run = run;
    verify_ragged(here, &rung, 42, &check);
    return check;
}

TEST(a_right_rung_is_accepted)
{
    struct check check = verdict_on(fake_right);
    assert_true(check.correct);
    assert_true(check.max_abs_err <= check.err_bound);
    assert_true(check.rms_err > 0 && check.rms_err < 4);
}

static void assert_says(const struct check *check, const char *reason)
{
    assert_false(check->correct);
    if (!strstr(check->reason, reason))
        fail_msg("the reason is '%s', expected it to say '%s'", check->reason, reason);
}

static void assert_rejected(rung_function *run, const char *reason)
{
    fake_rungs_reset();
    struct check check = verdict_on(run);
    assert_says(&check, reason);
    assert_says(&check, "at size ");
}

TEST(what_is_wrong_is_rejected)
{
    static const struct {
        rung_function *run;
        const char *reason;
    } wrong[] = {
        {fake_nan, "wrong answer: C["},
        {fake_zeros, "wrong answer: C["},
        {fake_halved, "wrong answer: C["},
        {fake_one_element, "wrong answer: C["},
        {fake_swapped_rows, "wrong answer: C["},
        {fake_cached_by_pointer, "wrong answer"},
        {fake_divides_by_largest, ", input zeros: wrong answer"},
        {fake_writes_before, "wrote outside: before buffer 2"},
        {fake_writes_behind, "wrote outside: after buffer 2"},
        {fake_ruins_its_input, "wrote to its input: buffer 0"},
        {fake_other_stream, "another stream"},
        {fake_waits, "may only queue work"},
        {fake_wrong_in_each_thousandth_call, ": wrong answer"},
        {fake_changes_last_bit_in_each_thousandth_call, ": the answer is not the first one bit for bit"},
        {fake_leaks, ": leaks memory: 3072 bytes more are allocated after 64 calls"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_rejected(wrong[i].run, wrong[i].reason);
}

/* Called on the same buffers again and again, its last bit changes each time, and once its answer is wrong. */
static void sum_in_any_order(const struct matmul_problem *p)
{
    static const float *last;
    static int64_t again;
    again = p->c == last ? again + 1 : 0;
    last = p->c;
    fake_multiply(p);
    if (again == 1000)
        p->c[0] += 1;
    else if (again > 10 && again % 2 == 0)
        p->c[0] = nextafterf(p->c[0], INFINITY);
}

static const char *sums_in_any_order(const void *problem, void *stream)
{
    fake_launch(stream, sum_in_any_order, problem, 1e-6);
    return NULL;
}

/* Its answers may all differ, and each is looked at. */
TEST(an_unordered_rung_is_wrong_in_each_thousandth_call_too)
{
    rung.traits = RUNG_UNORDERED;
    assert_rejected(sums_in_any_order, ": wrong answer");
    assert_true(verdict_on(fake_changes_last_bit_in_each_thousandth_call).correct);
}

/* Nobody knows what such a rung computes. */
TEST(what_cannot_run_is_not_judged)
{
    struct check check = verdict_on(fake_fails_to_launch);
    assert_says(&check, "failed to launch: too many resources");
    assert_true(check.is_unjudged);
    fake.allocate_error = "out of memory";
    check = verdict_on(fake_right);
    assert_says(&check, "out of memory");
    assert_true(check.is_unjudged);
    fake.allocate_error = NULL;
    here->has_ended = true;
    strcpy(here->how, "crashed: SIGSEGV");
    check = verdict_on(fake_right);
    assert_says(&check, "crashed: SIGSEGV");
    assert_true(check.is_unjudged);
}

/* Whatever the noise is, it is other noise the next time. Noise may be as small as an error of rounding: added to a
 * right answer it makes an imprecise one. */
TEST(looking_at_the_output_is_rejected)
{
    for (int i = 0; i < 5; i++) {
        assert_rejected(fake_computes_where_nan, "wrong answer");
        assert_rejected(fake_adds_to_its_output, " answer: ");
    }
}

TEST(a_rung_that_needs_any_one_buffer_aligned_is_rejected)
{
    for (fake_alignment = 8; fake_alignment <= 32; fake_alignment *= unit_at_length() ? 2 : 4)
        for (fake_aligned_buffer = 0; fake_aligned_buffer < 3; fake_aligned_buffer++)
            assert_rejected(fake_needs_alignment, "failed to launch: misaligned address");
    fake_alignment = 8;
}

/* By how many floats A, B and C start behind multiples of 16 bytes, where not because of their sizes; and the same in
 * problems of one size. */
static bool seen[4][4][4], seen_at_one_size[4][4][4];

static const char *notes_alignments(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    const uintptr_t a = (uintptr_t)p->a % 16 / 4, b = (uintptr_t)p->b % 16 / 4, c = (uintptr_t)p->c % 16 / 4;
    if (p->m * p->k % 4 == 0 && p->k * p->n % 4 == 0 && p->m * p->n % 4 == 0)
        seen[a][b][c] = true;
    if (p->m == small.size[0] && p->k == small.size[1] && p->n == small.size[2])
        seen_at_one_size[a][b][c] = true;
    return fake_right(problem, stream);
}

/* A size gets a third of all combinations; in each third any two buffers meet in all ways. */
TEST(all_combinations_of_alignments_are_tried)
{
    int pairs[3][3][3] = {0}, at_one_size = 0;
    assert_true(verdict_on(notes_alignments).correct);
    for (int i = 0; i < 27; i++) {
        const int a = i / 9, b = i / 3 % 3, c = i % 3;
        assert_true(seen[a][b][c]);
        at_one_size += seen_at_one_size[a][b][c];
        pairs[0][a][b] += seen_at_one_size[a][b][c];
        pairs[1][a][c] += seen_at_one_size[a][b][c];
        pairs[2][b][c] += seen_at_one_size[a][b][c];
    }
    assert_in_range(at_one_size, 9, 10); /* one more by other calls */
    for (int i = 0; i < 27; i++)
        assert_true(pairs[i / 9][i / 3 % 3][i % 3] > 0);
}

static int calls, calls_on_frozen_inputs;

static const char *counts_frozen_inputs(const void *problem, void *stream)
{
    calls++;
    calls_on_frozen_inputs += fake.frozen == 2;
    return fake_right(problem, stream);
}

/* Makes and places a problem. */
static void make(struct problem *problem, const struct workload *workload)
{
    struct check check;
    assert_true(problem_make(problem, here, &matmul_op, workload, &(struct input_source){.seed = 1}));
    assert_true(verify_place(here, &rung, problem, &(struct placement){.edge = EDGE_ANY}, &check));
}

/* About one in eight is: of 1,200, fewer than 80 or more than 230 once in 10^10 times. */
TEST(inputs_are_read_only_in_some_calls_on_a_device)
{
    static const enum call_kind kinds[] = {CALL_FRESH, CALL_HELD, CALL_AWAITED};
    struct problem problem;
    make(&problem, &small);
    rung.run = counts_frozen_inputs;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (calls = calls_on_frozen_inputs = 0; calls < 1200;) {
            struct check check;
            verify_answer(here, &rung, &problem, kinds[i], &check);
            assert_true(check.correct);
            assert_int_equal(fake.frozen, 0);
        }
        assert_in_range(calls_on_frozen_inputs, 80, 230);
    }
    problem_free(&problem);
}

/* It grows for a while, or by something else each time. */
TEST(only_what_each_call_keeps_is_a_leak)
{
    static const struct {
        int looks;
        size_t growth[2];
        bool leaks;
    } cases[] = {{4, {2 << 20, 2 << 20}, false}, {1000, {2 << 20, 6 << 20}, false}, {1000, {2 << 20, 4 << 20}, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fake.growing_looks = cases[i].looks;
        memcpy(fake.growth, cases[i].growth, sizeof fake.growth);
        struct check check = verdict_on(fake_right);
        assert_int_equal(check.correct, !cases[i].leaks);
        if (cases[i].leaks)
            assert_says(&check, ": leaks memory: ");
    }
}

static struct check verdict_before_it_is_timed(rung_function *run, struct kernel_launches *launches)
{
    struct problem problem;
    struct check check;
    fake_rungs_reset();
    rung.run = run;
    make(&problem, &counted);
    verify_workload(here, &rung, &problem, true, launches, &check);
    problem_free(&problem);
    return check;
}

TEST(what_is_timed_is_called_twice_and_in_a_graph)
{
    struct kernel_launches launches = {0};
    fake.graph_launches = (struct kernel_launches){.kernels = 3};
    assert_true(verdict_before_it_is_timed(fake_right, &launches).correct);
    assert_int_equal(launches.kernels, 3);
    struct check check = verdict_before_it_is_timed(fake_changes_last_bit, &launches);
    assert_says(&check, "its second answer is not the first one bit for bit");
    fake.graph_error = "the capture was broken off";
    check = verdict_before_it_is_timed(fake_right, &launches);
    assert_says(&check, "cannot be recorded in a graph");
}

TEST(what_is_not_its_own_may_not_change)
{
    struct kernel_launches launches;
    fake.changed = "the limit of the stack";
    struct check check = verdict_before_it_is_timed(fake_right, &launches);
    assert_says(&check, "changes what is not its own: the limit of the stack");
    fake.changed = NULL;
    here->has_printed = true;
    check = verdict_before_it_is_timed(fake_right, &launches);
    assert_says(&check, "prints to standard output");
}

/* Its first input, however often it is made and whatever in between, and the verdict of a right rung. */
TEST(a_problem_that_is_made_again_is_the_same)
{
    enum { SEEDS = 2, SIZES = 2, ALL = INPUT_KINDS * SEEDS * SIZES, FLOATS = 37 * 5 };
    static float first[ALL][FLOATS];
    static struct input_note notes[ALL];
    for (int i = 0; i < 2 * ALL; i++) {
        const int number = i % ALL, kind = number / SEEDS / SIZES;
        const struct input_source source = {.seed = (uint64_t)(number % SEEDS), .kind = (enum input_kind)kind};
        const struct workload *workload = number / SEEDS % SIZES ? &counted : &small;
        struct problem problem;
        assert_true(problem_make(&problem, here, rung.op, workload, &source));
        const size_t bytes = problem.specs[0].bytes < sizeof first[0] ? problem.specs[0].bytes : sizeof first[0];
        if (i < ALL) {
            memcpy(first[number], problem.host[0], bytes);
            notes[number] = problem.note;
        }
        assert_memory_equal(first[number], problem.host[0], bytes);
        assert_string_equal(notes[number].text, problem.note.text);
        assert_int_equal(notes[number].exact, problem.note.exact);
        assert_int_equal(notes[number].zero_mean, problem.note.zero_mean);
        assert_int_equal(notes[number].terms, problem.note.terms);
        rung.run = fake_right;
        assert_true(here_verdict_on(&rung, &problem).correct);
        problem_free(&problem);
    }
    for (int i = 0; i < ALL; i++)
        for (int j = i % (SEEDS * SIZES); j < i; j += SEEDS * SIZES) { /* another kind */
            assert_memory_not_equal(first[i], first[j], sizeof first[0]);
        }
    assert_memory_not_equal(first[0], first[1], sizeof first[0]); /* another seed */
}

AROUND_EACH_TEST(set_up, tear_down)

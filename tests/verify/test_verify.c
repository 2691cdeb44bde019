/* Verification rejects a rung that is wrong in any way and accepts a correct one. */
#include "bench/verify/verify.h"

#include "bench/place/host_problem.h"
#include "bench/verify/verify_once.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static int set_up(void **state)
{
    (void)state;
    fake_reset();
    fake_rungs_reset();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_rungs_reset();
    assert_int_equal(fake.blocks, 0);
    return 0;
}

static struct check verdict_on(rung_function *run)
{
    struct rung rung = {.variant = "fake", .op = &matmul_op, .backend = &fake_entry, .run = run};
    struct check check;
    verify_ragged(&rung, 42, &check);
    return check;
}

static void a_right_rung_is_accepted(void **state)
{
    (void)state;
    struct check check = verdict_on(fake_right);
    assert_true(check.correct);
    assert_true(check.max_abs_err <= check.err_bound);
    assert_true(check.rms_err > 0 && check.rms_err < 4);
}

static void assert_rejected(rung_function *run, const char *reason)
{
    struct check check = verdict_on(run);
    assert_false(check.correct);
    if (!strstr(check.reason, reason))
        fail_msg("the reason is '%s', expected it to say '%s'", check.reason, reason);
    if (!strstr(check.reason, "at size "))
        fail_msg("the reason is '%s', expected it to name the size", check.reason);
}

static void wrong_answers_are_rejected(void **state)
{
    (void)state;
    rung_function *const wrong[] = {fake_nan, fake_zeros, fake_halved, fake_one_element, fake_swapped_rows};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_rejected(wrong[i], "wrong answer: C[");
}

static void an_answer_remembered_by_address_is_rejected(void **state)
{
    (void)state;
    assert_rejected(fake_cached_by_pointer, "wrong answer");
}

static void writing_outside_is_rejected(void **state)
{
    (void)state;
    assert_rejected(fake_writes_before, "wrote outside: before buffer 2");
    assert_rejected(fake_writes_behind, "wrote outside: behind buffer 2");
}

static void work_on_another_stream_is_rejected(void **state)
{
    (void)state;
    assert_rejected(fake_other_stream, "another stream");
}

static void waiting_inside_the_call_is_rejected(void **state)
{
    (void)state;
    assert_rejected(fake_waits, "may only queue work");
}

static void a_failed_launch_is_rejected(void **state)
{
    (void)state;
    assert_rejected(fake_fails_to_launch, "failed to launch: too many resources");
}

static void a_rung_that_needs_any_one_buffer_aligned_is_rejected(void **state)
{
    (void)state;
    for (fake_alignment = 8; fake_alignment <= 32; fake_alignment *= 2)
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
    if (p->m == 5 && p->k == 40 && p->n == 4)
        seen_at_one_size[a][b][c] = true;
    return fake_right(problem, stream);
}

/* A size gets a third of all combinations; in each third any two buffers meet in all ways. */
static void all_combinations_of_alignments_are_tried(void **state)
{
    (void)state;
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

/* About one in eight is: of 1,200, fewer than 80 or more than 230 once in 10^10 times. */
static void inputs_are_read_only_in_some_calls_on_a_device(void **state)
{
    (void)state;
    static const enum call_kind kinds[] = {CALL_FRESH, CALL_HELD, CALL_AWAITED};
    static const struct workload workload = {"5x40x4", {5, 40, 4}, 0};
    const struct rung rung = {.op = &matmul_op, .backend = &fake_entry, .run = counts_frozen_inputs};
    struct host_problem host_problem;
    struct buffers buffers;
    assert_true(host_problem_make(&host_problem, &matmul_op, &workload, &(struct input_source){.seed = 1}));
    assert_null(buffers_make(&buffers, &fake_backend, &matmul_op, &workload));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        calls = calls_on_frozen_inputs = 0;
        while (calls < 1200) {
            struct check check;
            verify_answer(&rung, &buffers, host_problem.host, host_problem.reference, kinds[i], &check);
            assert_true(check.correct);
            assert_int_equal(fake.frozen, 0);
        }
        assert_in_range(calls_on_frozen_inputs, 80, 230);
    }
    buffers_free(&buffers);
    host_problem_free(&host_problem);
}

/* Whatever the noise is, it is other noise the next time. Noise may be as small as an error of rounding: added to a
 * right answer it makes an imprecise one. */
static void looking_at_the_output_is_rejected(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_rejected(fake_computes_where_nan, "wrong answer");
        assert_rejected(fake_adds_to_its_output, " answer: ");
    }
}

static void an_answer_that_is_wrong_now_and_then_is_rejected(void **state)
{
    (void)state;
    assert_rejected(fake_wrong_in_each_thousandth_call, ": wrong answer");
    fake_rungs_reset();
    assert_rejected(fake_changes_last_bit_in_each_thousandth_call, ": the answer is not the first one bit for bit");
}

static void mistakes_on_special_input_are_rejected(void **state)
{
    (void)state;
    assert_rejected(fake_divides_by_largest, ", input zeros: wrong answer");
}

static void memory_that_each_call_keeps_is_a_leak(void **state)
{
    (void)state;
    assert_rejected(fake_leaks, ": leaks memory: 3072 bytes more are allocated after 64 calls");
}

static void what_others_allocate_meanwhile_is_no_leak(void **state)
{
    (void)state;
    enum { FOR_A_WHILE = 4, FOREVER = 1000, MEBIBYTE = 1 << 20 };
    fake.growing_looks = FOR_A_WHILE;
    fake.growth[0] = fake.growth[1] = 2 * MEBIBYTE;
    assert_true(verdict_on(fake_right).correct);
    assert_int_equal(fake.growing_looks, 0);
    fake.growing_looks = FOREVER;
    fake.growth[1] = 6 * MEBIBYTE;
    assert_true(verdict_on(fake_right).correct);
}

static void a_leak_may_show_in_whole_pages(void **state)
{
    (void)state;
    fake.growing_looks = 1000;
    fake.growth[0] = 2 << 20;
    fake.growth[1] = 4 << 20;
    assert_rejected(fake_right, ": leaks memory: ");
}

static void no_memory_for_buffers_is_said(void **state)
{
    (void)state;
    fake.allocate_error = "out of memory";
    assert_rejected(fake_right, "out of memory");
    fake.allocate_error = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_right_rung_is_accepted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_answers_are_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_remembered_by_address_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writing_outside_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(work_on_another_stream_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waiting_inside_the_call_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_launch_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_that_needs_any_one_buffer_aligned_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_combinations_of_alignments_are_tried, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inputs_are_read_only_in_some_calls_on_a_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looking_at_the_output_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_that_is_wrong_now_and_then_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mistakes_on_special_input_are_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_each_call_keeps_is_a_leak, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_others_allocate_meanwhile_is_no_leak, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_leak_may_show_in_whole_pages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_for_buffers_is_said, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

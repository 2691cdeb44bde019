/* Verification rejects a rung that is wrong in any way and accepts a correct one. */
#include "bench/verify/verify.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

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

/* Whatever the noise is, it is other noise the next time. Noise may be as small as an error of rounding: added to a
 * right answer it makes an imprecise one. */
static void looking_at_the_output_is_rejected(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_rejected(fake_computes_where_nan, "wrong answer");
        assert_rejected(fake_computes_unless_ends_are_right, "wrong answer");
        assert_rejected(fake_adds_to_its_output, " answer: ");
        assert_rejected(fake_leaves_one_element, "wrong answer");
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

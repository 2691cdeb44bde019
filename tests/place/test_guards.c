/* A rung may write to its outputs only: one changed byte elsewhere is found. */
#include "bench/place/buffers.h"
#include "bench/place/host_problem.h"
#include "bench/verify/verify.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, C, BUFFERS };

/* B is compared in several pieces, the last of them shorter. */
static const struct workload workload = {"small", {5, 3000, 100}, 0};
/* As ragged sizes are. */
static const struct placement at_an_edge = {.edge = EDGE_START};
static struct buffers buffers;
static struct host_problem host_problem;

static int set_up(void **state)
{
    (void)state;
    fake_reset();
    fake_rungs_reset();
    struct input_source source = {.seed = 1};
    assert_true(host_problem_make(&host_problem, &matmul_op, &workload, &source));
    assert_int_equal(host_problem.count, BUFFERS);
    assert_null(buffers_make_placed(&buffers, &fake_backend, &matmul_op, &workload, &at_an_edge));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    buffers_free(&buffers);
    host_problem_free(&host_problem);
    assert_int_equal(fake.blocks, 0);
    return 0;
}

static struct check verdict_on(rung_function *run, bool is_held)
{
    struct rung rung = {.variant = "fake", .op = &matmul_op, .backend = &fake_entry, .run = run};
    struct check check;
    verify_run(&rung, &buffers, host_problem.host, host_problem.reference, is_held, &check);
    return check;
}

/* The write is found with and without a hold, and is not reported for the next rung. */
static void assert_scribble_found(struct fake_scribble where, const char *reason)
{
    for (int is_held = 0; is_held < 2; is_held++) {
        fake_scribble = where;
        struct check check = verdict_on(fake_scribbles, is_held);
        assert_false(check.correct);
        assert_string_equal(check.reason, reason);
        assert_true(verdict_on(fake_right, is_held).correct);
    }
}

static void a_byte_in_any_guard_zone_is_found(void **state)
{
    (void)state;
    static const int64_t before[] = {-BUFFERS_GUARD_BYTES, -BUFFERS_GUARD_BYTES / 2, -1};
    static const int64_t behind[] = {0, BUFFERS_GUARD_BYTES / 2, BUFFERS_GUARD_BYTES - 1};
    for (int buffer = A; buffer <= C; buffer++) {
        char reason[64];
        for (size_t place = 0; place < 3; place++) {
            snprintf(reason, sizeof reason, "wrote outside: before buffer %d of the problem", buffer);
            assert_scribble_found((struct fake_scribble){buffer, false, before[place]}, reason);
            snprintf(reason, sizeof reason, "wrote outside: behind buffer %d of the problem", buffer);
            assert_scribble_found((struct fake_scribble){buffer, true, behind[place]}, reason);
        }
    }
}

static void a_byte_of_an_input_is_found(void **state)
{
    (void)state;
    for (int input = A; input <= B; input++) {
        char reason[64];
        snprintf(reason, sizeof reason, "wrote to its input: buffer %d of the problem", input);
        assert_scribble_found((struct fake_scribble){input, false, 0}, reason);
        assert_scribble_found((struct fake_scribble){input, true, -1}, reason);
    }
    for (int64_t edge = BUFFERS_PIECE_BYTES; edge <= BUFFERS_PIECE_BYTES + 1; edge++)
        assert_scribble_found((struct fake_scribble){B, false, edge - 1},
                              "wrote to its input: buffer 1 of the problem");
}

/* The rung's answer is correct, and input is uploaded again before the next run. */
static void a_rung_that_ruins_its_input_is_rejected_at_once(void **state)
{
    (void)state;
    struct check check = verdict_on(fake_ruins_its_input, false);
    assert_false(check.correct);
    assert_string_equal(check.reason, "wrote to its input: buffer 0 of the problem");
}

/* As after timing, where guard zones are checked without being poisoned again. */
static void a_guard_zone_stays_broken_until_it_is_poisoned_again(void **state)
{
    (void)state;
    assert_true(verdict_on(fake_right, false).correct);
    assert_null(buffers_check_guards(&buffers));
    for (size_t i = 0; i < BUFFERS; i++) {
        unsigned char *data = buffers.data[i].start, *const ends[] = {data - 1, data + buffers.data[i].bytes};
        for (int side = 0; side < 2; side++) {
            *ends[side] ^= 1;
            assert_non_null(buffers_check_guards(&buffers));
            assert_non_null(buffers_check_guards(&buffers));
            assert_null(buffers_poison(&buffers));
            assert_null(fake_backend.finish());
            assert_null(buffers_check_guards(&buffers));
        }
    }
}

/* Every byte of an output, and no byte of an input. */
static void outputs_are_poisoned_wholly_and_inputs_are_not(void **state)
{
    (void)state;
    for (int fill = 0; fill < 20; fill++) {
        assert_true(verdict_on(fake_right, false).correct);
        unsigned char *c = buffers.data[C].start;
        size_t bytes = buffers.data[C].bytes;
        assert_true(buffers_poison_is_gone(&buffers, C, c, bytes));
        assert_null(buffers_poison(&buffers));
        assert_null(fake_backend.finish());
        assert_false(buffers_poison_is_gone(&buffers, C, c, bytes));
        for (size_t b = 0; b < bytes; b++) {
            c[b] ^= 1;
            assert_true(buffers_poison_is_gone(&buffers, C, c, bytes));
            c[b] ^= 1;
        }
        assert_null(buffers_check_inputs(&buffers, host_problem.host));
    }
}

/* A rung that looks at its output sees NaN, zeros, a byte, bits or plausible numbers, and never the same twice. */
static void poison_is_of_another_kind_each_time(void **state)
{
    (void)state;
    bool seen[NOISE_KINDS] = {false};
    enum noise_kind last = NOISE_KINDS;
    for (int fill = 0; fill < 400; fill++) {
        assert_null(buffers_poison(&buffers));
        assert_null(fake_backend.finish());
        enum noise_kind kind = (enum noise_kind)(buffers.output_noise[C] % 8);
        assert_true(kind < NOISE_KINDS && kind != last);
        seen[kind] = true;
        last = kind;
    }
    for (size_t kind = 0; kind < NOISE_KINDS; kind++)
        assert_true(seen[kind]);
}

/* Nor are they the same on both sides, or the same twice. */
static void guard_zones_are_of_random_bits(void **state)
{
    (void)state;
    static unsigned char before[BUFFERS_GUARD_BYTES];
    for (size_t i = 0; i < BUFFERS; i++) {
        const unsigned char *front = buffers.guard[i][0].start, *back = buffers.guard[i][1].start;
        assert_true(buffers.guard[i][0].bytes == sizeof before && buffers.guard[i][1].bytes == sizeof before);
        assert_null(buffers_poison(&buffers));
        assert_null(fake_backend.finish());
        memcpy(before, front, sizeof before);
        assert_memory_not_equal(front, back, sizeof before);
        assert_memory_not_equal(front, buffers.guard[(i + 1) % BUFFERS][0].start, sizeof before);
        assert_null(buffers_poison(&buffers));
        assert_null(fake_backend.finish());
        size_t same = 0;
        for (size_t b = 0; b < sizeof before; b++)
            same += before[b] == front[b];
        assert_true(same < sizeof before / 64); /* 1 in 256 by chance */
    }
}

/* Where rungs are timed. */
static void buffers_that_are_timed_lie_close_to_each_other(void **state)
{
    (void)state;
    struct buffers timed;
    assert_null(buffers_make(&timed, &fake_backend, host_problem.op, host_problem.workload));
    for (size_t i = 0; i < timed.count; i++)
        for (int side = 0; side < 2; side++)
            assert_int_equal(timed.guard[i][side].bytes, BUFFERS_SMALL_GUARD_BYTES);
    buffers_free(&timed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_byte_in_any_guard_zone_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_byte_of_an_input_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_that_ruins_its_input_is_rejected_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_guard_zone_stays_broken_until_it_is_poisoned_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(outputs_are_poisoned_wholly_and_inputs_are_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(poison_is_of_another_kind_each_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(guard_zones_are_of_random_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(buffers_that_are_timed_lie_close_to_each_other, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

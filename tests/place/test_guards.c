/* A rung may write to its outputs only: one changed byte elsewhere is found. */
#include "bench/place/buffers.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

enum { A, B, C, BUFFERS };

/* B is compared in several pieces, the last of them shorter. */
static const struct workload workload = {"small", {5, 3000, 100}, 0};
/* As ragged sizes are, and as what is timed. */
static const struct placement at_an_edge = {.edge = EDGE_START}, anywhere = {.edge = EDGE_ANY};
static struct buffers buffers;
static void *host[BUFFERS];

static void make(const struct placement *placement, void *const outputs[])
{
    assert_null(buffers_make(&buffers, &fake_backend, &matmul_op, &workload, placement, outputs));
    assert_int_equal(buffers.count, BUFFERS);
}

static int set_up(void **state)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    struct input_note note;
    fake_reset();
    size_t count = op_buffers(&matmul_op, &workload, specs);
    for (size_t i = 0; i < count; i++)
        host[i] = calloc(1, specs[i].bytes);
    op_fill(&matmul_op, &workload, &(struct input_source){.seed = 1}, host, &note);
    make(&at_an_edge, NULL);
    return 0;
}

static int tear_down(void **state)
{
    buffers_free(&buffers);
    for (size_t i = 0; i < BUFFERS; i++)
        free(host[i]);
    assert_int_equal(fake.blocks, 0);
    return 0;
}

static void poison(void)
{
    assert_null(buffers_transfer(&buffers, false, host));
    assert_null(buffers_poison(&buffers));
    assert_null(fake_backend.finish());
}

/* It stays broken until it is poisoned again: what one rung has done is not reported for the next. */
static void assert_found(char *byte, const char *(*check)(void), const char *reason)
{
    poison();
    assert_null(check());
    *byte ^= 1;
    for (int look = 0; look < 2; look++) {
        const char *error = check();
        assert_non_null(error);
        assert_string_equal(error, reason);
    }
    poison();
    assert_null(check());
}

static const char *check_guards(void)
{
    return buffers_check_guards(&buffers);
}

static const char *check_inputs(void)
{
    return buffers_check_inputs(&buffers, host);
}

TEST(a_byte_in_any_guard_zone_is_found)
{
    for (size_t i = A; i <= C; i++) {
        for (int side = 0; side < 2; side++) {
            struct span zone = buffers.guard[i][side], data = buffers.data[i];
            char reason[64], *start = zone.start;
            snprintf(reason, sizeof reason, "wrote outside: %s buffer %zu of the problem",
                     side == 0 ? "before" : "after", i);
            assert_int_equal(zone.bytes, BUFFERS_GUARD_BYTES);
            assert_ptr_equal(start, (char *)data.start + (side == 0 ? -(ptrdiff_t)zone.bytes : (ptrdiff_t)data.bytes));
            assert_found(start, check_guards, reason);
            assert_found(start + zone.bytes / 2, check_guards, reason);
            assert_found(start + zone.bytes - 1, check_guards, reason);
        }
    }
}

/* The first, the last, and one between. */
TEST(a_byte_of_an_input_is_found)
{
    for (size_t i = A; i <= B; i++) {
        const size_t bytes = buffers.data[i].bytes;
        const size_t places[] = {0, bytes / 2, bytes - 1};
        char reason[64];
        snprintf(reason, sizeof reason, "wrote to its input: buffer %zu of the problem", i);
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++)
            assert_found((char *)buffers.data[i].start + places[p], check_inputs, reason);
    }
}

/* Every byte of an output, and no byte of an input. */
TEST(outputs_are_poisoned_wholly_and_inputs_are_not)
{
    unsigned char *c = buffers.data[C].start;
    const size_t bytes = buffers.data[C].bytes;
    for (int fill = 0; fill < 20; fill++) {
        memset(c, 0xA5, bytes);
        poison();
        assert_false(buffers_poison_is_gone(&buffers, C, c, bytes));
        for (size_t b = 0; b < bytes; b++) {
            c[b] ^= 1;
            assert_true(buffers_poison_is_gone(&buffers, C, c, bytes));
            c[b] ^= 1;
        }
        assert_null(check_inputs());
    }
}

/* A rung that looks at its output sees NaN, zeros, a byte, bits or plausible numbers, and never the same twice. */
TEST(poison_is_of_another_kind_each_time)
{
    bool seen[MADE_POISONS] = {false};
    enum made_kind last = MADE_POISONS;
    for (int fill = 0; fill < 400; fill++) {
        poison();
        enum made_kind kind = buffers.poison[C].kind;
        assert_true(kind < MADE_POISONS && kind != last);
        seen[kind] = true;
        last = kind;
    }
    for (size_t kind = 0; kind < MADE_POISONS; kind++)
        assert_true(seen[kind]);
}

/* Nor are they the same on both sides, or the same twice. */
TEST(guard_zones_are_of_random_bits)
{
    static unsigned char before[BUFFERS_GUARD_BYTES];
    for (size_t i = 0; i < BUFFERS; i++) {
        const unsigned char *front = buffers.guard[i][0].start;
        poison();
        memcpy(before, front, sizeof before);
        assert_memory_not_equal(front, buffers.guard[i][1].start, sizeof before);
        assert_memory_not_equal(front, buffers.guard[(i + 1) % BUFFERS][0].start, sizeof before);
        poison();
        size_t same = 0;
        for (size_t b = 0; b < sizeof before; b++)
            same += before[b] == front[b];
        assert_true(same < sizeof before / 64); /* 1 in 256 by chance */
    }
}

/* Such memory is the caller's: the rung writes to it, nobody frees it, and nothing is around it. */
TEST(outputs_can_lie_in_memory_of_the_caller)
{
    buffers_free(&buffers);
    make(&anywhere, host);
    assert_int_equal(fake.blocks, 2);
    assert_ptr_equal(buffers.data[C].start, host[C]);
    assert_ptr_equal(((const struct matmul_problem *)(const void *)buffers.problem)->c, host[C]);
    assert_true(buffers.data[A].start != host[A]);
    poison();
    assert_false(buffers_poison_is_gone(&buffers, C, host[C], buffers.data[C].bytes));
    assert_null(check_guards());
    assert_int_equal(buffers.guard[C][0].bytes + buffers.guard[C][1].bytes, 0);
}

AROUND_EACH_TEST(set_up, tear_down)

/* Far problems: an index that exceeds 32 bits is found; what is right is accepted; and what cannot be tried is told. */
#include "far_kernels.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

extern const struct op grayscale_op;

static struct backend_entry entry;
static struct rung rung;
static const struct registry registry = {&entry, 1, NULL, 0, &rung, 1};

static struct check verdict_on(const struct backend_entry *backend, rung_function *run, struct error *note)
{
    struct check check = {.correct = true};
    entry = *backend;
    rung =
        (struct rung){.variant = "far", .op = &grayscale_op, .backend = &entry, .run = run, .precision = PRECISION_U8};
    verify_far(here_open(&registry, &(struct backend_settings){.device = -1, .times_nothing = true}, host_now), &rung,
               1, &check, note);
    here_close();
    return check;
}

static const struct backend_entry sim = {"sim", "Simulator", false, true, &sim_backend};

TEST(right_kernels_are_accepted_without_a_note)
{
    rung_function *const right[] = {far_right, far_cleared_first};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        struct error note;
        struct check check = verdict_on(&sim, right[i], &note);
        if (!check.correct)
            fail_msg("right kernel %zu is rejected: %s", i, check.reason);
        assert_string_equal(note.text, "");
        assert_string_equal(check.mark, "");
    }
}

TEST(indexes_and_grids_of_32_bits_are_found)
{
    static const struct {
        const char *name;
        rung_function *run;
        const char *says;
    } wrong[] = {
        {"int_index", far_int_index, "wrong answer"},
        {"unsigned_index", far_unsigned_index, "wrong answer"},
        {"full_int_index", far_full_int_index, "out of bounds"},
        {"int_plane", far_int_plane, "wrong answer"},
        {"int_grid", far_int_grid, "wrong answer"},
        {"behind_the_end", far_behind_the_end, "writes out of bounds, 0 bytes behind the end of a buffer of 4294"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        static const char begin[] = "at the end of size 2x46341x46341: ";
        struct error note;
        struct check check = verdict_on(&sim, wrong[i].run, &note);
        if (check.correct)
            fail_msg("%s is accepted; %s", wrong[i].name, note.text);
        if (strncmp(check.reason, begin, strlen(begin)) != 0 || !strstr(check.reason, wrong[i].says))
            fail_msg("%s: %s", wrong[i].name, check.reason);
    }
}

/* A few threads that go through all of the problem: nobody can wait for them here, and they are right. */
TEST(a_grid_that_cannot_be_must_be_refused)
{
    struct error note;
    struct check check = verdict_on(&sim, far_unguarded, &note);
    assert_false(check.correct);
    assert_string_equal(check.reason,
                        "at the end of size 2x2097152x2097152: failed to run: a rung: launch failed: kernel "
                        "far_kernel<long, long>: no GPU can launch a grid of (0,1,1) blocks of (256,1,1) threads "
                        "with 0 bytes of dynamic shared memory");
}

/* Where a device has the memory for it, that is worth a note. */
TEST(a_refusal_is_not_wrong_but_told)
{
    struct error note;
    struct check check = verdict_on(&sim, far_refuses, &note);
    assert_true(check.correct);
    assert_string_equal(check.mark, "far-unverified");
    assert_string_equal(note.text, "grayscale/far is not verified at size 2x32768x1048577: cannot do it");
}

TEST(what_takes_too_long_is_left_out_and_told)
{
    rung_function *const slow[] = {far_one_block, far_few_blocks};
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
        struct error note;
        struct check check = verdict_on(&sim, slow[i], &note);
        if (!check.correct)
            fail_msg("slow kernel %zu is rejected: %s", i, check.reason);
        assert_string_equal(note.text,
                            "grayscale/far is not verified at size 2x2097152x2097152: the simulator does not "
                            "come to the end of its answer");
        assert_string_equal(check.mark, "far-unverified");
    }
    struct error note;
    assert_true(verdict_on(&sim, far_right, &note).correct); /* is none the worse for it */
    assert_string_equal(note.text, "");
}

/* On many multiprocessors it has a block for each part of one problem; of a larger one, blocks take several. */
TEST(blocks_that_take_turns_are_not_blamed)
{
    struct error note;
    struct check check = verdict_on(&sim, far_full, &note);
    if (!check.correct)
        fail_msg("rejected: %s", check.reason);
    assert_string_equal(note.text, "grayscale/far is not verified at size 2x32768x1048577: the simulator does not "
                                   "come to the end of its answer");
}

static const char *allocate_nothing(size_t bytes, enum edge edge, void **memory)
{
    (void)bytes, (void)edge, (void)memory;
    return "no room";
}

static const char *must_not_run(const void *problem, void *stream)
{
    (void)problem, (void)stream;
    return "ran";
}

TEST(what_the_memory_has_no_room_for_is_left_out_and_told)
{
    struct backend small = sim_backend;
    small.allocate = allocate_nothing;
    const struct backend_entry device = {"small", "Small", true, false, &small};
    struct error note;
    struct check check = verdict_on(&device, must_not_run, &note);
    assert_true(check.correct);
    assert_string_equal(check.mark, "far-unverified");
    assert_string_equal(note.text, "grayscale/far is not verified at size 2x46341x46341: no room");
}

TEST(rungs_of_the_cpu_are_not_tried)
{
    const struct backend_entry cpu = {"cpu", "CPU", false, false, &sim_backend};
    struct error note;
    struct check check = verdict_on(&cpu, must_not_run, &note);
    assert_true(check.correct);
    assert_string_equal(check.mark, "");
    assert_string_equal(note.text, "");
}

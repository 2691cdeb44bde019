/* Far problems: an index that exceeds 32 bits is found; what is right is accepted; and what cannot be tried is told. */
#include "far_kernels.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

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

static struct backend small; /* has no memory */
static const struct backend_entry sim = {"sim", "Simulator", false, true, &sim_backend},
                                  device = {"small", "Small", true, false, &small},
                                  cpu = {"cpu", "CPU", false, false, &sim_backend};
#define NOT_VERIFIED "grayscale/far is not verified at size "
#define NO_END ": the simulator does not come to the end of its answer"

/* Rungs of the CPU are not tried. Where a device has the memory for it, a refusal is worth a note; and of far_full, on
 * many multiprocessors, blocks take several parts of the larger problem. The last is none the worse for the ones
 * before. */
TEST(what_is_right_is_accepted_and_what_cannot_be_tried_is_told)
{
    static const struct {
        const struct backend_entry *backend;
        rung_function *run;
        const char *note;
    } cases[] = {
        {&sim, far_right, ""},
        {&sim, far_cleared_first, ""},
        {&sim, far_refuses, NOT_VERIFIED "2x32768x1048577: cannot do it"},
        {&sim, far_one_block, NOT_VERIFIED "2x2097152x2097152" NO_END},
        {&sim, far_full, NOT_VERIFIED "2x32768x1048577" NO_END},
        {&device, must_not_run, NOT_VERIFIED "2x46341x46341: cannot prepare its buffers: no room"},
        {&cpu, must_not_run, ""},
        {&sim, far_right, ""},
    };
    small = sim_backend;
    small.allocate = allocate_nothing;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error note;
        struct check check = verdict_on(cases[i].backend, cases[i].run, &note);
        if (!check.correct)
            fail_msg("case %zu is rejected: %s", i, check.reason);
        assert_string_equal(note.text, cases[i].note);
        assert_string_equal(check.mark, cases[i].note[0] ? "far-unverified" : "");
    }
}

/* The grid of the last cannot be, and must be refused. */
TEST(indexes_and_grids_of_32_bits_are_found)
{
    static const struct {
        const char *name;
        rung_function *run;
        const char *size, *says;
    } wrong[] = {
        {"int_index", far_int_index, "46341x46341", "wrong answer"},
        {"unsigned_index", far_unsigned_index, "46341x46341", "wrong answer"},
        {"full_int_index", far_full_int_index, "46341x46341", "out of bounds"},
        {"int_plane", far_int_plane, "46341x46341", "wrong answer"},
        {"int_grid", far_int_grid, "46341x46341", "wrong answer"},
        {"behind_the_end", far_behind_the_end, "46341x46341",
         "writes out of bounds, 0 bytes past the end of a buffer of 4294"},
        {"unguarded", far_unguarded, "2097152x2097152",
         "failed to run: a rung: launch failed: kernel far_kernel<int64_t, int64_t>: no GPU can launch a grid of "
         "(0,1,1) "
         "blocks of (256,1,1) threads with 0 bytes of dynamic shared memory"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char begin[64];
        struct error note;
        struct check check = verdict_on(&sim, wrong[i].run, &note);
        snprintf(begin, sizeof begin, "at the end of size 2x%s: ", wrong[i].size);
        if (check.correct)
            fail_msg("%s is accepted; %s", wrong[i].name, note.text);
        if (strncmp(check.reason, begin, strlen(begin)) != 0 || !strstr(check.reason, wrong[i].says))
            fail_msg("%s: %s", wrong[i].name, check.reason);
    }
}

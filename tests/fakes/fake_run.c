#include "bench/base/exit_status.h"
#include "bench/player/player.h"
#include "fake_run.h"

#include "bench/select/selection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct backend host_backend; /* the fake one too, but another than the device's */
const struct backend_entry entries[ENTRIES] = {
    {"host", "Host", false, false, &host_backend},
    {"fake", "Fake", true, false, &fake_backend},
    {"absent", "Absent", true, false, NULL},
};
/* matmul with one ragged size: what verification tries is tested with it, and is all the same to a run. */
static const struct workload ragged = {"9x10x11", {9, 10, 11}, 0};
static struct op op;
const struct op *const ops[OPS] = {&op};

struct result results[RESULTS_MAX];
size_t result_count, write_limit;
int64_t interrupt_after;

static size_t judged_count;

static bool keep(void *self, const struct result *result, struct error *error)
{
    (void)self;
    if (result_count == write_limit)
        return error_set(error, "no space left");
    results[result_count++] = *result;
    return true;
}

/* The last word; samples come with the first. */
static bool replace(void *self, const struct result *result, struct error *error)
{
    (void)self, (void)error;
    const double *sample_s = results[judged_count].sample_s;
    assert_string_equal(results[judged_count].name, result->name);
    results[judged_count] = *result;
    results[judged_count++].sample_s = sample_s;
    return true;
}

static int interrupted(void)
{
    return interrupt_after >= 0 && (int64_t)result_count >= interrupt_after;
}

static void step(size_t done, const char *name)
{
    (void)name;
    assert_int_equal(done, result_count);
}

struct options options;
struct run_facts facts;

static struct player player;

static struct link *start(void *self, bool is_strangers, struct board *board, int fd, struct error *error)
{
    (void)is_strangers, (void)fd;
    player = (struct player){.registry = self,
                             .settings = &options.backend,
                             .evict_by_writing = options.flush_by_writing,
                             .clock = {fake_now, interrupted},
                             .board = board};
    return link_to(&player, error);
}

static void note(const char *line)
{
    (void)line;
}

int set_up(void **state)
{
    (void)state;
    op = matmul_op;
    op.ragged = &ragged;
    op.ragged_count = 1;
    host_backend = fake_backend;
    host_backend.pin = NULL;
    host_backend.unpin = NULL;
    fake_reset();
    fake_rungs_reset();
    fake.noise = 0.001;
    result_count = 0;
    write_limit = RESULTS_MAX;
    interrupt_after = -1;
    options = (struct options){
        .suite = suite_find("none"),
        .modes = {&mode_cold, &mode_hot, &mode_e2e},
        .mode_count = 3,
        .min_time_s = 0.001,
        .budget_s = INFINITY,
        .backend = {.device = -1},
        .seed = 42,
        .user = {{&op, {"small", {FAKE_COUNTED_M, 20, 30}, 0}}},
        .user_count = 1,
    };
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    fake_rungs_reset();
    assert_int_equal(fake.blocks, 0);
    assert_int_equal(fake.pinned, 0);
    assert_int_equal(fake.open_count, 0);
    return 0;
}

struct rung host_rung(const char *variant, rung_function *function, unsigned traits)
{
    return (struct rung){variant, &op, &entries[0], function, NULL, PRECISION_FP32, traits, "as a test says", NULL};
}

struct rung device_rung(const char *variant, rung_function *function)
{
    return (struct rung){variant, &op, &entries[1], function, NULL, PRECISION_FP32, 0, "as a test says", NULL};
}

bool run_selection(const struct registry *registry, struct selection *selection, struct outcomes *outcomes,
                   struct error *error)
{
    const struct reporter reporter = {.early = keep, .result = replace};
    struct results kept = {.registry = registry, .reporters = &reporter, .reporter_count = 1};
    const struct judge_settings settings = {
        .options = &options,
        .registry = registry,
        .facts = &facts,
        .results = &kept,
        .clock = {fake_now, interrupted},
        .step = step,
        .note = note,
        .start = start,
        .self = (void *)(uintptr_t)registry,
    };
    facts.round_count = 1;
    bool written = judge_run(&settings, selection, error) != EXIT_USAGE;
    judged_count = 0;
    if (written)
        assert_true(results_end(&kept, outcomes, error));
    results_free(&kept);
    free(selection->rows);
    return written;
}

bool run(const struct rung *rungs, size_t count, struct outcomes *outcomes, struct error *error)
{
    struct registry registry = {entries, 3, ops, 1, rungs, count};
    struct selection selection;
    assert_int_equal(selection_make(&registry, &options, &selection, error), EXIT_RIGHT);
    assert_true(slowed_rows_choose(options.slowdown, &selection, error));
    return run_selection(&registry, &selection, outcomes, error);
}

const struct result *find(const char *name)
{
    for (size_t i = 0; i < result_count; i++)
        if (strcmp(results[i].name, name) == 0)
            return &results[i];
    fail_msg("no result is called %s", name);
    return NULL;
}

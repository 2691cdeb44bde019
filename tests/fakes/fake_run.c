#include "fake_run.h"

#include "bench/player/player.h"

#include "bench/select/selection.h"
#include "tests/unit.h"

static struct backend host_backend; /* the fake one too, but another than the device's */
const struct backend_entry entries[ENTRIES] = {
    {"host", "Host", false, false, &host_backend},
    {"fake", "Fake", true, false, &fake_backend},
    {"absent", "Absent", true, false, NULL},
};
/* matmul with one ragged size: what verification tries is tested with it, and is all the same to a run. */
static const int64_t ragged[][OP_SIZES_MAX] = {{9, 10, 11}};
static struct op op;
const struct op *const ops[OPS] = {&op};

struct result results[RESULTS_MAX];
size_t result_count, player_count, write_limit;
int64_t interrupt_after;
struct outcomes outcomes;
struct error run_error;
char notes[1024];

static bool keep(void *self, const struct result *result, struct error *error)
{
    if (result_count == write_limit)
        return error_set(error, "no space left");
    results[result_count++] = *result;
    return true;
}

/* The last word; samples come with the first. */
static void replace(const struct result_list *list)
{
    assert_true(list->count >= result_count);
    for (size_t i = 0; i < result_count; i++) {
        double *sample_s = results[i].sample_s;
        assert_string_equal(results[i].name, list->items[i].name);
        results[i] = list->items[i];
        results[i].sample_s = sample_s;
        outcomes.ok += results[i].status == STATUS_OK;
        outcomes.skipped += results[i].status == STATUS_SKIPPED;
        outcomes.failed += results[i].status == STATUS_FAILED;
    }
}

static int interrupted(void)
{
    return interrupt_after >= 0 && (int64_t)result_count >= interrupt_after;
}

struct options options;
struct run_facts facts;

player_start *fake_start;

static struct link *start_here(const struct registry *registry, const struct rung *stranger, struct board *board,
                               int fd, struct error *error)
{
    static struct player player;
    player = (struct player){.registry = registry,
                             .settings = &options.backend,
                             .evict_by_writing = options.flush_by_writing,
                             .clock = {fake_now, interrupted},
                             .board = board};
    return link_to(&player, error);
}

static struct link *start(void *self, const struct rung *stranger, struct board *board, int fd, struct error *error)
{
    player_count++;
    return fake_start(self, stranger, board, fd, error);
}

static void note(const char *line)
{
    assert_true(strlen(notes) + strlen(line) + 2 <= sizeof notes);
    strcat(strcat(notes, line), "\n");
}

int set_up(void **state)
{
    op = matmul_op;
    op.ragged = ragged;
    op.ragged_count = 1;
    host_backend = fake_backend;
    host_backend.pin = NULL;
    host_backend.unpin = NULL;
    fake_reset();
    fake_rungs_reset();
    fake.noise = 0.001;
    write_limit = RESULTS_MAX;
    fake_start = start_here;
    facts = (struct run_facts){.round_count = 1};
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
    fake_rungs_reset();
    assert_int_equal(fake.blocks, 0);
    assert_int_equal(fake.pinned, 0);
    assert_int_equal(fake.open_count, 0);
    return 0;
}

struct rung host_rung(const char *variant, rung_function *function, unsigned traits)
{
    return (struct rung){.variant = variant,
                         .op = &op,
                         .backend = &entries[0],
                         .run = function,
                         .traits = traits,
                         .summary = "as a test says"};
}

struct rung device_rung(const char *variant, rung_function *function)
{
    return (struct rung){
        .variant = variant, .op = &op, .backend = &entries[1], .run = function, .summary = "as a test says"};
}

static const char *load(const struct rung *rung)
{
    return NULL;
}

struct rung own_rung(const char *variant, rung_function *function)
{
    struct rung rung = device_rung(variant, function);
    rung.load = load;
    return rung;
}

static void forget_last_run(void)
{
    result_count = player_count = 0;
    outcomes = (struct outcomes){0};
    run_error.text[0] = notes[0] = '\0';
}

int run(const struct rung *rungs, size_t count)
{
    const struct registry registry = {entries, ENTRIES, ops, OPS, rungs, count};
    const struct run run = {.options = &options, .registry = &registry, .clock = {fake_now, interrupted}};
    struct results kept = {.registry = &registry, .early = keep};
    struct judge judge = {
        .run = &run,
        .facts = &facts,
        .results = &kept,
        .note = note,
        .start = start,
        .self = (void *)(uintptr_t)&registry,
    };
    struct selection selection;
    assert_int_equal(selection_make(&registry, &options, &selection, &run_error), EXIT_RIGHT);
    assert_true(slowed_rows_choose(options.slowdown, &selection, &run_error));
    forget_last_run();
    int status = judge_run(&judge, &selection, &run_error);
    results_end(&kept);
    if (status != EXIT_USAGE)
        replace(&kept.list);
    results_free(&kept);
    free(selection.rows);
    return status;
}

const struct result *find(const char *name)
{
    for (size_t i = 0; i < result_count; i++)
        if (strcmp(results[i].name, name) == 0)
            return &results[i];
    fail_msg("no result is called %s", name);
    return NULL;
}

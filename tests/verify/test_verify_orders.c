/* Verification on a fake backend with several orders of work. */
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

enum { A, B, C, ORDERS = 5, ELEMENTS = 5 * 30 };

static const struct workload workload = {"5x7x30", {5, 7, 30}, 0};

static struct backend ordered; /* the fake backend, with orders */
static const struct backend_entry entry = {"ordered", "Ordered", false, true, &ordered};
static struct op op;
static struct rung rung;
static const struct registry registry = {&entry, 1, NULL, 0, &rung, 1};
static struct link *here;
static struct problem problem;

static const struct work_order orders[ORDERS] = {
    {"first", ""}, {"second", "is second"}, {"third", "is third"}, {"fourth", "is fourth"}, {"fifth", "is fifth"}};
static size_t used; /* the current order */
static size_t orders_there;
static char history[2048];  /* the order of each run of the rung; w for a watch, t for a trace */
static const char *watched; /* NULL: nothing */
static size_t watched_bytes;
static char writer_name[32];

/* The mistake of the rung, and the order in which it makes it. */
static struct {
    size_t order, element, byte;
    enum { NOTHING, CHANGES_A_BIT, ADDS_ONE, FAILS, WRITES_BEHIND } deed;
    bool writes;       /* the backend knows which block does it */
    const char *found; /* what it traces */
} script;

static void note(char letter)
{
    size_t length = strlen(history);
    assert_true(length + 1 < sizeof history);
    history[length] = letter;
}

static size_t order_count(void)
{
    return orders_there;
}

static const struct work_order *use_order(size_t index)
{
    assert_true(index < orders_there);
    used = index;
    return &orders[index];
}

static void watch(const void *memory, size_t bytes)
{
    watched = memory;
    watched_bytes = memory ? bytes : watched_bytes;
    memset(writer_name, 0, sizeof writer_name); /* invalidates what writer() returned */
    if (memory)
        note('w');
}

static const char *writer(void)
{
    if (writer_name[0] == '\0')
        return NULL;
    note('t');
    return writer_name;
}

static const char *found(void)
{
    return script.found;
}

static const struct simulator simulator = {
    .order_count = order_count,
    .use_order = use_order,
    .watch = watch,
    .writer = writer,
    .found = found,
};

static void work(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (used != script.order || script.deed == NOTHING)
        return;
    float *c = p->c + script.element;
    if (script.deed == CHANGES_A_BIT)
        ((unsigned char *)c)[script.byte] ^= 1;
    else if (script.deed == ADDS_ONE)
        *c += 1;
    else if (script.deed == WRITES_BEHIND)
        p->c[p->m * p->n] = 1;
    if (script.writes && (const char *)c == watched)
        snprintf(writer_name, sizeof writer_name, "kernel K, block (1,2,3)");
}

enum { LARGE_M = 50 };
static int calls_of_large;

static const char *rung_run(const void *problem_of_it, void *stream)
{
    note((char)('0' + used));
    calls_of_large += ((const struct matmul_problem *)problem_of_it)->m == LARGE_M;
    if (used == script.order && script.deed == FAILS)
        return "no such kernel";
    fake_launch(stream, work, problem_of_it, 1e-6);
    return NULL;
}

/* How many more allocations of this size succeed; -1: all. */
static size_t scarce_bytes;
static int scarce_left;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    if (scarce_left >= 0 && bytes == scarce_bytes && scarce_left-- == 0)
        return NULL;
    return __real_malloc(bytes);
}

static int set_up(void **state)
{
    fake_reset();
    ordered = fake_backend;
    ordered.held_memory = NULL; /* calls are counted */
    ordered.simulator = &simulator;
    orders_there = ORDERS;
    used = 4; /* some other order was used before */
    memset(history, 0, sizeof history);
    memset(&script, 0, sizeof script);
    watched = NULL;
    scarce_left = -1;
    op = matmul_op;
    rung = (struct rung){.variant = "made up", .op = &op, .backend = &entry, .run = rung_run};
    here = here_open(&registry, &(struct backend_settings){.device = -1}, fake_now);
    assert_true(problem_make(&problem, here, &op, &workload, &(struct input_source){.seed = 1}));
    return 0;
}

static int tear_down(void **state)
{
    problem_free(&problem);
    here_close();
    assert_int_equal(fake.blocks, 0);
    return 0;
}

static struct check verdict(unsigned traits)
{
    memset(history, 0, sizeof history);
    rung.traits = traits;
    struct check check = here_verdict_on(&rung, &problem);
    assert_int_equal(used, 0);
    assert_null(watched);
    return check;
}

static const int64_t small[][OP_SIZES_MAX] = {{5, 7, 30}};

/* verify_ragged() with these sizes alone. */
static struct check ragged_verdict(const int64_t (*sizes)[OP_SIZES_MAX], size_t count)
{
    op.ragged = sizes;
    op.ragged_count = count;
    struct check check;
    memset(history, 0, sizeof history);
    verify_ragged(here, &rung, 1, &check);
    return check;
}

static void assert_rejected(unsigned traits, const char *reason)
{
    struct check check = verdict(traits);
    assert_false(check.correct);
    assert_string_equal(check.reason, reason);
}

/* `name`: of the first order that differs from the first. */
static void assert_differs(size_t order, const char *writer)
{
    char reason[256];
    snprintf(reason, sizeof reason, "%s: element %zu of buffer 2 differs in the order '%s' from 'first'; written by %s",
             orders[order].shows, script.element, orders[order].name, writer);
    assert_rejected(0, reason);
}

TEST(a_right_rung_runs_once_in_each_order)
{
    struct check alone, check = verdict(0);
    assert_true(check.correct);
    assert_string_equal(history, "01234");
    assert_true(check.max_abs_err <= check.err_bound && check.err_bound > 0);
    op_check(problem.reference, PRECISION_FP32, problem.host, &alone); /* the answer is on the board */
    assert_true(alone.correct && alone.max_abs_err == check.max_abs_err);
    here->devices.items[0].orders = 1;
    assert_true(verdict(0).correct);
    assert_string_equal(history, "0");
}

TEST(one_bit_in_one_order_is_found_and_its_writer_named)
{
    script.deed = CHANGES_A_BIT;
    script.order = 3;
    script.element = 17;
    script.writes = true;
    script.found = "two threads";
    assert_differs(3, "kernel K, block (1,2,3): two threads");
    assert_string_equal(history, "0123w3t3"); /* runs again in that order to find the writer, and to trace it */
    assert_int_equal(watched_bytes, sizeof(float));
}

/* In whichever order, and in whichever byte of the first element and the last. If the first answer is the wrong one,
 * the second differs. */
TEST(any_bit_in_any_order_is_found)
{
    script.deed = CHANGES_A_BIT;
    for (script.order = 0; script.order < ORDERS; script.order++)
        for (script.byte = 0; script.byte < sizeof(float); script.byte++)
            for (script.element = 0; script.element < ELEMENTS; script.element += ELEMENTS - 1)
                assert_differs(script.order == 0 ? 1 : script.order, "no block");
}

TEST(an_answer_that_is_wrong_in_every_order_is_held_to_the_reference)
{
    memset(problem.host[A], 0x40, 4); /* the reference was made before */
    struct check check = verdict(0);
    assert_false(check.correct);
    assert_null(strstr(check.reason, "order"));
    assert_string_equal(history, "01234");
}

/* What it does in the first it does in every order, so none is named. */
TEST(a_rung_that_fails_in_one_order_is_not_run_in_the_next)
{
    static const char *const says[] = {
        [FAILS] = "failed to launch: no such kernel", [WRITES_BEHIND] = "wrote outside: after buffer 2 of the problem"};
    for (script.deed = FAILS; script.deed <= WRITES_BEHIND; script.deed++) {
        for (script.order = 0; script.order < ORDERS; script.order++) {
            char in_order[64] = "", reason[128];
            if (script.order > 0)
                snprintf(in_order, sizeof in_order, "in the order '%s': ", orders[script.order].name);
            snprintf(reason, sizeof reason, "%s%s", in_order, says[script.deed]);
            assert_rejected(0, reason);
            assert_int_equal(strlen(history), script.order + 1);
            assert_rejected(RUNG_UNORDERED, reason);
        }
    }
}

/* The first answer is the result, whatever the others are. */
TEST(an_unordered_rung_may_differ_within_the_bound_alone)
{
    float first[ELEMENTS];
    assert_true(verdict(0).correct);
    memcpy(first, problem.host[C], sizeof first);
    script.element = 9;
    for (script.order = 0; script.order < ORDERS; script.order++) {
        char begin[64];
        script.deed = CHANGES_A_BIT;
        assert_true(verdict(RUNG_UNORDERED).correct);
        assert_string_equal(history, "01234");
        assert_int_equal(memcmp(problem.host[C], first, sizeof first) != 0, script.order == 0);
        script.deed = ADDS_ONE;
        struct check check = verdict(RUNG_UNORDERED);
        snprintf(begin, sizeof begin, "in the order '%s': ", orders[script.order].name);
        assert_false(check.correct);
        assert_ptr_equal(strstr(check.reason, begin), check.reason);
        assert_non_null(strstr(check.reason, "C[0,9] is "));
    }
}

/* `x`: some order. */
static void assert_begins(const char *expected)
{
    for (size_t i = 0; i < strlen(expected); i++)
        if (expected[i] == 'x' ? history[i] < '0' || history[i] >= '0' + ORDERS : history[i] != expected[i])
            fail_msg("%.*s, expected %s", (int)strlen(expected), history, expected);
}

/* Against each edge in every order, and on special input in one; then many calls, and 9 alignments, in the first. */
TEST(ragged_sizes_run_in_all_orders_against_both_edges)
{
    static const char in_orders[] = "01234x01234x";
    assert_true(ragged_verdict(small, 1).correct);
    assert_begins(in_orders);
    const char *rest = history + strlen(in_orders);
    assert_int_equal(strspn(rest, "0"), strlen(rest));
    assert_in_range(strlen(rest), 1000 + 9, sizeof history);
}

/* One size of each kind: a costly one meets all orders at one edge; a very costly one runs once. */
TEST(costly_sizes_run_in_fewer_orders)
{
    static const int64_t sizes[][OP_SIZES_MAX] = {{5, 7, 30}, {20, 40, 31}, {LARGE_M, 100, 101}};
    calls_of_large = 0;
    assert_true(ragged_verdict(sizes, sizeof sizes / sizeof sizes[0]).correct);
    assert_begins("01234x01234x"
                  "01234x0x"
                  "0");
    assert_int_equal(calls_of_large, 1);
}

TEST(ragged_sizes_show_what_is_wrong_in_a_later_order)
{
    script.deed = CHANGES_A_BIT;
    script.order = 4;
    struct check check = ragged_verdict(small, 1);
    assert_false(check.correct);
    assert_string_equal(check.reason, "at size 5x7x30: is fifth: element 0 of buffer 2 differs in the order 'fifth' "
                                      "from 'first'; written by no block");
}

TEST(without_memory_for_an_answer_there_is_no_problem)
{
    problem_free(&problem);
    scarce_bytes = ELEMENTS * sizeof(float);
    scarce_left = 0;
    assert_false(problem_make(&problem, here, &op, &workload, &(struct input_source){.seed = 1}));
    assert_null(problem.answer);
    assert_true(problem_make(&problem, here, &op, &workload, &(struct input_source){.seed = 1}));
}

AROUND_EACH_TEST(set_up, tear_down)

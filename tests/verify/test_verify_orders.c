/* Verification on a fake backend with several orders of work. */
#include "bench/place/buffers.h"
#include "bench/place/host_problem.h"
#include "bench/verify/verify.h"
#include "bench/verify/verify_repeats.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, C, BUFFERS, ORDERS = 5 };

static const struct workload workload = {"5x7x30", {5, 7, 30}, 0};

static struct backend ordered; /* the fake backend, with orders */
static const struct backend_entry entry = {"ordered", "Ordered", false, true, &ordered};
static const struct work_order orders[ORDERS] = {
    {"first", ""}, {"second", "is second"}, {"third", "is third"}, {"fourth", "is fourth"}, {"fifth", "is fifth"}};
static size_t used;         /* the current order */
static char history[2048];  /* a digit for each use_order(), R for each run of the rung, w for a watch, t for a trace */
static const char *watched; /* NULL: nothing */
static size_t watched_bytes; /* of the last memory that was watched */
static char writer_name[32];
static size_t orders_there;

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
    history[length + 1] = '\0';
}

static size_t order_count(void)
{
    return orders_there;
}

static const struct work_order *use_order(size_t index)
{
    assert_true(index < orders_there);
    used = index;
    note((char)('0' + index));
    return &orders[index];
}

static void watch(const void *memory, size_t bytes)
{
    watched = memory;
    watched_bytes = memory ? bytes : watched_bytes;
    memset(writer_name, 0, sizeof writer_name); /* invalidates what writer() returned */
    note(memory ? 'w' : '.');
}

static const char *writer(void)
{
    return writer_name[0] ? writer_name : NULL;
}

static void trace(void)
{
    note('t');
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
    .trace = trace,
    .found = found,
};

static void work(const struct matmul_problem *p)
{
    for (int64_t i = 0; i < p->m * p->n; i++) {
        p->c[i] = 0;
        for (int64_t q = 0; q < p->k; q++)
            p->c[i] += p->a[i / p->n * p->k + q] * p->b[q * p->n + i % p->n];
    }
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

static const char *rung_run(const void *problem, void *stream)
{
    note('R');
    if (used == script.order && script.deed == FAILS)
        return "no such kernel";
    fake_launch(stream, work, problem, 1e-6);
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

static struct buffers buffers;
static struct host_problem host_problem;

static int set_up(void **state)
{
    (void)state;
    struct input_source source = {.seed = 1};
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
    assert_true(host_problem_make(&host_problem, &matmul_op, &workload, &source));
    assert_int_equal(host_problem.count, BUFFERS);
    assert_null(buffers_make(&buffers, &ordered, &matmul_op, &workload));
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

static struct check verdict(unsigned traits, bool is_held)
{
    struct rung rung = {.variant = "made up", .op = &matmul_op, .backend = &entry, .run = rung_run, .traits = traits};
    struct check check;
    verify_run(&rung, &buffers, host_problem.host, host_problem.reference, is_held, &check);
    return check;
}

/* verify_ragged() with these sizes alone. */
static struct check ragged_verdict_on(const struct workload *sizes, size_t count)
{
    struct op op = matmul_op;
    op.ragged = sizes;
    op.ragged_count = count;
    struct rung rung = {.variant = "made up", .op = &op, .backend = &entry, .run = rung_run};
    struct check check;
    verify_ragged(&rung, 1, &check);
    return check;
}

static struct check ragged_verdict(void)
{
    return ragged_verdict_on(&workload, 1);
}

static void assert_rejected(unsigned traits, const char *reason)
{
    struct check check = verdict(traits, false);
    assert_false(check.correct);
    assert_string_equal(check.reason, reason);
    assert_int_equal(used, 0);
    assert_null(watched);
}

static void a_right_rung_runs_once_in_each_order(void **state)
{
    (void)state;
    struct check check = verdict(0, false);
    assert_true(check.correct);
    assert_string_equal(history, "0R1R2R3R4R0");
    assert_true(check.max_abs_err <= check.err_bound && check.err_bound > 0);
    struct check alone;
    matmul_op.check(host_problem.reference, PRECISION_FP32, host_problem.host,
                    &alone); /* the answer is in the host's copy */
    assert_true(alone.correct && alone.max_abs_err == check.max_abs_err);
}

static void one_order_is_no_orders(void **state)
{
    (void)state;
    orders_there = 1;
    assert_true(verdict(0, false).correct);
    assert_string_equal(history, "R");
}

static void behind_a_hold_only_the_order_in_force_counts(void **state)
{
    (void)state;
    assert_true(verdict(0, true).correct);
    assert_string_equal(history, "R");
}

static void one_bit_in_one_order_is_found_and_its_writer_named(void **state)
{
    (void)state;
    script.deed = CHANGES_A_BIT;
    script.order = 3;
    script.element = 17;
    script.writes = true;
    script.found = "two threads";
    assert_rejected(0,
                    "is fourth: element 17 of buffer 2 differs in the order 'fourth' from 'first'; written by kernel "
                    "K, block (1,2,3): two threads");
    assert_string_equal(history, "0R1R2R3RwRtR.0"); /* runs again in that order to find the writer, and to trace it */
}

static void the_last_order_and_the_ends_of_a_buffer_count_too(void **state)
{
    (void)state;
    script.deed = CHANGES_A_BIT;
    for (script.order = 1; script.order < ORDERS; script.order++) {
        for (int end = 0; end < 2; end++) {
            char reason[256];
            script.element = end == 0 ? 0 : buffers.data[C].bytes / sizeof(float) - 1;
            snprintf(reason, sizeof reason,
                     "%s: element %zu of buffer 2 differs in the order '%s' from 'first'; written by no block",
                     orders[script.order].shows, script.element, orders[script.order].name);
            memset(history, 0, sizeof history);
            assert_rejected(0, reason);
        }
    }
}

/* The first answer is the wrong one; the others are correct. */
static void a_bit_in_the_first_order_shows_in_the_second(void **state)
{
    (void)state;
    script.deed = CHANGES_A_BIT;
    assert_rejected(0, "is second: element 0 of buffer 2 differs in the order 'second' from 'first'; written by no "
                       "block");
}

static void each_byte_of_an_element_counts(void **state)
{
    (void)state;
    script.deed = CHANGES_A_BIT;
    script.order = 2;
    script.element = 11;
    for (script.byte = 0; script.byte < sizeof(float); script.byte++)
        assert_rejected(0, "is third: element 11 of buffer 2 differs in the order 'third' from 'first'; written by no "
                           "block");
}

static void all_bytes_of_an_element_are_watched(void **state)
{
    (void)state;
    script.deed = CHANGES_A_BIT;
    script.order = 1;
    (void)verdict(0, false);
    assert_int_equal(watched_bytes, sizeof(float));
}

static void an_answer_that_is_wrong_in_every_order_is_held_to_the_reference(void **state)
{
    (void)state;
    memset(host_problem.host[A], 0x40, 4); /* the reference was made before */
    struct check check = verdict(0, false);
    assert_false(check.correct);
    assert_null(strstr(check.reason, "order"));
    assert_string_equal(history, "0R1R2R3R4R0");
}

static void a_rung_that_fails_in_one_order_is_not_run_in_the_next(void **state)
{
    (void)state;
    script.deed = FAILS;
    script.order = 2;
    assert_rejected(0, "in the order 'third': failed to launch: no such kernel");
    assert_string_equal(history, "0R1R2R0");
    assert_rejected(RUNG_UNORDERED, "in the order 'third': failed to launch: no such kernel");
}

/* It fails in every order, so none is named. */
static void a_rung_that_fails_in_the_first_order_fails_without_its_name(void **state)
{
    (void)state;
    script.deed = FAILS;
    assert_rejected(0, "failed to launch: no such kernel");
    assert_string_equal(history, "0R0");
    script.deed = WRITES_BEHIND;
    assert_rejected(0, "wrote outside: behind buffer 2 of the problem");
}

static void guard_zones_are_looked_at_in_every_order(void **state)
{
    (void)state;
    script.deed = WRITES_BEHIND;
    for (script.order = 1; script.order < ORDERS; script.order++) {
        char reason[128];
        snprintf(reason, sizeof reason, "in the order '%s': wrote outside: behind buffer 2 of the problem",
                 orders[script.order].name);
        assert_rejected(0, reason);
    }
}

static void an_unordered_rung_may_differ_within_the_bound_alone(void **state)
{
    (void)state;
    script.deed = CHANGES_A_BIT;
    script.order = 3;
    script.element = 9;
    assert_true(verdict(RUNG_UNORDERED, false).correct);
    assert_string_equal(history, "0R1R2R3R4R0");
    for (script.order = 0; script.order < ORDERS; script.order++) {
        script.deed = ADDS_ONE;
        memset(history, 0, sizeof history);
        struct check check = verdict(RUNG_UNORDERED, false);
        char begin[64];
        snprintf(begin, sizeof begin, "in the order '%s': ", orders[script.order].name);
        assert_false(check.correct);
        assert_ptr_equal(strstr(check.reason, begin), check.reason);
        assert_non_null(strstr(check.reason + strlen(begin), "C[0,9] is "));
        assert_int_equal(used, 0);
    }
}

/* An unordered rung's answers may differ. The first is the result, also if a later one has a larger error. */
static void the_first_answer_is_what_remains(void **state)
{
    (void)state;
    assert_true(verdict(0, false).correct);
    size_t bytes = buffers.data[C].bytes;
    void *first = malloc(bytes);
    assert_non_null(first);
    memcpy(first, host_problem.host[C], bytes);
    script.deed = CHANGES_A_BIT;
    for (script.order = 1; script.order < ORDERS; script.order++) {
        memset(host_problem.host[C], 0, bytes);
        memset(history, 0, sizeof history);
        struct check alone, check = verdict(RUNG_UNORDERED, false);
        assert_true(check.correct);
        assert_memory_equal(host_problem.host[C], first, bytes);
        matmul_op.check(host_problem.reference, PRECISION_FP32, host_problem.host, &alone);
        assert_true(check.rms_err == alone.rms_err);
    }
    memset(history, 0, sizeof history);
    script.order = 0; /* now the first answer is the one that differs */
    assert_true(verdict(RUNG_UNORDERED, false).correct);
    assert_memory_not_equal(host_problem.host[C], first, bytes);
    free(first);
}

/* Against each edge in every order, and while the stream is held; then 9 alignments and many calls in the first. */
static void ragged_sizes_run_in_all_orders_against_both_edges(void **state)
{
    (void)state;
    static const char in_orders[] = "0R1R2R3R4R0R0R1R2R3R4R0R";
    assert_true(ragged_verdict().correct);
    assert_int_equal(strncmp(history, in_orders, strlen(in_orders)), 0);
    const char *rest = history + strlen(in_orders);
    assert_int_equal(strspn(rest, "R"), strlen(rest));
    assert_int_equal(strlen(rest), 9 + 1 + REPEATS_AT_LEAST);
}

/* One size of each kind: a costly one meets all orders at one edge, and a very costly one at none. */
static void costly_sizes_run_in_fewer_orders(void **state)
{
    (void)state;
    static const struct workload sizes[] = {
        {"5x7x30", {5, 7, 30}, 0}, {"20x40x31", {20, 40, 31}, 0}, {"50x100x101", {50, 100, 101}, 0}};
    static const char expected[] = "0R1R2R3R4R0R0R1R2R3R4R0R" /* each edge: all orders, and other input in one */
                                   "0R1R2R3R4R0RRR"
                                   "RRRR";
    assert_true(ragged_verdict_on(sizes, sizeof sizes / sizeof sizes[0]).correct);
    assert_int_equal(strncmp(history, expected, strlen(expected)), 0);
    assert_int_equal(history[strlen(expected)], 'R');
}

static void ragged_sizes_show_what_is_wrong_in_a_later_order(void **state)
{
    (void)state;
    script.deed = CHANGES_A_BIT;
    for (script.order = 1; script.order < ORDERS; script.order++) {
        char reason[256];
        snprintf(reason, sizeof reason,
                 "at size 5x7x30: %s: element 0 of buffer 2 differs in the order '%s' from 'first'; written by no "
                 "block",
                 orders[script.order].shows, orders[script.order].name);
        memset(history, 0, sizeof history);
        struct check check = ragged_verdict();
        assert_false(check.correct);
        assert_string_equal(check.reason, reason);
    }
}

static void no_memory_for_the_first_answer_is_said(void **state)
{
    (void)state;
    scarce_bytes = buffers.data[C].bytes;
    scarce_left = 0;
    assert_rejected(0, "no memory for its answer");
    scarce_left = -1;
    assert_string_equal(history, "0R0");
    memset(history, 0, sizeof history);
    assert_true(verdict(0, false).correct);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_right_rung_runs_once_in_each_order),
        TEST(one_order_is_no_orders),
        TEST(behind_a_hold_only_the_order_in_force_counts),
        TEST(one_bit_in_one_order_is_found_and_its_writer_named),
        TEST(the_last_order_and_the_ends_of_a_buffer_count_too),
        TEST(a_bit_in_the_first_order_shows_in_the_second),
        TEST(each_byte_of_an_element_counts),
        TEST(all_bytes_of_an_element_are_watched),
        TEST(an_answer_that_is_wrong_in_every_order_is_held_to_the_reference),
        TEST(a_rung_that_fails_in_one_order_is_not_run_in_the_next),
        TEST(a_rung_that_fails_in_the_first_order_fails_without_its_name),
        TEST(guard_zones_are_looked_at_in_every_order),
        TEST(an_unordered_rung_may_differ_within_the_bound_alone),
        TEST(the_first_answer_is_what_remains),
        TEST(ragged_sizes_run_in_all_orders_against_both_edges),
        TEST(costly_sizes_run_in_fewer_orders),
        TEST(ragged_sizes_show_what_is_wrong_in_a_later_order),
        TEST(no_memory_for_the_first_answer_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rungs that are right in every single call, and yet cheat while they are timed. */
#include "bench/run/audit.h"
#include "tests/fakes/fake_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

static struct run_outcome outcome;

static void run_rung(struct rung rung)
{
    struct error error;
    assert_true(run(&rung, 1, &outcome, &error));
}

static void run_one(rung_function *function)
{
    run_rung(device_rung("rung", function));
}

static void nothing(const struct matmul_problem *problem)
{
    (void)problem;
}

/* A product takes this on the device; to read the inputs takes next to nothing. */
static const double product_s = 20e-6;

static uint64_t hash_of(const float *elements, int64_t count, uint64_t hash)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &elements[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001B3);
    }
    return hash;
}

/* Keeps the last answer. */
static void multiply_if_new(const struct matmul_problem *p)
{
    enum { ROOM = 1 << 16 };
    static float kept[ROOM];
    static uint64_t known;
    int64_t elements = p->m * p->n;
    uint64_t hash = hash_of(p->b, p->k * p->n, hash_of(p->a, p->m * p->k, (uint64_t)(elements + p->k)));
    if (hash == known && elements <= ROOM) {
        memcpy(p->c, kept, (size_t)elements * sizeof *kept);
        return;
    }
    fake.device_s += product_s;
    fake_multiply(p);
    if (elements <= ROOM) {
        memcpy(kept, p->c, (size_t)elements * sizeof *kept);
        known = hash;
    }
}

static const char *keeps_answers(const void *problem, void *stream)
{
    fake_launch(stream, multiply_if_new, problem, 1e-6);
    return NULL;
}

static void a_rung_that_keeps_answers_is_found(void **state)
{
    (void)state;
    run_one(keeps_answers);
    assert_int_equal(outcome.ok, 0);
    assert_non_null(strstr(find("matmul/small/rung/hot")->reason, "keeps what it computed"));
}

/* Rests if it starts as soon as its last call has ended. */
static double ended_s;

static void multiply_if_alone(const struct matmul_problem *p)
{
    if (fake.device_s - ended_s > 1.5e-6) {
        fake.device_s += product_s;
        fake_multiply(p);
    }
    ended_s = fake.device_s;
}

static const char *rests_in_a_hurry(const void *problem, void *stream)
{
    fake_launch(stream, multiply_if_alone, problem, 1e-6);
    return NULL;
}

static void a_rung_that_rests_in_a_hurry_is_found(void **state)
{
    (void)state;
    const struct mode *const asked[] = {&mode_cold, &mode_hot, &mode_graph};
    ended_s = 0;
    options.mode_count = sizeof asked / sizeof asked[0];
    memcpy(options.modes, asked, sizeof asked);
    run_one(rests_in_a_hurry);
    assert_int_equal(find("matmul/small/rung/hot")->status, STATUS_FAILED);
    assert_int_equal(find("matmul/small/rung/graph")->status, STATUS_FAILED);
}

/* Takes less time if nothing at all came since its last call, such as a change of its inputs. Three calls are a sample,
 * of which the first is in no hurry. */
static const double slow_product_s = 165e-6;

static void multiply_if_anything_came(const struct matmul_problem *p)
{
    fake.device_s += fake.device_s > ended_s ? slow_product_s : 0.6 * slow_product_s;
    fake_multiply(p);
    ended_s = fake.device_s;
}

static const char *saves_in_a_hurry(const void *problem, void *stream)
{
    fake_launch(stream, multiply_if_anything_came, problem, 0);
    return NULL;
}

static void multiply_slowly(const struct matmul_problem *p)
{
    fake.device_s += slow_product_s;
    fake_multiply(p);
}

static const char *is_slow(const void *problem, void *stream)
{
    fake_launch(stream, multiply_slowly, problem, 0);
    return NULL;
}

static const char *is_quick(const void *problem, void *stream)
{
    fake_launch(stream, fake_multiply, problem, product_s);
    return NULL;
}

static void a_rung_that_sees_changes_coming_is_found_by_its_time(void **state)
{
    fake.noise_s = 4e-6;
    run_one(is_slow);
    assert_int_equal(outcome.failed, 0);
    set_up(state);
    fake.noise_s = 18e-6; /* what changes an element may take almost as long as the rung */
    run_one(is_quick);
    assert_int_equal(outcome.failed, 0);
    set_up(state);
    fake.noise_s = 4e-6;
    ended_s = 0;
    run_one(saves_in_a_hurry);
    const struct result *result = find("matmul/small/rung/hot");
    assert_int_equal(result->status, STATUS_FAILED);
    assert_non_null(strstr(result->reason, "longer when one element of its inputs changes"));
}

/* A host that is shared: slow, but for a moment now and then, shorter than a turn of batches. */
static double shared_host_s(double seconds)
{
    static const double period_s = 3e-3, moment_s = 0.15e-3;
    return fmod(fake.device_s, period_s) < moment_s ? seconds : 1.5 * seconds;
}

/* Computes a part again in which nothing has changed: what it saves is little beside the host's noise. */
static void multiply_part_if_known(const struct matmul_problem *p)
{
    static uint64_t known;
    uint64_t hash = hash_of(p->b, p->k * p->n, hash_of(p->a, p->m * p->k, (uint64_t)(p->m * p->n + p->k)));
    fake.device_s += shared_host_s(hash == known ? 0.7 * product_s : product_s);
    fake_multiply(p);
    known = hash;
}

static void multiply_on_shared_host(const struct matmul_problem *p)
{
    fake.device_s += shared_host_s(product_s);
    fake_multiply(p);
}

static const char *saves_a_part(const void *problem, void *stream)
{
    fake_launch(stream, multiply_part_if_known, problem, 0);
    return NULL;
}

static const char *saves_nothing(const void *problem, void *stream)
{
    fake_launch(stream, multiply_on_shared_host, problem, 0);
    return NULL;
}

static void a_rung_that_saves_a_part_is_found_on_a_shared_host(void **state)
{
    (void)state;
    run_rung(host_rung("rung", saves_nothing, 0));
    assert_int_equal(find("matmul/small/rung/hot")->status, STATUS_OK);
    result_count = 0;
    run_rung(host_rung("rung", saves_a_part, 0));
    const struct result *result = find("matmul/small/rung/hot");
    assert_int_equal(result->status, STATUS_FAILED);
    assert_non_null(strstr(result->reason, "longer when one element of its inputs changes"));
}

/* On a host that is busy one call of many finds all its cores idle; here it is one on inputs that were known. */
static void multiply_with_luck(const struct matmul_problem *p)
{
    enum { LUCK = 4 };
    static uint64_t known;
    static int calls;
    uint64_t hash = hash_of(p->b, p->k * p->n, hash_of(p->a, p->m * p->k, (uint64_t)(p->m * p->n + p->k)));
    bool is_lucky = hash == known && ++calls % LUCK == 0;
    fake.device_s += is_lucky ? 0.2 * product_s : product_s;
    fake_multiply(p);
    known = hash;
}

static const char *has_luck(const void *problem, void *stream)
{
    fake_launch(stream, multiply_with_luck, problem, 0);
    return NULL;
}

static void a_rung_that_has_luck_on_a_busy_host_is_honest(void **state)
{
    (void)state;
    run_rung(host_rung("rung", has_luck, 0));
    assert_int_equal(find("matmul/small/rung/hot")->status, STATUS_OK);
}

static const char *goes_on_elsewhere(const void *problem, void *stream)
{
    fake.unfinished_s = 20e-6;
    fake_launch(stream, fake_multiply, problem, product_s);
    return NULL;
}

static void work_that_goes_on_after_the_stream_is_found(void **state)
{
    (void)state;
    run_one(goes_on_elsewhere);
    assert_int_equal(outcome.ok, 0);
    assert_non_null(strstr(find("matmul/small/rung/hot")->reason, "after its stream has finished"));
}

/* The host is late at the first calls on the workload, those of verification and of the first row's few samples. */
enum { LATE_CALLS = 7 };
static int calls_on_workload;

static const char *takes_long(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    if (p->m == FAKE_COUNTED_M && calls_on_workload++ < LATE_CALLS)
        fake.late_looks = 1;
    fake_launch(stream, fake_multiply, problem, 2.5 * options.min_time_s);
    return NULL;
}

static void a_host_that_is_late_is_no_work_of_the_rung(void **state)
{
    (void)state;
    calls_on_workload = 0;
    run_one(takes_long);
    assert_int_equal(outcome.failed, 0);
    assert_true(calls_on_workload > LATE_CALLS);
}

/* A row of one sample, which no other audit looks at. */
static double goes_on_for; /* a share of the call */

static const char *takes_very_long_and_goes_on(const void *problem, void *stream)
{
    double call_s = 12 * options.min_time_s;
    fake.unfinished_s = goes_on_for * call_s;
    fake_launch(stream, fake_multiply, problem, call_s);
    return NULL;
}

static void work_that_goes_on_is_found_by_one_sample(void **state)
{
    (void)state;
    options.min_time_s = 0.1;
    goes_on_for = 2e-3;
    run_one(takes_very_long_and_goes_on);
    assert_non_null(strstr(find("matmul/small/rung/hot")->reason, "after its stream has finished"));
}

static const char *takes_long_and_goes_on(const void *problem, void *stream)
{
    double call_s = 0.2 * options.min_time_s;
    fake.unfinished_s = goes_on_for * call_s;
    fake_launch(stream, fake_multiply, problem, call_s);
    return NULL;
}

static void what_may_go_on_is_a_share_of_a_long_call(void **state)
{
    options.min_time_s = 0.1;
    goes_on_for = 6e-4; /* 12 us */
    run_one(takes_long_and_goes_on);
    assert_int_equal(outcome.failed, 0);
    set_up(state);
    options.min_time_s = 0.1;
    goes_on_for = 1.1e-3;
    run_one(takes_long_and_goes_on);
    assert_int_equal(outcome.ok, 0);
}

/* After a long wait the host itself takes longer to see that the device is idle. */
static void a_late_look_after_a_long_call_is_no_work(void **state)
{
    (void)state;
    options.min_time_s = 0.1;
    goes_on_for = 5e-4;
    run_one(takes_very_long_and_goes_on);
    assert_int_equal(outcome.failed, 0);
}

/* However short the rows are. */
static void calls_of_ten_milliseconds_are_not_long(void **state)
{
    (void)state;
    static const double min_times_s[] = {0.001, 0.02, 0.1};
    for (size_t i = 0; i < sizeof min_times_s / sizeof min_times_s[0]; i++)
        assert_true(!audit_is_long(9.9e-3, min_times_s[i]) && audit_is_long(10.1e-3, min_times_s[i]));
    assert_true(!audit_is_long(99e-3, 1) && audit_is_long(101e-3, 1));
}

static const char *answers_after_the_download(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    if (fake_is_recording() || p->m != FAKE_COUNTED_M) /* verification looks at small sizes at once */
        fake_launch(stream, fake_multiply, problem, product_s);
    else
        fake_launch_late(fake_multiply, problem);
    return NULL;
}

static void an_answer_that_is_downloaded_too_early_is_found(void **state)
{
    (void)state;
    run_one(answers_after_the_download);
    assert_non_null(strstr(find("matmul/small/rung/e2e")->reason, "on new inputs: wrong answer"));
}

static const char *changes_a_limit(const void *problem, void *stream)
{
    fake.changed = "the limit of something";
    fake_launch(stream, fake_multiply, problem, product_s);
    return NULL;
}

static void a_rung_that_changes_what_is_not_its_own_is_found(void **state)
{
    (void)state;
    run_one(changes_a_limit);
    assert_int_equal(outcome.ok, 0);
    assert_non_null(
        strstr(find("matmul/small/rung/cold")->reason, "changes what is not its own: the limit of something"));
}

static const char *is_honest(const void *problem, void *stream)
{
    fake_launch(stream, nothing, problem, 1e-6);
    fake_launch(stream, fake_multiply, problem, product_s);
    return NULL;
}

static void an_honest_rung_is_not_suspected(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        set_up(state);
        run_one(is_honest);
        assert_int_equal(outcome.failed, 0);
    }
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_rung_that_keeps_answers_is_found),
        test(a_rung_that_rests_in_a_hurry_is_found),
        test(a_rung_that_sees_changes_coming_is_found_by_its_time),
        test(a_rung_that_saves_a_part_is_found_on_a_shared_host),
        test(a_rung_that_has_luck_on_a_busy_host_is_honest),
        test(work_that_goes_on_after_the_stream_is_found),
        test(a_host_that_is_late_is_no_work_of_the_rung),
        test(work_that_goes_on_is_found_by_one_sample),
        test(what_may_go_on_is_a_share_of_a_long_call),
        test(a_late_look_after_a_long_call_is_no_work),
        test(calls_of_ten_milliseconds_are_not_long),
        test(an_answer_that_is_downloaded_too_early_is_found),
        test(a_rung_that_changes_what_is_not_its_own_is_found),
        test(an_honest_rung_is_not_suspected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kernels of the user's own: how their rows are timed by questions, and what questions find. */
#include "bench/player/player.h"
#include "bench/run/question.h"
#include "tests/fakes/fake_run.h"
#include "tests/unit.h"

/* What judge and player have waited for a processor is the machine's; here it is scripted, per question. */
static bool waits_are_known;
static double wait_s, waited_s;
double __wrap_link_waited_s(const struct link *link);

double __wrap_link_waited_s(const struct link *link)
{
    return waits_are_known ? waited_s += wait_s : (double)NAN;
}

/* Who works on the host works on a processor. */
double __wrap_host_cpu_s(void);

double __wrap_host_cpu_s(void)
{
    return fake.host_s;
}

static struct player player;
static bool is_hosted; /* the rung that is asked */

static int set_up_alone(void **state)
{
    waits_are_known = true;
    wait_s = 0;
    is_hosted = false;
    return set_up(state);
}

/* What comes of questions to the rung, in a player for it alone. */
static enum outcome ask(rung_function *function, struct answered *answered)
{
    struct rung rung = own_rung("asked", function);
    rung.is_hosted = is_hosted;
    const struct registry registry = {entries, ENTRIES, ops, OPS, &rung, 1};
    struct error error;
    int fd;
    player = (struct player){.registry = &registry,
                             .settings = &options.backend,
                             .clock = {fake_now, never_interrupted},
                             .board = board_make(&fd)};
    assert_non_null(player.board);
    struct questions questions = {.link = link_to(&player, &error),
                                  .rung = &rung,
                                  .workload = &options.user[0].workload,
                                  .clock = {fake_now, never_interrupted},
                                  .settings = {.min_time_s = options.min_time_s,
                                               .interval_s = STOPPING_INTERVAL_S,
                                               .interrupted = never_interrupted}};
    assert_non_null(questions.link);
    questions.empty = questions_time_empty_calls(&questions);
    enum outcome outcome = questions_ask(&questions, answered);
    measurement_free(&answered->measurement);
    link_end(questions.link, NULL, 0);
    board_free(player.board, fd);
    return outcome;
}

#define CHEAT(name, kernel)                                          \
    static const char *name(const void *problem, void *stream)       \
    {                                                                \
        fake_launch(stream, kernel, problem, FAKE_KERNEL_NS * 1e-9); \
        return NULL;                                                 \
    }

static void leave_out_the_last_row(const struct matmul_problem *p)
{
    struct matmul_problem most = *p;
    most.m--;
    fake_multiply(&most);
}
CHEAT(leaves_out_a_row, leave_out_the_last_row)

/* Within the bound of each element, but not as FP32 rounds. */
static void lose_three_bits(const struct matmul_problem *p)
{
    fake_multiply(p);
    for (int64_t i = 0; i < p->m * p->n; i++)
        p->c[i] *= 1 + 0x1p-21f;
}
CHEAT(is_imprecise, lose_three_bits)

/* Each call does the work of the one before. */
static struct matmul_problem put_off;

static void catch_up(const struct matmul_problem *p)
{
    if (put_off.a)
        fake_multiply(&put_off);
    put_off = *p;
}
CHEAT(computes_late, catch_up)

/* Right, and the device is as fast as it can be; but the host works meanwhile. */
static double hidden_s;
static int hiding_in_ten = 10, hiding_calls;
static bool claims_company; /* on the device */

static const char *hides_time(const void *problem, void *stream)
{
    const bool hides = ++hiding_calls % 10 < hiding_in_ten;
    fake.state.other_processes += claims_company;
    fake.host_s += hides ? hidden_s : 0;
    fake_launch(stream, fake_multiply, problem, FAKE_KERNEL_NS * 1e-9 + (hides ? 0 : hidden_s));
    return NULL;
}

static void keep_the_host_waiting(const struct matmul_problem *p)
{
    fake_multiply(p);
    fake.host_s += hidden_s;
}
CHEAT(hides_time_until_it_is_awaited, keep_the_host_waiting)

AROUND_EACH_TEST(set_up_alone, tear_down)

TEST(what_is_not_the_answer_to_this_question_fails)
{
    static const char wrong[] = "wrong answer to a new question: ";
    static const struct {
        rung_function *function;
        const char *reason;
    } cases[] = {{fake_cached_by_pointer, wrong},
                 {fake_zeros, wrong},
                 {leaves_out_a_row, wrong},
                 {computes_late, wrong},
                 {is_imprecise, "imprecise answers to new questions: "},
                 {fake_nan, wrong},
                 {fake_fails_to_launch, "too many resources"},
                 {fake_waits, "may only queue work"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answered answered;
        set_up_alone(state);
        put_off.a = NULL;
        enum outcome outcome = ask(cases[i].function, &answered);
        if (outcome == OUTCOME_DONE || answered.check.correct)
            fail_msg("case %zu was not found", i);
        if (!strstr(answered.check.reason, cases[i].reason))
            fail_msg("case %zu: saw '%s', expected '%s'", i, answered.check.reason, cases[i].reason);
    }
}

/* As if the machine had been busy for a second. */
static const char *waits_now_and_then(const void *problem, void *stream)
{
    static int call;
    return (call++ % 4 == 3 ? fake_waits : fake_right)(problem, stream);
}

TEST(a_hold_that_ends_by_itself_once_is_forgiven)
{
    struct answered answered;
    assert_int_equal(ask(waits_now_and_then, &answered), OUTCOME_DONE);
}

TEST(an_honest_rung_is_right_and_precise)
{
    struct answered answered;
    assert_int_equal(ask(fake_right, &answered), OUTCOME_DONE);
    assert_true(answered.check.correct && !answered.is_clock_unclear);
    assert_true(answered.check.rms_err > 0 && answered.check.max_abs_err <= answered.check.err_bound);
    assert_true(fabs(answered.measurement.statistics.median - FAKE_KERNEL_NS * 1e-9) < 1e-7);
    assert_true(answered.measurement.statistics.count >= 6);
}

/* An empty call takes the judge's clock some 70 us here, so 37 us may stay unseen. */
TEST(time_that_only_the_judge_sees_fails)
{
    enum { CLAIMED = 99 }; /* by the kernel, which is not believed */
    static const struct {
        double hidden_s;
        int in_ten; /* calls; the others take so much longer, and say so */
        bool waits_are_known;
        double wait_s;
        int other_processes;
        enum outcome outcome;
        bool is_unclear;
    } cases[] = {{10e-6, 10, true, 0, 0, OUTCOME_DONE, false},
                 {60e-6, 10, true, 0, 0, OUTCOME_DONE, true}, /* it may be a thread that wakes up */
                 {400e-6, 10, true, 0, 0, OUTCOME_FAILED, false},
                 {400e-6, 10, true, 0, -1, OUTCOME_FAILED, false}, /* unknown */
                 {400e-6, 7, true, 0, 0, OUTCOME_FAILED, false},
                 {400e-6, 3, true, 0, 0, OUTCOME_DONE, false},  /* the median is true */
                 {1, 10, true, 1e-3, 0, OUTCOME_FAILED, false}, /* no wait explains so much */
                 {400e-6, 10, true, 1e-3, 0, OUTCOME_DONE, true},
                 {400e-6, 10, false, 0, 0, OUTCOME_DONE, true},
                 {400e-6, 10, true, 0, 1, OUTCOME_DONE, true}, /* whose work came between */
                 {400e-6, 10, true, 0, CLAIMED, OUTCOME_FAILED, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answered answered;
        set_up_alone(state);
        hidden_s = cases[i].hidden_s;
        hiding_in_ten = cases[i].in_ten;
        waits_are_known = cases[i].waits_are_known;
        wait_s = cases[i].wait_s;
        claims_company = cases[i].other_processes == CLAIMED;
        fake.state.other_processes = claims_company ? 0 : cases[i].other_processes;
        if (ask(hides_time, &answered) != cases[i].outcome)
            fail_msg("case %zu: unclear %d, %s", i, answered.is_clock_unclear, answered.check.reason);
        assert_int_equal(answered.is_clock_unclear, cases[i].is_unclear);
        if (cases[i].outcome == OUTCOME_FAILED)
            assert_non_null(strstr(answered.check.reason, "its time is not what the judge's clock sees"));
    }
    claims_company = false;
}

/* Python takes as long to queue a kernel, which its process says. What goes on later it does not. */
TEST(queueing_by_python_is_not_hidden)
{
    struct answered answered;
    is_hosted = true;
    hidden_s = 400e-6;
    assert_int_equal(ask(hides_time, &answered), OUTCOME_DONE);
    assert_true(answered.check.correct && !answered.is_clock_unclear);
    assert_int_equal(ask(hides_time_until_it_is_awaited, &answered), OUTCOME_FAILED);
    assert_non_null(strstr(answered.check.reason, "its time is not what the judge's clock sees"));
}

static bool library_was_first, library_has_run;

static const char *library(const void *problem, void *stream)
{
    library_has_run = true;
    return fake_right(problem, stream);
}

static const char *load(const struct rung *rung)
{
    library_was_first = library_has_run;
    return NULL;
}

static struct rung library_rung(void)
{
    struct rung rung = device_rung("lib", library);
    rung.traits = RUNG_LIBRARY;
    return rung;
}

/* Its ratio is to a library that was asked in the same player, before its own code was there. */
TEST(a_cold_row_of_a_right_kernel_is_ranked_and_compared)
{
    struct rung own = own_rung("own", fake_right);
    own.load = load;
    library_has_run = library_was_first = false;
    options.filter = "/own/";
    RUN(own, library_rung());
    const struct result *cold = find("matmul/small/own/cold");
    assert_int_equal(cold->status, STATUS_OK);
    assert_true(result_has_rank(cold));
    assert_true(library_was_first);
    assert_int_equal(player_count, 2); /* the table's before: it has no rows here, but ceilings */
    assert_string_equal(cold->baseline, "lib");
    assert_true(fabs(cold->library_s - FAKE_KERNEL_NS * 1e-9) < 1e-7);
    assert_true(cold->speedup == cold->library_s / cold->statistics.median);
    assert_string_equal(cold->arithmetic, "any");
    assert_true(cold->iterations == (int64_t)cold->statistics.count && cold->sample_s);
    assert_true(fabs(cold->conditions.sm_clock_mhz - 1980) < 1e-3);
}

static player_start *start_plainly;

static struct link *mark_board(const struct registry *registry, const struct rung *stranger, struct board *board,
                               int fd, struct error *error)
{
    unsigned char *mark = &board->end[sizeof board->end - 1]; /* where nothing else is written */
    assert_int_equal(*mark, 0);
    *mark = 1;
    return start_plainly(registry, stranger, board, fd, error);
}

static bool is_for_hosted[4];

static struct link *note_whose(const struct registry *registry, const struct rung *stranger, struct board *board,
                               int fd, struct error *error)
{
    is_for_hosted[player_count - 1] = stranger && stranger->is_hosted;
    assert_int_equal(library_has_run, is_for_hosted[player_count - 1]);
    return start_plainly(registry, stranger, board, fd, error);
}

/* What another program loads as it starts cannot change what its kernel is held against. */
TEST(a_kernel_that_another_program_runs_is_held_against_the_table_s_own_player)
{
    struct rung own = own_rung("own", fake_right);
    own.load = load;
    own.is_hosted = true;
    library_has_run = library_was_first = false;
    options.filter = "/own/cold";
    start_plainly = fake_start;
    fake_start = note_whose;
    RUN(own, library_rung());
    assert_int_equal(player_count, 3); /* the table's, the library's, its own */
    assert_true(!is_for_hosted[0] && !is_for_hosted[1] && is_for_hosted[2]);
    assert_true(library_was_first);
    assert_true(result_has_rank(find("matmul/small/own/cold")));
}

/* What a kernel leaves behind can change nothing of other rows. */
TEST(each_kernel_has_a_board_of_its_own)
{
    struct rung one = own_rung("one", fake_right), two = own_rung("two", fake_right);
    one.load = two.load = load;
    options.filter = "/(one|two)/hot";
    start_plainly = fake_start;
    fake_start = mark_board;
    RUN(one, two);
    assert_int_equal(player_count, 3);
}

TEST(other_modes_are_not_audited_and_have_no_rank)
{
    RUN(own_rung("own", fake_right), device_rung("ours", fake_right));
    for (size_t i = 0; i < result_count; i++) {
        bool is_ranked = strcmp(results[i].variant, "ours") == 0 || strcmp(results[i].mode, "cold") == 0;
        assert_int_equal(results[i].status, STATUS_OK);
        assert_int_equal(result_has_rank(&results[i]), is_ranked);
        assert_int_equal(conditions_have_mark(&results[i].conditions, "unaudited"), !is_ranked);
    }
    assert_null(strstr(notes, "no ranked row"));
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    RUN(own_rung("own", fake_right));
    assert_non_null(strstr(notes, "own: no ranked row was asked for: of a kernel of your own only cold is audited\n"));
}

static const char *slow_library(const void *problem, void *stream)
{
    rung_chose("version 1 (file)");
    return fake_takes_long(problem, stream);
}

/* Each answers, and has its row, but for one of another accuracy. */
TEST(the_ratio_is_to_the_fastest_library)
{
    struct rung own = own_rung("own", fake_right), slow = library_rung(), rough = library_rung();
    own.load = load;
    slow.variant = "slow";
    slow.run = slow_library;
    rough.variant = "rough";
    rough.precision = PRECISION_TF32;
    for (int i = 0; i < 2; i++) {
        set_up_alone(state);
        options.mode_count = 1;
        if (i == 0)
            RUN(own, rough, library_rung(), slow);
        else
            RUN(own, rough, slow, library_rung());
        assert_string_equal(find("matmul/small/own/cold")->baseline, "lib");
        assert_true(fabs(find("matmul/small/own/cold")->library_s - FAKE_KERNEL_NS * 1e-9) < 1e-7);
        assert_string_equal(find("matmul/small/lib/cold")->choice, "");
        assert_string_equal(find("matmul/small/slow/cold")->choice, "version 1 (file)");
        assert_true(fabs(find("matmul/small/slow/cold")->statistics.median - 50e-6) < 1e-7);
    }
}

TEST(a_row_of_less_than_20_us_says_that_no_clock_has_checked_it)
{
    options.mode_count = 1;
    RUN(own_rung("short", fake_right), own_rung("long", fake_takes_long));
    assert_true(conditions_have_mark(&find("matmul/small/short/cold")->conditions, "clock-unchecked"));
    assert_false(conditions_have_mark(&find("matmul/small/long/cold")->conditions, "clock-unchecked"));
}

/* They pass verification, which looks at other calls. */
TEST(a_cheat_fails_its_own_rows_only)
{
    static rung_function *const cheats[] = {fake_idle_from_the_third_call, hides_time, fake_nan};
    for (size_t i = 0; i < sizeof cheats / sizeof cheats[0]; i++) {
        set_up_alone(state);
        hidden_s = 1e-3;
        options.mode_count = 1;
        RUN(own_rung("cheat", cheats[i]), own_rung("right", fake_right), device_rung("ours", fake_right));
        const struct result *cheat = find("matmul/small/cheat/cold");
        assert_true(result_is_wrong(cheat) && isnan(cheat->statistics.median) && isnan(cheat->speedup));
        assert_int_equal(outcomes.ok, 2);
    }
}

static const char *does_not_load(const struct rung *rung)
{
    return "undefined symbol: cublasCreate";
}

TEST(a_kernel_that_cannot_be_loaded_fails_with_the_reason)
{
    struct rung own = own_rung("own", fake_right);
    own.load = does_not_load;
    RUN(own);
    assert_int_equal(outcomes.failed, 3);
    assert_string_equal(results[0].reason, "undefined symbol: cublasCreate");
    assert_false(result_is_wrong(&results[0]));
}

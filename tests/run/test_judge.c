/* Whole runs on the fake backend: which rows run and in which player, which are skipped, and what ends a run. */
#include "tests/fakes/fake_run.h"

#include "tests/unit.h"

AROUND_EACH_TEST(set_up, tear_down)

TEST(every_row_gets_a_time_and_a_speedup)
{
    RUN(host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("gpu", fake_right));
    assert_int_equal(outcomes.ok, 5); /* the host has no e2e */
    assert_int_equal(outcomes.failed + outcomes.skipped, 0);
    const struct result *hot = find("matmul/small/cpu_scalar/hot"), *e2e = find("matmul/small/gpu/e2e");
    assert_true(hot->speedup == 1);
    assert_string_equal(e2e->baseline, "cpu_scalar");
    assert_true(e2e->speedup == hot->statistics.median / e2e->statistics.median); /* e2e divides hot */
    const struct result *cold = find("matmul/small/gpu/cold");
    assert_true(cold->speedup == find("matmul/small/cpu_scalar/cold")->statistics.median / cold->statistics.median);
    assert_string_equal(cold->flush, "read");
    assert_string_equal(e2e->transfer, "pinned");
    assert_true(fabs(cold->statistics.median - FAKE_KERNEL_NS * 1e-9) < 0.01 * FAKE_KERNEL_NS * 1e-9);
}

TEST(what_an_own_kernel_on_another_backend_is_compared_with_takes_half_the_time)
{
    struct result host[2], device[2];
    options.min_time_s = 0.04;
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    for (int own = 0; own < 2; own++) {
        RUN(host_rung("cpu_scalar", fake_takes_long, RUNG_BASELINE), device_rung("gpu", fake_takes_long),
            own ? own_rung("mine", fake_takes_long) : host_rung("other", fake_takes_long, 0));
        host[own] = *find("matmul/small/cpu_scalar/hot");
        device[own] = *find("matmul/small/gpu/hot");
    }
    assert_true(host[1].statistics.count < 0.6 * (double)host[0].statistics.count);
    assert_true(isnan(host[1].floor_s) && !isnan(host[0].floor_s));
    assert_true(device[1].statistics.count == device[0].statistics.count && !isnan(device[1].floor_s));
}

TEST(a_row_has_the_digest_of_its_rungs_code)
{
    static const struct code_digest code[] = {{"matmul_cpu", "11"},
                                              {"matmul_cpu_scalar", "feed"},
                                              {"grayscale_gpu", "22"},
                                              {NULL, NULL},
                                              {"matmul_gpu", "33"}};
    facts.code = code;
    RUN(host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("gpu", fake_right));
    assert_string_equal(find("matmul/small/cpu_scalar/hot")->code, "feed");
    assert_string_equal(find("matmul/small/gpu/hot")->code, ""); /* unknown */
}

TEST(a_row_begins_behind_what_verifies_it)
{
    options.mode_count = 1;
    RUN(device_rung("gpu", fake_right));
    assert_true(fake.launched_then > 0 && fake.calls_begun > 0);
    assert_int_equal(fake.launched_between, 0);
}

static const char *hands_over_here(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    return p->m == FAKE_COUNTED_M ? rung_hand_over(fake_right, problem, stream) : fake_right(problem, stream);
}

static const char *hands_over_elsewhere(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    return p->m != FAKE_COUNTED_M ? rung_hand_over(fake_right, problem, stream) : fake_right(problem, stream);
}

/* Neither the ragged sizes nor the rows of another rung or workload count. */
TEST(a_row_says_whose_kernel_its_rung_ran_on_the_workload)
{
    options.user[1] = options.user[0];
    options.user[1].workload = (struct workload){"large", {1 << 10, 1 << 10, 1 << 10}, 0};
    options.user_count = 2;
    fake.free_bytes = 1 << 20;
    RUN(device_rung("elsewhere", hands_over_elsewhere), device_rung("right", fake_right),
        device_rung("here", hands_over_here));
    assert_int_equal(outcomes.ok, 9);
    assert_int_equal(outcomes.skipped, 9);
    for (size_t i = 0; i < result_count; i++) {
        bool handed_over = results[i].status == STATUS_OK && strcmp(results[i].variant, "here") == 0;
        assert_string_equal(results[i].runs_as, handed_over ? "right" : "");
    }
}

/* Chooses one that hands over in its turn, and elsewhere something else. */
static const char *hands_on(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    rung_chose(p->m == FAKE_COUNTED_M ? "constants 1a2b3c4d" : "another");
    return rung_hand_over(hands_over_here, problem, stream);
}

TEST(a_row_says_what_its_rung_chose_and_is_its_own_where_that_is_what_it_is_there_for)
{
    struct rung right = device_rung("right", fake_right), chooser = device_rung("auto", hands_on);
    right.traits = RUNG_FP16X3;
    for (int is_auto = 0; is_auto < 2; is_auto++) {
        chooser.traits = is_auto ? RUNG_AUTO : 0;
        RUN(chooser, right, device_rung("here", hands_over_here));
        const struct result *row = find("matmul/small/auto/cold");
        assert_string_equal(row->runs_as, is_auto ? "" : "right");
        assert_string_equal(row->choice, is_auto ? "right; constants 1a2b3c4d" : "constants 1a2b3c4d");
        assert_string_equal(row->arithmetic, is_auto ? "fp16x3" : "fma");
        assert_int_equal(result_is_fair(row), is_auto);
        assert_true(row->answer[0] != '\0');
        assert_string_equal(find("matmul/small/right/cold")->choice, "");
    }
}

/* Of rungs that may run another kernel in another process no answer is the only one. */
TEST(a_row_has_a_digest_of_its_answer_if_each_process_gives_that)
{
    static const struct {
        unsigned traits;
        bool has_digest;
    } cases[] = {{0, true}, {RUNG_CHOOSES, false}, {RUNG_UNORDERED, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RUN(host_rung("cpu_scalar", fake_right, cases[i].traits));
        assert_int_equal(find("matmul/small/cpu_scalar/hot")->answer[0] != '\0', cases[i].has_digest);
    }
}

/* Wrong for the ragged size only, which is 9 x 10 x 11. */
static void multiply_but_ragged(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (p->m == 9)
        p->c[0] += 1;
}

static const char *is_wrong_if_ragged(const void *problem, void *stream)
{
    fake_launch(stream, multiply_but_ragged, problem, 1e-6);
    return NULL;
}

static const char *cannot_be_recorded(const void *problem, void *stream)
{
    return fake_is_recording() ? "not in a graph" : fake_right(problem, stream);
}

TEST(only_the_first_round_tries_what_a_rung_owes_besides_its_row)
{
    rung_function *const wrong[] = {is_wrong_if_ragged, cannot_be_recorded};
    for (size_t i = 0; i < 2; i++)
        for (facts.round = 0; facts.round < 2; facts.round++) {
            RUN(device_rung("gpu", wrong[i]));
            assert_int_equal(facts.round == 0 ? outcomes.failed : outcomes.ok, 3);
        }
    facts.round = 1;
    options.verify = true; /* asks for it in every round */
    RUN(device_rung("gpu", is_wrong_if_ragged));
    assert_int_equal(outcomes.failed, 1);
}

TEST(a_row_says_what_a_call_of_its_rung_launches)
{
    fake.graph_launches =
        (struct kernel_launches){.kernels = 3, .kernel = "tiled<4, 2>", .blocks = 64, .registers = 40};
    RUN(device_rung("gpu", fake_right), device_rung("fails", fake_nan));
    const struct kernel_launches *launches = &find("matmul/small/gpu/hot")->launches;
    assert_int_equal(launches->kernels, 3);
    assert_string_equal(launches->kernel, "tiled<4, 2>");
    assert_int_equal(launches->blocks, 64);
    assert_int_equal(launches->registers, 40);
    assert_int_equal(find("matmul/small/fails/hot")->launches.kernels, 0); /* it never came so far */
}

/* A new process each, and an order of its own. */
TEST(each_round_has_all_rows_and_a_player_of_its_own)
{
    enum { ROWS = 12 };
    char name[ROW_NAME];
    const struct rung rungs[] = {device_rung("a", fake_right), device_rung("b", fake_right),
                                 device_rung("c", fake_right), device_rung("d", fake_right)};
    const struct registry registry = {entries, ENTRIES, ops, OPS, rungs, 4};
    struct selection selection;
    struct error error;
    options.rounds = facts.round_count = 3;
    facts.seed = 7;
    assert_int_equal(run(rungs, 4), EXIT_RIGHT);
    assert_int_equal(player_count, 3);
    assert_int_equal(result_count, 3 * ROWS);
    assert_int_equal(selection_make(&registry, &options, &selection, &error), EXIT_RIGHT);
    for (int round = 0; round < 3; round++) {
        selection_shuffle(&selection, facts.seed, round);
        for (size_t i = 0; i < ROWS; i++) {
            row_name(&selection.rows[i], name, sizeof name);
            assert_string_equal(results[(size_t)round * ROWS + i].name, name);
            assert_int_equal(results[(size_t)round * ROWS + i].round, round);
            assert_int_equal(results[(size_t)round * ROWS + i].place, selection.rows[i].place);
        }
    }
    free(selection.rows);
}

/* On ragged sizes, or on its row: an error of the device must not be blamed on the next rung. */
TEST(a_rung_that_fails_leaves_its_player_to_nobody)
{
    rung_function *const functions[] = {fake_right, fake_idle_from_the_third_call, is_wrong_if_ragged};
    static const size_t players[] = {1, 2, 2};
    for (size_t i = 0; i < 3; i++) {
        set_up(state);
        RUN(device_rung("some", functions[i]), device_rung("last", fake_right));
        assert_int_equal(player_count, players[i]);
        assert_int_equal(find("matmul/small/last/hot")->status, STATUS_OK);
    }
}

static void assert_skipped(const struct rung *rung, const char *reason)
{
    assert_int_equal(run(rung, 1), EXIT_RIGHT);
    assert_int_equal(outcomes.skipped, result_count);
    assert_true(result_count > 0);
    if (!strstr(results[0].reason, reason))
        fail_msg("skipped for '%s', expected '%s'", results[0].reason, reason);
}

TEST(what_cannot_run_is_skipped_with_its_reason)
{
    struct rung absent = device_rung("absent", NULL), device = device_rung("right", fake_right);
    absent.unavailable = "built without CUDA";
    absent.backend = &entries[2];
    assert_skipped(&absent, "built without CUDA");
    fake.open_error = "no CUDA-capable device is detected";
    assert_skipped(&device, "no CUDA-capable device is detected");
    assert_null(results[0].device);

    set_up(state);
    fake.free_bytes = 10000;
    fake.allocate_error = "must not be asked";
    assert_skipped(&device, "too large: needs");

    set_up(state);
    struct rung slow = host_rung("cpu_scalar", fake_right, RUNG_BASELINE | RUNG_SLOW);
    options.user[0].workload = (struct workload){"big", {16, 1 << 20, 1 << 10}, 0}; /* 3.4e10 operations */
    options.budget_s = 1; /* too short for the reference: nothing is computed here */
    assert_skipped(&slow, "too slow");
}

/* Which counts from the start of the run, wherever that was. */
TEST(rows_beyond_the_budget_are_skipped)
{
    const struct rung rungs[] = {device_rung("first", fake_right), device_rung("second", fake_right),
                                 device_rung("third", fake_right)};
    assert_int_equal(run(rungs, 3), EXIT_RIGHT);
    assert_int_equal(outcomes.ok, 9);
    options.budget_s = 0.6 * fake.host_s; /* of what all takes */
    facts.start_s = fake.host_s;
    assert_int_equal(run(rungs, 3), EXIT_RIGHT);
    assert_true(outcomes.ok >= 1 && outcomes.skipped >= 1);
    assert_int_equal(outcomes.ok + outcomes.skipped, 9);
    assert_non_null(strstr(find("matmul/small/third/e2e")->reason, "--budget"));
    facts.start_s = 0;
    assert_int_equal(run(rungs, 3), EXIT_RIGHT);
    assert_int_equal(outcomes.skipped, 9);
}

TEST(an_interruption_keeps_finished_rows_only)
{
    for (int verifies = 0; verifies < 2; verifies++) {
        set_up(state);
        interrupt_after = 2 - verifies;
        options.verify = verifies;
        RUN(device_rung("first", fake_right), device_rung("second", fake_right));
        assert_int_equal(result_count, interrupt_after);
    }
}

TEST(what_cannot_go_on_ends_the_run)
{
    const struct rung rungs[] = {device_rung("first", fake_right), device_rung("second", fake_right)};
    write_limit = 2;
    assert_int_equal(run(rungs, 2), EXIT_USAGE);
    assert_string_equal(run_error.text, "no space left");
    assert_int_equal(result_count, 2);

    set_up(state);
    options.backend.device = 1;
    assert_int_equal(run(rungs, 2), EXIT_USAGE);
    assert_non_null(strstr(run_error.text, "--device=1"));

    set_up(state);
    options.require = &entries[2];
    assert_int_equal(run(rungs, 2), EXIT_ALL_SKIPPED);
    assert_int_equal(result_count, 0);
}

TEST(verifying_times_nothing)
{
    options.verify = true;
    RUN(device_rung("right", fake_right), device_rung("wrong", fake_nan));
    assert_int_equal(outcomes.ok, 1);
    assert_int_equal(outcomes.failed, 1);
    assert_int_equal(find("matmul/small/right/verify")->statistics.count, 0);
    assert_true(find("matmul/small/right/verify")->rms_err > 0);
    assert_true(find("matmul/small/right/verify")->max_err >= find("matmul/small/right/verify")->rms_err);
    assert_int_equal(fake.evictions, 0);
}

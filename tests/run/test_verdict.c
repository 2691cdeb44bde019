/* Rows that are faster than their ceiling: which are possible, because a cache holds part of their data, and which are
 * errors of the measurement. */
#include "bench/run/results.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

static const double row_bytes = 1024000, bytes_per_s = 1.024e12; /* a microsecond, then */
static const struct host_clock host_clock = {fake_now, never_interrupted};
static const struct run_facts facts;
static struct device device;
static struct ceilings ceilings;
static double fewest_bytes;
static int looks_at_bytes, looks_at_arithmetic;

/* As a player does, and counts. */
static void time_ceiling(void *self, double min_time_s, struct ceiling *ceiling)
{
    struct bench bench = {.device = self, .clock = &host_clock};
    ceiling_time(&bench, min_time_s, ceiling);
    looks_at_bytes += ceiling->kind == CEILING_READ || ceiling->kind == CEILING_COPY;
    looks_at_arithmetic += ceiling->kind == CEILING_FMA;
    if (ceiling->kind == CEILING_READ)
        fewest_bytes = fmin(fewest_bytes, ceiling->amount);
}

static int set_up(void **state)
{
    fake_reset();
    fake.tick_s = 1e-9;
    fake.ceiling_bytes_s = bytes_per_s;
    device = (struct device){.entry = &fake_entry, .usable = true, .info = {.tick_s = fake.tick_s}};
    ceilings = (struct ceilings){.time = time_ceiling, .self = &device};
    fewest_bytes = INFINITY;
    looks_at_bytes = looks_at_arithmetic = 0;
    return 0;
}

static int tear_down(void **state)
{
    ceilings_free(&ceilings);
    return 0;
}

static struct result row_in(const char *mode, double seconds)
{
    static double samples[1];
    struct result row = result_blank();
    row.run = &facts;
    strcpy(row.op, matmul_op.name);
    strcpy(row.workload, "m");
    strcpy(row.backend, fake_entry.name);
    snprintf(row.mode, sizeof row.mode, "%s", mode);
    row.bytes = row_bytes;
    row.statistics = (struct statistics){.count = 10, .median = seconds, .ci_low = seconds, .ci_high = seconds};
    row.sample_s = samples;
    row.iterations = 10000;
    row.tick_s = 1e-9;
    row.baseline_mode = "hot";
    return row;
}

static void judge(struct result *row)
{
    results_measure_ceilings(&ceilings, row);
    results_judge(&ceilings.table, row);
}

static void know(const char *backend, const char *mode, int kind, double amount, double seconds)
{
    struct ceiling ceiling = {.kind = kind, .amount = amount, .seconds = seconds};
    snprintf(ceiling.backend, sizeof ceiling.backend, "%s", backend);
    snprintf(ceiling.mode, sizeof ceiling.mode, "%s", mode);
    if (kind == CEILING_TRANSFER)
        snprintf(ceiling.workload, sizeof ceiling.workload, "%s/m", matmul_op.name);
    assert_true(ceiling_table_add(&ceilings.table, &ceiling));
}

static void assert_over_ceiling(const struct result *row)
{
    assert_int_equal(row->status, STATUS_OK);
    assert_false(result_has_rank(row));
    assert_string_equal(row->conditions.marks, "over-ceiling");
    assert_non_null(row->sample_s);
    assert_true(row->statistics.median > 0 && row->ceiling_pct > 102);
}

static void assert_impossible(const struct result *row, const char *reason)
{
    assert_int_equal(row->status, STATUS_FAILED);
    if (!strstr(row->reason, reason))
        fail_msg("saw '%s', expected '%s'", row->reason, reason);
    assert_true(isnan(row->statistics.median) && isnan(row->floor_s));
}

enum verdict { FINE, OVER, IMPOSSIBLE };

static void assert_verdict(const struct result *row, enum verdict verdict)
{
    if (verdict == IMPOSSIBLE)
        assert_impossible(row, "an error in the measurement: ");
    else if (verdict == OVER)
        assert_over_ceiling(row);
    else
        assert_true(result_has_rank(row));
}

/* At 1.024 TB/s all bytes take a microsecond; a cache moves what it holds four times as fast. */
AROUND_EACH_TEST(set_up, tear_down)

TEST(a_row_above_its_ceiling_has_no_rank_and_one_beyond_all_excuses_no_time)
{
    static const struct {
        const char *mode;
        bool is_host;
        double cache; /* what it holds, as a share of the row's bytes */
        double seconds;
        enum verdict verdict;
    } cases[] = {{"hot", false, 0, 1e-6, FINE},          {"cold", false, 0, 0.9e-6, IMPOSSIBLE},
                 {"hot", false, 0, 0.9e-6, IMPOSSIBLE},  {"graph", false, 0, 0.9e-6, IMPOSSIBLE},
                 {"hot", false, 1 / 4.0, 0.3e-6, OVER},  {"hot", false, 1 / 4.0, 0.2e-6, IMPOSSIBLE},
                 {"hot", false, 1 / 64.0, 0.5e-6, OVER}, {"hot", true, 0, 0.9e-6, OVER},
                 {"cold", true, 0, 0.55e-6, OVER},       {"hot", true, 0, 0.45e-6, IMPOSSIBLE},
                 {"hot", true, 1 / 4.0, 0.2e-6, OVER},   {"hot", true, 1 / 4.0, 0.1e-6, IMPOSSIBLE},
                 {"hot", false, 0, 0.99e-6, FINE},       {"hot", false, 0, 0.97e-6, IMPOSSIBLE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up(state);
        fake.cache_bytes = cases[i].cache * row_bytes;
        fake.cache_speedup = 4;
        struct result row = row_in(cases[i].mode, cases[i].seconds);
        row.is_host = cases[i].is_host;
        judge(&row);
        assert_verdict(&row, cases[i].verdict);
        assert_int_equal(row.sample_s == NULL, cases[i].verdict == IMPOSSIBLE);
        if (cases[i].verdict != IMPOSSIBLE) {
            assert_string_equal(row.ceiling, "read");
            assert_true(fabs(row.floor_s - 1e-6) < 2e-9);
        }
        tear_down(state);
    }
}

/* Nobody knows what a kernel of the user's own multiplies with. */
TEST(any_arithmetic_is_the_fastest_one)
{
    static const double rates[][3] = {{4e15, 1e15, 2e15}, {1e15, 4e15, 2e15}, {1e15, 2e15, 4e15}};
    for (size_t i = 0; i < 3; i++) {
        set_up(state);
        fake.ceiling_flops_s = rates[i][0];
        fake.ceiling_tf32_s = rates[i][1];
        fake.ceiling_fp16_s = rates[i][2];
        struct result row = row_in("hot", 3e-6);
        strcpy(row.arithmetic, "any");
        row.flops = 8e9; /* 2 us at the best rate */
        judge(&row);
        assert_true(fabs(row.floor_flops_s - 2e-6) < 4e-9 && row.floor_s == row.floor_flops_s);
        assert_string_equal(row.ceiling, "any");
        assert_true(result_has_rank(&row));
        tear_down(state);
    }
}

TEST(fewer_bytes_are_moved_until_the_row_is_possible)
{
    fake.cache_bytes = row_bytes / 2;
    fake.cache_speedup = 4;
    struct result row = row_in("hot", 0.99e-6), over = row_in("hot", 0.9e-6);
    judge(&row);
    assert_true(fewest_bytes == row_bytes);
    judge(&over);
    assert_true(fewest_bytes == row_bytes / 2);
}

/* Bytes or operations, whichever limits it; both where it is impossible. */
TEST(only_what_may_excuse_a_row_is_measured_again)
{
    static const struct {
        double flops, seconds;
        bool bytes_again, arithmetic_again;
    } cases[] = {{4e9, 2.1e-6, false, true}, {1e7, 0.6e-6, true, false}, {1e7, 0.2e-6, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up(state);
        fake.ceiling_flops_s = 1e15;
        struct result row = row_in("hot", 5e-6); /* which no ceiling is above */
        strcpy(row.arithmetic, "fma");
        row.flops = cases[i].flops;
        row.is_host = true;
        struct result fast = row;
        judge(&row);
        int bytes_before = looks_at_bytes, arithmetic_before = looks_at_arithmetic;
        assert_true(bytes_before > 0 && arithmetic_before > 0);
        fast.statistics.median = cases[i].seconds;
        judge(&fast);
        assert_int_equal(looks_at_bytes > bytes_before, cases[i].bytes_again);
        assert_int_equal(looks_at_arithmetic > arithmetic_before, cases[i].arithmetic_again);
        tear_down(state);
    }
}

TEST(a_floor_is_the_same_whether_a_larger_row_was_too_fast_or_not)
{
    struct result row = row_in("hot", 0.2e-6), half = row_in("hot", 2e-6), again = half;
    half.bytes = again.bytes = row_bytes / 2;
    judge(&half);
    ceilings_free(&ceilings);
    judge(&row);
    judge(&again);
    assert_true(fabs(half.floor_s - 0.5e-6) < 2e-9 && fabs(again.floor_s - half.floor_s) < 2e-9);
    assert_int_equal(again.status, STATUS_OK);
}

TEST(no_cache_helps_arithmetic)
{
    fake.ceiling_flops_s = 1e15;
    fake.cache_bytes = row_bytes / 2;
    fake.cache_speedup = 4;
    struct result over = row_in("hot", 0.7e-6);
    strcpy(over.arithmetic, "fma");
    over.flops = 0.6e9; /* 0.6 us: more than the cache needs, and less than memory */
    struct result impossible = over;
    impossible.statistics.median = 0.5e-6;
    judge(&over);
    assert_over_ceiling(&over);
    assert_string_equal(over.ceiling, "read");
    judge(&impossible);
    assert_impossible(&impossible, "0.5 us is less than the 0.6 us that the device needs at best (fma)");
}

/* What is known of a device, and what follows for a row that reads all bytes. A few bytes take as long as a launch,
 * which is no longer for more. */
TEST(fewer_bytes_of_the_same_mode_and_backend_may_excuse_a_row)
{
    enum { KNOWN = 3 };
    static const struct {
        struct {
            const char *backend, *mode;
            int kind;
            double share, seconds; /* of the row's bytes */
        } known[KNOWN];
        double seconds;
        enum verdict verdict;
    } cases[] = {
        {{{"fake", "hot", CEILING_READ, 1, 1e-6}, {"fake", "hot", CEILING_READ, 2, 0.1e-6}}, 0.9e-6, IMPOSSIBLE},
        {{{"fake", "hot", CEILING_READ, 1, 1e-6}, {"fake", "graph", CEILING_READ, 0.5, 0.1e-6}}, 0.9e-6, IMPOSSIBLE},
        {{{"fake", "hot", CEILING_READ, 1, 1e-6}, {"other", "hot", CEILING_READ, 0.5, 0.1e-6}}, 0.9e-6, IMPOSSIBLE},
        {{{"fake", "hot", CEILING_READ, 1, 1e-6}, {"fake", "hot", CEILING_FMA, 0.1, 1e-9}}, 0.9e-6, IMPOSSIBLE},
        {{{"fake", "hot", CEILING_READ, 1, 1e-6}, {"fake", "hot", CEILING_COPY, 0.5, 0.1e-6}}, 0.9e-6, OVER},
        {{{"fake", "hot", CEILING_READ, 0.004, 2e-6}}, 0.9e-6, FINE},
        {{{"fake", "hot", CEILING_READ, 1, 20e-6},
          {"fake", "hot", CEILING_READ, 0.25, 4e-6},
          {"fake", "hot", CEILING_EMPTY, 0, 1e-6}}, /* 3 us for a quarter, 13 us for all */
         13e-6,
         OVER},
        {{{"fake", "hot", CEILING_READ, 1, 20e-6},
          {"fake", "hot", CEILING_READ, 0.25, 4e-6},
          {"fake", "hot", CEILING_EMPTY, 0, 1e-6}},
         12.5e-6,
         IMPOSSIBLE},
        {{{"fake", "hot", CEILING_READ, 1, 20e-6},
          {"fake", "hot", CEILING_READ, 1 / 64.0, 1.01e-6}, /* mostly a launch */
          {"fake", "hot", CEILING_EMPTY, 0, 1e-6}},
         19e-6,
         IMPOSSIBLE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up(state);
        for (size_t k = 0; k < KNOWN && cases[i].known[k].backend; k++)
            know(cases[i].known[k].backend, cases[i].known[k].mode, cases[i].known[k].kind,
                 cases[i].known[k].share * row_bytes, cases[i].known[k].seconds);
        struct result row = row_in("hot", cases[i].seconds);
        results_judge(&ceilings.table, &row);
        assert_verdict(&row, cases[i].verdict);
        tear_down(state);
    }
}

/* A copy leaves part of what it writes in a cache. */
TEST(copies_count_for_rows_that_write)
{
    static const struct {
        double written; /* of the bytes */
        const char *ceiling;
    } cases[] = {{0, "read"}, {0.24, "read"}, {0.25, "copy"}, {0.5, "copy"}, {NAN, "copy"}};
    know(fake_entry.name, "hot", CEILING_READ, row_bytes, 1.1e-6);
    know(fake_entry.name, "hot", CEILING_COPY, row_bytes, 1e-6);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct result row = row_in("hot", 2e-6);
        row.bytes_written = cases[i].written * row_bytes;
        results_judge(&ceilings.table, &row);
        assert_string_equal(row.ceiling, cases[i].ceiling);
        assert_true(row.floor_s == (strcmp(cases[i].ceiling, "read") == 0 ? 1.1e-6 : 1e-6));
    }
    struct result over = row_in("hot", 1.02e-6); /* no faster than a copy: that is possible */
    over.bytes_written = 0;
    struct result short_over = over;
    results_judge(&ceilings.table, &over);
    assert_over_ceiling(&over);
    know(fake_entry.name, "hot", CEILING_EMPTY, 0, 0.8e-6); /* also where both are little more than a launch */
    results_judge(&ceilings.table, &short_over);
    assert_over_ceiling(&short_over);
    ceilings_free(&ceilings); /* without reads copies count for all */
    know(fake_entry.name, "hot", CEILING_COPY, row_bytes, 1e-6);
    struct result row = row_in("hot", 2e-6);
    row.bytes_written = 0;
    results_judge(&ceilings.table, &row);
    assert_string_equal(row.ceiling, "copy");
}

TEST(the_launch_is_known_before_a_row_loses_its_samples)
{
    fake.launch_s = 1e-6;
    fake.ceiling_bytes_s = row_bytes / 19e-6;
    fake.cache_bytes = row_bytes / 4;
    fake.cache_speedup = 19.0 / 12;
    struct result row = row_in("hot", 13.1e-6);
    judge(&row);
    assert_over_ceiling(&row);
}

TEST(a_row_faster_than_its_transfers_is_marked)
{
    know(fake_entry.name, "e2e", CEILING_TRANSFER, 0, 100e-6);
    struct result row = row_in("e2e", 50e-6);
    results_judge(&ceilings.table, &row);
    assert_over_ceiling(&row);
    assert_string_equal(row.ceiling, "transfer");
}

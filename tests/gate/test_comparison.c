/* Two files row by row: verdicts from statuses, files that are refused, and rows that are decided together. */
#include "gate_files.h"
#include "tests/unit.h"

AROUND_EACH_TEST(gate_files_start, gate_files_end)

/* Adds a round for each letter: o is ok, b launch-bound, s skipped, f failed. */
static void add_rounds(struct gate_rows *rows, const char *letters, const char *when)
{
    for (int round = 0; letters[round]; round++) {
        char letter = letters[round], reason[16];
        snprintf(reason, sizeof reason, "%c %s", letter, when);
        gate_row(rows, "a", round, 1e-5, "status",
                 letter == 's'   ? "skipped"
                 : letter == 'f' ? "failed"
                                 : "ok",
                 "reason", strchr("sf", letter) ? reason : "", "launch_bound", letter == 'b' ? "yes" : "no");
    }
}

static size_t count_ok(const char *letters, const char *other)
{
    size_t count = 0;
    for (size_t i = 0; letters[i]; i++)
        count += letters[i] == 'o' && (!other || other[i] == 'o');
    return count;
}

/* That a rung is wrong at ragged sizes, say, is not the change's fault; the first round alone verifies them. */
TEST(statuses_of_rounds_decide)
{
    static const char bound[] = "launch-bound: the host was too slow to keep the device busy";
    static const struct {
        const char *base, *other;
        enum { UNPAIRED = 1, PAIRED = 2, EITHER = 3 } when;
        enum verdict verdict; /* VERDICTS: the rounds that are ok on both sides are weighed */
        const char *reason;
    } cases[] = {
        {"", "oo", EITHER, VERDICT_NEW, ""},
        {"", "ss", EITHER, VERDICT_SKIPPED, "s now"},
        {"", "ff", EITHER, VERDICT_FAILED, "f now"},
        {"oo", "", EITHER, VERDICT_MISSING, ""},
        {"oo", "oo", EITHER, VERDICTS, ""},
        {"oo", "ss", EITHER, VERDICT_NEWLY_SKIPPED, "s now"},
        {"oo", "ff", EITHER, VERDICT_FAILED, "f now"},
        {"ss", "", EITHER, VERDICT_SKIPPED, ""},
        {"ss", "oo", EITHER, VERDICT_NEW, ""},
        {"ss", "ss", EITHER, VERDICT_SKIPPED, "s now"},
        {"ss", "ff", EITHER, VERDICT_FAILED, "f now"},
        {"ff", "", EITHER, VERDICT_SKIPPED, ""},
        {"ff", "oo", EITHER, VERDICT_NEW, ""},
        {"ff", "ss", EITHER, VERDICT_SKIPPED, "s now"},
        {"ff", "ff", EITHER, VERDICT_NOT_GATED, "f now"},
        {"f", "of", UNPAIRED, VERDICT_NOT_GATED, "f now"},
        {"oooooooooo", "ooooooooof", EITHER, VERDICT_FAILED, "f now"},
        {"oooooooooo", "ooooooooos", EITHER, VERDICTS, ""},
        {"ooooooooos", "oooooooooo", EITHER, VERDICTS, ""},
        {"fooooooooo", "fooooooooo", EITHER, VERDICT_NOT_GATED, "f now"},
        {"fooooooooo", "ffoooooooo", EITHER, VERDICT_FAILED, "f now"},
        {"ffffffoooo", "oooooooooo", EITHER, VERDICT_INCONCLUSIVE, "too few of its rounds were timed"},
        {"ooooo", "sooooooooo", UNPAIRED, VERDICTS, ""},
        {"ooooo", "sssssooooo", UNPAIRED, VERDICTS, ""},
        {"ooooo", "ssssssoooo", UNPAIRED, VERDICT_NEWLY_SKIPPED, "s now"},
        {"ssssoo", "sss", UNPAIRED, VERDICT_NEWLY_SKIPPED, "s now"},
        {"ssooo", "sssoo", UNPAIRED, VERDICT_NEWLY_SKIPPED, "s now"},
        {"bbbbbboooo", "oooooooooo", UNPAIRED, VERDICT_INCONCLUSIVE, bound},
        {"bbbbbboooo", "bbbbbboooo", EITHER, VERDICT_NOT_GATED, bound},
        {"bbbbbooooo", "oooooooooo", UNPAIRED, VERDICTS, ""},
        {"bbbbbbbbbb", "bbbbbbbbbb", UNPAIRED, VERDICT_NOT_GATED, bound},
        {"oooooooooo", "bbbbbboooo", UNPAIRED, VERDICT_INCONCLUSIVE, bound},
        {"oooooooooo", "bbbbbooooo", UNPAIRED, VERDICTS, ""},
        {"bbbbbooooo", "ooooobbbbb", UNPAIRED, VERDICTS, ""},
        {"bbbbbooooo", "ooooobbbbb", PAIRED, VERDICT_INCONCLUSIVE, bound},
        {"bbbbbooooo", "bbbbbooooo", PAIRED, VERDICTS, ""},
        {"bbooooooob", "oobooooboo", PAIRED, VERDICTS, ""},
        {"bbbbbooooo", "obbbbboooo", PAIRED, VERDICT_INCONCLUSIVE, bound},
        {"bbbbbooooo", "bbbbbboooo", PAIRED, VERDICT_INCONCLUSIVE, bound},
        {"bbbbbboooo", "bbbbbooooo", PAIRED, VERDICT_INCONCLUSIVE, bound},
        {"oooooooooo", "bbbbbbbbbb", PAIRED, VERDICT_INCONCLUSIVE, bound},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const char *base = cases[i / 2].base, *other = cases[i / 2].other;
        bool paired = i % 2, is_weighed = cases[i / 2].verdict == VERDICTS;
        if (!(cases[i / 2].when & (paired ? PAIRED : UNPAIRED)))
            continue;
        gate_files_start(state);
        gate_add_to_both("another", 1);
        add_rounds(&base_rows, base, "then");
        add_rounds(&new_rows, other, "now");
        if (!paired)
            gate_unpair();
        gate_compare();
        const struct compared_row *row = gate_compared("a");
        if (compared.paired != paired || row->has_evidence != is_weighed || row->is_decided == is_weighed ||
            (!is_weighed && row->verdict != cases[i / 2].verdict) || strcmp(row->reason, cases[i / 2].reason) != 0)
            fail_msg("%s, then %s: verdict %d, '%s'", base, other, row->verdict, row->reason);
        assert_int_equal(row->evidence.base_rounds, is_weighed ? count_ok(base, paired ? other : NULL) : 0);
        assert_int_equal(row->evidence.new_rounds, is_weighed ? count_ok(other, paired ? base : NULL) : 0);
    }
}

/* Rounds that were not timed have no transfer, flush and input, but are still of the same work. */
TEST(rounds_that_were_not_timed_are_not_compared)
{
    for (int side = 0; side < 2; side++)
        for (int round = 0; round < 10; round++) {
            bool timed = round != 0 && round != 9;
            gate_row(side ? &new_rows : &base_rows, "m/w/v/e2e", round, 1e-5, "status", timed ? "ok" : "skipped",
                     "transfer", timed ? "pinned" : "", "input", timed ? "seeded" : "");
        }
    gate_compare();
    assert_int_equal(compared.rows[0].evidence.base_rounds, 8);
    assert_true(compared.rows[0].evidence.limits.threshold == 0.05); /* timed by the host's clock */
}

TEST(what_was_slowed_is_no_base)
{
    gate_add_to_both("a", 1);
    gate_add_to_both("b", 1);
    gate_set(&new_rows, "slowdown_pct", "5");
    gate_compare();
    assert_false(compared.rows[0].slowed);
    assert_true(compared.rows[1].slowed);
    gate_set(&base_rows, "slowdown_pct", "5");
    gate_assert_refused("base.csv: line 21: the row was slowed on purpose (--slowdown), expected a base that was not");
}

/* Only rows with evidence are decided, and only they count in Holm's correction. */
TEST(rows_are_decided_at_once)
{
    gate_add_to_both("c slower", 1.05);
    gate_rounds(&base_rows, "b missing", 1e-5, 0);
    gate_add_to_both("d the same", 1);
    gate_compare();
    assert_int_equal(comparison_count(&compared, VERDICT_MISSING), 1);
    gate_decide(0.03, false);
    assert_int_equal(compared.count, 3);
    assert_int_equal(compared.rows[0].verdict, VERDICT_MISSING);
    assert_int_equal(compared.rows[1].verdict, VERDICT_SLOWER);
    assert_int_equal(compared.rows[2].verdict, VERDICT_CLEARED);
    for (int i = 0; i < 3; i++)
        assert_true(compared.rows[i].is_decided);
    assert_int_equal(comparison_count(&compared, VERDICT_SLOWER), 1);
    assert_int_equal(comparison_count(&compared, VERDICT_FASTER), 0);
    gate_compare();
    gate_decide(0.9 / 1024, false);
    assert_int_equal(compared.rows[1].verdict, VERDICT_INCONCLUSIVE);
}

/* Adds a row with these digests. */
static void add_with_code(const char *name, double factor, const char *base_code, const char *new_code)
{
    gate_rounds(&base_rows, name, 1e-5, 0, "code", base_code);
    gate_rounds(&new_rows, name, factor * 1e-5, 0, "code", new_code);
}

/* Both digests must be known, in all rounds that were timed. On another device that may be the cause. */
TEST(code_decides_what_may_be_slower)
{
    static const struct {
        double factor;
        const char *base, *other, *last; /* digests; of the new side in its last round */
        bool is_slowed, is_unpaired, other_device;
        enum code_match match;
        enum verdict verdict;
    } table[] = {
        {1.5, "feed", "feed", "feed", false, false, false, CODE_SAME, VERDICT_LAYOUT},
        {0.7, "feed", "feed", "feed", false, false, false, CODE_SAME, VERDICT_LAYOUT},
        {1, "feed", "feed", "feed", false, false, false, CODE_SAME, VERDICT_CLEARED},
        {1.5, "feed", "feed", "feed", false, true, false, CODE_SAME, VERDICT_LAYOUT},
        {1.5, "feed", "feed", "feed", true, false, false, CODE_SAME, VERDICT_SLOWER},
        {1.5, "", "", "", false, false, false, CODE_UNKNOWN, VERDICT_SLOWER},
        {1.5, "feed", "", "", false, false, false, CODE_UNKNOWN, VERDICT_SLOWER},
        {1.5, "", "feed", "feed", false, false, false, CODE_UNKNOWN, VERDICT_SLOWER},
        {1.5, "feed", "feed", "", false, false, false, CODE_UNKNOWN, VERDICT_SLOWER},
        {1.5, "feed", "feed", "beef", false, false, false, CODE_CHANGED, VERDICT_SLOWER},
        {1.5, "feed", "feed", "feed", false, false, true, CODE_SAME, VERDICT_SUSPECTED},
        {0.7, "feed", "feed", "feed", false, false, true, CODE_SAME, VERDICT_FASTER},
        {1.05, "feed", "beef", "beef", false, false, true, CODE_CHANGED, VERDICT_SUSPECTED},
        {1, "feed", "beef", "beef", false, false, true, CODE_CHANGED, VERDICT_CLEARED},
        {0.9, "feed", "beef", "beef", false, false, true, CODE_CHANGED, VERDICT_FASTER},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gate_files_start(state);
        add_with_code("a", table[i].factor, table[i].base, table[i].other);
        gate_set(&new_rows, "code", table[i].last);
        gate_set_all(&new_rows, "slowdown_pct", table[i].is_slowed ? "50" : "");
        if (table[i].is_unpaired)
            gate_unpair();
        gate_compare();
        gate_decide(RULE_FILES_LEVEL, table[i].other_device);
        assert_int_equal(compared.rows[0].code, table[i].match);
        assert_int_equal(compared.rows[0].verdict, table[i].verdict);
        assert_true(compared.rows[0].is_decided);
    }
}

TEST(another_library_is_other_code)
{
    static const char *const columns[] = {"blas_version", "cuda_version"};
    for (size_t i = 0; i < 2; i++) {
        gate_files_start(state);
        add_with_code("a", 1.5, "feed", "feed");
        gate_set_all(&new_rows, columns[i], "1");
        gate_compare();
        gate_decide(RULE_FILES_LEVEL, false);
        assert_int_equal(compared.rows[0].code, CODE_CHANGED);
        assert_int_equal(compared.rows[0].verdict, VERDICT_SLOWER);
    }
}

/* It is not among the rows whose number costs the others their level either. */
TEST(the_same_code_is_never_inconclusive)
{
    add_with_code("a", 1.5, "feed", "feed");
    add_with_code("b", 1.5, "feed", "beef");
    for (int i = 0; i < 2; i++) {
        gate_compare();
        gate_decide((i ? 10.9 : 11) / 1024, false);
        assert_int_equal(compared.rows[0].verdict, i ? VERDICT_SAME_CODE : VERDICT_LAYOUT);
        assert_int_equal(compared.rows[1].verdict, i ? VERDICT_INCONCLUSIVE : VERDICT_SLOWER);
        assert_int_equal(compared.rows[1].code, CODE_CHANGED);
    }
}

/* Nobody knows what clock a CPU of another run had. */
TEST(a_cpu_that_was_slower_in_another_run_is_suspected)
{
    gate_add_to_both(GATE_CPU_ROW, 1.2);
    gate_add_to_both(GATE_GPU_ROW, 1.2);
    for (int paired = 1; paired >= 0; paired--) {
        if (!paired)
            gate_unpair();
        gate_compare();
        gate_decide(RULE_FILES_LEVEL, false);
        assert_int_equal(gate_compared(GATE_CPU_ROW)->verdict, paired ? VERDICT_SLOWER : VERDICT_SUSPECTED);
        assert_int_equal(gate_compared(GATE_GPU_ROW)->verdict, VERDICT_SLOWER);
    }
}

/* The worst that can be said of two files whose machine is unknown is that one of them is suspected. */
TEST(another_run_of_another_tool_is_at_worst_suspected)
{
    static const struct {
        const char *columns, *base, *other;
        int rounds[2];
        double ratio;
        enum verdict verdict;
    } table[] = {
        {"", "", "", {12, 12}, 1.3, VERDICT_SUSPECTED},
        {",clock", ",device", ",device", {12, 12}, 1.3, VERDICT_SUSPECTED},
        {",device", ",H100", ",", {12, 12}, 1.3, VERDICT_SUSPECTED},       /* unknown is no difference */
        {",sitting", ",monday", ",monday", {12, 12}, 1.3, VERDICT_SLOWER}, /* turns on one machine, as the file says */
        {"", "", "", {1, 300}, 1.3, VERDICT_INCONCLUSIVE},                 /* a single time decides nothing */
        {"", "", "", {300, 1}, 1.3, VERDICT_INCONCLUSIVE},
        {"", "", "", {20, 1}, 0.98, VERDICT_INCONCLUSIVE},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct recording sides[2] = {{0}};
        gate_files_start(state);
        for (int s = 0; s < 2; s++) {
            FILE *to = fopen(s ? "new" : "base", "w");
            fprintf(to, "name,round,seconds%s\n", table[i].columns);
            for (int r = 0; r < table[i].rounds[s]; r++)
                fprintf(to, "a,%d,%g%s\n", r, (s ? table[i].ratio : 1) + 0.0001 * r,
                        s ? table[i].other : table[i].base);
            fclose(to);
        }
        MUST(results_read_file("base", READ_AUTO, &sides[0], &error) &&
             results_read_file("new", READ_AUTO, &sides[1], &error) &&
             comparison_make(&sides[0], &sides[1], &compare_options, compare_exceptions, &compared, &error));
        comparison_decide(&compared);
        assert_int_equal(compared.rows[0].verdict, table[i].verdict);
        gate_files_end(state);
        recording_free(&sides[0]);
        recording_free(&sides[1]);
    }
}

TEST(what_differs_between_two_runs_of_a_cpu_is_remarked)
{
    for (int round = 0; round < 10; round++) {
        gate_row(&base_rows, GATE_CPU_ROW, round, 1e-5, "cpu_clock_mhz", "3600", "compiler", "GNU 12");
        gate_row(&new_rows, GATE_CPU_ROW, round, 1e-5, "cpu_clock_mhz", round % 4 ? "3000" : "", "compiler", "GNU 13");
        gate_row(&base_rows, GATE_GPU_ROW, round, 1e-5, "compiler", "GNU 12");
        gate_row(&new_rows, GATE_GPU_ROW, round, 1e-5, "compiler", "GNU 13");
    }
    gate_compare();
    assert_string_equal(gate_compared(GATE_CPU_ROW)->remark, ""); /* one sitting: the rounds took turns */
    gate_unpair();
    gate_compare();
    assert_non_null(strstr(gate_compared(GATE_CPU_ROW)->remark, "3600 MHz, then 3000 MHz"));
    assert_non_null(strstr(gate_compared(GATE_CPU_ROW)->remark, "compiler"));
    assert_string_equal(gate_compared(GATE_GPU_ROW)->remark, "");
    gate_set_all(&new_rows, "cpu_clock_mhz", "3400"); /* by more than the 5 % that are a change */
    gate_compare();
    assert_non_null(strstr(gate_compared(GATE_CPU_ROW)->remark, "3600 MHz, then 3400 MHz"));
    gate_set_all(&new_rows, "cpu_clock_mhz", "3500");
    gate_set_all(&new_rows, "compiler", "");
    gate_compare();
    assert_string_equal(gate_compared(GATE_CPU_ROW)->remark, "");
    gate_set_all(&base_rows, "compiler", "GNU 12");
    gate_set_all(&new_rows, "compiler", "GNU 12 + nvcc 13"); /* which compiled no rung of the host */
    gate_compare();
    assert_string_equal(gate_compared(GATE_CPU_ROW)->remark, "");
}

TEST(what_is_odd_about_the_rounds_is_remarked)
{
    for (int round = 0; round < 10; round++) {
        gate_row(&base_rows, "a", round, 1e-5);
        gate_row(&new_rows, "a", round, 1e-5, "status", round < 3 ? "skipped" : "ok");
        gate_row(&base_rows, "b", round, round % 2 ? 8.2e-5 : 7.9e-5);
        gate_row(&new_rows, "b", round, 7.9e-5);
        gate_row(&new_rows, "c", round, 2.5e-5, "ceiling_pct", "86.5");
    }
    gate_compare();
    assert_string_equal(compared.rows[0].remark, "new: timed in 7 of 10 rounds");
    assert_string_equal(compared.rows[1].remark, "base: two levels, 79 us in 5 rounds and 82 us in 5");
    for (int round = 0; round < 10; round++) /* in their order, not sorted */
        assert_true(compared.rows[1].times_s[0][round] == (round % 2 ? 8.2e-5 : 7.9e-5));
    assert_string_equal(compared.rows[2].remark, "25 us, 86.5 % of its ceiling");
    assert_int_equal(compared.rows[2].verdict, VERDICT_NEW);
}

/* Twelve times that spread by some us, of which `upper` are `apart` us longer. */
static void add_levels(double spread, int upper, double apart)
{
    for (int i = 0; i < 12; i++) {
        gate_row(&base_rows, "a", i, 1e-6 * (79.2 + spread * (i % 5) / 4 + (i * 7 % 12 < upper ? apart : 0)));
        gate_row(&new_rows, "a", i, 79.2e-6);
    }
}

TEST(two_levels_are_told_from_one_that_spreads)
{
    static const struct {
        double spread, apart;
        int upper;
        bool found;
    } table[] = {
        {0.2, 3.2, 8, true},  {0.2, 3.2, 2, true},  {0.2, 3.2, 10, true},
        {0.2, 0, 6, false},   {0.2, 3.2, 1, false}, {0.2, 3.2, 11, false}, /* a single process is no level */
        {0.4, 1.4, 6, false}, {0.4, 1.7, 6, true},                         /* the gap against the spread */
        {0.1, 0.8, 6, false}, {0.1, 1.0, 6, true},                         /* and against what is a change */
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gate_files_start(state);
        add_levels(table[i].spread, table[i].upper, table[i].apart);
        gate_compare();
        assert_int_equal(strstr(compared.rows[0].remark, "base: two levels") != NULL, table[i].found);
    }
}

TEST(no_row_is_nothing_to_compare)
{
    gate_add_to_both("a", 1);
    base_rows.count = 0;
    gate_assert_refused("base.csv has no row: there is nothing to compare");
    gate_add_to_both("a", 1);
    new_rows.count = 0;
    gate_assert_refused("new.csv has no row: there is nothing to compare");
}

TEST(both_sides_are_named)
{
    gate_add_to_both("a", 1);
    gate_set_all(&new_rows, "git_rev", "fed9876");
    gate_set_all(&new_rows, "device", "");
    gate_set_all(&base_rows, "device", "");
    gate_row(&new_rows, "b", 0, 1, "device", "H200");
    gate_compare();
    assert_string_equal(compared.base_revision, "abc1234");
    assert_string_equal(compared.new_revision, "fed9876");
    assert_string_equal(compared.device, "H200");
    gate_set_all(&new_rows, "device", "");
    gate_compare();
    assert_string_equal(compared.device, "");
}

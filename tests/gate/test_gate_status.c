/* The gate's status, its headline, and the order of its rows. */
#include "bench/gate/gate_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 40 };
static struct compared_row rows[ROWS_MAX];
static struct comparison comparison;

static int start(void **state)
{
    (void)state;
    comparison = (struct comparison){.rows = rows};
    return 0;
}

static void add(const char *name, enum verdict verdict)
{
    assert_true(comparison.count < ROWS_MAX);
    rows[comparison.count++] = (struct compared_row){.name = name, .verdict = verdict, .reason = ""};
}

static void each_verdict_alone_has_its_status(void **state)
{
    static const enum gate_status statuses[VERDICTS][2] = {
        [VERDICT_SLOWER] = {GATE_SLOWER, GATE_INCONCLUSIVE},
        [VERDICT_FAILED] = {GATE_SLOWER, GATE_SLOWER}, /* wrong is wrong on any device */
        [VERDICT_MISSING] = {GATE_SLOWER, GATE_INCONCLUSIVE},
        [VERDICT_NEWLY_SKIPPED] = {GATE_SLOWER, GATE_INCONCLUSIVE},
        [VERDICT_SUSPECTED] = {GATE_INCONCLUSIVE, GATE_INCONCLUSIVE},
        [VERDICT_INCONCLUSIVE] = {GATE_INCONCLUSIVE, GATE_INCONCLUSIVE},
        [VERDICT_ACCEPTED] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_LAYOUT] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_SAME_CODE] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_FASTER] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_CLEARED] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_NEW] = {GATE_BAD_INPUT, GATE_BAD_INPUT},
        [VERDICT_NOT_GATED] = {GATE_BAD_INPUT, GATE_BAD_INPUT},
        [VERDICT_SKIPPED] = {GATE_ALL_SKIPPED, GATE_ALL_SKIPPED},
    };
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        for (int other_device = 0; other_device < 2; other_device++) {
            start(state);
            add("a", (enum verdict)verdict);
            assert_int_equal(gate_status_of(&comparison, other_device), statuses[verdict][other_device]);
            add("b", VERDICT_SKIPPED);
            enum gate_status beside = statuses[verdict][other_device];
            assert_int_equal(gate_status_of(&comparison, other_device), beside);
        }
}

static void the_worst_verdict_decides(void **state)
{
    (void)state;
    assert_int_equal(gate_status_of(&comparison, false), GATE_BAD_INPUT);
    add("a", VERDICT_NEW);
    add("b", VERDICT_NOT_GATED);
    add("c", VERDICT_SKIPPED);
    assert_int_equal(gate_status_of(&comparison, false), GATE_BAD_INPUT);
    add("d", VERDICT_CLEARED);
    assert_int_equal(gate_status_of(&comparison, false), GATE_CLEARED);
    add("e", VERDICT_INCONCLUSIVE);
    assert_int_equal(gate_status_of(&comparison, false), GATE_INCONCLUSIVE);
    add("f", VERDICT_MISSING);
    assert_int_equal(gate_status_of(&comparison, false), GATE_SLOWER);
    assert_int_equal(gate_status_of(&comparison, true), GATE_INCONCLUSIVE);
}

static void statuses_are_those_of_the_design(void **state)
{
    (void)state;
    static const struct {
        enum gate_status status;
        int number;
        const char *words;
    } table[] = {{GATE_CLEARED, 0, "passed"},
                 {GATE_SLOWER, 1, "failed"},
                 {GATE_BAD_INPUT, 2, "nothing to compare"},
                 {GATE_INCONCLUSIVE, 3, "inconclusive"},
                 {GATE_ALL_SKIPPED, 77, "all skipped"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_int_equal(table[i].status, table[i].number);
        assert_string_equal(gate_status_words(table[i].status), table[i].words);
    }
}

static void assert_headline(const char *expected)
{
    struct gate_report report = {.comparison = &comparison};
    gate_report_count(&report);
    assert_string_equal(report.headline, expected);
}

static void the_headline_counts(void **state)
{
    (void)state;
    assert_headline("0 rows");
    add("a", VERDICT_CLEARED);
    assert_headline("1 row: 1 cleared");
    add("b", VERDICT_SLOWER);
    add("c", VERDICT_CLEARED);
    assert_headline("3 rows: 1 slower, 2 cleared");
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        add("d", (enum verdict)verdict);
    assert_headline(
        "17 rows: 2 slower, 1 failed, 1 missing, 1 newly skipped, 1 suspected, 1 inconclusive, 1 accepted, 1 "
        "layout, 1 same code, 1 faster, 3 cleared, 1 new, 1 not gated, 1 skipped");
}

static void what_is_to_be_read_first_comes_first(void **state)
{
    (void)state;
    add("b", VERDICT_CLEARED);
    add("a", VERDICT_CLEARED);
    add("z", VERDICT_SLOWER);
    add("c", VERDICT_INCONCLUSIVE);
    add("y", VERDICT_SLOWER);
    add("d", VERDICT_SKIPPED);
    add("e", VERDICT_FASTER);
    const struct compared_row **order = gate_report_order(&comparison);
    assert_non_null(order);
    char names[20] = "";
    for (size_t i = 0; i < comparison.count; i++)
        strcat(names, order[i]->name);
    assert_string_equal(names, "yzceabd");
    free(order);
    start(state);
    order = gate_report_order(&comparison);
    assert_non_null(order);
    free(order);
}

/* Five rounds a side have 252 rearrangements: enough for one row at this level, and not for two. */
static void the_same_code_needs_no_rounds(void **state)
{
    (void)state;
    struct gate_report report = {.comparison = &comparison};
    add("a", VERDICT_INCONCLUSIVE);
    add("b", VERDICT_LAYOUT);
    for (size_t i = 0; i < 2; i++) {
        rows[i].has_evidence = true;
        rows[i].evidence.base_rounds = 5;
    }
    gate_report_advise(&report, 0.005);
    assert_non_null(strstr(report.advice, "too few rounds"));
    rows[1].code = CODE_SAME;
    gate_report_advise(&report, 0.005);
    assert_null(strstr(report.advice, "too few rounds"));
    assert_string_not_equal(report.advice, "");
}

static void assert_note(bool slowed, const char *reason, const char *remark, const char *expected)
{
    char note[100];
    struct compared_row row = {.slowed = slowed, .reason = reason};
    strcpy(row.remark, remark);
    gate_row_note(&row, note, sizeof note);
    assert_string_equal(note, expected);
}

static void notes_say_what_a_verdict_rests_on(void **state)
{
    (void)state;
    assert_note(false, "", "", "");
    assert_note(false, "", "two levels", "two levels");
    assert_note(false, "no GPU", "", "no GPU");
    assert_note(true, "", "", "slowed on purpose by --slowdown");
    assert_note(true, "no GPU", "", "slowed on purpose by --slowdown; no GPU");
    assert_note(true, "no GPU", "two levels", "slowed on purpose by --slowdown; no GPU; two levels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_verdict_alone_has_its_status, start),
        cmocka_unit_test_setup(the_worst_verdict_decides, start),
        cmocka_unit_test_setup(statuses_are_those_of_the_design, start),
        cmocka_unit_test_setup(the_headline_counts, start),
        cmocka_unit_test_setup(what_is_to_be_read_first_comes_first, start),
        cmocka_unit_test_setup(the_same_code_needs_no_rounds, start),
        cmocka_unit_test_setup(notes_say_what_a_verdict_rests_on, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

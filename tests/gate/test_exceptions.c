/* What a team accepts, ignores, or judges by another threshold. */
#include "gate_files.h"
#include "tests/unit.h"

static struct exceptions exceptions;

static void read_exceptions(const char *text)
{
    file_put("exceptions", text);
    MUST(exceptions_read("exceptions", &exceptions, &error));
}

AROUND_EACH_TEST(gate_files_start, gate_files_end)

TEST(lines_are_read)
{
    read_exceptions("# a comment\n\n  accept-slower matmul/.*/cuda_naive/cold   it is simpler now\r\n"
                    "accept-missing a|b\tgone\nthreshold=2.5 .*/hot a noisy machine\nignore c not ours");
    assert_int_equal(exceptions.count, 4);
    const struct exception *found = exceptions_find(&exceptions, ACCEPT_SLOWER, "matmul/mnist/cuda_naive/cold");
    assert_string_equal(found->reason, "it is simpler now");
    assert_null(exceptions_find(&exceptions, ACCEPT_MISSING, "matmul/mnist/cuda_naive/cold"));
    assert_null(exceptions_find(&exceptions, ACCEPT_SLOWER, "matmul/mnist/cuda_naive/cold2"));
    assert_string_equal(exceptions_find(&exceptions, ACCEPT_MISSING, "b")->reason, "gone");
    assert_null(exceptions_find(&exceptions, ACCEPT_MISSING, "ab"));
    assert_true(fabs(exceptions_find(&exceptions, THRESHOLD, "x/hot")->threshold - 0.025) < 1e-15);
    assert_string_equal(exceptions_find(&exceptions, IGNORE, "c")->reason, "not ours");
    exceptions_free(&exceptions);
}

static void assert_refused(const char *text, const char *why)
{
    struct error error;
    file_put("exceptions", text);
    assert_false(exceptions_read("exceptions", &exceptions, &error));
    assert_non_null(strstr(error.text, why));
    exceptions_free(&exceptions);
}

TEST(other_lines_are_refused)
{
    static const char *const lines[] = {"accept-slower",   "ignore a",           "accept a b",      "threshold= a b",
                                        "threshold=0 a b", "threshold=1001 a b", "threshold=x a b", "ignore a    "};
    char text[80];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        snprintf(text, sizeof text, "ignore a b\n%s\n", lines[i]);
        assert_refused(text, "exceptions: line 2 is no exception: expected accept-slower");
    }
    assert_refused("ignore a)|(.* b",
                   "exceptions: line 1 is no exception: expected a POSIX extended regular expression");
}

/* They accept, and do nothing else; what does not count ends nothing. */
TEST(commits_accept)
{
    read_exceptions("accept-slower a of a file\n");
    file_put("trailers",
             "commit 1\n\ncommit 2\nGate: accept-slower a|b it is simpler \nGate:\nGate: ignore c not ours\n"
             "gate: accept-slower ( why\ncommit 3\nGate: accept-missing d\nGate:accept-missing d gone\n");
    struct error error;
    assert_true(exceptions_read_trailers("trailers", &exceptions, &error));
    assert_int_equal(exceptions.count, 3);
    assert_string_equal(exceptions_find(&exceptions, ACCEPT_SLOWER, "a")->reason, "of a file");
    assert_string_equal(exceptions_find(&exceptions, ACCEPT_SLOWER, "b")->reason, "it is simpler  (2)");
    assert_string_equal(exceptions_find(&exceptions, ACCEPT_MISSING, "d")->reason, "gone (3)");
    assert_false(exceptions_read_trailers("nowhere", &exceptions, &error));
    exceptions_free(&exceptions);
}

TEST(what_is_accepted_or_ignored_passes)
{
    gate_add_to_both("a", 1.2);
    gate_add_to_both("b", 1.2);
    gate_rounds(&base_rows, "c", 1e-5, 0);
    gate_add_to_both("d", 1.2);
    gate_add_to_both("e", 1);
    gate_set(&new_rows, "status", "failed");
    gate_set(&new_rows, "time_median_s", "");
    gate_set(&new_rows, "time_min_s", "");
    for (int round = 0; round < 10; round++) {
        gate_row(&base_rows, "f", round, 1e-5);
        gate_row(&new_rows, "f", round, 1e-5 * (1.01 + 0.1 * (round % 3 - 1)));
    }
    read_exceptions("accept-slower a|c|e|f simpler\naccept-missing c|b gone\nignore d|e not ours\n");
    compare_exceptions = &exceptions;
    gate_compare();
    gate_decide(RULE_FILES_LEVEL, false);
    comparison_except(&compared);
    assert_int_equal(gate_compared("a")->verdict, VERDICT_ACCEPTED);
    assert_string_equal(gate_compared("a")->remark, "slower: simpler");
    assert_int_equal(gate_compared("b")->verdict, VERDICT_SLOWER);
    assert_int_equal(gate_compared("c")->verdict, VERDICT_ACCEPTED);
    assert_string_equal(gate_compared("c")->remark, "missing: gone");
    assert_int_equal(gate_compared("d")->verdict, VERDICT_NOT_GATED);
    assert_string_equal(gate_compared("d")->remark, "ignored: not ours");
    assert_int_equal(gate_compared("e")->verdict, VERDICT_FAILED); /* wrong is wrong */
    assert_int_equal(gate_compared("f")->verdict, VERDICT_ACCEPTED);
    assert_string_equal(gate_compared("f")->remark, "inconclusive: simpler");
    exceptions_free(&exceptions);
}

TEST(a_row_has_its_own_threshold)
{
    gate_add_to_both("a", 1.2);
    gate_add_to_both("b", 1.2);
    read_exceptions("threshold=25 a a library\n");
    compare_exceptions = &exceptions;
    gate_compare();
    assert_true(gate_compared("a")->evidence.limits.threshold == 0.25 &&
                gate_compared("a")->evidence.limits.clear == 0.5);
    assert_true(gate_compared("b")->evidence.limits.threshold == 0.01);
    assert_string_equal(gate_compared("a")->remark, "threshold 25 %: a library");
    gate_decide(RULE_FILES_LEVEL, false);
    assert_int_equal(gate_compared("a")->verdict, VERDICT_CLEARED);
    assert_int_equal(gate_compared("b")->verdict, VERDICT_SLOWER);
    exceptions_free(&exceptions);
}

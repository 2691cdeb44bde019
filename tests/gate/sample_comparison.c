#include "sample_comparison.h"

#include <math.h>
#include <string.h>

const char nasty_text[] = "a|b <c> & \"d\"\x01 `e` _f_ *g*, [h](i) \\| \xff\n]]>'j' caf\xc3\xa9";

static struct comparison comparison;

static struct evidence of(double base_s, double ratio, double low, double high)
{
    return (struct evidence){.base_rounds = 8,
                             .new_rounds = 8,
                             .base_s = base_s,
                             .new_s = base_s * ratio,
                             .ratio = ratio,
                             .interval = {low, high},
                             .tick_s = 5e-10,
                             .limits = {0.01, 0.02},
                             .p_slower = 0.00390625,
                             .p_faster = 0.99609375,
                             .p_clear = 0.0078125,
                             .p_error = 0.00025,
                             .arrangements = 256};
}

static struct compared_row row(const char *name, enum verdict verdict, const char *reason)
{
    return (struct compared_row){.name = name, .verdict = verdict, .is_decided = true, .reason = reason};
}

static struct compared_row timed(const char *name, enum verdict verdict, struct evidence evidence)
{
    struct compared_row timed = row(name, verdict, "");
    timed.has_evidence = true;
    timed.evidence = evidence;
    return timed;
}

static struct compared_row *rows(void)
{
    static struct compared_row rows[SAMPLE_ROWS];
    rows[ROW_NASTY] = row(nasty_text, VERDICT_FAILED, nasty_text);
    rows[ROW_CLEARED] = timed("grayscale/puppy/cuda_1d/cold", VERDICT_CLEARED, of(39.9e-6, 1.0004, 0.9991, 1.0017));
    rows[ROW_FASTER] = timed("grayscale/puppy/cuda_vector/hot", VERDICT_FASTER, of(12e-6, 0.8, 0.791, 0.809));
    rows[ROW_SUSPECTED] = timed("grayscale/thumb/cuda_1d/cold", VERDICT_SUSPECTED, of(4e-6, 1.1, 1.05, 1.15));
    rows[ROW_NOT_GATED] = row("grayscale/thumb/cuda_1d/hot", VERDICT_NOT_GATED, "launch-bound");
    rows[ROW_NEWLY_SKIPPED] = row("matmul/mnist/cublas/cold", VERDICT_NEWLY_SKIPPED, "no \"GPU\"");
    rows[ROW_SLOWER] = timed("matmul/mnist/cuda_tiled/cold", VERDICT_SLOWER, of(326e-6, 1.0512, 1.031, 1.072));
    rows[ROW_SLOWER].confirmed = rows[ROW_SLOWER].slowed = true;
    rows[ROW_ALSO_CLEARED] = timed("matmul/mnist/cuda_tiled/hot", VERDICT_CLEARED, of(0.25, 1, 0.999, 1.001));
    rows[ROW_ALSO_CLEARED].code = CODE_CHANGED;
    rows[ROW_LAYOUT] = timed("matmul/mnist/laid_out/cold", VERDICT_LAYOUT, of(697e-6, 1.5365, 1.529, 1.544));
    rows[ROW_LAYOUT].code = CODE_SAME;
    rows[ROW_MISSING] = row("matmul/mnist/mine/cold", VERDICT_MISSING, "");
    rows[ROW_NEW] = row("matmul/mnist/yours/cold", VERDICT_NEW, "");
    rows[ROW_INCONCLUSIVE] = timed("matmul/mnist-valid5/cuda_tiled/cold", VERDICT_INCONCLUSIVE, of(4e-6, 1.03, 0, 1));
    rows[ROW_INCONCLUSIVE].evidence.interval.high = (double)INFINITY;
    rows[ROW_SKIPPED] = row("odd", VERDICT_SKIPPED, "built without CUDA");
    return rows;
}

const struct compared_row *sample_row(size_t i)
{
    return &rows()[i];
}

struct gate_report sample_report(size_t count)
{
    comparison = (struct comparison){.rows = rows(),
                                     .count = count,
                                     .paired = true,
                                     .base_revision = "0123456789ab",
                                     .new_revision = "",
                                     .device = "Example GPU, <12> GB"};
    struct gate_report report = {
        .base_name = "base_of_all.csv", .new_name = "new|.csv", .method = "8 pairs of rounds in one session"};
    gate_report_conclude(&report, &comparison, RULE_SESSION_LEVEL, gate_status_of(&comparison, false));
    strcpy(report.advice, "run again with more rounds");
    return report;
}

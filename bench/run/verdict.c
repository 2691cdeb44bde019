#include "verdict.h"

#include "bench/measure/arithmetic.h"
#include "bench/report/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double tolerated_excess = 1.02, host_factor = 2;
/* How often a ceiling is measured again before a row counts as impossible: the first time may have been disturbed. */
enum { SECOND_LOOKS = 6 };

static struct floor_question question_of(const struct result *result)
{
    return (struct floor_question){.backend = result->backend,
                                   .mode = mode_find(result->mode, strlen(result->mode)),
                                   .bytes = result->bytes,
                                   .written = result->bytes_written,
                                   .flops = result->flops,
                                   .arithmetic = arithmetic_find(result->arithmetic),
                                   .op = result->op,
                                   .workload = result->workload};
}

static bool is_timed(const struct result *result)
{
    return result->status == STATUS_OK && result->statistics.count > 0;
}

/* The timer cannot explain a median this far below the floor. */
static bool is_too_fast(const struct result *result, const struct mode *mode, double floor_s)
{
    double calls_per_sample = (double)result->iterations / (double)result->statistics.count;
    double blur_s = fmax(2 * result->tick_s / calls_per_sample, mode->resolution_s);
    return floor_s > tolerated_excess * result->statistics.median + blur_s;
}

/* On a device's own clock that is an error. On the host, other work may have disturbed the limit and not the row; but
 * not by half. The host has a part in transfers too, and these have no limit. */
static bool is_impossible(const struct result *result, const struct mode *mode, const struct time_floor *bound)
{
    return is_too_fast(result, mode, result->is_host ? bound->limit_s / host_factor : bound->limit_s);
}

/* Measures a second time what limits the row: reads and copies, or arithmetic. If it is impossible, both. */
static void measure_again(struct ceilings *ceilings, struct floor_question question, const struct time_floor *bound,
                          bool all)
{
    if (!all && arithmetic_find(bound->ceiling))
        question.bytes = NAN;
    else if (!all)
        question.arithmetic = NULL;
    ceilings_measure(ceilings, &question, CEILING_AGAIN);
}

/* Half as many bytes at the first look, a quarter at the next one: a cache may hold these. */
static void measure_fewer_bytes(struct ceilings *ceilings, struct floor_question question, int look)
{
    question.bytes = ldexp(question.bytes, -(look + 1));
    question.arithmetic = NULL;
    ceilings_measure(ceilings, &question, CEILING_AGAIN);
}

void verdict_measure_ceilings(struct ceilings *ceilings, struct result *result)
{
    struct floor_question question = question_of(result);
    result->empty_kernel_s = ceilings_empty_kernel(ceilings, result->backend, question.mode); /* bounds look it up */
    ceilings_measure(ceilings, &question, CEILING_ONCE);
    struct time_floor bound = ceiling_table_floor(&ceilings->table, &question);
    for (int look = 0; look < SECOND_LOOKS && is_too_fast(result, question.mode, bound.seconds); look++) {
        bool impossible = is_impossible(result, question.mode, &bound);
        if (impossible)
            measure_fewer_bytes(ceilings, question, look);
        measure_again(ceilings, question, &bound, impossible);
        bound = ceiling_table_floor(&ceilings->table, &question);
    }
    if (is_impossible(result, question.mode, &bound))
        result->sample_s = NULL;
}

static void fail_too_fast(struct result *result, const struct time_floor *bound)
{
    const double median_s = result->statistics.median;
    result_forget_times(result);
    result->status = STATUS_FAILED;
    snprintf(result->reason, sizeof result->reason,
             "an error in the measurement: %.4g us is less than the %.4g us that the device needs at best (%s)",
             median_s * 1e6, bound->limit_s * 1e6, bound->limit);
}

void verdict_judge(const struct ceiling_table *table, struct result *result)
{
    if (!is_timed(result))
        return;
    struct floor_question question = question_of(result);
    struct time_floor bound = ceiling_table_floor(table, &question);
    bool too_fast = is_too_fast(result, question.mode, bound.seconds);
    if (too_fast)
        conditions_mark(&result->conditions, "over-ceiling");
    else if (bound.seconds > tolerated_excess * result->statistics.median)
        bound = (struct time_floor){NAN, "", NAN, NAN, NAN, ""}; /* too short for the timer */
    result->floor_s = bound.seconds;
    result->floor_bytes_s = bound.bytes_s;
    result->floor_flops_s = bound.flops_s;
    snprintf(result->ceiling, sizeof result->ceiling, "%s", bound.ceiling);
    result_derive(result);
    if (is_impossible(result, question.mode, &bound))
        fail_too_fast(result, &bound);
}

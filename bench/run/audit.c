#include "audit.h"

#include "bench/base/entropy.h"
#include "bench/base/host.h"
#include "bench/base/statistics.h"

#include <math.h>
#include <stdio.h>

/* How often batches are timed: the shortest of each kind counts, or the median of turns. And how often a rung is looked
 * at that seems to keep something: other work may have disturbed the first look. */
enum { TURNS = 3, HOST_TURNS = 9, LOOKS = 10, CALLS_MAX = 24, TURNS_AT_LEAST = 3, SETTLED_SAMPLES = 8, IN_A_ROW = 8 };
/* The first call of a batch is in no hurry, so a batch has that many at least. */
enum { HURRIED_CALLS = 8 };
/* Length of a batch, and a call of which several batches take no time. */
static const double batch_s = 1e-3, short_call_s = 1e-3;
/* A call is long if it takes more than this share of min_time_s, and more than so many seconds. */
static const double long_call = 0.1, long_call_s = 10e-3;
/* As a share of min_time_s: how long a look may take, at least one turn. */
static const double look_at_most = 0.1;

/* How much longer a call on new inputs may take than one on known inputs that were written again, and than a call of
 * the row, for which nothing was written: shares of the row's time, and seconds. The first is noise alone. The second
 * is also where data lie after they were written: on a host in other cores' caches, while threads have gone to sleep.
 */
struct tolerance {
    double longer_share, longer_s;
    double fresh_share, fresh_s;
};
static const struct tolerance on_device = {0.05, 1e-6, 1.5, 5e-6}, on_host = {0.25, 5e-6, 4, 500e-6};
/* How much longer a sample may take that is taken as those of the row were, and for how long we wait for such a one. A
 * host that is shared has slower seconds. On a device only inputs that the caches hold in another state make a
 * difference, which is none in modes that empty them; with transfers, also what the host's caches hold. */
struct more {
    double share, s;
};
static const struct more again_on_host = {1, 0.1e-6}, again_cold = {0.25, 2e-6}, again_warm = {0.5, 5e-6},
                         again_with_transfers = {0.5, 10e-6};
static const double again_within_s = 3, again_at_most_s = 10;
/* Where checking an answer takes long, one batch is enough: its last answer shows a rung that rests. */
static const double hurry_at_least_s = 20e-3;
/* How much longer a call may take because one element has changed before it: a share of one without, and seconds. On a
 * device a kernel of its own changes it, between two launches that would else be close to each other. */
static const struct more touched_on_host = {0.25, 0.2e-6}, touched_on_device = {0.25, 20e-6};

static const char *say(struct audit *audit, const char *what, const char *reason)
{
    snprintf(audit->text, sizeof audit->text, "%s%s", what, reason);
    return audit->text;
}

static bool transfers(const struct audit *audit)
{
    return audit->mode->transfer[0] != '\0';
}

/* Its time says nothing of warm calls. */
static bool is_cold(const struct audit *audit)
{
    return audit->mode->evicts || transfers(audit);
}

static const char *turn(struct audit *audit, uint64_t by)
{
    struct renewal *renewal = audit->context->renewal;
    const char *error = renewal_turn(renewal, by);
    return error || !transfers(audit) ? error : renewal_to_host(renewal);
}

const char *audit_renew(struct audit *audit)
{
    return turn(audit, entropy_bits());
}

const char *audit_end(struct audit *audit)
{
    const char *error = turn(audit, 0);
    return error ? error : audit->context->buffers->backend->finish();
}

const char *audit_answer(struct audit *audit)
{
    const struct host_problem *host_problem = audit->host_problem;
    const struct renewal *renewal = audit->context->renewal;
    struct check check;
    const char *error = buffers_check_guards(audit->context->buffers);
    if (transfers(audit)) /* what the call itself has downloaded: what comes later is too late */
        renewal_turn_back(renewal, host_problem->host);
    else
        error = error ? error : renewal_download(renewal, host_problem->host);
    if (error)
        return error;
    host_problem->op->check(host_problem->reference, audit->context->rung->precision, host_problem->host, &check);
    return check.correct ? NULL : say(audit, "on new inputs: ", check.reason);
}

const char *audit_visit(void *visitor, int64_t iterations)
{
    struct audit *audit = visitor;
    struct sample sample;
    audit->is_visited = true;
    const char *error = audit_renew(audit);
    error = error ? error : audit->mode->take(audit->context, iterations, &sample);
    error = error ? error : audit_answer(audit);
    /* One sample that does not count: the next one must find the caches as all others do. */
    return error ? error : audit->mode->take(audit->context, iterations, &sample);
}

const char *audit_call(struct audit *audit, int64_t iterations)
{
    struct buffers *buffers = audit->context->buffers;
    const struct backend *backend = buffers->backend;
    int64_t before = (int64_t)(entropy_bits() % (uint64_t)iterations);
    const char *error = NULL;
    for (int64_t i = 0; i <= before && !error; i++) {
        if (i == before) {
            error = audit_renew(audit);
            error = error ? error : buffers_poison_outputs(buffers);
        }
        error = error ? error : audit->context->rung->run(buffers->problem, backend->stream());
    }
    const char *failed = backend->finish();
    error = error ? error : failed;
    return error ? error : audit_answer(audit);
}

/* The shortest times of a batch, per call, and for how long work went on after it. And of all turns those in which new
 * inputs took longer: on a host that is busy one batch of many may meet an idle core, and none of the other kind. */
struct batch_times {
    double fresh_s, unchanged_s, alone_s, unfinished_s;
    int turns, longer_turns;
};

static const char *time_batch(struct audit *audit, const struct mode *mode, enum call_start start, int64_t calls,
                              double *least_s, double *unfinished_s)
{
    struct sample sample = {.seconds = NAN, .unfinished_s = NAN};
    audit->context->start = start;
    const char *error = mode_begin(mode, audit->context, calls);
    error = error ? error : mode->take(audit->context, calls, &sample);
    mode_end(mode, audit->context);
    audit->context->start = START_AS_IS;
    *least_s = fmin(*least_s, sample.seconds);
    *unfinished_s = fmin(*unfinished_s, sample.unfinished_s);
    return error;
}

/* On a host that gives us little of its time we wait for longer. */
static bool is_patient(const struct audit *audit, double start_s, double start_cpu_s)
{
    double waited_s = audit->context->now() - start_s;
    bool is_starved = audit->on_host && host_thread_s() - start_cpu_s < again_within_s;
    return waited_s < again_within_s || (is_starved && waited_s < again_at_most_s);
}

const char *audit_again(struct audit *audit, int64_t iterations, double call_s)
{
    struct more more = audit->on_host        ? again_on_host
                       : transfers(audit)    ? again_with_transfers
                       : audit->mode->evicts ? again_cold
                                             : again_warm;
    double again_s = INFINITY, ignored_s = INFINITY;
    const double start_s = audit->context->now(), start_cpu_s = host_thread_s();
    const double enough_s = (1 + more.share) * call_s + more.s;
    for (int i = 0; i < TURNS_AT_LEAST || is_patient(audit, start_s, start_cpu_s); i++) {
        const char *error = NULL;
        /* As soon after one another as those of the row: a rung's threads fall asleep while an answer is checked. */
        for (int j = 0; j < IN_A_ROW && again_s > enough_s && !error; j++) {
            error = audit_renew(audit);
            error = error ? error : time_batch(audit, audit->mode, START_AS_IS, iterations, &again_s, &ignored_s);
        }
        error = error ? error : audit_answer(audit);
        if (error || again_s <= enough_s)
            return error;
    }
    snprintf(audit->text, sizeof audit->text,
             "a call that does its work takes %.3g us, and the row's took %.3g us: it did not do its work",
             again_s * 1e6, call_s * 1e6);
    return audit->text;
}

/* A look: batches in a hurry with changes, and without, in turns. How much longer a call takes, and how much of that is
 * more than a change may cost, are medians: a host that is shared has slower seconds, in which both are longer. */
static const char *look_at_hurry(struct audit *audit, int64_t iterations, double min_time_s, double *longer_s,
                                 double *excess_s)
{
    const double end_s = audit->context->now() + fmax(look_at_most * min_time_s, hurry_at_least_s);
    const struct more more = audit->on_host ? touched_on_host : touched_on_device;
    double longer[HOST_TURNS], excess[HOST_TURNS], ignored_s = INFINITY;
    const char *error = NULL;
    int turns = 0, too_long = 0;
    /* Where most of all turns agree, the others cannot change the median's sign. */
    for (; turns < HOST_TURNS && too_long <= HOST_TURNS / 2 && turns - too_long <= HOST_TURNS / 2 && !error; turns++) {
        if (turns > 0 && !audit->on_host && audit->context->now() >= end_s)
            break;
        double touched_s = INFINITY, as_is_s = INFINITY;
        int64_t calls = iterations > 2 * HURRIED_CALLS ? iterations : 2 * HURRIED_CALLS;
        calls -= (int64_t)(entropy_bits() % (uint64_t)calls) / 2;
        error = audit_renew(audit);
        error = error ? error : renewal_choose(audit->context->renewal);
        error = error ? error : time_batch(audit, audit->mode, START_TOUCHED, calls, &touched_s, &ignored_s);
        error = error ? error : audit_answer(audit);
        error = error ? error : time_batch(audit, audit->mode, START_AS_IS, calls, &as_is_s, &ignored_s);
        longer[turns] = touched_s - as_is_s;
        excess[turns] = longer[turns] - more.share * as_is_s - more.s;
        too_long += excess[turns] > 0;
    }
    *longer_s = error ? NAN : statistics_of(longer, (size_t)turns).median;
    *excess_s = error ? NAN : statistics_of(excess, (size_t)turns).median;
    return error;
}

const char *audit_hurry(struct audit *audit, int64_t iterations, double min_time_s)
{
    double longer_s, excess_s;
    const char *error = NULL;
    for (int i = 0; i < LOOKS && !error; i++) {
        error = look_at_hurry(audit, iterations, min_time_s, &longer_s, &excess_s);
        if (audit->context->rung->backend->simulates || !(excess_s > 0))
            return error;
    }
    if (error)
        return error;
    snprintf(audit->text, sizeof audit->text,
             "a call takes %.3g us longer when one element of its inputs changes: it keeps what it computed",
             longer_s * 1e6);
    return audit->text;
}

/* The rung's own answer to new inputs becomes what START_UNCHANGED writes. */
static const char *answer_anew(struct audit *audit)
{
    const struct buffers *buffers = audit->context->buffers;
    const char *error = renewal_noise(audit->context->renewal, entropy_bits());
    error = error ? error : audit->context->rung->run(buffers->problem, buffers->backend->stream());
    return error ? error : renewal_keep(audit->context->renewal);
}

/* The answer to the last call of a batch on new inputs. */
static const char *spot_check(struct audit *audit)
{
    const struct buffers *buffers = audit->context->buffers;
    struct check check;
    const char *error = buffers_check_guards(buffers);
    error = error ? error : buffers_download(buffers, audit->host_problem->host);
    if (error)
        return error;
    renewal_spot_check(audit->context->renewal, audit->context->rung->precision, audit->host_problem->host, &check);
    return check.correct ? NULL : say(audit, "on new inputs: ", check.reason);
}

static double longer_at_most_s(const struct audit *audit, double call_s)
{
    const struct tolerance *tolerance = audit->on_host ? &on_host : &on_device;
    return tolerance->longer_share * call_s + tolerance->longer_s;
}

/* A turn: known inputs, on a device also what starts a call, and new inputs. */
static const char *take_turn(struct audit *audit, const struct mode *mode, int64_t calls, double call_s,
                             struct batch_times *times)
{
    double unchanged_s = INFINITY, fresh_s = INFINITY, ignored_s = INFINITY;
    const char *error = answer_anew(audit);
    error = error ? error : time_batch(audit, mode, START_UNCHANGED, calls, &unchanged_s, &times->unfinished_s);
    if (!audit->on_host)
        error = error ? error : time_batch(audit, mode, START_ALONE, calls, &times->alone_s, &ignored_s);
    error = error ? error : time_batch(audit, mode, START_NEW, calls, &fresh_s, &times->unfinished_s);
    times->unchanged_s = fmin(times->unchanged_s, unchanged_s);
    times->fresh_s = fmin(times->fresh_s, fresh_s);
    times->turns += 1;
    times->longer_turns += fresh_s - unchanged_s > longer_at_most_s(audit, call_s);
    return error;
}

/* A look: some turns, which may shorten `times`, and the answer to the last call. */
static const char *look(struct audit *audit, const struct mode *mode, int64_t calls, double call_s, double min_time_s,
                        struct batch_times *times)
{
    const double end_s = audit->context->now() + look_at_most * min_time_s;
    const int turns = audit->on_host ? HOST_TURNS : TURNS, at_least = call_s < short_call_s ? TURNS_AT_LEAST : 1;
    const char *error = NULL;
    for (int i = 0; i < turns && !error && (i < at_least || audit->context->now() < end_s); i++)
        error = take_turn(audit, mode, calls, call_s, times);
    return error ? error : spot_check(audit);
}

bool audit_is_long(double call_s, double min_time_s)
{
    return call_s > fmax(long_call * min_time_s, long_call_s);
}

/* Less than that cannot be told from noise, and more can be a host that was busy, in less than half of some samples.
 * After a wait of 0.1 s a host takes longer to look; a share that small is not worth hiding. */
static const double unfinished_at_most_s = 10e-6, unfinished_share = 1e-3;
static const char unfinished[] = "its work goes on after its stream has finished, where no timer sees it";

static bool is_unfinished(double unfinished_s, double sample_s)
{
    return unfinished_s > fmax(unfinished_at_most_s, unfinished_share * sample_s) && !isinf(unfinished_s);
}

const char *audit_finished(struct audit *audit, const struct measurement *measured)
{
    double seconds[SETTLED_SAMPLES];
    struct sample sample = {0};
    const double sample_s = measured->statistics.median * (double)measured->iterations;
    if (!is_unfinished(measured->unfinished_s, sample_s))
        return NULL;
    if (measured->statistics.count >= SETTLED_SAMPLES)
        return unfinished;
    const char *error = mode_begin(audit->mode, audit->context, measured->iterations);
    for (size_t i = 0; i < SETTLED_SAMPLES && !error; i++) {
        error = audit->mode->take(audit->context, measured->iterations, &sample);
        seconds[i] = sample.unfinished_s;
    }
    mode_end(audit->mode, audit->context);
    return error ? error : is_unfinished(statistics_of(seconds, SETTLED_SAMPLES).q1, sample_s) ? unfinished : NULL;
}

/* Whether a rung's time for inputs that it knows says nothing of its time for new ones. */
static const char *judge(struct audit *audit, const struct batch_times *times, int64_t calls, double call_s)
{
    const struct tolerance *tolerance = audit->on_host ? &on_host : &on_device;
    double longer_s = times->fresh_s - times->unchanged_s, fresh_s = times->fresh_s - times->alone_s;
    if (is_unfinished(times->unfinished_s, (double)calls * call_s))
        return unfinished;
    if (longer_s > longer_at_most_s(audit, call_s) && 2 * times->longer_turns > times->turns)
        snprintf(audit->text, sizeof audit->text,
                 "a call takes %.3g us longer when its inputs change: it keeps what it computed for earlier ones",
                 longer_s * 1e6);
    else if (!is_cold(audit) && fresh_s > tolerance->fresh_share * call_s + tolerance->fresh_s)
        snprintf(audit->text, sizeof audit->text,
                 "a call takes %.3g us when its inputs change, and %.3g us while it was timed: it does not do its work",
                 fresh_s * 1e6, call_s * 1e6);
    else
        return NULL;
    return audit->text;
}

const char *audit_time(struct audit *audit, double call_s, double min_time_s)
{
    const struct mode *mode = is_cold(audit) ? &mode_hot : audit->mode;
    int64_t calls = audit->on_host ? 1 : (int64_t)fmax(1, fmin(CALLS_MAX, batch_s / call_s));
    struct batch_times times = {INFINITY, INFINITY, audit->on_host ? 0 : INFINITY, INFINITY, 0, 0};
    const char *verdict = "";
    for (int i = 0; i < LOOKS && verdict; i++) {
        const char *error = look(audit, mode, calls, call_s, min_time_s, &times);
        if (error)
            return error;
        verdict = judge(audit, &times, calls, call_s);
    }
    return verdict;
}

#include "question.h"

#include "bench/base/host.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* How long the judge may compute what is right, per sample; and about how long it takes per element of an input. */
static const double checking_s = 1e-3, reading_s = 10e-9;
enum { DRAWN_MAX = 1024, EMPTY_CALLS_LEAST = 10, EMPTY_CALLS_MOST = 30, SECOND_LOOK_CALLS = 40 };
static const double empty_calls_s = 0.03; /* of each length */
/* How much more than an empty call the time that only the judge sees may be: a part of it, and something. */
static const double hidden_share = 0.25, hidden_s = 20e-6;
static const int64_t empty_ns[EMPTY_LENGTHS] = {BACKEND_NO_SPIN, 50000, 500000};
/* From so much on, that is no wake-up of a thread: the row fails. */
static const double accused_s = 200e-6;
/* What part of the samples' time its threads may have worked before its calls, when they knew the questions. */
static const double ahead_share = 0.05;

/* An element of an answer, copied as soon as the answer was there. */
struct drawn {
    size_t output;
    int64_t element;
    double value;
};

/* The last calls, on both clocks. */
struct calls {
    size_t count;
    double stamp_s[STOPPING_MAX_SAMPLES], told_s[STOPPING_MAX_SAMPLES];
    double ran_s[STOPPING_MAX_SAMPLES]; /* the stamp less the time when judge or player had work and no processor */
};

struct asking {
    struct mode_context context; /* measure_row() passes it on */
    const struct questions *questions;
    const struct rung *rung; /* NULL: empty calls, */
    int64_t spin_ns;         /* which take so long */
    size_t count;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX];
    struct answered *answered;
    enum outcome outcome;
    struct calls *calls;
    uint64_t seed;            /* of the last sample */
    double spent_s;           /* of it, with all that belongs to it */
    double called_s, ahead_s; /* of all samples */
    struct {
        double squares; /* of errors, in units of roundoff times scale */
        int64_t count;
    } errors[2]; /* of few large terms, and of sums that are dense */
    bool has_looked;
};

/* How many elements are looked at now: as many as the time allows, and where one takes longer than that, one in some
 * samples. */
static size_t count_of_draws(const struct asking *asking)
{
    const struct op *op = asking->questions->rung->op;
    const double cost_s = reading_s * op_element_reads(op, asking->questions->workload);
    const double share = (checking_s + asking->spent_s) / cost_s;
    if (cost_s > checking_s)
        return (double)(entropy_bits() >> 11) * 0x1p-53 < share ? 1 : 0;
    return (size_t)fmin(DRAWN_MAX, checking_s / cost_s);
}

/* Of all outputs alike, those of each one after the other. */
static void draw(const struct asking *asking, size_t wanted, struct drawn drawn[DRAWN_MAX])
{
    const size_t first = op_output(asking->questions->rung->op), outputs = asking->count - first;
    const size_t start = entropy_bits() % outputs;
    for (size_t n = 0; n < wanted; n++) {
        const size_t output = first + (start + n * outputs / wanted) % outputs;
        const enum element_type type = asking->specs[output].type;
        const uint64_t elements = asking->specs[output].bytes / element_bytes(type);
        const int64_t element = (int64_t)(entropy_bits() % elements);
        drawn[n] = (struct drawn){output, element, element_result(type, asking->host[output], element)};
    }
}

static void note_error(struct asking *asking, const struct exact *exact, double error)
{
    struct check *check = &asking->answered->check;
    if (!(error <= check->max_abs_err)) {
        check->max_abs_err = error;
        check->err_bound = exact->bound;
    }
    if (!(exact->scale > 0))
        return;
    double units = error / (precision_unit(asking->questions->rung->precision) * exact->scale);
    asking->errors[exact->is_dense].squares += units * units;
    asking->errors[exact->is_dense].count++;
}

static const char *look(struct asking *asking, const struct made made[], const struct drawn *drawn)
{
    const struct questions *questions = asking->questions;
    struct check *check = &asking->answered->check;
    struct exact exact;
    double error;
    if (!op_element(questions->rung->op, questions->workload, made, drawn->output, drawn->element,
                    questions->rung->precision, &exact))
        return "no memory to check it";
    bool right = exact_is_met(&exact, drawn->value, &error);
    note_error(asking, &exact, error);
    if (right)
        return NULL;
    snprintf(check->reason, sizeof check->reason,
             "wrong answer to a new question: element %" PRId64 " of %s is %.9g, expected %.9g within %.3g",
             drawn->element, questions->rung->op->args[drawn->output].name, drawn->value, exact.value, exact.bound);
    return check->reason;
}

/* At so many elements of the last sample's answer. */
static const char *look_at_answer(struct asking *asking, size_t count)
{
    const struct questions *questions = asking->questions;
    const struct input_source source = {.seed = asking->seed, .real = questions->real, .asks = true};
    static struct drawn drawn[DRAWN_MAX];
    struct made made[OP_BUFFERS_MAX] = {0};
    const char *wrong = NULL;
    draw(asking, count, drawn);
    asking->has_looked = asking->has_looked || count > 0;
    if (count == 0 && asking->answered->note.text[0] != '\0')
        return NULL;
    op_made(questions->rung->op, questions->workload, &source, made, &asking->answered->note);
    for (size_t i = 0; i < count && !wrong; i++)
        wrong = look(asking, made, &drawn[i]);
    if (wrong)
        asking->outcome = OUTCOME_FAILED;
    return wrong;
}

static const char *give_up(struct asking *asking, enum outcome outcome, const char *why)
{
    asking->outcome = outcome;
    verify_give_up(&asking->answered->check, "", why);
    return asking->answered->check.reason;
}

/* Python takes long to queue a kernel, for which a device is held. Its process says how long, and could say anything:
 * it is trusted as far as that (docs/python.md). */
static double queueing_s(const struct rung *rung, const struct reply *reply)
{
    return rung && rung->is_hosted && rung->backend->backend->hold ? reply->cpu_s : 0;
}

static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    struct asking *asking = (struct asking *)context; // NOLINT: it is the first member
    const struct questions *questions = asking->questions;
    struct calls *calls = asking->calls;
    struct ask question = {.kind = ASK_QUESTION, .seed = asking->seed = entropy_bits()},
               go = {.kind = ASK_GO, .spin_ns = asking->spin_ns};
    struct reply reply;
    (void)iterations; /* always 1 */
    const double began_s = questions->clock.now();
    go.backend = question.backend = (int)(questions->rung->backend - questions->link->registry->backends);
    enum outcome outcome = link_ask(questions->link, NULL, &question, &reply);
    if (outcome != OUTCOME_DONE)
        return give_up(asking, outcome, questions->link->board->text);
    const double waited_s = link_waited_s(questions->link), stamp_s = questions->clock.now();
    outcome = link_ask(questions->link, asking->rung, &go, &reply);
    const double stamped_s = questions->clock.now() - stamp_s;
    if (outcome != OUTCOME_DONE)
        return give_up(asking, outcome, questions->link->board->text);
    const size_t at = calls->count++ % STOPPING_MAX_SAMPLES;
    calls->stamp_s[at] = stamped_s - queueing_s(asking->rung, &reply);
    calls->told_s[at] = reply.seconds;
    calls->ran_s[at] = calls->stamp_s[at] - (link_waited_s(questions->link) - waited_s);
    const char *wrong = asking->rung ? look_at_answer(asking, count_of_draws(asking)) : NULL;
    if (asking->rung && questions->link->board->runs_as[0] != '\0')
        snprintf(asking->answered->runs_as, sizeof asking->answered->runs_as, "%.63s", questions->link->board->runs_as);
    if (!wrong && !(reply.seconds >= 0))
        wrong = give_up(asking, OUTCOME_FAILED, "gave no time");
    asking->spent_s = questions->clock.now() - began_s;
    asking->called_s += reply.seconds;
    asking->ahead_s += reply.ahead_s;
    *sample = (struct sample){reply.seconds, NAN, NAN, NAN, false, reply.cpu_s};
    return wrong;
}

static const struct mode asked = {.name = "cold", .transfer = "", .max_iterations = 1, .take = take};

static double median_told(const struct calls *calls)
{
    static double sorted[STOPPING_MAX_SAMPLES];
    size_t count = calls->count < STOPPING_MAX_SAMPLES ? calls->count : STOPPING_MAX_SAMPLES;
    return statistics_median(calls->told_s, count, sorted);
}

/* What the stamps show beyond what was told, at its least: any call may have been disturbed. Only the calls count by
 * which the median is as short as it is, or one true answer among many would clear them all. */
static double hidden_of(const struct calls *calls, const double *stamp_s, double told_s)
{
    double least_s = INFINITY;
    for (size_t i = 0; i < calls->count && i < STOPPING_MAX_SAMPLES; i++)
        if (calls->told_s[i] <= told_s)
            least_s = fmin(least_s, stamp_s[i] - calls->told_s[i]);
    return least_s;
}

/* Of an empty call that is not longer. */
static double usually_hidden_s(const struct asking *asking, double told_s)
{
    int length = EMPTY_LENGTHS - 1;
    while (length > 0 && told_s < (double)empty_ns[length] * 1e-9)
        length--;
    return asking->questions->empty.hidden_s[length];
}

/* After a call caches are cold: as much more. Short calls have little of it, or a lie would earn its own allowance. */
static double cold_s(double told_s)
{
    return fmax(fmin(0.25 * told_s, 20e-6), 0.05 * told_s);
}

static double excess_s(const struct asking *asking, const double *stamp_s, double told_s)
{
    return hidden_of(asking->calls, stamp_s, told_s) - (1 + hidden_share) * usually_hidden_s(asking, told_s) -
           hidden_s - cold_s(told_s);
}

static void forget_calls(struct asking *asking)
{
    asking->calls->count = 0;
    asking->called_s = asking->ahead_s = 0;
}

/* At least so many times, and at most so many within so many seconds. */
static const char *call_often(struct asking *asking, size_t least, size_t most, double within_s)
{
    const double end_s = asking->questions->clock.now() + within_s;
    struct sample sample;
    const char *error = NULL;
    const size_t *count = &asking->calls->count;
    forget_calls(asking);
    while (!error && (*count < least || (*count < most && asking->questions->clock.now() < end_s)))
        error = take(&asking->context, 1, &sample);
    return error;
}

/* An excess is looked at again before it counts. */
static void compare_clocks(struct asking *asking)
{
    const struct calls *calls = asking->calls;
    const double told_s = asking->answered->measurement.statistics.median;
    const double seen_s = excess_s(asking, calls->stamp_s, told_s), ran_s = excess_s(asking, calls->ran_s, told_s);
    if (!(seen_s > 0) || call_often(asking, SECOND_LOOK_CALLS, 0, 0))
        return;
    const double told_again_s = median_told(calls);
    if (!(excess_s(asking, calls->stamp_s, told_again_s) > 0))
        return;
    if (!(fmin(ran_s, excess_s(asking, calls->ran_s, told_again_s)) >= accused_s) ||
        isnan(link_waited_s(asking->questions->link)) || asking->questions->empty.is_device_shared) {
        asking->answered->is_clock_unclear = true; /* it may be the machine */
        return;
    }
    char why[192];
    snprintf(why, sizeof why, "it takes %.4g us more than the player says, and an empty call %.4g us",
             hidden_of(calls, calls->stamp_s, told_again_s) * 1e6, usually_hidden_s(asking, told_again_s) * 1e6);
    verify_fail(&asking->answered->check, "its time is not what the judge's clock sees: ", why);
    asking->outcome = OUTCOME_FAILED;
}

static void find_work_ahead(struct asking *asking)
{
    const double usual_s = (1 + hidden_share) * asking->questions->empty.ahead_s * (double)asking->calls->count;
    if (!(asking->ahead_s <= usual_s + ahead_share * asking->called_s))
        asking->answered->is_clock_unclear = true;
}

static void check_precision(struct asking *asking)
{
    const struct questions *questions = asking->questions;
    const struct op *op = questions->rung->op;
    struct check *check = &asking->answered->check;
    for (int dense = 0; dense < 2; dense++) {
        const int64_t count = asking->errors[dense].count;
        const double rms = sqrt(asking->errors[dense].squares / (double)count);
        const double limit = op_rms_limit(op, questions->workload, questions->rung->precision, count, dense == 1);
        if (count == 0 || isinf(limit))
            continue;
        check->rms_err = fmax(check->rms_err, rms);
        if (rms <= limit)
            continue;
        char why[160];
        snprintf(why, sizeof why, "the RMS error is %.3g units of roundoff, expected at most %.3g", rms, limit);
        verify_fail(check, "imprecise answers to new questions: ", why);
        asking->outcome = OUTCOME_FAILED;
    }
}

/* False: there is no place for it, and `answered` says why. */
static bool begin(struct asking *asking, const struct questions *questions, struct answered *answered)
{
    static struct calls calls;
    struct link *link = questions->link;
    const struct rung *rung = questions->rung;
    struct ask ask = {.kind = ASK_PLACE, .workload = *questions->workload, .on_board = true};
    struct reply reply;
    *answered = (struct answered){.check = {.correct = true, .err_bound = NAN, .rms_err = NAN}};
    *asking = (struct asking){
        .context = {.now = questions->clock.now}, .questions = questions, .answered = answered, .calls = &calls};
    forget_calls(asking);
    if (!board_make_room(link->board, rung->op, questions->workload))
        (void)give_up(asking, OUTCOME_GAVE_UP, "no memory for its answers");
    else if ((asking->outcome = link_ask(link, rung, &ask, &reply)) != OUTCOME_DONE)
        (void)give_up(asking, asking->outcome, link->board->text);
    else
        asking->count = board_place(link->board, rung->op, questions->workload, asking->specs, asking->host);
    return asking->outcome == OUTCOME_DONE;
}

/* Another process's work comes between the calls. */
static bool is_device_shared(const struct questions *questions)
{
    struct ask ask = {.kind = ASK_STATE};
    struct reply reply;
    return link_ask(questions->link, questions->rung, &ask, &reply) == OUTCOME_DONE &&
           questions->link->board->before.other_processes > 0;
}

struct empty_calls questions_time_empty_calls(const struct questions *questions)
{
    struct asking asking;
    struct answered answered;
    struct empty_calls empty = {.ahead_s = NAN};
    bool ok = begin(&asking, questions, &answered);
    for (int length = 0; length < EMPTY_LENGTHS; length++) {
        asking.spin_ns = empty_ns[length];
        ok = ok && !call_often(&asking, EMPTY_CALLS_LEAST, EMPTY_CALLS_MOST, empty_calls_s);
        empty.hidden_s[length] = ok ? hidden_of(asking.calls, asking.calls->stamp_s, median_told(asking.calls)) : NAN;
    }
    if (ok)
        empty.ahead_s = fmax(0, asking.ahead_s / (double)asking.calls->count);
    empty.is_device_shared = ok && is_device_shared(questions);
    return empty;
}

/* A library loads its code in its first call, which cannot be behind a hold. A kernel of the user's own was verified.
 */
static bool call_unheld(const struct questions *questions)
{
    struct ask ask = {.kind = ASK_CALL, .call = CALL_FRESH};
    struct reply reply;
    return questions->rung->load || !questions->rung->backend->separate_memory ||
           link_ask(questions->link, questions->rung, &ask, &reply) == OUTCOME_DONE;
}

/* The row's samples, and what they show. Returns NULL, or why it came to an end. */
static const char *ask_often(struct asking *asking)
{
    const struct questions *questions = asking->questions;
    struct measure_settings settings = questions->settings;
    settings.tick_s = devices_find(&questions->link->devices, questions->rung->backend)->info.tick_s;
    if (!call_unheld(questions))
        return give_up(asking, OUTCOME_GAVE_UP, questions->link->board->text);
    asking->rung = questions->rung;
    const char *error = call_often(asking, 1, 0, 0); /* what it makes in its first call is not timed */
    if (error)
        return error;
    forget_calls(asking);
    error = measure_row(&asked, &asking->context, &settings, &asking->answered->measurement);
    if (!error && !asking->has_looked)
        error = look_at_answer(asking, 1);
    return error;
}

enum outcome questions_ask(const struct questions *questions, struct answered *answered)
{
    struct asking asking;
    if (!begin(&asking, questions, answered))
        return asking.outcome;
    const char *error = ask_often(&asking);
    if (!error && questions->rung->load) {
        find_work_ahead(&asking);
        compare_clocks(&asking);
    }
    if (!error && asking.outcome == OUTCOME_DONE)
        check_precision(&asking);
    if (error && asking.outcome == OUTCOME_DONE)
        (void)give_up(&asking, OUTCOME_GAVE_UP, error);
    answered->check.correct = asking.outcome == OUTCOME_DONE;
    return asking.outcome;
}

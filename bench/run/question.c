#include "question.h"

#include "bench/base/entropy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How long the judge may compute what is right, per sample; and about how long it takes per element of an input. */
static const double checking_s = 1e-3, reading_s = 10e-9;
enum { DRAWN_MAX = 1024, EMPTY_CALLS = 10, CLOCK_LOOKS = 5 };
/* How much more than an empty call the time that only the judge sees may be. */
static const double hidden_share = 0.25, hidden_s = 20e-6;
/* From so much on, that is no wake-up of a thread: the row fails. */
static const double accused_s = 200e-6;
/* What part of the samples' time its threads may have worked before its calls, when they knew the questions. */
static const double ahead_share = 0.05;

/* An element of an answer, copied as soon as the answer was there. */
struct drawn {
    size_t buffer;
    int64_t element;
    double value;
};

/* What only the judge's clock sees of a call, and how long of that judge or player had work and no processor. */
struct hidden {
    double seconds, waited_s;
};

/* An asking in progress. */
struct asking {
    struct mode_context context; /* measure_row() passes it on */
    const struct questions *questions;
    const struct rung *rung; /* NULL: empty calls */
    size_t count;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX];
    struct answered *answered;
    enum outcome outcome;
    struct hidden least;      /* of the samples so far */
    double spent_s;           /* of the last sample, with all that belongs to it */
    double called_s, ahead_s; /* of all samples */
    double squares;           /* of errors, in units of roundoff times scale */
    int64_t checked;
};

static double unit_of(enum precision precision)
{
    return precision == PRECISION_TF32 ? 0x1p-11 : 0x1p-24;
}

static double value_at(const struct asking *asking, size_t buffer, int64_t element)
{
    const void *from = asking->host[buffer];
    return asking->questions->rung->op->element_bytes == 1 ? (double)((const unsigned char *)from)[element]
                                                           : (double)((const float *)from)[element];
}

/* How many elements are looked at now: as many as the time allows, and where one takes longer than that, one in some
 * samples. */
static size_t count_of_draws(const struct asking *asking)
{
    const struct op *op = asking->questions->rung->op;
    const double cost_s = reading_s * op->element_reads(asking->questions->workload);
    const double share = (checking_s + asking->spent_s) / cost_s;
    if (cost_s > checking_s)
        return (double)(entropy_bits() >> 11) * 0x1p-53 < share ? 1 : 0;
    return (size_t)fmin(DRAWN_MAX, checking_s / cost_s);
}

static size_t draw(const struct asking *asking, struct drawn drawn[DRAWN_MAX])
{
    const size_t element_bytes = asking->questions->rung->op->element_bytes, wanted = count_of_draws(asking);
    size_t bytes = 0;
    for (size_t i = 0; i < asking->count; i++)
        bytes += asking->specs[i].is_output ? asking->specs[i].bytes : 0;
    for (size_t n = 0; n < wanted; n++) {
        size_t at = (size_t)(entropy_bits() % (bytes / element_bytes)) * element_bytes, i = 0;
        while (!asking->specs[i].is_output || at >= asking->specs[i].bytes) {
            at -= asking->specs[i].is_output ? asking->specs[i].bytes : 0;
            i++;
        }
        drawn[n] = (struct drawn){i, (int64_t)(at / element_bytes), 0};
        drawn[n].value = value_at(asking, i, drawn[n].element);
    }
    return wanted;
}

static bool is_right(const struct exact *exact, double value, double *error)
{
    if (isnan(exact->value) || isinf(exact->value)) {
        *error = 0;
        return isnan(exact->value) ? isnan(value) : exact->value == value;
    }
    *error = fabs(value - exact->value);
    return *error <= exact->bound; /* NAN: false */
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
    double units = error / (unit_of(asking->questions->rung->precision) * exact->scale);
    asking->squares += units * units;
    asking->checked++;
}

/* Returns NULL, or what is wrong. */
static const char *look(struct asking *asking, const struct made made[], const struct drawn *drawn)
{
    const struct questions *questions = asking->questions;
    struct check *check = &asking->answered->check;
    struct exact exact;
    double error;
    if (!questions->rung->op->element(questions->workload, made, drawn->buffer, drawn->element,
                                      questions->rung->precision, &exact))
        return "no memory to check it";
    bool right = is_right(&exact, drawn->value, &error);
    note_error(asking, &exact, error);
    if (right)
        return NULL;
    snprintf(check->reason, sizeof check->reason,
             "wrong answer to a new question: element %" PRId64 " of buffer %zu is %.9g, expected %.9g within %.3g",
             drawn->element, drawn->buffer, drawn->value, exact.value, exact.bound);
    return check->reason;
}

static const char *look_at_answer(struct asking *asking, uint64_t seed)
{
    const struct questions *questions = asking->questions;
    const struct input_source source = {.seed = seed, .mnist = questions->mnist};
    static struct drawn drawn[DRAWN_MAX];
    struct made made[OP_BUFFERS_MAX] = {0};
    const char *wrong = NULL;
    size_t count = draw(asking, drawn);
    questions->rung->op->question(questions->workload, &source, made, &asking->answered->note);
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

/* One question, as a sample. */
static const char *take(const struct mode_context *context, int64_t iterations, struct sample *sample)
{
    struct asking *asking = (struct asking *)context; // NOLINT: it is the first member
    const struct questions *questions = asking->questions;
    struct ask question = {.kind = ASK_QUESTION, .seed = entropy_bits()}, go = {.kind = ASK_GO};
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
    const char *wrong = asking->rung ? look_at_answer(asking, question.seed) : NULL;
    if (asking->rung && questions->link->board->runs_as[0] != '\0')
        snprintf(asking->answered->runs_as, sizeof asking->answered->runs_as, "%.63s", questions->link->board->runs_as);
    if (!wrong && !(reply.seconds >= 0))
        wrong = give_up(asking, OUTCOME_FAILED, "gave no time");
    if (stamped_s - reply.seconds < asking->least.seconds)
        asking->least = (struct hidden){stamped_s - reply.seconds, link_waited_s(questions->link) - waited_s};
    asking->spent_s = questions->clock.now() - began_s;
    if (asking->rung) {
        asking->called_s += reply.seconds;
        asking->ahead_s += reply.ahead_s;
    }
    *sample = (struct sample){reply.seconds, NAN, NAN, NAN, false};
    return wrong;
}

static const struct mode asked = {.name = "cold", .transfer = "", .max_iterations = 1, .take = take};

/* The least that only the judge's clock sees, of some calls. */
static struct hidden look_at_clocks(struct asking *asking, const struct rung *rung)
{
    struct sample sample;
    const char *error = NULL;
    asking->rung = rung;
    asking->least.seconds = INFINITY;
    for (int i = 0; i < EMPTY_CALLS && !error; i++)
        error = take(&asking->context, 1, &sample);
    return asking->least;
}

/* How much more it is than of an empty call. */
static double excess_s(const struct hidden *row, const struct hidden *empty)
{
    return row->seconds - (1 + hidden_share) * empty->seconds - hidden_s;
}

/* An excess is looked at several times before it counts. */
static void compare_clocks(struct asking *asking, struct hidden empty)
{
    struct hidden row = asking->least, more;
    for (int look = 1; look < CLOCK_LOOKS && excess_s(&row, &empty) > 0 && asking->outcome == OUTCOME_DONE; look++) {
        more = look_at_clocks(asking, NULL);
        empty = more.seconds < empty.seconds ? more : empty;
        more = look_at_clocks(asking, asking->questions->rung);
        row = more.seconds < row.seconds ? more : row;
    }
    if (asking->outcome != OUTCOME_DONE || !(excess_s(&row, &empty) > 0))
        return;
    if (excess_s(&row, &empty) < accused_s || !link_waits_are_known(asking->questions->link) ||
        row.waited_s >= excess_s(&row, &empty)) {
        asking->answered->is_clock_unclear = true; /* it may be the machine */
        return;
    }
    char why[192];
    snprintf(why, sizeof why, "it takes %.4g us more than the player says, and an empty call %.4g us",
             row.seconds * 1e6, empty.seconds * 1e6);
    verify_fail(&asking->answered->check, "its time is not what the judge's clock sees: ", why);
    asking->outcome = OUTCOME_FAILED;
}

static void check_precision(struct asking *asking)
{
    const struct questions *questions = asking->questions;
    const struct op *op = questions->rung->op;
    struct check *check = &asking->answered->check;
    if (asking->checked == 0 || !op->rms_limit)
        return;
    check->rms_err = sqrt(asking->squares / (double)asking->checked);
    double limit = op->rms_limit(questions->workload, questions->rung->precision, asking->checked);
    if (check->rms_err <= limit)
        return;
    char why[160];
    snprintf(why, sizeof why, "the RMS error is %.3g units of roundoff, expected at most %.3g", check->rms_err, limit);
    verify_fail(check, "imprecise answers to new questions: ", why);
    asking->outcome = OUTCOME_FAILED;
}

static enum outcome place(const struct questions *questions, struct check *check)
{
    struct ask ask = {.kind = ASK_PLACE, .workload = *questions->workload, .on_board = true};
    struct reply reply;
    struct link *link = questions->link;
    if (!board_make_room(link->board, link->board_fd, questions->rung->op, questions->workload)) {
        verify_give_up(check, "no memory for its answers", "");
        return OUTCOME_GAVE_UP;
    }
    enum outcome outcome = link_ask(link, questions->rung, &ask, &reply);
    if (outcome != OUTCOME_DONE)
        verify_give_up(check, "", link->board->text);
    return outcome;
}

enum outcome questions_ask(const struct questions *questions, struct answered *answered)
{
    *answered = (struct answered){.check = {.correct = true, .err_bound = NAN, .rms_err = NAN}};
    struct asking asking = {.context = {.now = questions->clock.now}, .questions = questions, .answered = answered};
    const struct measure_settings settings = {
        .min_time_s = questions->min_time_s,
        .interval_s = questions->interval_s,
        .tick_s = devices_find(&questions->link->devices, questions->rung->backend)->info.tick_s,
        .interrupted = questions->clock.interrupted};
    asking.outcome = place(questions, &answered->check);
    if (asking.outcome != OUTCOME_DONE)
        return asking.outcome;
    asking.count =
        board_place(questions->link->board, questions->rung->op, questions->workload, asking.specs, asking.host);
    struct hidden empty = look_at_clocks(&asking, NULL);
    struct sample first; /* what it makes in its first call is not timed */
    asking.rung = questions->rung;
    const char *error = asking.outcome == OUTCOME_DONE ? take(&asking.context, 1, &first) : "";
    asking.least.seconds = INFINITY;
    error = error ? error : measure_row(&asked, &asking.context, &settings, &answered->measurement);
    if (!error)
        compare_clocks(&asking, empty);
    if (asking.ahead_s > ahead_share * asking.called_s)
        answered->is_clock_unclear = true;
    if (!error && asking.outcome == OUTCOME_DONE)
        check_precision(&asking);
    if (error && asking.outcome == OUTCOME_DONE)
        (void)give_up(&asking, OUTCOME_GAVE_UP, error);
    answered->check.correct = asking.outcome == OUTCOME_DONE;
    return asking.outcome;
}

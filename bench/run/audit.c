#include "audit.h"

#include "bench/base/entropy.h"

#include <math.h>
#include <stdio.h>

enum { PAIRS = 3, LOOKS = 3, CALLS_MAX = 24 };
/* Length of a batch. */
static const double batch_s = 1e-3;
/* As a share of min_time_s. */
static const double long_call = 0.1;
/* How much longer calls on new inputs may take, as a share of the row's time and in seconds: nothing but noise, which
 * is larger where other work shares the clock. */
static const double device_share = 0.05, device_s = 1e-6, host_share = 0.25, host_s = 5e-6;

static const char *say(struct audit *audit, const char *what, const char *reason)
{
    snprintf(audit->text, sizeof audit->text, "%s%s", what, reason);
    return audit->text;
}

static bool transfers(const struct audit *audit)
{
    return audit->mode->transfer[0] != '\0';
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
    struct check check;
    const char *error = buffers_check_guards(audit->context->buffers);
    error = error ? error : buffers_download(audit->context->buffers, host_problem->host);
    if (error)
        return error;
    if (!renewal_turn_back(audit->context->renewal, host_problem->host))
        return "no memory to check its answer";
    host_problem->op->check(host_problem->reference, audit->context->rung->precision, host_problem->host, &check);
    return check.correct ? NULL : say(audit, "on new inputs: ", check.reason);
}

const char *audit_visit(void *visitor, int64_t iterations)
{
    struct audit *audit = visitor;
    struct sample sample;
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

/* The time per call of a batch; afterwards its last answer is checked. */
static const char *time_batch(struct audit *audit, enum call_start start, int64_t calls, double *least_s)
{
    struct sample sample = {.seconds = NAN};
    audit->context->start = start;
    const char *error = mode_begin(audit->mode, audit->context, calls);
    error = error ? error : audit->mode->take(audit->context, calls, &sample);
    mode_end(audit->mode, audit->context);
    audit->context->start = START_AS_IS;
    *least_s = fmin(*least_s, sample.seconds);
    return error;
}

/* The rung's own answer to new inputs, which START_UNCHANGED is to write. */
static const char *answer_anew(struct audit *audit)
{
    const struct buffers *buffers = audit->context->buffers;
    const char *error = audit_renew(audit);
    return error ? error : audit->context->rung->run(buffers->problem, buffers->backend->stream());
}

/* How much longer a call takes on new inputs. */
static const char *compare(struct audit *audit, int64_t calls, int pairs, double *longer_s)
{
    double new_s = INFINITY, unchanged_s = INFINITY;
    const char *error = NULL;
    for (int i = 0; i < pairs && !error; i++) {
        error = i == 0 ? NULL : answer_anew(audit);
        error = error ? error : renewal_keep(audit->context->renewal);
        error = error ? error : time_batch(audit, START_UNCHANGED, calls, &unchanged_s);
        error = error ? error : time_batch(audit, START_NEW, calls, &new_s);
    }
    *longer_s = new_s - unchanged_s;
    return error ? error : audit_answer(audit);
}

bool audit_is_long(double call_s, double min_time_s)
{
    return call_s > long_call * min_time_s;
}

const char *audit_time(struct audit *audit, double call_s, double min_time_s)
{
    if (audit->mode->evicts || transfers(audit))
        return NULL;
    double allowed_s = audit->on_host ? host_share * call_s + host_s : device_share * call_s + device_s;
    int64_t calls = (int64_t)fmax(1, fmin(CALLS_MAX, batch_s / call_s));
    int pairs = audit_is_long(call_s, min_time_s) ? 1 : PAIRS;
    double longer_s = INFINITY;
    for (int look = 0; look < LOOKS && longer_s > allowed_s; look++) {
        double now_longer_s;
        const char *error = compare(audit, calls, pairs, &now_longer_s);
        if (error)
            return error;
        longer_s = fmin(longer_s, now_longer_s);
    }
    if (longer_s <= allowed_s)
        return NULL;
    snprintf(audit->text, sizeof audit->text,
             "a call takes %.3g us longer when its inputs change: it keeps what it computed for earlier ones",
             longer_s * 1e6);
    return audit->text;
}

#include "ceiling_table.h"

#include "bench/base/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading fewer bytes than BYTES_MIN would measure the cost of a call, not of memory. */
enum { BYTES_GRANULARITY = 32, BYTES_MIN = 4096 };
static const double least_operations = 1e7;
/* Arithmetic that ends sooner says nothing of the rate: ticks of the timer, and the launch, are too large a part. */
static const double long_enough_s = 1e-4;
/* A row is compared with copies if it writes at least this part of its bytes. */
static const double written_by_copies = 0.25;

static bool transfers(const struct floor_question *question)
{
    return question->mode->transfer[0] != '\0';
}

bool ceiling_is_arithmetic(int kind)
{
    return kind == CEILING_FMA || kind == CEILING_TF32 || kind == CEILING_FP16;
}

/* The same work has the same entry, whatever else the rows are. */
bool ceiling_needed(const struct floor_question *question, int kind, struct ceiling *needed)
{
    const char *mode = question->mode->name;
    *needed = (struct ceiling){.kind = kind, .seconds = NAN};
    switch (kind) {
    case CEILING_TRANSFER:
        if (!transfers(question))
            return false;
        mode = mode_e2e.name;
        snprintf(needed->workload, sizeof needed->workload, "%s/%s", question->op, question->workload);
        break;
    case CEILING_FMA:
    case CEILING_TF32:
    case CEILING_FP16:
        if (transfers(question) || !question->arithmetic || !(question->flops > 0) ||
            (question->arithmetic->kind != CEILING_ANY && kind != question->arithmetic->kind))
            return false;
        mode = mode_hot.name;
        needed->amount = least_operations;
        break;
    default:
        if (transfers(question) || !(question->bytes >= BYTES_MIN))
            return false;
        needed->amount = floor(question->bytes / BYTES_GRANULARITY) * BYTES_GRANULARITY;
    }
    snprintf(needed->backend, sizeof needed->backend, "%s", question->backend);
    snprintf(needed->mode, sizeof needed->mode, "%s", mode);
    return true;
}

struct ceiling *ceiling_table_find(const struct ceiling_table *table, const struct ceiling *like)
{
    for (size_t i = 0; i < table->count; i++) {
        struct ceiling *item = &table->items[i];
        if (item->kind == like->kind && item->amount == like->amount && strcmp(item->backend, like->backend) == 0 &&
            strcmp(item->mode, like->mode) == 0 && strcmp(item->workload, like->workload) == 0)
            return item;
    }
    return NULL;
}

static bool append(struct ceiling_table *table, const struct ceiling *item)
{
    struct ceiling *items = array_grow(table->items, table->count, sizeof *items);
    if (!items)
        return false;
    table->items = items;
    items[table->count++] = *item;
    return true;
}

bool ceiling_table_add(struct ceiling_table *table, const struct ceiling *measured)
{
    struct ceiling *known = ceiling_table_find(table, measured);
    if (!known)
        return append(table, measured);
    if (!(known->seconds <= measured->seconds) && !isnan(measured->seconds))
        *known = *measured;
    return true;
}

static double least_time(const struct ceiling_table *table, const struct floor_question *question, int kind)
{
    struct ceiling needed;
    const struct ceiling *known = ceiling_needed(question, kind, &needed) ? ceiling_table_find(table, &needed) : NULL;
    return known ? known->seconds : (double)NAN;
}

double ceiling_table_rate(const struct ceiling_table *table, const char *backend, int kind)
{
    double rate = NAN;
    for (size_t i = 0; i < table->count; i++) {
        const struct ceiling *item = &table->items[i];
        bool is_asked = kind == CEILING_ANY ? ceiling_is_arithmetic(item->kind) : item->kind == kind;
        if (is_asked && item->seconds >= long_enough_s && strcmp(item->backend, backend) == 0)
            rate = fmax(rate, item->amount / item->seconds);
    }
    return rate;
}

static double launch_time(const struct ceiling_table *table, const struct ceiling *needed)
{
    struct ceiling empty = *needed;
    empty.kind = CEILING_EMPTY;
    empty.amount = 0;
    const struct ceiling *known = ceiling_table_find(table, &empty);
    return known ? fmax(known->seconds, 0) : 0;
}

static bool is_as_many_bytes_or_fewer(const struct ceiling *item, const struct ceiling *needed)
{
    return (item->kind == CEILING_READ || item->kind == CEILING_COPY) && item->amount <= needed->amount &&
           strcmp(item->backend, needed->backend) == 0 && strcmp(item->mode, needed->mode) == 0;
}

/* What the row's bytes take at the best rate of so many or fewer in this mode; a launch takes no more time for more
 * bytes. What is mostly launch says nothing of a rate, and of fewer bytes alone nothing follows. */
static double least_time_of_fewer(const struct ceiling_table *table, const struct floor_question *question,
                                  double bytes_s)
{
    struct ceiling needed;
    if (!ceiling_needed(question, CEILING_READ, &needed))
        return NAN;
    double launch_s = launch_time(table, &needed);
    for (size_t i = 0; i < table->count; i++) {
        const struct ceiling *item = &table->items[i];
        double seconds = launch_s + (item->seconds - launch_s) * needed.amount / item->amount;
        if (is_as_many_bytes_or_fewer(item, &needed) && item->seconds > 2 * launch_s && seconds < bytes_s)
            bytes_s = seconds;
    }
    return bytes_s;
}

/* Comparisons with NAN are false: an unknown time never counts, an unknown bound is always replaced. */
static void raise_bound(double *seconds, const char **ceiling, double least_s, const char *name)
{
    if (least_s > 0 && !(least_s <= *seconds))
        *seconds = least_s, *ceiling = name;
}

struct time_floor ceiling_table_floor(const struct ceiling_table *table, const struct floor_question *question)
{
    const struct arithmetic *arithmetic = question->arithmetic;
    struct ceiling needed;
    double read_s = least_time(table, question, CEILING_READ), copy_s = least_time(table, question, CEILING_COPY);
    bool copy_is_faster = isnan(read_s) || copy_s < read_s;
    bool writes = !(question->written < written_by_copies * question->bytes);
    bool is_copy = copy_is_faster && (writes || isnan(read_s));
    const char *of_bytes = is_copy ? "copy" : "read", *of_flops = arithmetic ? arithmetic->name : "";
    struct time_floor bound = {NAN, "", is_copy ? copy_s : read_s, NAN, NAN, ""};
    if (arithmetic &&
        ceiling_needed(question, arithmetic->kind == CEILING_ANY ? CEILING_FMA : arithmetic->kind, &needed))
        bound.flops_s =
            question->flops * arithmetic->products / ceiling_table_rate(table, question->backend, arithmetic->kind);
    raise_bound(&bound.seconds, &bound.ceiling, least_time(table, question, CEILING_TRANSFER), "transfer");
    raise_bound(&bound.seconds, &bound.ceiling, bound.bytes_s, of_bytes);
    raise_bound(&bound.seconds, &bound.ceiling, bound.flops_s, of_flops);
    raise_bound(&bound.limit_s, &bound.limit, least_time_of_fewer(table, question, fmin(read_s, copy_s)),
                copy_is_faster ? "copy" : "read");
    raise_bound(&bound.limit_s, &bound.limit, bound.flops_s, of_flops);
    return bound;
}

void ceiling_table_free(struct ceiling_table *table)
{
    free(table->items);
    *table = (struct ceiling_table){0};
}

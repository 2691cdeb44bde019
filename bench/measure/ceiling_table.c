#include "ceiling_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading fewer bytes than BYTES_MIN would measure the cost of a call, not of memory. */
enum { BYTES_GRANULARITY = 32, BYTES_MIN = 4096 };
static const double least_operations = 1e7;
/* Arithmetic that ends sooner says nothing of the rate: ticks of the timer, and the launch, are too large a part. */
static const double long_enough_s = 1e-4;

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
        if (transfers(question) || !question->arithmetic || kind != (int)question->arithmetic->kind ||
            !(question->flops > 0))
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
    if (table->count == table->room) {
        size_t room = table->room ? 2 * table->room : 16;
        struct ceiling *items = realloc(table->items, room * sizeof *items);
        if (!items)
            return false;
        table->items = items;
        table->room = room;
    }
    table->items[table->count++] = *item;
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

double ceiling_table_rate(const struct ceiling_table *table, const char *backend, enum ceiling_kind kind)
{
    double rate = NAN;
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].kind == (int)kind && table->items[i].seconds >= long_enough_s &&
            strcmp(table->items[i].backend, backend) == 0)
            rate = fmax(rate, table->items[i].amount / table->items[i].seconds);
    return rate;
}

/* Comparisons with NAN are false: an unknown `seconds` never counts, an unknown floor is always replaced. */
static void raise_floor(struct time_floor *bound, double seconds, const char *ceiling)
{
    if (seconds > 0 && !(seconds <= bound->seconds))
        bound->seconds = seconds, bound->ceiling = ceiling;
}

struct time_floor ceiling_table_floor(const struct ceiling_table *table, const struct floor_question *question)
{
    const struct arithmetic *arithmetic = question->arithmetic;
    struct ceiling needed;
    double read_s = least_time(table, question, CEILING_READ), copy_s = least_time(table, question, CEILING_COPY);
    struct time_floor bound = {NAN, "", fmin(read_s, copy_s), NAN};
    if (arithmetic && ceiling_needed(question, (int)arithmetic->kind, &needed))
        bound.flops_s =
            question->flops * arithmetic->products / ceiling_table_rate(table, question->backend, arithmetic->kind);
    raise_floor(&bound, least_time(table, question, CEILING_TRANSFER), "transfer");
    raise_floor(&bound, bound.bytes_s, isnan(read_s) || copy_s < read_s ? "copy" : "read");
    raise_floor(&bound, bound.flops_s, arithmetic ? arithmetic->name : "");
    return bound;
}

void ceiling_table_free(struct ceiling_table *table)
{
    free(table->items);
    *table = (struct ceiling_table){0};
}

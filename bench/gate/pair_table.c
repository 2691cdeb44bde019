#include "pair_table.h"

#include "identity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_usable(const struct observation *observation)
{
    return observation->status == STATUS_OK && !observation->launch_bound;
}

static bool same_round(const struct observation *a, const struct observation *b)
{
    return a->round == b->round && strcmp(a->sitting, b->sitting) == 0;
}

static const struct row_rounds *longest(const struct row_rounds *a, const struct row_rounds *b)
{
    return a->count >= b->count ? a : b;
}

static struct row_rounds find_row(const struct recording *recording, const char *name)
{
    for (size_t i = 0; i < recording->count;) {
        struct row_rounds row = recording_row_at(recording, i);
        if (strcmp(row.items[0].name, name) == 0)
            return row;
        i += row.count;
    }
    return (struct row_rounds){0};
}

/* Whether both sides timed the row in each of these rounds. */
static bool is_whole(const struct row_rounds *base, const struct row_rounds *other, const struct row_rounds *rounds)
{
    bool whole = base->count == rounds->count && other->count == rounds->count;
    for (size_t i = 0; i < rounds->count && whole; i++)
        whole = is_usable(&base->items[i]) && is_usable(&other->items[i]) &&
                same_round(&base->items[i], &rounds->items[i]) && same_round(&other->items[i], &rounds->items[i]);
    return whole;
}

static bool fill_row(const struct recording *base_file, const struct row_rounds *base,
                     const struct recording *other_file, const struct row_rounds *other, double threshold,
                     struct paired_row *row, struct error *error)
{
    const struct observation *first = &base->items[0];
    *row = (struct paired_row){
        .name = first->name,
        .limits = isnan(threshold) ? limits_of(first->on_host, true) : limits_from(threshold),
        .base_s = malloc(2 * base->count * sizeof(double)),
    };
    if (!row->base_s)
        return error_set(error, "no memory for the rounds");
    row->new_s = row->base_s + base->count;
    for (size_t i = 0; i < base->count; i++) {
        if (!identity_check(first, base_file->name, &base->items[i], base_file->name, IDENTITY_SAME, error) ||
            !identity_check(first, base_file->name, &other->items[i], other_file->name, IDENTITY_SAME, error))
            return false;
        row->base_s[i] = base->items[i].time_s;
        row->new_s[i] = other->items[i].time_s;
        row->tick_s = fmax(row->tick_s, fmax(base->items[i].tick_s, other->items[i].tick_s));
    }
    return true;
}

static void number_sittings(const struct row_rounds *rounds, size_t *sitting)
{
    for (size_t i = 0; i < rounds->count; i++)
        sitting[i] =
            i == 0 ? 0 : sitting[i - 1] + (strcmp(rounds->items[i].sitting, rounds->items[i - 1].sitting) != 0);
}

static bool fill(const struct recording *base, const struct recording *other, double threshold,
                 const struct row_rounds *rounds, struct pair_table *table, struct error *error)
{
    for (size_t i = 0; i < base->count;) {
        struct row_rounds row = recording_row_at(base, i), of_other = find_row(other, row.items[0].name);
        i += row.count;
        if (!is_whole(&row, &of_other, rounds)) {
            table->left_out++;
            continue;
        }
        if (!fill_row(base, &row, other, &of_other, threshold, &table->rows[table->count++], error))
            return false;
    }
    number_sittings(rounds, table->sitting);
    return table->count > 0 ||
           error_set(error, "%s and %s: no row was timed in the same rounds of both", base->name, other->name);
}

bool pair_table_make(const struct recording *base, const struct recording *other, double threshold,
                     struct pair_table *table, struct error *error)
{
    struct row_rounds rounds = {0};
    size_t rows = 0;
    *table = (struct pair_table){0};
    for (size_t i = 0; i < base->count; rows++) {
        struct row_rounds row = recording_row_at(base, i);
        rounds = *longest(&rounds, &row);
        i += row.count;
    }
    table->pairs = rounds.count;
    table->rows = calloc(rows + 1, sizeof *table->rows);
    table->sitting = malloc((rounds.count + 1) * sizeof *table->sitting);
    bool ok = table->rows && table->sitting;
    ok = ok ? fill(base, other, threshold, &rounds, table, error) : error_set(error, "no memory for the rounds");
    if (ok) {
        table->device = base->items[0].text[RECORDED_DEVICE];
        table->uuid = base->items[0].text[RECORDED_UUID];
    } else {
        pair_table_free(table);
    }
    return ok;
}

void pair_table_free(struct pair_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->rows[i].base_s);
    free(table->rows);
    free(table->sitting);
    *table = (struct pair_table){0};
}

#include "pair_table.h"

#include "identity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct observation *)left)->name, ((const struct observation *)right)->name);
}

static struct row_rounds find_row(const struct recording *recording, const char *name)
{
    const struct observation key = {.name = name}, *found;
    found = recording->count ? bsearch(&key, recording->items, recording->count, sizeof key, by_name) : NULL;
    if (!found)
        return (struct row_rounds){0};
    while (found > recording->items && strcmp(found[-1].name, name) == 0)
        found--;
    return recording_row_at(recording, (size_t)(found - recording->items));
}

static int by_round(const void *left, const void *right)
{
    return observation_compare_rounds(left, right);
}

/* The row's observation in this round; NULL if there is none or it is not usable. */
static const struct observation *usable_in(const struct row_rounds *row, const struct observation *round)
{
    const struct observation *found =
        row->count ? bsearch(round, row->items, row->count, sizeof *round, by_round) : NULL;
    return found && observation_is_usable(found) ? found : NULL;
}

/* Both sides of a row. */
struct sides {
    const struct recording *base_file, *other_file;
    struct row_rounds base, other;
};

/* Whether both sides timed the row in all of these rounds. */
static bool is_whole(const struct sides *sides, const struct row_rounds *rounds)
{
    for (size_t i = 0; i < rounds->count; i++)
        if (!usable_in(&sides->base, &rounds->items[i]) || !usable_in(&sides->other, &rounds->items[i]))
            return false;
    return true;
}

static bool fill_row(const struct sides *sides, const struct row_rounds *rounds, double threshold,
                     struct paired_row *row, struct error *error)
{
    const struct observation *first = usable_in(&sides->base, &rounds->items[0]);
    *row = (struct paired_row){
        .name = first->name,
        .limits = isnan(threshold) ? limits_of(first->on_host, true) : limits_from(threshold),
        .base_s = malloc(2 * rounds->count * sizeof(double)),
    };
    if (!row->base_s)
        return error_set(error, "no memory for the rounds");
    row->new_s = row->base_s + rounds->count;
    for (size_t i = 0; i < rounds->count; i++) {
        const struct observation *base = usable_in(&sides->base, &rounds->items[i]);
        const struct observation *other = usable_in(&sides->other, &rounds->items[i]);
        if (!identity_check(first, sides->base_file->name, base, sides->base_file->name, IDENTITY_SAME, error) ||
            !identity_check(first, sides->base_file->name, other, sides->other_file->name, IDENTITY_SAME, error))
            return false;
        row->base_s[i] = base->time_s;
        row->new_s[i] = other->time_s;
        row->tick_s = fmax(row->tick_s, fmax(base->tick_s, other->tick_s));
    }
    return true;
}

static void number_sessions(const struct row_rounds *rounds, size_t *session)
{
    for (size_t i = 0; i < rounds->count; i++)
        session[i] =
            i == 0 ? 0 : session[i - 1] + (strcmp(rounds->items[i].session, rounds->items[i - 1].session) != 0);
}

static bool fill(const struct recording *base, const struct recording *other, double threshold,
                 const struct row_rounds *rounds, struct pair_table *table, struct error *error)
{
    for (size_t i = 0; i < other->count;) {
        struct sides sides = {base, other, {0}, recording_row_at(other, i)};
        sides.base = find_row(base, sides.other.items[0].name);
        i += sides.other.count;
        if (!is_whole(&sides, rounds)) {
            table->left_out++;
            continue;
        }
        if (!fill_row(&sides, rounds, threshold, &table->rows[table->count++], error))
            return false;
    }
    number_sessions(rounds, table->session);
    return table->count > 0 ||
           error_set(error, "%s and %s: no row was timed in the same rounds of both", base->name, other->name);
}

bool pair_table_make(const struct recording *base, const struct recording *other, double threshold,
                     struct pair_table *table, struct error *error)
{
    struct row_rounds rounds = {0};
    size_t rows = 0;
    *table = (struct pair_table){0};
    for (size_t i = 0; i < other->count; rows++) {
        struct row_rounds row = recording_row_at(other, i);
        if (row.count > rounds.count)
            rounds = row;
        i += row.count;
    }
    table->pairs = rounds.count;
    table->rows = calloc(rows + 1, sizeof *table->rows);
    table->session = malloc((rounds.count + 1) * sizeof *table->session);
    bool ok = table->rows && table->session;
    ok = ok ? fill(base, other, threshold, &rounds, table, error) : error_set(error, "no memory for the rounds");
    if (ok) {
        table->device = other->items[0].text[COLUMN_device];
        table->uuid = other->items[0].text[COLUMN_device_uuid];
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
    free(table->session);
    *table = (struct pair_table){0};
}

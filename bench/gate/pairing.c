#define _GNU_SOURCE /* tdestroy() */
#include "pairing.h"

#include <search.h>
#include <string.h>

static int by_session(const void *left, const void *right)
{
    return strcmp(((const struct observation *)left)->session, ((const struct observation *)right)->session);
}

static int by_round(const void *left, const void *right)
{
    return observation_compare_rounds(left, right);
}

static void keep(void *observation)
{
    (void)observation;
}

/* The first of one recording of which the other has (or has not) one that compares equal. False: no memory. */
static bool find_first(const struct recording *one, const struct recording *other,
                       int (*compare)(const void *, const void *), bool is_in, size_t *at, struct error *error)
{
    void *tree = NULL;
    bool ok = true;
    for (size_t i = 0; i < other->count && ok; i++)
        ok = tsearch(&other->items[i], &tree, compare);
    for (*at = 0; *at < one->count && ok && (tfind(&one->items[*at], &tree, compare) != NULL) != is_in;)
        ++*at;
    tdestroy(tree, keep);
    return ok || error_set(error, "no memory for the rounds");
}

bool pairing_shares_session(const struct recording *base, const struct recording *other, bool *shares,
                            struct error *error)
{
    size_t at;
    bool ok = find_first(base, other, by_session, true, &at, error);
    *shares = ok && at < base->count;
    return ok;
}

static bool rounds_are_in(const struct recording *one, const struct recording *other, struct error *error)
{
    size_t at;
    if (!find_first(one, other, by_round, false, &at, error))
        return false;
    return at == one->count || error_set(error, "rounds do not pair: round %ld of session %s is in %s and not in %s",
                                         one->items[at].round, one->items[at].session, one->name, other->name);
}

bool pairing_check(const struct recording *base, const struct recording *other, struct error *error)
{
    return rounds_are_in(base, other, error) && rounds_are_in(other, base, error);
}

bool pairing_check_row(const struct recording *base, const struct row_rounds *base_rounds,
                       const struct recording *other, const struct row_rounds *other_rounds, struct error *error)
{
    for (size_t i = 0; i < base_rounds->count || i < other_rounds->count; i++) {
        int order = i == base_rounds->count ? 1
                    : i == other_rounds->count
                        ? -1
                        : observation_compare_rounds(&base_rounds->items[i], &other_rounds->items[i]);
        const struct observation *alone = order < 0 ? &base_rounds->items[i] : &other_rounds->items[i];
        if (order != 0)
            return error_set(error, "rounds do not pair: %s is in round %ld of %s and not of %s", alone->name,
                             alone->round, (order < 0 ? base : other)->name, (order < 0 ? other : base)->name);
    }
    return true;
}

#include "pairing.h"

#include <string.h>

static bool has_session(const struct recording *recording, const char *session)
{
    for (size_t i = 0; i < recording->count; i++)
        if (strcmp(recording->items[i].session, session) == 0)
            return true;
    return false;
}

bool pairing_shares_session(const struct recording *base, const struct recording *other)
{
    for (size_t i = 0; i < base->count; i++)
        if (has_session(other, base->items[i].session))
            return true;
    return false;
}

static bool has_round(const struct recording *recording, const struct observation *like)
{
    for (size_t i = 0; i < recording->count; i++)
        if (observation_compare_rounds(&recording->items[i], like) == 0)
            return true;
    return false;
}

static bool rounds_are_in(const struct recording *one, const struct recording *other, struct error *error)
{
    for (size_t i = 0; i < one->count; i++)
        if (!has_round(other, &one->items[i]))
            return error_set(error, "rounds do not pair: round %ld of session %s is in %s and not in %s",
                             one->items[i].round, one->items[i].session, one->name, other->name);
    return true;
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

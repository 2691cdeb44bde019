#include "slowed_rows.h"

#include "bench/base/pattern.h"
#include "bench/base/plain_text.h"

#include <string.h>

static const double most_pct = 1000;

static bool refuse(const char *wish, struct error *error)
{
    return error_set(error, "--slowdown=%s: expected REGEX:PERCENT, the percentage above 0 and at most %.0f", wish,
                     most_pct);
}

/* The colon before the percentage; NULL: the text is not REGEX:PERCENT. */
static const char *find_percentage(const char *wish, double *pct)
{
    const char *colon = strrchr(wish, ':');
    if (!colon || colon == wish)
        return NULL;
    return number_read_positive(colon + 1, NULL, most_pct, pct) ? colon : NULL;
}

static bool note_in_rows(const struct pattern *pattern, double pct, const struct selection *selection)
{
    bool any = false;
    for (size_t i = 0; i < selection->count; i++) {
        char name[160];
        row_name(&selection->rows[i], name, sizeof name);
        if (!pattern_matches(pattern, name))
            continue;
        selection->rows[i].slowdown_pct = pct;
        any = true;
    }
    return any;
}

bool slowed_rows_choose(const char *wish, struct selection *selection, struct error *error)
{
    double pct;
    if (!wish)
        return true;
    const char *colon = find_percentage(wish, &pct);
    if (!colon)
        return refuse(wish, error);
    struct error reason;
    struct pattern *pattern = pattern_make(wish, (size_t)(colon - wish), PATTERN_PART, &reason);
    if (!pattern)
        return error_set(error, "--slowdown=%s: not a POSIX extended regular expression (%s)", wish, reason.text);
    bool any = note_in_rows(pattern, pct, selection);
    pattern_free(pattern);
    return any || error_set(error, "--slowdown=%s: matches none of the %zu selected rows; --list shows them", wish,
                            selection->count);
}

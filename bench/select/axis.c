#include "axis.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* An integer at `*text`, which moves behind it; one that is too large is one more than OP_SIZE_LIMIT. False: none. */
static bool read_integer(const char **text, int64_t *integer)
{
    if (!isdigit((unsigned char)**text))
        return false;
    for (*integer = 0; isdigit((unsigned char)**text); ++*text)
        if (*integer <= OP_SIZE_LIMIT)
            *integer = *integer * 10 + (**text - '0');
    if (*integer > OP_SIZE_LIMIT)
        *integer = OP_SIZE_LIMIT + 1;
    return true;
}

static bool refuse_size(const char *text, const char *const *words, struct error *reason)
{
    char list[256] = "";
    for (const char *const *word = words; word && *word; word++) {
        const char *separator = word == words ? "" : word[1] ? ", " : " or ";
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", separator, *word);
    }
    return words ? error_set(reason, "'%s', expected %s", text, list)
                 : error_set(reason, "'%s', expected integers from 1 to %d", text, OP_SIZE_LIMIT);
}

static bool read_word(const char *text, const char *const *words, int64_t *size, struct error *reason)
{
    for (*size = 1; words[*size - 1]; ++*size)
        if (strcmp(text, words[*size - 1]) == 0)
            return true;
    return refuse_size(text, words, reason);
}

bool axis_read_size(const char *text, const char *const *words, int64_t *size, struct error *reason)
{
    const char *at = text;
    if (words)
        return read_word(text, words, size, reason);
    return (read_integer(&at, size) && *at == '\0' && *size >= 1 && *size <= OP_SIZE_LIMIT) ||
           refuse_size(text, words, reason);
}

/* FIRST..LAST: each the next one, plus a step, or times a factor. */
struct range {
    int64_t first, last, step, factor;
};

/* False: it has another form. */
static bool read_range(const char *text, struct range *range)
{
    *range = (struct range){.step = 1, .factor = 1};
    if (!read_integer(&text, &range->first) || strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!read_integer(&text, &range->last))
        return false;
    const char sign = *text;
    if (sign != '\0' && sign != '+' && sign != '*')
        return false;
    text += sign != '\0';
    if (sign == '*')
        range->step = 0;
    return sign == '\0' || (read_integer(&text, sign == '*' ? &range->factor : &range->step) && *text == '\0');
}

static double count_values(const struct range *range)
{
    double count = 0;
    if (range->factor == 1)
        return (double)((range->last - range->first) / range->step + 1);
    for (int64_t value = range->first; value <= range->last; value *= range->factor)
        count++;
    return count;
}

static void add_range(struct axis *axis, const struct range *range)
{
    const double count = axis->count + count_values(range);
    int64_t value = range->first;
    for (; value <= range->last && axis->count < OPTIONS_USER_WORKLOADS_MAX; axis->count++) {
        axis->value[(size_t)axis->count] = value;
        value = value * range->factor + range->step;
    }
    axis->count = count;
}

static bool check_range(const struct range *range, const char *text, struct error *reason)
{
    if (range->first < 1 || range->first > OP_SIZE_LIMIT || range->last > OP_SIZE_LIMIT)
        return refuse_size(text, NULL, reason);
    if (range->last < range->first)
        return error_set(reason, "'%s', which ends before it begins, expected the smaller size first", text);
    return range->factor > 1 || range->step > 0 ||
           error_set(reason, "'%s', which does not grow, expected a step from 1 on or a factor from 2 on", text);
}

bool axis_add(struct axis *axis, const char *text, const char *const *words, struct error *reason)
{
    struct range range = {.step = 1, .factor = 1};
    if (words || !strstr(text, "..")) {
        if (!axis_read_size(text, words, &range.first, reason))
            return false;
        range.last = range.first;
    } else if (!read_range(text, &range)) {
        return error_set(reason, "'%s', expected FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR", text);
    } else if (!check_range(&range, text, reason)) {
        return false;
    }
    add_range(axis, &range);
    return true;
}

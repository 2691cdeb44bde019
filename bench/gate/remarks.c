#include "remarks.h"

#include "levels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void remark(struct compared_row *row, const char *format, ...)
{
    size_t length = strlen(row->remark);
    va_list arguments;
    if (length > 0)
        length += (size_t)snprintf(row->remark + length, sizeof row->remark - length, "; ");
    if (length >= sizeof row->remark)
        return;
    va_start(arguments, format);
    vsnprintf(row->remark + length, sizeof row->remark - length, format, arguments);
    va_end(arguments);
}

void remark_on_rounds(struct compared_row *row, const char *side, const struct row_rounds *rounds)
{
    size_t timed = rounds_with_status(rounds, STATUS_OK);
    if (timed < rounds->count)
        remark(row, "%s: timed in %zu of %zu rounds", side, timed, rounds->count);
}

void remark_on_levels(struct compared_row *row, const char *side, double *times_s, size_t count)
{
    struct levels levels;
    double least = fmax(row->evidence.limits.threshold, 2 * row->evidence.tick_s / row->evidence.base_s);
    if (levels_find(times_s, count, least, &levels))
        remark(row, "%s: two levels, %.4g us in %zu rounds and %.4g us in %zu", side, levels.lower_s * 1e6,
               levels.lower_count, levels.upper_s * 1e6, levels.upper_count);
}

void remark_on_new(struct compared_row *row, const struct row_rounds *rounds)
{
    const struct observation *timed = rounds_first_timed(rounds);
    const char *ceiling = timed->text[COLUMN_ceiling_pct];
    remark(row, "%.4g us%s%s%s", timed->time_s * 1e6, ceiling[0] ? ", " : "", ceiling,
           ceiling[0] ? " % of its ceiling" : "");
}

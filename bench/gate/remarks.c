#include "remarks.h"

#include "levels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Mean of what is known; NAN: nothing is. */
static double clock_mhz(const struct row_rounds *rounds)
{
    double sum = 0, known = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        const char *cell = rounds->items[i].text[COLUMN_cpu_clock_mhz];
        sum += cell[0] != '\0' ? strtod(cell, NULL) : 0;
        known += cell[0] != '\0';
    }
    return sum / known;
}

/* Length of what a text of compilers says of the C compiler: "GNU 12.2.0 -O3 + nvcc 13.0.88 -O3". These rows run on the
 * host. */
static size_t c_part(const char *compilers)
{
    const char *end = strstr(compilers, " + ");
    return end ? (size_t)(end - compilers) : strlen(compilers);
}

void remark_on_runs(struct compared_row *row, const struct row_rounds *base, const struct row_rounds *other)
{
    const char *was = rounds_first_timed(base)->text[COLUMN_compiler],
               *is = rounds_first_timed(other)->text[COLUMN_compiler];
    double before_mhz = clock_mhz(base), after_mhz = clock_mhz(other);
    if (fabs(log(after_mhz / before_mhz)) > log1p(row->evidence.limits.threshold))
        remark(row, "the CPU's clock: %.0f MHz, then %.0f MHz", before_mhz, after_mhz);
    size_t length = c_part(was);
    if (was[0] != '\0' && is[0] != '\0' && (c_part(is) != length || strncmp(was, is, length) != 0))
        remark(row, "another compiler, or other flags");
}

void remark_on_new(struct compared_row *row, const struct row_rounds *rounds)
{
    const struct observation *timed = rounds_first_timed(rounds);
    const char *ceiling = timed->text[COLUMN_ceiling_pct];
    remark(row, "%.4g us%s%s%s", timed->time_s * 1e6, ceiling[0] ? ", " : "", ceiling,
           ceiling[0] ? " % of its ceiling" : "");
}

/* A comparison made by hand, with a row of each verdict and texts that every format must escape. */
#pragma once

#include "bench/gate/gate_report.h"

/* Markup of Markdown, HTML, CSV and XML, a control character, a line break, and bytes that are not UTF-8. */
extern const char nasty_text[];

/* Rows, sorted by name. */
enum {
    ROW_NASTY,
    ROW_CLEARED,
    ROW_FASTER,
    ROW_SUSPECTED,
    ROW_NOT_GATED,
    ROW_NEWLY_SKIPPED,
    ROW_SLOWER,
    ROW_ALSO_CLEARED,
    ROW_LAYOUT,
    ROW_MISSING,
    ROW_NEW,
    ROW_INCONCLUSIVE, /* two rounds: the interval is not bounded */
    ROW_SKIPPED,
    SAMPLE_ROWS
};

/* A report of the first `count` rows. */
struct gate_report sample_report(size_t count);

const struct compared_row *sample_row(size_t i);

/* What is to be known of a row beside its verdict. */
#pragma once

#include "compared_row.h"
#include "recording.h"

/* Appends to the row's remark, behind "; " if there is one already. */
__attribute__((format(printf, 2, 3))) void remark(struct compared_row *row, const char *format, ...);

/* Rounds in which this side was not timed. */
void remark_on_rounds(struct compared_row *row, const char *side, const struct row_rounds *rounds);

/* Two levels of this side's times, which are sorted. */
void remark_on_levels(struct compared_row *row, const char *side, double *times_s, size_t count);

/* What differs between two runs of a row on the host, beside its code. */
void remark_on_runs(struct compared_row *row, const struct row_rounds *base, const struct row_rounds *other);

/* A row that only the new side has is held against what the device can do, since there is nothing else. */
void remark_on_new(struct compared_row *row, const struct row_rounds *rounds);

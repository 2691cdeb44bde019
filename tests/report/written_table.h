/* The table for people, written to a file and read line by line. */
#pragma once

#include "bench/report/reporter.h"
#include "sample_results.h"

extern const char table_file[];
int remove_files(void **state);

void write_table(const struct result *results, size_t count, bool color, char text[TEXT_MAX]);

/* The table's line of the variant in the mode, without its end. */
const char *line_of(const char *text, const char *variant, const char *mode);

bool ends_with(const char *line, const char *end);

/* Whether the text has a line that is this, or begins with this and a comma. */
bool has_line(const char *text, const char *line);

/* As the fastest of its mode. */
bool is_marked(const char *text, const char *variant, const char *mode);

/* The columns of a line, by their headings; the unit of the median is a column too. */
enum table_column {
    COLUMN_SPREAD = 4,
    COLUMN_RATE,
    COLUMN_CEILING,
    COLUMN_OVER_BASELINE,
    COLUMN_OVER_LIBRARY,
    COLUMN_OVER_CPU
};
const char *column_of(const char *text, const char *variant, const char *mode, size_t column);

void assert_speedups(const char *text, const char *variant, const char *mode, const char *over_baseline,
                     const char *over_cpu);

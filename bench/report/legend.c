#include "legend.h"

#include "bench/base/plain_text.h"
#include "bench/measure/mode.h"
#include "report_text.h"

#include <math.h>
#include <string.h>

static bool lacks_spread(const struct result *row)
{
    return result_is_measured(row) && isnan(row->statistics.ci_high);
}

static bool has_ceiling(const struct result *row)
{
    return result_is_measured(row) && !isnan(row->ceiling_pct);
}

static bool is_cold(const struct result *row)
{
    return row->status == STATUS_OK && strcmp(row->mode, "cold") == 0;
}

static bool has_rms(const struct result *row)
{
    return row->status == STATUS_OK && !result_is_measured(row) && !isnan(row->rms_err);
}

/* What stands in a table, besides modes and marks, and in which rows; NULL: only --help explains it. */
static const struct word {
    const char *word, *meaning;
    bool (*is_in)(const struct result *row);
} table_words[] = {
    {"+-", "half the 95 % interval", result_is_measured},
    {"?", "too few samples", lacks_spread},
    {"~", "approximate", result_is_approximate},
    {"ceil%", "of the device's measured ceiling", has_ceiling},
    {"RMS u", "root mean square error in roundoffs", has_rms},
    {"x base", "times as fast as the baseline, which stands above the table", NULL},
    {"x lib", "times as fast as the fastest library of the same backend", NULL},
    {"x CPU", "times as fast as the fastest CPU rung", NULL},
    {"*", "the fastest of its workload and mode", NULL},
    {"=", "its 95 % interval overlaps that of the fastest", NULL},
    {"runs_as=RUNG", "ran that rung's kernel, as its own is not made for the shape: without a rank", NULL},
    {NULL, NULL, NULL},
};

enum { LEGEND = 190 }; /* of three lines, without what they leave blank and the last words */

static void explain(char legend[LEGEND + 1], const char *word, const char *meaning)
{
    if (strlen(legend) + strlen(word) + strlen(": ; ") + strlen(meaning) <= LEGEND)
        text_append(legend, LEGEND + 1, "%s: %s; ", word, meaning);
}

static bool has_any(const struct result_list *rows, bool (*is_it)(const struct result *row))
{
    const struct result *row = rows->items, *end = row + rows->count;
    while (row < end && !is_it(row))
        row++;
    return row < end;
}

void legend_print(const struct result_list *rows, const char *marks, FILE *to)
{
    char legend[LEGEND + 1] = "";
    for (const struct word *word = table_words; word->word; word++)
        if (word->is_in && has_any(rows, word->is_in))
            explain(legend, word->word, word->meaning);
    if (has_any(rows, is_cold))
        explain(legend, mode_cold.name, mode_cold.about);
    for (const struct mark *mark = conditions_marks; mark->name; mark++)
        if (words_have(marks, mark->name, ' '))
            explain(legend, mark->name, mark->meaning);
    if (legend[0]) {
        fputc('\n', to);
        wrap_print(to, 2, 2, "%smore: --help", legend);
    }
}

static void print_word(FILE *to, const char *word, const char *meaning)
{
    wrap_print(to, 2, 6, "%s: %s", word, meaning);
}

void legend_print_all(FILE *to)
{
    fputs("\nThe table:\n", to);
    for (const struct word *word = table_words; word->word; word++)
        print_word(to, word->word, word->meaning);
    fputs("\nModes:\n", to);
    for (size_t i = 0; i < MODE_COUNT; i++)
        print_word(to, modes[i]->name, modes[i]->about);
    fputs("\nMarks of rows:\n", to);
    for (const struct mark *mark = conditions_marks; mark->name; mark++)
        print_word(to, mark->name, mark->meaning);
}

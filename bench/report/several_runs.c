#include "several_runs.h"

#include "bench/base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct one_run *run_of(struct several_runs *runs, const struct result *row, const char *path)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct run_facts *facts = runs->items[i].known->run;
        if (strcmp(facts->host, row->run->host) == 0 && strcmp(facts->sitting, row->run->sitting) == 0)
            return &runs->items[i];
    }
    runs->items = memory_grow(runs->items, runs->count, sizeof *runs->items);
    runs->items[runs->count] = (struct one_run){.path = path, .known = row};
    return &runs->items[runs->count++];
}

static bool read_files(struct several_runs *runs, const char *const *paths, const struct registry *registry,
                       struct error *error)
{
    while (paths[runs->file_count])
        runs->file_count++;
    runs->files = memory_get(runs->file_count, sizeof *runs->files);
    for (size_t i = 0; i < runs->file_count; i++)
        runs->files[i] = (struct results_file){.path = paths[i]};
    for (struct results_file *file = runs->files; file < runs->files + runs->file_count; file++) {
        if (!results_file_read(file, registry, error))
            return false;
        if (file->slowed_rows > 0)
            return error_set(error, "%s: saw rows that --slowdown made, expected results", file->path);
        for (size_t i = 0; i < file->results.count; i++) {
            const struct result *row = &file->results.items[i];
            struct one_run *run = run_of(runs, row, file->path);
            result_list_add(&run->rows, row);
            if (row->device && (!run->known->device || (run->known->is_host && !row->is_host)))
                run->known = row;
        }
    }
    return true;
}

/* A row of a run, by its name. */
struct named_row {
    const struct result *row;
    size_t run, place;
};

static int by_name(const void *left, const void *right)
{
    const struct named_row *a = left, *b = right;
    const int names = strcmp(a->row->name, b->row->name);
    return names              ? names
           : a->run != b->run ? (a->run > b->run) - (a->run < b->run)
                              : (a->place > b->place) - (a->place < b->place);
}

/* All rows of all runs, `merged` or as they were; free() them. */
static struct named_row *rows_by_name(const struct several_runs *runs, bool are_merged, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < runs->count; i++)
        *count += are_merged ? runs->items[i].merged.count : runs->items[i].rows.count;
    struct named_row *rows = memory_get(*count, sizeof *rows), *at = rows;
    for (size_t i = 0; i < runs->count; i++) {
        const struct result_list *list = are_merged ? &runs->items[i].merged : &runs->items[i].rows;
        for (size_t k = 0; k < list->count; k++)
            *at++ = (struct named_row){&list->items[k], i, k};
    }
    qsort(rows, *count, sizeof *rows, by_name);
    return rows;
}

/* Whether flags and program were the same in all rows of a name; what is unknown may be anything. */
static bool agree(const struct several_runs *runs, const struct named_row *rows, size_t count, struct error *error)
{
    for (enum column_id id = 0; id < RESULT_COLUMNS; id++) {
        const struct column *column = &result_columns[id];
        const struct named_row *known = NULL;
        char first[COLUMN_BUFFER], other[COLUMN_BUFFER];
        if (id != COLUMN_git_rev && id != COLUMN_context && column->gate != GATE_WORK)
            continue;
        for (const struct named_row *row = rows; row < rows + count; row++) {
            const char *text = column_text(column, row->row, other);
            const char *wanted = known ? column_text(column, known->row, first) : text;
            if (strcmp(text, wanted) != 0 && (text[0] || id == COLUMN_context))
                return error_set(error, "%s and %s: %s of %s is '%.60s' and '%.60s', expected runs of the same flags",
                                 runs->items[known->run].path, runs->items[row->run].path, column->name, row->row->name,
                                 wanted, text);
            known = known || (!text[0] && id != COLUMN_context) ? known : row;
        }
    }
    return true;
}

static size_t same_name(const struct named_row *rows, size_t count)
{
    size_t same = 1;
    while (same < count && strcmp(rows[same].row->name, rows->row->name) == 0)
        same++;
    return same;
}

static bool all_agree(const struct several_runs *runs, struct error *error)
{
    size_t count;
    struct named_row *rows = rows_by_name(runs, false, &count);
    bool ok = true;
    for (size_t i = 0; i < count && ok; i += same_name(rows + i, count - i))
        ok = agree(runs, rows + i, same_name(rows + i, count - i), error);
    free(rows);
    return ok;
}

static int by_first(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    size_t i = 0;
    while (!a->of_run[i] && !b->of_run[i])
        i++;
    if (!a->of_run[i] || !b->of_run[i])
        return a->of_run[i] ? -1 : 1;
    return (a->of_run[i] > b->of_run[i]) - (a->of_run[i] < b->of_run[i]);
}

static void make_lines(struct several_runs *runs)
{
    size_t count;
    struct named_row *rows = rows_by_name(runs, true, &count);
    runs->lines = memory_get(count, sizeof *runs->lines);
    for (size_t i = 0, same; i < count; i += same) {
        struct line *line = &runs->lines[runs->line_count++];
        same = same_name(rows + i, count - i);
        *line = (struct line){rows[i].row, memory_get(runs->count, sizeof *line->of_run)};
        for (size_t k = 0; k < same; k++)
            line->of_run[rows[i + k].run] = rows[i + k].row;
    }
    qsort(runs->lines, runs->line_count, sizeof *runs->lines, by_first);
    free(rows);
}

static bool none_is_missing(const struct several_runs *runs, struct error *error)
{
    for (const struct line *line = runs->lines; line < runs->lines + runs->line_count; line++) {
        size_t has = 0;
        while (!line->of_run[has])
            has++;
        for (size_t i = 0; i < runs->count; i++)
            if (!line->of_run[i])
                return error_set(error, "%s: saw no row %s, which %s has, expected the same rows", runs->items[i].path,
                                 line->first->name, runs->items[has].path);
    }
    return true;
}

bool several_runs_read(struct several_runs *runs, const char *const *paths, const struct registry *registry,
                       bool is_cut_short, struct error *error)
{
    bool ok = read_files(runs, paths, registry, error);
    for (struct one_run *run = runs->items; run < runs->items + runs->count && ok; run++)
        ok = results_merge(&run->rows, run->path, registry, &run->merged, error);
    if (ok && !is_cut_short && runs->count < 2)
        ok = error_set(error, "--merge: saw %s, expected files of two runs at least",
                       runs->count == 1 ? "one run" : "no rows");
    if (ok)
        make_lines(runs);
    return ok && (is_cut_short || none_is_missing(runs, error)) && all_agree(runs, error);
}

void several_runs_free(struct several_runs *runs)
{
    for (struct one_run *run = runs->items; run < runs->items + runs->count; run++) {
        result_list_free(&run->rows);
        result_list_free(&run->merged);
        free(run->excess_pct);
    }
    for (size_t i = 0; i < runs->line_count; i++)
        free(runs->lines[i].of_run);
    for (size_t i = 0; i < runs->file_count; i++)
        results_file_free(&runs->files[i]);
    free(runs->lines);
    free(runs->items);
    free(runs->files);
}

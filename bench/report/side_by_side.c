#include "side_by_side.h"

#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/statistics.h"
#include "merge_rounds.h"
#include "report_text.h"
#include "reporter.h"
#include "results_file.h"
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS = 4, NAME = 18, MODE = 8 }; /* so many runs have a column each */

/* Runs differ in their hosts or sittings. */
struct one_run {
    const char *path;           /* of its first row */
    const struct result *known; /* one of its rows: with a device of its own if there is one */
    struct result_list rows, merged;
    double *excess_pct; /* over the run in the middle, of rows that others have measured, too */
    size_t excess_count, slower_count;
};

/* A row in all runs. */
struct line {
    const struct result *first;                 /* of the first run that has one */
    const struct result **of_run;               /* NULL: the run has none */
    const struct result *known[RESULT_COLUMNS]; /* the first that knows the column */
};

struct several_runs {
    struct results_file *files;
    size_t file_count;
    struct one_run *items;
    size_t count;
    struct line *lines; /* in the order of the first run; what it lacks comes last */
    size_t line_count;
};

/* NULL: it is the first row of its run. */
static struct one_run *run_of(const struct several_runs *runs, const struct result *row)
{
    for (struct one_run *run = runs->items; run < runs->items + runs->count; run++)
        if (strcmp(run->known->run->host, row->run->host) == 0 &&
            strcmp(run->known->run->sitting, row->run->sitting) == 0)
            return run;
    return NULL;
}

static void add_row(struct several_runs *runs, const struct result *row, const char *path)
{
    struct one_run *run = run_of(runs, row);
    if (!run) {
        runs->items = memory_grow(runs->items, runs->count, sizeof *runs->items);
        run = &runs->items[runs->count++];
        *run = (struct one_run){.path = path, .known = row};
    }
    result_list_add(&run->rows, row);
    if (row->device && (!run->known->device || (run->known->is_host && !row->is_host)))
        run->known = row;
}

static bool read_files(struct several_runs *runs, const char *const *paths, const struct registry *registry,
                       struct error *error)
{
    while (paths[runs->file_count])
        runs->file_count++;
    runs->files = memory_get(runs->file_count, sizeof *runs->files);
    for (size_t i = 0; i < runs->file_count; i++) {
        struct results_file *file = &runs->files[i];
        file->path = paths[i];
        if (!results_file_read(file, registry, error))
            return false;
        if (file->slowed_rows > 0)
            return error_set(error, "%s: saw rows that --slowdown made, expected results", file->path);
        for (size_t k = 0; k < file->results.count; k++)
            add_row(runs, &file->results.items[k], file->path);
    }
    return true;
}

/* The line of the row's name, which is made if there is none. Most runs have one order: it is looked for from the last
 * one on, at `at`. */
static struct line *line_of(struct several_runs *runs, const struct result *row, size_t *at)
{
    for (size_t i = 0; i < runs->line_count; i++, *at = (*at + 1) % runs->line_count)
        if (strcmp(runs->lines[*at].first->name, row->name) == 0)
            return &runs->lines[*at];
    runs->lines = memory_grow(runs->lines, runs->line_count, sizeof *runs->lines);
    struct line *line = &runs->lines[runs->line_count++];
    *line = (struct line){.first = row, .of_run = memory_get(runs->count, sizeof *line->of_run)};
    return line;
}

static void make_lines(struct several_runs *runs)
{
    size_t at = 0;
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < runs->items[i].merged.count; k++) {
            const struct result *row = &runs->items[i].merged.items[k];
            line_of(runs, row, &at)->of_run[i] = row;
        }
}

static bool none_is_missing(const struct several_runs *runs, struct error *error)
{
    for (const struct line *line = runs->lines; line < runs->lines + runs->line_count; line++)
        for (size_t i = 0; i < runs->count; i++)
            if (!line->of_run[i])
                return error_set(error, "%s: saw no row %s, which %s has, expected the same rows", runs->items[i].path,
                                 line->first->name, run_of(runs, line->first)->path);
    return true;
}

/* Whether flags and program were the same in all rows of the line so far; what is unknown may be anything. */
static bool agrees(const struct several_runs *runs, struct line *line, const struct result *row, struct error *error)
{
    for (enum column_id id = 0; id < RESULT_COLUMNS; id++) {
        const struct column *column = &result_columns[id];
        char of_row[COLUMN_BUFFER], of_known[COLUMN_BUFFER];
        if (id != COLUMN_git_rev && id != COLUMN_context && column->gate != GATE_WORK)
            continue;
        const char *text = column_text(column, row, of_row);
        if (text[0] == '\0' && id != COLUMN_context)
            continue;
        const struct result *known = line->known[id] ? line->known[id] : row;
        const char *wanted = column_text(column, known, of_known);
        if (strcmp(text, wanted) != 0)
            return error_set(error, "%s and %s: %s of %s is '%.60s' and '%.60s', expected runs of the same flags",
                             run_of(runs, known)->path, run_of(runs, row)->path, column->name, row->name, wanted, text);
        line->known[id] = known;
    }
    return true;
}

static bool all_agree(struct several_runs *runs, struct error *error)
{
    bool ok = true;
    size_t at = 0;
    for (size_t i = 0; i < runs->count && ok; i++) {
        const struct one_run *run = &runs->items[i];
        const struct result **rows = rounds_sorted(&run->rows); /* as the lines are */
        for (size_t k = 0; k < run->rows.count && ok; k++)
            ok = agrees(runs, line_of(runs, rows[k], &at), rows[k], error);
        free(rows);
    }
    return ok;
}

/* `is_cut_short`: runs may lack rows, and there may be one alone. free_runs() in any case. */
static bool read_runs(struct several_runs *runs, const char *const *paths, const struct registry *registry,
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

static void free_runs(struct several_runs *runs)
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

static bool write_merged(const struct several_runs *runs, struct output *output, struct error *error)
{
    bool ok = output_write_preamble(output, report_csv_header, strlen(report_csv_header), error);
    for (const struct one_run *run = runs->items; run < runs->items + runs->count; run++)
        for (size_t i = 0; i < run->rows.count && ok; i++)
            ok = output_print(output, report_csv_print, &run->rows.items[i], error);
    return ok;
}

/* The runs that have measured a row, from the fastest to the slowest. */
struct measured {
    struct measured_run {
        size_t run;
        const struct result *row;
        bool is_slower; /* than the one in the middle: in all its rounds than in all of that one's */
        double excess_pct;
    } * items;
    size_t count, slower_count;
    const struct result *middle; /* by which others are judged; of two that are, the faster one */
};

static int by_time(const void *left, const void *right)
{
    const struct measured_run *a = left, *b = right;
    const double x = a->row->statistics.median, y = b->row->statistics.median;
    return x != y ? (x > y) - (x < y) : (a->run > b->run) - (a->run < b->run);
}

/* Counts in each run that is compared with others how it does. */
static struct measured compare(struct several_runs *runs, const struct line *line)
{
    struct measured measured = {.items = memory_get(runs->count, sizeof *measured.items)};
    for (size_t i = 0; i < runs->count; i++)
        if (line->of_run[i] && result_is_measured(line->of_run[i]))
            measured.items[measured.count++] = (struct measured_run){.run = i, .row = line->of_run[i]};
    if (measured.count == 0)
        return measured;
    qsort(measured.items, measured.count, sizeof *measured.items, by_time);
    measured.middle = measured.items[(measured.count - 1) / 2].row;
    for (struct measured_run *one = measured.items; one < measured.items + measured.count; one++) {
        struct one_run *run = &runs->items[one->run];
        one->is_slower = standing_range(one->row).low > standing_range(measured.middle).high;
        one->excess_pct = 100 * (one->row->statistics.median / measured.middle->statistics.median - 1);
        measured.slower_count += one->is_slower;
        if (measured.count < 2)
            continue;
        run->excess_pct = memory_grow(run->excess_pct, run->excess_count, sizeof *run->excess_pct);
        run->excess_pct[run->excess_count++] = one->excess_pct;
        run->slower_count += one->is_slower;
    }
    return measured;
}

/* "  2: +1.1 %, 4: +3.0 %", or of many "  3 runs: up to +3.0 %" */
static void print_slower(const struct measured *measured, FILE *to)
{
    const char *before = "  ";
    double most = 0;
    for (const struct measured_run *one = measured->items; one < measured->items + measured->count; one++) {
        if (one->is_slower && measured->slower_count <= 2) {
            fprintf(to, "%s%zu: +%.1f %%", before, one->run + 1, one->excess_pct);
            before = ", ";
        }
        most = one->is_slower ? one->excess_pct : most;
    }
    if (measured->slower_count > 2)
        fprintf(to, "  %zu runs: up to +%.1f %%", measured->slower_count, most);
    fputc('\n', to);
}

/* Of a run: its time, or what came instead. */
static struct figure time_or_word(const struct result *row)
{
    if (row && result_is_measured(row))
        return time_text(row->statistics.median);
    struct figure word;
    snprintf(word.text, sizeof word.text, "%s",
             !row                            ? "-" /* it was cut short */
             : result_is_wrong(row)          ? "WRONG"
             : row->status == STATUS_FAILED  ? "failed"
             : row->status == STATUS_SKIPPED ? "skipped"
                                             : "correct");
    return word;
}

static void print_line(struct several_runs *runs, const struct line *line, FILE *to)
{
    struct measured measured = compare(runs, line);
    char name[NAME + MODE + 2];
    snprintf(name, sizeof name, "%-*.*s %-*.*s", NAME, NAME, line->first->variant, MODE, MODE, line->first->mode);
    plain_text_make(name); /* from a file */
    fprintf(to, "  %s", name);
    for (size_t i = 0; i < runs->count && runs->count <= ACROSS; i++)
        fprintf(to, " %9s", time_or_word(line->of_run[i]).text);
    if (runs->count > ACROSS && measured.count > 0) {
        const struct measured_run *fastest = measured.items, *slowest = &measured.items[measured.count - 1];
        fprintf(to, " %9s %4zu %9s %9s %4zu", time_or_word(fastest->row).text, fastest->run + 1,
                time_or_word(measured.middle).text, time_or_word(slowest->row).text, slowest->run + 1);
    } else if (runs->count > ACROSS) {
        fprintf(to, " %9s", time_or_word(line->first).text);
    }
    print_slower(&measured, to);
    for (size_t i = 0; i < runs->count; i++)
        if (line->of_run[i] && line->of_run[i]->status == STATUS_FAILED)
            wrap_print(to, 6, 6, "%zu: %s", i + 1, line->of_run[i]->reason);
    free(measured.items);
}

static void print_headings(const struct several_runs *runs, const struct result *row, FILE *to)
{
    fputc('\n', to);
    wrap_print(to, 0, 2, "%s/%s  %s", row->op, row->workload, row->shape);
    fprintf(to, "  %-*s %-*s", NAME, "variant", MODE, "mode");
    for (size_t i = 0; i < runs->count && runs->count <= ACROSS; i++)
        fprintf(to, " %9zu", i + 1);
    if (runs->count > ACROSS)
        fprintf(to, " %9s %4s %9s %9s %4s", "fastest", "run", "median", "slowest", "run");
    fputs("  slower\n", to);
}

/* "lab-7: NVIDIA H200, GPU-900cf4df-...", and the marks of its rows, which may say why it is slower */
static void print_run(const struct several_runs *runs, size_t number, FILE *to)
{
    const struct one_run *run = &runs->items[number];
    const struct device_info *device = run->known->device;
    char marks[512] = "";
    for (size_t i = 0; i < run->rows.count; i++)
        words_join(marks, sizeof marks, run->rows.items[i].conditions.marks);
    wrap_print(to, 2, 6, "%zu  %s: %s%s%s%s%s", number + 1, run->known->run->host, device ? device->name : "no device",
               device && device->uuid[0] ? ", " : "", device ? device->uuid : "", marks[0] ? "; marks: " : "", marks);
}

static bool is_slower(const struct one_run *run)
{
    return 2 * run->slower_count > run->excess_count;
}

static double median_excess(const struct one_run *run)
{
    return run->excess_count > 0 ? statistics_of(run->excess_pct, run->excess_count).median : (double)NAN;
}

static void print_verdict(const struct several_runs *runs, size_t number, FILE *to)
{
    const struct one_run *run = &runs->items[number];
    const struct device_info *device = run->known->device;
    if (is_slower(run))
        wrap_print(to, 2, 4,
                   "Run %zu (%s%s%s) is slower than the others: in %zu of %zu rows, in the median by %.1f %%.",
                   number + 1, run->known->run->host, device && device->uuid[0] ? ", " : "", device ? device->uuid : "",
                   run->slower_count, run->excess_count, median_excess(run));
}

static void print_all(struct several_runs *runs, FILE *to)
{
    bool is_one_slower = false, are_compared = false;
    for (size_t i = 0; i < runs->count; i++)
        print_run(runs, i, to);
    for (size_t i = 0; i < runs->line_count; i++) {
        if (i == 0 || !result_same_workload(runs->lines[i - 1].first, runs->lines[i].first))
            print_headings(runs, runs->lines[i].first, to);
        print_line(runs, &runs->lines[i], to);
    }
    fputc('\n', to);
    for (size_t i = 0; i < runs->count; i++) {
        are_compared = are_compared || runs->items[i].excess_count > 0;
        is_one_slower = is_one_slower || is_slower(&runs->items[i]);
        print_verdict(runs, i, to);
    }
    if (are_compared && !is_one_slower)
        wrap_print(to, 2, 4, "No run is slower than the others in most of its rows.");
}

/* Where a file has the rows, a table that nobody will read is no error. */
static bool tell(struct several_runs *runs, bool has_file, FILE *to, struct error *error)
{
    print_all(runs, to);
    return (fflush(to) == 0 && !ferror(to)) || (has_file && standard_output_is_unread()) ||
           error_set(error, "stdout: the table cannot be written");
}

static json_t *line_json(struct several_runs *runs, const struct line *line)
{
    struct measured measured = compare(runs, line);
    json_t *of_runs = json_array();
    for (const struct measured_run *one = measured.items; one < measured.items + measured.count; one++) {
        const struct range range = standing_range(one->row);
        json_array_append_new(of_runs,
                              JSON_OBJECT({"run", json_integer((json_int_t)one->run + 1)},
                                          {"time_s", json_number(one->row->statistics.median)},
                                          {"low_s", json_number(range.low)}, {"high_s", json_number(range.high)},
                                          {"excess_pct", json_number(one->excess_pct)},
                                          {"slower", json_boolean(one->is_slower)}));
    }
    free(measured.items);
    return JSON_OBJECT({"name", json_known(line->first->name)}, {"of_runs", of_runs});
}

static json_t *run_json(const struct several_runs *runs, size_t number)
{
    const struct one_run *run = &runs->items[number];
    const struct device_info *device = run->known->device;
    return JSON_OBJECT(
        {"run", json_integer((json_int_t)number + 1)}, {"host", json_known(run->known->run->host)},
        {"timestamp", json_known(run->known->run->timestamp)}, {"git_rev", json_known(run->known->run->git_revision)},
        {"device", device ? json_known(device->name) : NULL}, {"device_uuid", device ? json_known(device->uuid) : NULL},
        {"rows", json_integer((json_int_t)run->excess_count)},
        {"slower_rows", json_integer((json_int_t)run->slower_count)}, {"excess_pct", json_number(median_excess(run))},
        {"slower", json_boolean(is_slower(run))});
}

static int status_of(const struct several_runs *runs)
{
    size_t right = 0, bad = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const struct result_counts counts = result_list_counts(&runs->items[i].merged);
        right += counts.measured + counts.verified;
        bad += counts.failed;
    }
    return bad > 0 ? EXIT_WRONG : right > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}

json_t *side_by_side_json(const char *path, const struct registry *registry, size_t *measured, struct error *error)
{
    const char *const paths[] = {path, NULL};
    struct several_runs runs = {0};
    json_t *rows = json_array(), *list = json_array();
    const bool ok = read_runs(&runs, paths, registry, true, error);
    for (size_t i = 0; i < runs.line_count && ok; i++)
        json_array_append_new(rows, line_json(&runs, &runs.lines[i]));
    *measured = 0;
    for (size_t i = 0; i < runs.count && ok; i++) {
        json_array_append_new(list, run_json(&runs, i));
        *measured += result_list_counts(&runs.items[i].merged).measured;
    }
    free_runs(&runs);
    json_t *document = JSON_OBJECT({"runs", list}, {"rows", rows});
    if (!ok)
        json_decref(document);
    return ok ? document : NULL;
}

int side_by_side(const char *const *paths, const struct registry *registry, bool is_cut_short, struct output *out,
                 FILE *to, struct error *error)
{
    const bool has_table = to && !(out && out->fd == fileno(to)), has_file = out != NULL;
    struct several_runs runs = {0};
    bool ok = read_runs(&runs, paths, registry, is_cut_short, error) && (!out || write_merged(&runs, out, error));
    if (out && !ok)
        output_discard(out);
    else if (out)
        ok = output_commit(out, error);
    ok = ok && (!has_table || runs.count == 0 || tell(&runs, has_file, to, error));
    const int status = ok ? status_of(&runs) : EXIT_USAGE;
    free_runs(&runs);
    return status;
}

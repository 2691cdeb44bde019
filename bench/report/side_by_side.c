#include "side_by_side.h"

#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/statistics.h"
#include "report_text.h"
#include "reporter.h"
#include "several_runs.h"
#include "standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS = 4, NAME = 18, MODE = 8 }; /* so many runs have a column each */

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

static struct measured measured_of(const struct several_runs *runs, const struct line *line)
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
        one->is_slower = standing_range(one->row).low > standing_range(measured.middle).high;
        one->excess_pct = 100 * (one->row->statistics.median / measured.middle->statistics.median - 1);
        measured.slower_count += one->is_slower;
    }
    return measured;
}

static void count_row(struct several_runs *runs, const struct measured *measured)
{
    for (const struct measured_run *one = measured->items; one < measured->items + measured->count; one++) {
        struct one_run *run = &runs->items[one->run];
        if (measured->count < 2)
            return;
        run->excess_pct = memory_grow(run->excess_pct, run->excess_count, sizeof *run->excess_pct);
        run->excess_pct[run->excess_count++] = one->excess_pct;
        run->slower_count += one->is_slower;
    }
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
    struct measured measured = measured_of(runs, line);
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
    count_row(runs, &measured);
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
    struct measured measured = measured_of(runs, line);
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
    count_row(runs, &measured);
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
    const bool ok = several_runs_read(&runs, paths, registry, true, error);
    for (size_t i = 0; i < runs.line_count && ok; i++)
        json_array_append_new(rows, line_json(&runs, &runs.lines[i]));
    *measured = 0;
    for (size_t i = 0; i < runs.count && ok; i++) {
        json_array_append_new(list, run_json(&runs, i));
        *measured += result_list_counts(&runs.items[i].merged).measured;
    }
    several_runs_free(&runs);
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
    bool ok =
        several_runs_read(&runs, paths, registry, is_cut_short, error) && (!out || write_merged(&runs, out, error));
    if (out && !ok)
        output_discard(out);
    else if (out)
        ok = output_commit(out, error);
    ok = ok && (!has_table || runs.count == 0 || tell(&runs, has_file, to, error));
    const int status = ok ? status_of(&runs) : EXIT_USAGE;
    several_runs_free(&runs);
    return status;
}

#include "gate_report.h"

#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_any(const struct comparison *comparison, enum verdict first, enum verdict last)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->rows[i].verdict >= first && comparison->rows[i].verdict <= last)
            return true;
    return false;
}

enum gate_status gate_status_of(const struct comparison *comparison)
{
    if (comparison_count(comparison, VERDICT_FAILED) > 0) /* wrong is wrong on any device */
        return GATE_SLOWER;
    if (is_any(comparison, VERDICT_SLOWER, VERDICT_NEWLY_SKIPPED))
        return comparison->options->other_device ? GATE_INCONCLUSIVE : GATE_SLOWER;
    if (is_any(comparison, VERDICT_SUSPECTED, VERDICT_INCONCLUSIVE))
        return GATE_INCONCLUSIVE;
    if (is_any(comparison, VERDICT_ACCEPTED, VERDICT_CLEARED))
        return GATE_CLEARED;
    size_t skipped = comparison_count(comparison, VERDICT_SKIPPED);
    return skipped > 0 && skipped == comparison->count ? GATE_ALL_SKIPPED : GATE_BAD_INPUT;
}

const char *gate_status_words(enum gate_status status)
{
    switch (status) {
    case GATE_CLEARED: return "passed";
    case GATE_SLOWER: return "failed";
    case GATE_INCONCLUSIVE: return "inconclusive";
    case GATE_ALL_SKIPPED: return "all skipped";
    default: return "nothing to compare";
    }
}

static void count_verdicts(struct gate_report *report)
{
    size_t rows = report->comparison->count;
    const char *separator = ": ";
    text_append(report->headline, sizeof report->headline, "%zu row%s", rows, rows == 1 ? "" : "s");
    for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
        size_t count = comparison_count(report->comparison, verdict);
        if (count == 0)
            continue;
        text_append(report->headline, sizeof report->headline, "%s%zu %s", separator, count, verdict_name(verdict));
        separator = ", ";
    }
}

/* More rounds, if they are too few, or else a quieter machine. */
static void advise(struct gate_report *report)
{
    const struct comparison *comparison = report->comparison;
    size_t weighed = 0, fewest = SIZE_MAX;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared_row *row = &comparison->rows[i];
        weighed += row->has_evidence && !row_is_unchanged(row);
        const size_t rounds = evidence_fewest_rounds(&row->evidence);
        if (row->has_evidence && !row->confirmed && row->verdict == VERDICT_INCONCLUSIVE && rounds < fewest)
            fewest = rounds;
    }
    size_t needed = evidence_rounds_needed(comparison->paired, weighed, comparison->level);
    if (fewest < needed)
        snprintf(report->advice, sizeof report->advice,
                 "inconclusive: too few rounds; %zu rows need at least %zu rounds per side", weighed, needed);
    else if (comparison_count(comparison, VERDICT_INCONCLUSIVE) > 0)
        snprintf(report->advice, sizeof report->advice,
                 "inconclusive: the rounds vary too much to decide, or the change is close to the threshold; run again "
                 "on a quieter machine");
}

void gate_report_conclude(struct gate_report *report, const struct comparison *comparison, enum gate_status status)
{
    report->comparison = comparison;
    report->status = status;
    count_verdicts(report);
    if (comparison->alone[0] + comparison->alone[1] > 0)
        text_append(report->headline, sizeof report->headline, "; %zu more only in the base, %zu only in the new side",
                    comparison->alone[0], comparison->alone[1]);
    if (comparison->count > 0 && comparison->rows[0].foreign)
        text_append(report->method, sizeof report->method, "; %sclocks and code unknown",
                    comparison->device[0] ? "" : "device, ");
    advise(report);
}

void gate_report_refuse(struct gate_report *report, enum gate_status status, const char *error)
{
    static const struct comparison nothing = {.base_revision = "", .new_revision = "", .device = ""};
    report->comparison = &nothing;
    report->status = status;
    report->error = error;
    snprintf(report->headline, sizeof report->headline, "nothing could be compared");
}

bool gate_report_open(struct gate_report *report, const struct gate_options *options, struct error *error)
{
    const char *const paths[GATE_FILES] = {options->markdown, options->junit, options->json, options->csv};
    gate_writer *const writers[GATE_FILES] = {gate_write_markdown, gate_write_junit, gate_write_json, gate_write_csv};
    *report = (struct gate_report){.base_name = options->base_name ? options->base_name : options->arguments[0],
                                   .new_name = options->new_name ? options->new_name : options->arguments[1]};
    for (int i = 0; i < GATE_FILES; i++) {
        if (!paths[i])
            continue;
        bool ok = strcmp(paths[i], "-") == 0 ? error_set(error, "-: stdout gets the table, expected a file")
                                             : output_open(&report->files[report->file_count], paths[i], error);
        if (!ok) {
            gate_report_discard(report);
            return false;
        }
        report->writers[report->file_count++] = writers[i];
    }
    return true;
}

static bool write_file(const struct gate_report *report, gate_writer *write, struct output *file, struct error *error)
{
    if (output_print(file, write, report, error))
        return output_commit(file, error);
    output_discard(file);
    return false;
}

static bool append_summary(const struct gate_report *report, struct error *error)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (!path || path[0] == '\0')
        return true;
    FILE *file = fopen(path, "a");
    if (file)
        gate_write_markdown(file, report);
    return (file && fclose(file) == 0) ||
           error_set(error, "$GITHUB_STEP_SUMMARY: %s cannot be written (%s)", path, strerror(errno));
}

/* All are written, and the first error is told. */
bool gate_report_write(struct gate_report *report, struct error *error)
{
    struct error more;
    if (!report->error)
        gate_write_console(stdout, report);
    bool ok = (fflush(stdout) == 0 && !ferror(stdout)) || error_set(error, "stdout: the verdicts cannot be written");
    for (size_t i = 0; i < report->file_count; i++)
        ok = write_file(report, report->writers[i], &report->files[i], ok ? error : &more) && ok;
    return append_summary(report, ok ? error : &more) && ok;
}

void gate_report_discard(struct gate_report *report)
{
    for (size_t i = 0; i < report->file_count; i++)
        output_discard(&report->files[i]);
    report->file_count = 0;
}

static json_t *or_null(json_t *value)
{
    return value ? value : json_null();
}

static json_t *text_or_null(const char *text)
{
    return or_null(json_known(text));
}

static json_t *figure(const struct compared_row *row, double value)
{
    return or_null(row->has_evidence ? json_number(value) : NULL);
}

static json_t *count(const struct compared_row *row, size_t value)
{
    return or_null(row->has_evidence ? json_integer((json_int_t)value) : NULL);
}

/* What is known of a row, null if unknown: the cells of the CSV, in this order, and members of the JSON. */
static json_t *json_row(const struct gate_report *report, const struct compared_row *row)
{
    const struct comparison *c = report->comparison;
    const struct evidence *e = &row->evidence;
    const struct json_member members[] = {
        {"name", text_or_null(row->name)},
        {"verdict", json_text(report->error ? "not compared" : verdict_name(row->verdict))},
        {"ratio", figure(row, e->ratio)},
        {"ratio_low", figure(row, e->interval.low > 0 ? e->interval.low : NAN)},
        {"ratio_high", figure(row, e->interval.high)},
        {"base_s", figure(row, e->base_s)},
        {"new_s", figure(row, e->new_s)},
        {"tick_s", figure(row, e->tick_s > 0 ? e->tick_s : NAN)},
        {"base_rounds", count(row, e->base_rounds)},
        {"new_rounds", count(row, e->new_rounds)},
        {"arrangements", count(row, e->arrangements)},
        {"threshold", figure(row, e->limits.threshold)},
        {"clear", figure(row, e->limits.clear)},
        {"p_slower", figure(row, e->p_slower)},
        {"p_faster", figure(row, e->p_faster)},
        {"p_clear", figure(row, e->p_clear)},
        {"p_error", figure(row, e->p_error)},
        {"confirmed", json_boolean(row->confirmed)},
        {"slowed", json_boolean(row->slowed)},
        {"reason", text_or_null(row->reason)},
        {"device", text_or_null(c->device)},
        {"base_revision", text_or_null(c->base_revision)},
        {"new_revision", text_or_null(c->new_revision)},
        {"remark", text_or_null(row->remark)},
        {"same_code", row->code == CODE_UNKNOWN ? json_null() : json_boolean(row->code == CODE_SAME)},
        {NULL, NULL},
    };
    return json_object_of(members);
}

static void put_cell(FILE *to, const json_t *value)
{
    if (json_is_boolean(value))
        fputs(json_is_true(value) ? "yes" : "no", to);
    else if (json_is_number(value))
        fprintf(to, "%.9g", json_number_value(value));
    else
        csv_put_text(to, json_string_value(value));
}

static void put_line(FILE *to, const struct gate_report *report, const struct compared_row *row, bool is_header)
{
    json_t *cells = json_row(report, row), *value;
    const char *name, *separator = "";
    json_object_foreach(cells, name, value)
    {
        fputs(separator, to);
        separator = ",";
        if (is_header)
            fputs(name, to);
        else
            put_cell(to, value);
    }
    json_decref(cells);
    fputc('\n', to);
}

/* One line per compared row, or one that says why nothing was compared. scripts/plot.sh reads it. */
void gate_write_csv(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    const struct compared_row none = {.name = "rungbench-gate", .reason = report->error ? report->error : ""};
    put_line(to, report, &none, true);
    if (report->error)
        put_line(to, report, &none, false);
    for (size_t i = 0; i < report->comparison->count; i++)
        put_line(to, report, &report->comparison->rows[i], false);
}

static json_t *json_times(const double *times_s, size_t count)
{
    json_t *times = json_array();
    for (size_t i = 0; times_s && i < count; i++)
        json_array_append_new(times, json_real(times_s[i]));
    return times;
}

static json_t *json_lines(const char *text)
{
    if (!text)
        return json_null();
    json_t *lines = json_array();
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        char *line = memory_print("%.*s", (int)length, text);
        json_array_append_new(lines, json_text(line));
        free(line);
    }
    return lines;
}

static json_t *json_side(const char *name, const char *revision)
{
    return JSON_OBJECT({"name", text_or_null(name)}, {"revision", text_or_null(revision)});
}

/* Every member is always present, null if unknown. */
void gate_write_json(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    const struct comparison *comparison = report->comparison;
    json_t *rows = json_array();
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared_row *row = &comparison->rows[i];
        json_t *object = json_row(report, row);
        JSON_PUT(object, {"base_times_s", json_times(row->times_s[0], row->evidence.base_rounds)},
                 {"new_times_s", json_times(row->times_s[1], row->evidence.new_rounds)}, {"why", json_lines(row->why)});
        json_array_append_new(rows, object);
    }
    json_t *document = JSON_OBJECT(
        {"schema", json_integer(1)}, {"status", json_text(gate_status_words(report->status))},
        {"exit_status", json_integer(report->status)}, {"headline", text_or_null(report->headline)},
        {"method", text_or_null(report->method)}, {"advice", text_or_null(report->advice)},
        {"error", text_or_null(report->error ? report->error : "")}, {"paired", json_boolean(comparison->paired)},
        {"device", text_or_null(comparison->device)}, {"base", json_side(report->base_name, comparison->base_revision)},
        {"new", json_side(report->new_name, comparison->new_revision)}, {"rows", rows});
    (void)json_dumpf(document, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(document);
    fputc('\n', to);
}

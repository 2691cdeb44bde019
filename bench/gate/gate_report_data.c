/* The report as data: CSV with a line per compared row, and JSON with all that is known. */
#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "gate_report.h"

#include <math.h>

/* What is known of a row: a cell of the CSV, a member of the JSON, or both. */
struct value {
    const char *name;
    enum { TEXT, ANSWER, NUMBER, COUNT } type;
    enum { EVERYWHERE, CSV, JSON } where;
    const char *text; /* empty: unknown */
    double number;    /* not finite: unknown; an answer is 1 for yes and 0 for no */
};
enum { VALUES = 25 };

static void values_of(const struct gate_report *report, const struct compared_row *row, struct value values[VALUES])
{
    const struct comparison *c = report->comparison;
    const struct evidence *e = &row->evidence;
    const double unknown = (double)NAN;
    const struct value all[VALUES] = {
        {"name", TEXT, EVERYWHERE, row->name, 0},
        {"verdict", TEXT, EVERYWHERE, report->error ? "not compared" : verdict_name(row->verdict), 0},
        {"ratio", NUMBER, EVERYWHERE, "", e->ratio},
        {"ratio_low", NUMBER, EVERYWHERE, "", e->interval.low > 0 ? e->interval.low : unknown},
        {"ratio_high", NUMBER, EVERYWHERE, "", e->interval.high},
        {"base_s", NUMBER, EVERYWHERE, "", e->base_s},
        {"new_s", NUMBER, EVERYWHERE, "", e->new_s},
        {"tick_s", NUMBER, JSON, "", e->tick_s > 0 ? e->tick_s : unknown},
        {"base_rounds", COUNT, EVERYWHERE, "", (double)e->base_rounds},
        {"new_rounds", COUNT, EVERYWHERE, "", (double)e->new_rounds},
        {"arrangements", COUNT, JSON, "", (double)e->arrangements},
        {"threshold", NUMBER, EVERYWHERE, "", e->limits.threshold},
        {"clear", NUMBER, EVERYWHERE, "", e->limits.clear},
        {"p_slower", NUMBER, EVERYWHERE, "", e->p_slower},
        {"p_faster", NUMBER, JSON, "", e->p_faster},
        {"p_clear", NUMBER, EVERYWHERE, "", e->p_clear},
        {"p_error", NUMBER, JSON, "", e->p_error},
        {"confirmed", ANSWER, EVERYWHERE, "", row->confirmed},
        {"slowed", ANSWER, EVERYWHERE, "", row->slowed},
        {"reason", TEXT, EVERYWHERE, row->reason, 0},
        {"device", TEXT, CSV, c->device, 0},
        {"base_revision", TEXT, CSV, c->base_revision, 0},
        {"new_revision", TEXT, CSV, c->new_revision, 0},
        {"remark", TEXT, EVERYWHERE, row->remark, 0},
        {"same_code", ANSWER, EVERYWHERE, "", row->code == CODE_UNKNOWN ? unknown : row->code == CODE_SAME},
    };
    for (size_t i = 0; i < VALUES; i++) {
        values[i] = all[i];
        if (!row->has_evidence && all[i].type >= NUMBER)
            values[i].number = unknown;
    }
}

static void put_cell(FILE *to, const struct value *value)
{
    if (value->type == TEXT)
        csv_put_text(to, value->text);
    else if (value->type == ANSWER && isfinite(value->number))
        fputs(value->number > 0 ? "yes" : "no", to);
    else if (isfinite(value->number))
        fprintf(to, "%.9g", value->number);
}

static void put_line(FILE *to, const struct gate_report *report, const struct compared_row *row, bool is_header)
{
    struct value values[VALUES];
    values_of(report, row, values);
    for (size_t i = 0; i < VALUES; i++) {
        if (values[i].where == JSON)
            continue;
        fputs(i > 0 ? "," : "", to);
        if (is_header)
            fputs(values[i].name, to);
        else
            put_cell(to, &values[i]);
    }
    fputc('\n', to);
}

/* One line per compared row, or one that says why nothing was compared. scripts/plot.sh reads it. */
bool gate_write_csv(const struct gate_report *report, FILE *to)
{
    const struct compared_row none = {.name = "rungbench-gate", .reason = report->error ? report->error : ""};
    put_line(to, report, &none, true);
    if (report->error)
        put_line(to, report, &none, false);
    for (size_t i = 0; i < report->comparison->count; i++)
        put_line(to, report, &report->comparison->rows[i], false);
    return true;
}

static bool put_text(json_t *to, const char *key, const char *text)
{
    return json_put(to, key, text[0] ? json_text(text) : json_null());
}

static json_t *json_value(const struct value *value)
{
    if (value->type == TEXT)
        return value->text[0] ? json_text(value->text) : json_null();
    if (!isfinite(value->number))
        return json_null();
    return value->type == ANSWER  ? json_boolean(value->number > 0)
           : value->type == COUNT ? json_integer((json_int_t)value->number)
                                  : json_real(value->number);
}

static json_t *json_row(const struct gate_report *report, const struct compared_row *row)
{
    struct value values[VALUES];
    json_t *object = json_object();
    bool ok = object;
    values_of(report, row, values);
    for (size_t i = 0; i < VALUES && ok; i++)
        ok = values[i].where == CSV || json_put(object, values[i].name, json_value(&values[i]));
    return json_if(ok, object);
}

static json_t *json_rows(const struct gate_report *report)
{
    json_t *rows = json_array();
    bool ok = rows;
    for (size_t i = 0; i < report->comparison->count && ok; i++)
        ok = json_array_append_new(rows, json_row(report, &report->comparison->rows[i])) == 0;
    return json_if(ok, rows);
}

static json_t *json_side(const char *name, const char *revision)
{
    json_t *side = json_object();
    return json_if(put_text(side, "name", name) && put_text(side, "revision", revision), side);
}

static json_t *json_report(const struct gate_report *report)
{
    const struct comparison *comparison = report->comparison;
    json_t *document = json_object();
    bool ok = json_put(document, "schema", json_integer(1)) &&
              put_text(document, "status", gate_status_words(report->status)) &&
              json_put(document, "exit_status", json_integer(report->status)) &&
              put_text(document, "headline", report->headline) && put_text(document, "method", report->method) &&
              put_text(document, "advice", report->advice) &&
              put_text(document, "error", report->error ? report->error : "") &&
              json_put(document, "paired", json_boolean(comparison->paired)) &&
              put_text(document, "device", comparison->device) &&
              json_put(document, "base", json_side(report->base_name, comparison->base_revision)) &&
              json_put(document, "new", json_side(report->new_name, comparison->new_revision)) &&
              json_put(document, "rows", json_rows(report));
    return json_if(ok, document);
}

/* Every member is always present, null if unknown. */
bool gate_write_json(const struct gate_report *report, FILE *to)
{
    json_t *document = json_report(report);
    bool ok = json_dumpf(document, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 && !ferror(to);
    json_decref(document);
    fputc('\n', to);
    return ok;
}

/* JSON: everything that is known about the comparison. Every member is always present, null if unknown. */
#include "bench/base/json_text.h"
#include "gate_format.h"
#include "gate_report.h"

#include <math.h>

enum { GATE_JSON_SCHEMA = 1 };

static bool put_text(json_t *to, const char *key, const char *text)
{
    return json_put(to, key, text[0] ? json_text(text) : json_null());
}

static bool put_number(json_t *to, const char *key, bool known, double value)
{
    return json_put(to, key, known && isfinite(value) ? json_real(value) : json_null());
}

static bool put_count(json_t *to, const char *key, bool known, size_t count)
{
    return json_put(to, key, known ? json_integer((json_int_t)count) : json_null());
}

static bool put_numbers(json_t *to, const struct compared_row *row)
{
    const struct evidence *e = &row->evidence;
    struct interval ends = gate_known_ends(e->interval);
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"ratio", e->ratio},
        {"ratio_low", ends.low},
        {"ratio_high", ends.high},
        {"base_s", e->base_s},
        {"new_s", e->new_s},
        {"tick_s", e->tick_s > 0 ? e->tick_s : (double)NAN},
        {"threshold", e->limits.threshold},
        {"clear", e->limits.clear},
        {"p_slower", e->p_slower},
        {"p_faster", e->p_faster},
        {"p_clear", e->p_clear},
        {"p_error", e->p_error},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && ok; i++)
        ok = put_number(to, numbers[i].key, row->has_evidence, numbers[i].value);
    return ok && put_count(to, "base_rounds", row->has_evidence, e->base_rounds) &&
           put_count(to, "new_rounds", row->has_evidence, e->new_rounds) &&
           put_count(to, "arrangements", row->has_evidence, e->arrangements);
}

static json_t *row_value(const struct compared_row *row)
{
    json_t *value = json_object();
    bool ok =
        put_text(value, "name", row->name) && put_text(value, "verdict", verdict_name(row->verdict)) &&
        put_numbers(value, row) && json_put(value, "confirmed", json_boolean(row->confirmed)) &&
        json_put(value, "slowed", json_boolean(row->slowed)) &&
        json_put(value, "same_code", row->code == CODE_UNKNOWN ? json_null() : json_boolean(row->code == CODE_SAME)) &&
        put_text(value, "reason", row->reason) && put_text(value, "remark", row->remark);
    return json_if(ok, value);
}

static json_t *rows_value(const struct comparison *comparison)
{
    json_t *rows = json_array();
    bool ok = rows;
    for (size_t i = 0; i < comparison->count && ok; i++)
        ok = json_array_append_new(rows, row_value(&comparison->rows[i])) == 0;
    return json_if(ok, rows);
}

static json_t *side_value(const char *name, const char *revision)
{
    json_t *side = json_object();
    return json_if(put_text(side, "name", name) && put_text(side, "revision", revision), side);
}

static json_t *document_of(const struct gate_report *report)
{
    const struct comparison *comparison = report->comparison;
    json_t *document = json_object();
    bool ok = json_put(document, "schema", json_integer(GATE_JSON_SCHEMA)) &&
              put_text(document, "status", gate_status_words(report->status)) &&
              json_put(document, "exit_status", json_integer(report->status)) &&
              put_text(document, "headline", report->headline) && put_text(document, "method", report->method) &&
              put_text(document, "advice", report->advice) &&
              put_text(document, "error", report->error ? report->error : "") &&
              json_put(document, "paired", json_boolean(comparison->paired)) &&
              put_text(document, "device", comparison->device) &&
              json_put(document, "base", side_value(report->base_name, comparison->base_revision)) &&
              json_put(document, "new", side_value(report->new_name, comparison->new_revision)) &&
              json_put(document, "rows", rows_value(comparison));
    return json_if(ok, document);
}

bool gate_write_json(const struct gate_report *report, FILE *to)
{
    json_t *document = document_of(report);
    bool ok = json_dumpf(document, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 && !ferror(to);
    json_decref(document);
    fputc('\n', to);
    return ok;
}

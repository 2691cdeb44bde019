/* JUnit XML for GitLab and Jenkins. GitLab shows the text of an element but not its message; Jenkins shows both. GitLab
 * distinguishes errors from failures; Jenkins counts both as failed. */
#include "gate_format.h"
#include "gate_report.h"
#include "xml_text.h"

#include <string.h>

static const char suite[] = "rungbench-gate";

/* The element inside <testcase>; NULL: none, the row passed. */
static const char *element_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_SLOWER:
    case VERDICT_FAILED:
    case VERDICT_MISSING:
    case VERDICT_NEWLY_SKIPPED: return "failure";
    case VERDICT_SUSPECTED:
    case VERDICT_INCONCLUSIVE: return "error";
    case VERDICT_NEW: /* compared with nothing */
    case VERDICT_NOT_GATED:
    case VERDICT_SKIPPED: return "skipped";
    default: return NULL;
    }
}

static size_t count_elements(const struct comparison *comparison, const char *element)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const char *own = element_of(comparison->rows[i].verdict);
        count += own && strcmp(own, element) == 0;
    }
    return count;
}

static void put(FILE *to, const char *text)
{
    xml_put_text(to, text, strlen(text));
}

/* Class name: op/workload. Name: variant/mode. */
static void put_identity(const char *name, FILE *to)
{
    const char *slash = strchr(name, '/');
    slash = slash ? strchr(slash + 1, '/') : NULL;
    fputs("    <testcase classname=\"", to);
    if (slash)
        xml_put_text(to, name, (size_t)(slash - name));
    else
        put(to, suite);
    fputs("\" name=\"", to);
    put(to, slash ? slash + 1 : name);
    fputc('"', to);
}

static void put_message(const struct compared_row *row, FILE *to)
{
    struct gate_figures figures;
    gate_format(row, &figures);
    put(to, verdict_name(row->verdict));
    if (row->has_evidence)
        fprintf(to, ": ratio %s, 95 %% interval %s, base %s, new %s", figures.ratio, figures.interval, figures.base,
                figures.other);
    if (figures.note[0])
        fputs(row->has_evidence ? "; " : ": ", to);
    put(to, figures.note);
}

static const char *type_of(const char *element, enum verdict verdict)
{
    return strcmp(element, "error") == 0 ? "inconclusive" : verdict_name(verdict);
}

static void put_row(const struct compared_row *row, FILE *to)
{
    const char *element = element_of(row->verdict);
    put_identity(row->name, to);
    if (row->has_evidence)
        fprintf(to, " time=\"%.12f\"", row->evidence.new_s);
    if (!element) {
        fputs("/>\n", to);
        return;
    }
    fprintf(to, ">\n      <%s type=\"%s\" message=\"", element, type_of(element, row->verdict));
    put_message(row, to);
    fputs("\">", to);
    put_message(row, to);
    fprintf(to, "</%s>\n    </testcase>\n", element);
}

/* In place of rows, where there are none: so that the job shows why. */
static void put_refusal(const char *element, const struct gate_report *report, FILE *to)
{
    fprintf(to, "    <testcase classname=\"%s\" name=\"comparison\">\n      <%s type=\"%s\" message=\"", suite, element,
            gate_status_words(report->status));
    put(to, report->error);
    fputs("\">", to);
    put(to, report->error);
    fprintf(to, "</%s>\n    </testcase>\n", element);
}

bool gate_write_junit(const struct gate_report *report, FILE *to)
{
    const struct comparison *comparison = report->comparison;
    const char *refusal = !report->error ? "" : report->status == GATE_ALL_SKIPPED ? "skipped" : "error";
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
            suite, comparison->count + (report->error != NULL), count_elements(comparison, "failure"),
            count_elements(comparison, "error") + (strcmp(refusal, "error") == 0),
            count_elements(comparison, "skipped") + (strcmp(refusal, "skipped") == 0));
    if (report->error)
        put_refusal(refusal, report, to);
    for (size_t i = 0; i < comparison->count; i++)
        put_row(&comparison->rows[i], to);
    fprintf(to, "    <system-out>gate %s: ", gate_status_words(report->status));
    put(to, report->headline);
    fputs("&#10;", to);
    put(to, report->method);
    fputs("&#10;", to);
    put(to, report->advice);
    fputs("</system-out>\n  </testsuite>\n</testsuites>\n", to);
    return true;
}

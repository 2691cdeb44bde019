/* The report as text: a table for people, Markdown, and JUnit's XML. */
#include "bench/base/plain_text.h"
#include "gate_report.h"

#include <math.h>
#include <string.h>

/* The figures of a row as text; "-" where there is no evidence. */
struct figures {
    char ratio[24];    /* "1.0512" */
    char interval[48]; /* "1.031 to 1.072", "unknown" */
    char base[24];     /* "39.9 us" */
    char other[24];
    char note[600]; /* what the verdict rests on; may be empty */
};

static void format_time(double seconds, char *text, size_t size)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof units[0] && seconds >= 999.5 * units[i].scale)
        i++;
    snprintf(text, size, "%.4g %s", seconds / units[i].scale, units[i].unit);
}

static void format_interval(struct interval ratio, char *text, size_t size)
{
    if (ratio.low > 0 && isfinite(ratio.high))
        snprintf(text, size, "%.3f to %.3f", ratio.low, ratio.high);
    else if (ratio.low > 0)
        snprintf(text, size, "%.3f or more", ratio.low);
    else if (isfinite(ratio.high))
        snprintf(text, size, "%.3f or less", ratio.high);
    else
        snprintf(text, size, "unknown");
}

static void format_note(const struct compared_row *row, char *text, size_t size)
{
    const char *const parts[] = {row->slowed ? "slowed on purpose by --slowdown" : "",
                                 row->verdict == VERDICT_LAYOUT ? "the same machine code" : "", row->reason,
                                 row->remark};
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i][0])
            text_append(text, size, "%s%s", text[0] ? "; " : "", parts[i]);
}

static struct figures figures_of(const struct compared_row *row)
{
    struct figures figures = {.ratio = "-", .interval = "-", .base = "-", .other = "-"};
    format_note(row, figures.note, sizeof figures.note);
    if (!row->has_evidence)
        return figures;
    snprintf(figures.ratio, sizeof figures.ratio, "%.4f", row->evidence.ratio);
    format_interval(row->evidence.interval, figures.interval, sizeof figures.interval);
    format_time(row->evidence.base_s, figures.base, sizeof figures.base);
    format_time(row->evidence.new_s, figures.other, sizeof figures.other);
    return figures;
}

static void print_row(const struct compared_row *row, FILE *to)
{
    struct figures figures = figures_of(row);
    fprintf(to, "  %-13s %7s  %-16s %10s %10s  ", verdict_name(row->verdict), figures.ratio, figures.interval,
            figures.base, figures.other);
    plain_text_put(to, row->name);
    fputs(figures.note[0] ? " (" : "", to);
    plain_text_put(to, figures.note);
    fputs(figures.note[0] ? ")\n" : "\n", to);
}

static void print_side(const char *label, const char *name, const char *revision, FILE *to)
{
    fputs(label, to);
    plain_text_put(to, name);
    fputs(revision[0] ? ", revision " : "", to);
    plain_text_put(to, revision);
    fputc('\n', to);
}

void gate_write_console(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    const struct comparison *comparison = report->comparison;
    print_side("\nbase ", report->base_name, comparison->base_revision, to);
    print_side("new  ", report->new_name, comparison->new_revision, to);
    plain_text_put(to, comparison->device);
    fprintf(to, "%s%s, %s\n\n", comparison->device[0] ? ": " : "", report->method, "ratio is new time over base time");
    fprintf(to, "  %-13s %7s  %-16s %10s %10s  %s\n", "verdict", "ratio", "95 % interval", "base", "new", "row");
    for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) /* rows are sorted by name */
        for (size_t i = 0; i < comparison->count; i++)
            if (comparison->rows[i].verdict == verdict)
                print_row(&comparison->rows[i], to);
    fprintf(to, "\ngate %s: %s\n", gate_status_words(report->status), report->headline);
    if (report->advice[0])
        fprintf(to, "%s\n", report->advice);
}

static void put_markdown_row(FILE *to, const struct compared_row *row)
{
    struct figures figures = figures_of(row);
    const char *stress = row->verdict <= VERDICT_INCONCLUSIVE ? "**" : ""; /* bold: the gate does not pass */
    fprintf(to, "| %s%s%s | %s | %s | %s | %s | <code>", stress, verdict_name(row->verdict), stress, figures.ratio,
            figures.interval, figures.base, figures.other);
    markdown_put_text(to, row->name);
    fprintf(to, "</code>%s", figures.note[0] ? "<br>" : "");
    markdown_put_text(to, figures.note);
    fputs(" |\n", to);
}

/* Verdicts that need no attention are folded, each in a table of its own. */
static const enum verdict folded[] = {VERDICT_SAME_CODE, VERDICT_CLEARED, VERDICT_SKIPPED};
enum { FOLDED = sizeof folded / sizeof folded[0] };

/* The place in `folded`, or FOLDED. */
static size_t fold_of(enum verdict verdict)
{
    size_t fold = 0;
    while (fold < FOLDED && folded[fold] != verdict)
        fold++;
    return fold;
}

/* The rows of one fold, or those that are open. */
static void put_markdown_table(FILE *to, const struct comparison *comparison, size_t fold)
{
    size_t rows = 0;
    for (enum verdict verdict = 0; verdict < VERDICTS; verdict++)
        rows += fold_of(verdict) == fold ? comparison_count(comparison, verdict) : 0;
    if (rows == 0)
        return;
    if (fold < FOLDED)
        fprintf(to, "<details>\n<summary>%zu row%s %s</summary>\n\n", rows, rows == 1 ? "" : "s",
                verdict_name(folded[fold]));
    fputs("| verdict | ratio | 95 % interval | base | new | row |\n|:--|--:|:--|--:|--:|:--|\n", to);
    for (enum verdict verdict = 0; verdict < VERDICTS; verdict++)
        for (size_t i = 0; i < comparison->count && fold_of(verdict) == fold; i++)
            if (comparison->rows[i].verdict == verdict)
                put_markdown_row(to, &comparison->rows[i]);
    fputs(fold < FOLDED ? "\n</details>\n\n" : "\n", to);
}

static void put_markdown_side(FILE *to, const char *which, const char *name, const char *revision)
{
    fprintf(to, "%s: <code>", which);
    markdown_put_text(to, name);
    fputs(revision[0] ? "</code> at <code>" : "", to);
    markdown_put_text(to, revision);
    fputs("</code>", to);
}

static void put_markdown_preface(FILE *to, const struct gate_report *report)
{
    const struct comparison *comparison = report->comparison;
    fprintf(to, "### rungbench gate: %s\n\n**", gate_status_words(report->status));
    markdown_put_text(to, report->headline);
    fputs("**\n\n", to);
    if (report->error) {
        markdown_put_text(to, report->error);
        fputs("\n\n", to);
    } else {
        markdown_put_text(to, comparison->device);
        fputs(comparison->device[0] ? ": " : "", to);
        markdown_put_text(to, report->method);
        fputs(". The ratio is new time over base time.<br>\n", to);
    }
    put_markdown_side(to, "Base", report->base_name, comparison->base_revision);
    put_markdown_side(to, "; new", report->new_name, comparison->new_revision);
    fputs("\n\n", to);
}

/* For the summary of a CI job. GitHub's limit is 1 MiB; a row has about 200 bytes. */
void gate_write_markdown(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    put_markdown_preface(to, report);
    put_markdown_table(to, report->comparison, FOLDED);
    for (size_t fold = 0; fold < FOLDED; fold++)
        put_markdown_table(to, report->comparison, fold);
    markdown_put_text(to, report->advice);
    fputs(report->advice[0] ? "\n\n" : "", to);
}

/* XML 1.0 does not allow U+FFFE, U+FFFF and control characters. */
static bool xml_allows(const char *character, size_t bytes)
{
    return bytes == 1
               ? (unsigned char)*character >= ' '
               : strncmp(character, "\xef\xbf\xbe", bytes) != 0 && strncmp(character, "\xef\xbf\xbf", bytes) != 0;
}

/* Writes the text up to `end` (NULL: all of it) for an element or attribute, in which readers take some characters for
 * markup or turn them into a space. What is not allowed is dropped, and bytes that are not UTF-8 become '?'. */
static void put_xml(FILE *to, const char *text, const char *end)
{
    for (size_t bytes; *text && text != end; text += bytes > 0 ? bytes : 1) {
        bytes = utf8_bytes(text);
        if (bytes == 0)
            fputc('?', to);
        else if (strchr("&<>\"'\t\n\r", *text))
            fprintf(to, "&#%d;", *text);
        else if (xml_allows(text, bytes))
            fwrite(text, 1, bytes, to);
    }
}

static const char suite[] = "rungbench-gate";

/* The element inside <testcase>; "": none, the row passed. GitLab distinguishes errors from failures; Jenkins counts
 * both as failed. */
static const char *element_of(enum verdict verdict)
{
    return verdict <= VERDICT_NEWLY_SKIPPED  ? "failure"
           : verdict <= VERDICT_INCONCLUSIVE ? "error"
           : verdict >= VERDICT_NEW          ? "skipped" /* compared with nothing */
                                             : "";
}

/* GitLab shows the text of an element but not its message; Jenkins shows both. */
static void put_element(FILE *to, const char *element, const char *type, const char *message)
{
    fprintf(to, ">\n      <%s type=\"%s\" message=\"", element, type);
    put_xml(to, message, NULL);
    fputs("\">", to);
    put_xml(to, message, NULL);
    fprintf(to, "</%s>\n    </testcase>\n", element);
}

static void put_testcase(FILE *to, const struct compared_row *row)
{
    const char *element = element_of(row->verdict), *verdict = verdict_name(row->verdict), *slash = row->name;
    struct figures figures = figures_of(row);
    char evidence[200] = "", message[1000];
    slash = strchr(slash, '/') ? strchr(strchr(slash, '/') + 1, '/') : NULL; /* class op/workload, name variant/mode */
    fputs("    <testcase classname=\"", to);
    put_xml(to, slash ? row->name : suite, slash);
    fputs("\" name=\"", to);
    put_xml(to, slash ? slash + 1 : row->name, NULL);
    fputc('"', to);
    if (row->has_evidence) {
        fprintf(to, " time=\"%.12f\"", row->evidence.new_s);
        snprintf(evidence, sizeof evidence, ": ratio %s, 95 %% interval %s, base %s, new %s", figures.ratio,
                 figures.interval, figures.base, figures.other);
    }
    const char *separator = !figures.note[0] ? "" : row->has_evidence ? "; " : ": ";
    snprintf(message, sizeof message, "%s%s%s%s", verdict, evidence, separator, figures.note);
    if (element[0])
        put_element(to, element, strcmp(element, "error") == 0 ? "inconclusive" : verdict, message);
    else
        fputs("/>\n", to);
}

/* What stands in place of rows, where there are none, so that the job shows why. */
static const char *refusal_of(const struct gate_report *report)
{
    return !report->error ? "" : report->status == GATE_ALL_SKIPPED ? "skipped" : "error";
}

static size_t count_elements(const struct gate_report *report, const char *element)
{
    size_t count = strcmp(refusal_of(report), element) == 0;
    for (size_t i = 0; i < report->comparison->count; i++)
        count += strcmp(element_of(report->comparison->rows[i].verdict), element) == 0;
    return count;
}

/* For GitLab and Jenkins. */
void gate_write_junit(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    const struct comparison *comparison = report->comparison;
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
            suite, comparison->count + (report->error != NULL), count_elements(report, "failure"),
            count_elements(report, "error"), count_elements(report, "skipped"));
    if (report->error) {
        fprintf(to, "    <testcase classname=\"%s\" name=\"comparison\"", suite);
        put_element(to, refusal_of(report), gate_status_words(report->status), report->error);
    }
    for (size_t i = 0; i < comparison->count; i++)
        put_testcase(to, &comparison->rows[i]);
    fprintf(to, "    <system-out>gate %s: ", gate_status_words(report->status));
    put_xml(to, report->headline, NULL);
    fputs("&#10;", to);
    put_xml(to, report->method, NULL);
    fputs("&#10;", to);
    put_xml(to, report->advice, NULL);
    fputs("</system-out>\n  </testsuite>\n</testsuites>\n", to);
}

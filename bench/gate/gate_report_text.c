/* The report as text: a table for people, Markdown, and JUnit's XML. */
#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/report/report_text.h"
#include "gate_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Writes a text from outside as a kind of report has them. */
typedef void put_function(FILE *to, const char *text);

/* The format has no conversions but %s: texts from outside. */
__attribute__((format(printf, 3, 4))) static void print(FILE *to, put_function *put, const char *format, ...)
{
    va_list texts;
    va_start(texts, format);
    for (const char *next; (next = strstr(format, "%s")); format = next + 2) {
        fwrite(format, 1, (size_t)(next - format), to);
        put(to, va_arg(texts, const char *));
    }
    fputs(format, to);
    va_end(texts);
}

/* The figures of a row as text; "-" where there is no evidence. */
struct figures {
    char ratio[24];            /* "1.0512" */
    char interval[48];         /* "1.031 to 1.072", "unknown" */
    struct figure base, other; /* "39.90 us" */
    char note[600];            /* what the verdict rests on; may be empty */
};

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

static struct figures figures_of(const struct compared_row *row)
{
    const char *const notes[] = {row->slowed ? "slowed on purpose by --slowdown" : "",
                                 row->verdict == VERDICT_LAYOUT ? "the same machine code" : "", row->reason,
                                 row->remark};
    struct figures figures = {.ratio = "-", .interval = "-", .base = {"-"}, .other = {"-"}};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (notes[i][0])
            text_append(figures.note, sizeof figures.note, "%s%s", figures.note[0] ? "; " : "", notes[i]);
    if (!row->has_evidence)
        return figures;
    snprintf(figures.ratio, sizeof figures.ratio, "%.4f", row->evidence.ratio);
    format_interval(row->evidence.interval, figures.interval, sizeof figures.interval);
    figures.base = time_text(row->evidence.base_s);
    figures.other = time_text(row->evidence.new_s);
    return figures;
}

static void print_row(FILE *to, const struct compared_row *row)
{
    struct figures figures = figures_of(row);
    fprintf(to, "  %-13s %7s  %-16s %10s %10s  ", verdict_name(row->verdict), figures.ratio, figures.interval,
            figures.base.text, figures.other.text);
    print(to, plain_text_put, figures.note[0] ? "%s (%s)\n" : "%s\n", row->name, figures.note);
}

/* Verdicts that need no attention are folded in Markdown, each in a table of its own. */
static const enum verdict folded[] = {VERDICT_SAME_CODE, VERDICT_CLEARED, VERDICT_SKIPPED};
enum { FOLDED = sizeof folded / sizeof folded[0], ALL };

/* Whether it is the verdict of this fold; of FOLDED: of none of them. */
static bool is_in(size_t fold, enum verdict verdict)
{
    size_t its = 0;
    while (its < FOLDED && folded[its] != verdict)
        its++;
    return fold == ALL || its == fold;
}

/* Those of a fold, the worst first, and of one verdict by name; how many there are. NULL: they are only counted. */
static size_t print_rows(FILE *to, const struct comparison *comparison, size_t fold,
                         void (*print_one)(FILE *to, const struct compared_row *row))
{
    size_t rows = 0;
    for (enum verdict verdict = 0; verdict < VERDICTS; verdict++)
        for (size_t i = 0; i < comparison->count && is_in(fold, verdict); i++)
            if (comparison->rows[i].verdict == verdict) {
                rows++;
                if (print_one)
                    print_one(to, &comparison->rows[i]);
            }
    return rows;
}

/* A paragraph for each line. */
static void print_why(FILE *to, const struct compared_row *row)
{
    if (!row->why)
        return;
    print(to, plain_text_put, "\n%s\n", row->name);
    for (const char *line = row->why; *line; line += strcspn(line, "\n"), line += *line == '\n')
        wrap_print(to, 2, 4, "%.*s", (int)strcspn(line, "\n"), line);
}

void gate_write_console(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    const struct comparison *comparison = report->comparison;
    const char *const revisions[] = {comparison->base_revision, comparison->new_revision};
    print(to, plain_text_put, revisions[0][0] ? "\nbase %s, revision %s\n" : "\nbase %s\n", report->base_name,
          revisions[0]);
    print(to, plain_text_put, revisions[1][0] ? "new  %s, revision %s\n" : "new  %s\n", report->new_name, revisions[1]);
    print(to, plain_text_put, comparison->device[0] ? "%s: %s" : "%s%s", comparison->device, report->method);
    fprintf(to, ", ratio is new time over base time\n\n  %-13s %7s  %-16s %10s %10s  %s\n", "verdict", "ratio",
            "95 % interval", "base", "new", "row");
    print_rows(to, comparison, ALL, print_row);
    print_rows(to, comparison, ALL, print_why);
    fprintf(to, "\ngate %s: %s\n", gate_status_words(report->status), report->headline);
    if (report->advice[0])
        fprintf(to, "%s\n", report->advice);
}

/* In bold where the gate does not pass. */
static void print_markdown_row(FILE *to, const struct compared_row *row)
{
    struct figures figures = figures_of(row);
    print(to, markdown_put_text, row->verdict <= VERDICT_INCONCLUSIVE ? "| **%s** |" : "| %s |",
          verdict_name(row->verdict));
    print(to, markdown_put_text,
          figures.note[0] ? " %s | %s | %s | %s | <code>%s</code><br>%s |\n"
                          : " %s | %s | %s | %s | <code>%s</code> |\n",
          figures.ratio, figures.interval, figures.base.text, figures.other.text, row->name, figures.note);
}

/* The rows of one fold, or those that are open. */
static void print_markdown_table(FILE *to, const struct comparison *comparison, size_t fold)
{
    const size_t rows = print_rows(to, comparison, fold, NULL);
    if (rows == 0)
        return;
    if (fold < FOLDED)
        fprintf(to, "<details>\n<summary>%zu row%s %s</summary>\n\n", rows, rows == 1 ? "" : "s",
                verdict_name(folded[fold]));
    fputs("| verdict | ratio | 95 % interval | base | new | row |\n|:--|--:|:--|--:|--:|:--|\n", to);
    print_rows(to, comparison, fold, print_markdown_row);
    fputs(fold < FOLDED ? "\n</details>\n\n" : "\n", to);
}

/* The first line, and the others as a list. */
static void print_markdown_why(FILE *to, const struct compared_row *row)
{
    const char *form = ": %s\n\n";
    if (!row->why)
        return;
    print(to, markdown_put_text, "<code>%s</code>", row->name);
    for (const char *line = row->why; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char *text = memory_print("%.*s", (int)strcspn(line, "\n"), line);
        print(to, markdown_put_text, form, text);
        form = "- %s\n";
        free(text);
    }
    fputc('\n', to);
}

/* For the summary of a CI job. GitHub's limit is 1 MiB; a row has about 200 bytes. */
void gate_write_markdown(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    const struct comparison *comparison = report->comparison;
    const char *const revisions[] = {comparison->base_revision, comparison->new_revision};
    put_function *put = markdown_put_text;
    print(to, put, "### rungbench gate: %s\n\n**%s**\n\n", gate_status_words(report->status), report->headline);
    if (report->error)
        print(to, put, "%s\n\n", report->error);
    else
        print(to, put,
              comparison->device[0] ? "%s: %s. The ratio is new time over base time.<br>\n"
                                    : "%s%s. The ratio is new time over base time.<br>\n",
              comparison->device, report->method);
    print(to, put, revisions[0][0] ? "Base: <code>%s</code> at <code>%s</code>" : "Base: <code>%s</code>",
          report->base_name, revisions[0]);
    print(to, put, revisions[1][0] ? "; new: <code>%s</code> at <code>%s</code>\n\n" : "; new: <code>%s</code>\n\n",
          report->new_name, revisions[1]);
    print_markdown_table(to, comparison, FOLDED);
    print_rows(to, comparison, ALL, print_markdown_why);
    for (size_t fold = 0; fold < FOLDED; fold++)
        print_markdown_table(to, comparison, fold);
    if (report->advice[0])
        print(to, put, "%s\n\n", report->advice);
}

/* For an element or attribute, in which readers take some characters for markup or turn them into a space. XML 1.0 does
 * not allow U+FFFE, U+FFFF and control characters, which are dropped. */
static void put_xml(FILE *to, const char *text)
{
    char *utf8 = utf8_make(text);
    for (const char *c = utf8; *c; c++)
        if (strchr("&<>\"'\t\n\r", *c))
            fprintf(to, "&#%d;", *c);
        else if (strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0)
            c += 2;
        else if ((unsigned char)*c >= ' ')
            fputc(*c, to);
    free(utf8);
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
    print(to, put_xml, ">\n      <%s type=\"%s\" message=\"%s\">%s</%s>\n    </testcase>\n", element, type, message,
          message, element);
}

static void put_testcase(FILE *to, const struct compared_row *row)
{
    const char *element = element_of(row->verdict), *verdict = verdict_name(row->verdict), *slash = row->name;
    struct figures figures = figures_of(row);
    char message[1000];
    slash = strchr(slash, '/') ? strchr(strchr(slash, '/') + 1, '/') : NULL; /* class op/workload, name variant/mode */
    char *class = slash ? memory_print("%.*s", (int)(slash - row->name), row->name) : memory_print("%s", suite);
    print(to, put_xml, "    <testcase classname=\"%s\" name=\"%s\"", class, slash ? slash + 1 : row->name);
    free(class);
    snprintf(message, sizeof message, "%s", verdict);
    if (row->has_evidence) {
        fprintf(to, " time=\"%.12f\"", row->evidence.new_s);
        text_append(message, sizeof message, ": ratio %s, 95 %% interval %s, base %s, new %s", figures.ratio,
                    figures.interval, figures.base.text, figures.other.text);
    }
    if (figures.note[0])
        text_append(message, sizeof message, "%s%s", row->has_evidence ? "; " : ": ", figures.note);
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

void gate_write_junit(FILE *to, const void *self)
{
    const struct gate_report *report = self;
    const struct comparison *comparison = report->comparison;
    const char *status = gate_status_words(report->status);
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
            suite, comparison->count + (report->error != NULL), count_elements(report, "failure"),
            count_elements(report, "error"), count_elements(report, "skipped"));
    if (report->error) {
        fprintf(to, "    <testcase classname=\"%s\" name=\"comparison\"", suite);
        put_element(to, refusal_of(report), status, report->error);
    }
    for (size_t i = 0; i < comparison->count; i++)
        put_testcase(to, &comparison->rows[i]);
    print(to, put_xml, "    <system-out>gate %s: %s&#10;%s&#10;%s</system-out>\n  </testsuite>\n</testsuites>\n",
          status, report->headline, report->method, report->advice);
}

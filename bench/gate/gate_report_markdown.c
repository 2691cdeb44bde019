/* Markdown for the summary of a CI job. GitHub's limit is 1 MiB; a row has about 200 bytes. */
#include "bench/base/plain_text.h"
#include "gate_format.h"
#include "gate_report.h"

#include <stdlib.h>
#include <string.h>

/* Verdicts that need no attention are folded, each in a table of its own. */
static bool is_folded(enum verdict verdict)
{
    return verdict == VERDICT_CLEARED || verdict == VERDICT_SAME_CODE || verdict == VERDICT_SKIPPED;
}

static void put_head(FILE *to)
{
    fputs("| verdict | ratio | 95 % interval | base | new | row |\n|:--|--:|:--|--:|--:|:--|\n", to);
}

static void put_row(FILE *to, const struct compared_row *row)
{
    struct gate_figures figures;
    const char *stress = row->verdict <= VERDICT_INCONCLUSIVE ? "**" : ""; /* bold: the gate does not pass */
    gate_format(row, &figures);
    fprintf(to, "| %s%s%s | %s | %s | %s | %s | <code>", stress, verdict_name(row->verdict), stress, figures.ratio,
            figures.interval, figures.base, figures.other);
    markdown_put_text(to, row->name);
    fprintf(to, "</code>%s", figures.note[0] ? "<br>" : "");
    markdown_put_text(to, figures.note);
    fputs(" |\n", to);
}

static void put_open_rows(FILE *to, const struct compared_row *const *order, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (is_folded(order[i]->verdict))
            continue;
        if (!any)
            put_head(to);
        any = true;
        put_row(to, order[i]);
    }
    if (any)
        fputc('\n', to);
}

static void put_folded(FILE *to, const struct compared_row *const *order, size_t count, enum verdict verdict)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++)
        rows += order[i]->verdict == verdict;
    if (rows == 0)
        return;
    fprintf(to, "<details>\n<summary>%zu row%s %s</summary>\n\n", rows, rows == 1 ? "" : "s", verdict_name(verdict));
    put_head(to);
    for (size_t i = 0; i < count; i++)
        if (order[i]->verdict == verdict)
            put_row(to, order[i]);
    fputs("\n</details>\n\n", to);
}

static void put_side(FILE *to, const char *which, const char *name, const char *revision)
{
    fprintf(to, "%s: <code>", which);
    markdown_put_text(to, name);
    fputs("</code>", to);
    if (revision[0]) {
        fputs(" at <code>", to);
        markdown_put_text(to, revision);
        fputs("</code>", to);
    }
}

static void put_preface(FILE *to, const struct gate_report *report)
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
    put_side(to, "Base", report->base_name, comparison->base_revision);
    put_side(to, "; new", report->new_name, comparison->new_revision);
    fputs("\n\n", to);
}

bool gate_write_markdown(const struct gate_report *report, FILE *to)
{
    const struct compared_row **order = gate_report_order(report->comparison);
    size_t count = report->comparison->count;
    if (!order)
        return false;
    put_preface(to, report);
    put_open_rows(to, order, count);
    put_folded(to, order, count, VERDICT_SAME_CODE);
    put_folded(to, order, count, VERDICT_CLEARED);
    put_folded(to, order, count, VERDICT_SKIPPED);
    if (report->advice[0]) {
        markdown_put_text(to, report->advice);
        fputs("\n\n", to);
    }
    free(order);
    return true;
}

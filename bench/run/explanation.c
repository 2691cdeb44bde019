#include "explanation.h"

#include "bench/report/report_text.h"
#include "bench/report/explain.h"
#include "bench/report/merge_rounds.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 2 };

static void put_wrapped(const char *first, const char *rest, FILE *to)
{
    struct wrap wrap = {to, INDENT, INDENT, false};
    fprintf(to, "%*s", INDENT, "");
    wrap_words(&wrap, first);
    wrap_words(&wrap, rest);
    fputc('\n', to);
}

static bool is_of_gpu(const struct explanation *explanation, const struct result *row)
{
    const struct selection *selection = explanation->selection;
    for (size_t i = 0; i < selection->count; i++) {
        const struct backend_entry *entry = selection->rows[i].rung->backend;
        if (strcmp(entry->name, row->backend) == 0)
            return entry->backend && entry->backend->profile;
    }
    return false;
}

/* Whether ncu counts for this row: once for each rung and workload, since it runs the same launch for all of them. */
static bool is_counted(const struct explanation *explanation, const struct result_list *rows, size_t i)
{
    const struct result *row = &rows->items[i];
    if (!explain_can(row) || !explain_is_of_kernel(row) || !is_of_gpu(explanation, row))
        return false;
    for (size_t j = 0; j < i; j++) {
        const struct result *other = &rows->items[j];
        if (explain_can(other) && explain_is_of_kernel(other) && strcmp(other->op, row->op) == 0 &&
            strcmp(other->workload, row->workload) == 0 && strcmp(other->variant, row->variant) == 0)
            return false;
    }
    return true;
}

static void put_counts(const struct explanation *explanation, const struct result *row)
{
    struct error error;
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return;
    bool ok = ncu_explain(&explanation->ncu, row, to, &error);
    (void)fclose(to);
    if (ok)
        put_wrapped("In one launch ncu counted:", text, explanation->to);
    else
        put_wrapped("ncu counts nothing here:", error.text, explanation->to);
    free(text);
}

static void put_reasons(const struct result *row, FILE *explanation)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return;
    explain_row(row, to);
    (void)fclose(to);
    fprintf(explanation, "\n%s\n", row->name);
    put_wrapped(text, "", explanation);
    (void)fflush(explanation); /* ncu takes seconds */
    free(text);
}

static void name_of(const void *rows, size_t i, char *text, size_t size)
{
    row_name((const struct row *)rows + i, text, size);
}

bool explanation_print(struct explanation *explanation, const struct result_list *results, struct error *error)
{
    const struct selection *selection = explanation->selection;
    struct result_list merged = {0};
    size_t untimed = 0;
    bool has_ncu = ncu_find(&explanation->ncu), misses_ncu = false;
    FILE *to = explanation->to;
    if (!merge_rounds(results, name_of, selection->rows, selection->count, &merged, error))
        return false;
    for (size_t i = 0; i < merged.count && !explanation->ncu.interrupted(); i++) {
        const struct result *row = &merged.items[i];
        bool is_explained = explain_can(row), counts = is_counted(explanation, &merged, i);
        untimed += row->status == STATUS_OK && !is_explained;
        misses_ncu = misses_ncu || (counts && !has_ncu);
        if (is_explained)
            put_reasons(row, to);
        if (counts && has_ncu)
            put_counts(explanation, row);
    }
    if (untimed > 0)
        fprintf(to, "\n%zu row%s no times to explain: verified alone, or simulated.\n", untimed,
                untimed == 1 ? " has" : "s have");
    if (misses_ncu)
        fprintf(to, "\nThere is no ncu on %s to count what a launch does.\n", ncu_places);
    result_list_free(&merged);
    return fflush(to) == 0 || error_set(error, "stdout: the explanation cannot be written");
}

#include "round_summary.h"

#include "merge_rounds.h"

#include <stdlib.h>
#include <string.h>

struct round_summary {
    const struct selection *selection;
    struct result_list results;
    size_t after_count;
    struct reporter after[];
};

struct round_summary *round_summary_make(const struct selection *selection, const struct reporter *after, size_t count)
{
    struct round_summary *summary = calloc(1, sizeof *summary + count * sizeof *after);
    if (summary) {
        summary->selection = selection;
        summary->after_count = count;
        memcpy(summary->after, after, count * sizeof *after);
    }
    return summary;
}

bool round_summary_result(void *self, const struct result *result, struct error *error)
{
    struct round_summary *summary = self;
    return result_list_add(&summary->results, result, error);
}

static void name_of(const void *rows, size_t i, char *text, size_t size)
{
    row_name((const struct row *)rows + i, text, size);
}

bool round_summary_end(void *self, struct error *error)
{
    struct round_summary *summary = self;
    const struct selection *selection = summary->selection;
    struct result_list merged = {0};
    struct error more;
    bool ok = merge_rounds(&summary->results, name_of, selection->rows, selection->count, &merged, error);
    for (size_t i = 0; i < merged.count && ok; i++)
        ok = reporters_result(summary->after, summary->after_count, &merged.items[i], error);
    ok = reporters_end(summary->after, summary->after_count, ok ? error : &more) && ok;
    result_list_free(&merged);
    result_list_free(&summary->results);
    free(summary);
    return ok;
}

#include "bench/base/json_text.h"
#include "bench/measure/arithmetic.h"
#include "row_index.h"
#include "summary_parts.h"

#include <math.h>

/* What a device can do at best: operations or bytes per second, by the floor of a row. */
static double rate_of(const struct result *row)
{
    return (arithmetic_find(row->ceiling) ? row->flops : row->bytes) / row->floor_s;
}

/* Rows that share it have the same ceiling: a device's for arithmetic, that of their bytes for the rest. */
static struct row_key ceiling_key(const struct result *row)
{
    bool is_of_device = arithmetic_find(row->ceiling) != NULL;
    return (struct row_key){{row->backend, row->ceiling, is_of_device ? "" : row->mode, is_of_device ? "" : row->op,
                             is_of_device ? "" : row->workload}};
}

static bool is_higher(const struct result *row, const struct result *kept)
{
    return isnan(rate_of(kept)) || rate_of(row) > rate_of(kept);
}

static json_t *ceiling_json(const struct result *row, double rate)
{
    bool is_of_device = arithmetic_find(row->ceiling) != NULL; /* whatever the row */
    json_t *to = json_object();
    bool ok = json_put_text(to, "backend", row->backend) && json_put_text(to, "kind", row->ceiling) &&
              (is_of_device || (json_put_text(to, "mode", row->mode) && json_put_text(to, "op", row->op) &&
                                json_put_text(to, "workload", row->workload))) &&
              json_put_number(to, "per_s", rate);
    return json_if(ok, to);
}

json_t *summary_ceilings(const struct result_list *rows)
{
    json_t *list = json_array();
    struct row_index firsts = {NULL}, best = {NULL};
    const struct result *end = rows->items + rows->count;
    bool ok = true;
    for (const struct result *row = rows->items; row < end && ok; row++)
        ok = isnan(row->floor_s) || row->ceiling[0] == '\0' ||
             (row_index_keep(&firsts, ceiling_key(row), row, NULL) &&
              row_index_keep(&best, ceiling_key(row), row, is_higher));
    for (const struct result *row = rows->items; row < end && ok; row++) {
        if (row_index_find(&firsts, ceiling_key(row)) != row)
            continue;
        double rate = rate_of(row_index_find(&best, ceiling_key(row)));
        ok = isnan(rate) || json_array_append_new(list, ceiling_json(row, rate)) == 0;
    }
    row_index_free(&firsts);
    row_index_free(&best);
    return json_if(ok, list);
}

#include "bench/base/json_text.h"
#include "bench/measure/arithmetic.h"
#include "summary_parts.h"

#include <math.h>
#include <string.h>

/* What a device can do at best: operations or bytes per second, by the floor of a row. */
static double rate_of(const struct result *row)
{
    return (arithmetic_find(row->ceiling) ? row->flops : row->bytes) / row->floor_s;
}

static bool same_ceiling(const struct result *a, const struct result *b)
{
    return strcmp(a->backend, b->backend) == 0 && strcmp(a->ceiling, b->ceiling) == 0 &&
           (arithmetic_find(a->ceiling) || (strcmp(a->mode, b->mode) == 0 && result_same_workload(a, b)));
}

/* The best of the file, if the row is the first that has it. */
static double best_rate(const struct result_list *rows, size_t i)
{
    double best = rate_of(&rows->items[i]);
    for (size_t other = 0; other < rows->count; other++) {
        if (!same_ceiling(&rows->items[other], &rows->items[i]) || isnan(rows->items[other].floor_s))
            continue;
        if (other < i)
            return NAN;
        best = fmax(best, rate_of(&rows->items[other]));
    }
    return best;
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
    bool ok = true;
    for (size_t i = 0; i < rows->count && ok; i++) {
        double rate = isnan(rows->items[i].floor_s) ? (double)NAN : best_rate(rows, i);
        if (!isnan(rate))
            ok = json_array_append_new(list, ceiling_json(&rows->items[i], rate)) == 0;
    }
    return json_if(ok, list);
}

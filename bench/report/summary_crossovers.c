#include "bench/base/json_text.h"
#include "crossover.h"
#include "summary_parts.h"

#include <stdlib.h>
#include <string.h>

static json_t *point_json(const struct crossover_point *point)
{
    json_t *to = json_object();
    bool ok = json_put_text(to, "workload", point->host->workload) &&
              json_put_number(to, "bytes", point->host->bytes) && json_put_number(to, "flops", point->host->flops) &&
              json_put_number(to, "gain", point->gain) && json_put_text(to, "device_rung", point->device->variant) &&
              json_put_text(to, "host_rung", point->host->variant);
    return json_if(ok, to);
}

static json_t *points_of(const struct crossover *crossover)
{
    json_t *list = json_array();
    bool ok = true;
    for (size_t i = 0; i < crossover->count && ok; i++)
        ok = json_array_append_new(list, point_json(&crossover->points[i])) == 0;
    return json_if(ok, list);
}

static bool put_sentence(json_t *to, const struct crossover *crossover)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return false;
    crossover_print(stream, crossover);
    bool ok = fclose(stream) == 0;
    if (ok)
        text[strcspn(text, "\n")] = '\0';
    ok = ok && json_put_text(to, "text", text);
    free(text);
    return ok;
}

static bool add_crossover(void *self, const struct crossover *crossover)
{
    json_t *to = json_object();
    bool ok = json_put_text(to, "op", crossover->op) && json_put_text(to, "kind", crossover->kind) &&
              json_put_text(to, "what", crossover->what) && json_put_text(to, "device_mode", crossover->device_mode) &&
              json_put_text(to, "host_mode", crossover->host_mode) &&
              json_put_text(to, "device_backend", crossover->points[0].device->backend) &&
              json_put_text(to, "host_backend", crossover->points[0].host->backend) && put_sentence(to, crossover) &&
              json_put(to, "points", points_of(crossover));
    return json_array_append_new(self, json_if(ok, to)) == 0;
}

json_t *summary_crossovers(const struct result_list *rows)
{
    json_t *list = json_array();
    struct error ignored;
    return json_if(crossover_each(rows, add_crossover, list, &ignored), list);
}

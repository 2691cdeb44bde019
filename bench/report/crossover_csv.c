#include "crossover_csv.h"

#include "bench/base/csv_text.h"
#include "crossover.h"

#include <math.h>

struct table {
    FILE *to;
    size_t lines;
};

static void put_text(FILE *to, const char *text)
{
    csv_put_text(to, text);
    fputc(',', to);
}

/* Unknown numbers are empty. */
static void put_number(FILE *to, double number)
{
    if (isfinite(number))
        fprintf(to, "%.9g", number);
    fputc(',', to);
}

static bool print_points(void *self, const struct crossover *crossover)
{
    struct table *table = self;
    for (size_t i = 0; i < crossover->count; i++, table->lines++) {
        const struct crossover_point *point = &crossover->points[i];
        const struct result *sides[] = {point->device, point->host};
        put_text(table->to, crossover->op);
        put_text(table->to, crossover->kind);
        put_text(table->to, crossover->what);
        put_text(table->to, point->host->workload);
        put_number(table->to, point->host->bytes);
        put_number(table->to, point->host->flops);
        for (size_t side = 0; side < 2; side++) {
            put_text(table->to, sides[side]->variant);
            put_text(table->to, sides[side]->mode);
            put_number(table->to, sides[side]->statistics.median);
        }
        fprintf(table->to, "%.9g\n", point->gain);
    }
    return true;
}

bool crossover_csv_print(const struct result_list *rows, FILE *to, size_t *lines, struct error *error)
{
    struct table table = {.to = to};
    fputs("op,kind,what,workload,bytes,flops,device_rung,device_mode,device_time_s,host_rung,host_mode,host_time_s,"
          "gain\n",
          to);
    bool ok = crossover_each(rows, print_points, &table, error);
    *lines = table.lines;
    return ok;
}

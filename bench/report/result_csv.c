#include "result_csv.h"

#include "bench/measure/mode.h"
#include "column.h"

#include <stdio.h>
#include <string.h>

static bool refuse(const struct csv_table *table, size_t row, const char *column, const char *text, struct error *error)
{
    return error_set(error, "line %zu: %s is '%.40s', which it cannot be", table->lines[row + 1], column, text);
}

/* NULL: there is none of that name. */
static const struct backend_entry *find_backend(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->backend_count; i++)
        if (strcmp(registry->backends[i].name, name) == 0)
            return &registry->backends[i];
    return NULL;
}

bool result_read(const struct csv_table *table, size_t row, const struct registry *registry, struct run_facts *facts,
                 struct device_info *device, struct result *result, struct error *error)
{
    void *const parts[] = {result, facts, device};
    *result = result_blank();
    *facts = (struct run_facts){.seed = 0};
    *device = (struct device_info){.threads = 0};
    result->run = facts;
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        const struct column *column = &result_columns[i];
        const char *text = csv_cell(table, row, csv_column(table, column->name));
        if (!column_parse(column, text, parts[column->part]))
            return refuse(table, row, column->name, text, error);
        if (column->part == PART_device_info && text[0] != '\0')
            result->device = device;
    }
    if (csv_column(table, "failure") == CSV_NO_COLUMN && strstr(result->reason, "wrong")) /* of an earlier version */
        snprintf(result->failure, sizeof result->failure, "wrong");
    if (result->schema != RESULT_SCHEMA)
        return refuse(table, row, "schema", csv_cell(table, row, csv_column(table, "schema")), error);
    const struct backend_entry *backend = find_backend(registry, result->backend);
    const struct mode *mode = mode_find(result->mode, strlen(result->mode));
    if (!backend)
        return refuse(table, row, "backend", result->backend, error);
    if (!mode && strcmp(result->mode, "verify") != 0)
        return refuse(table, row, "mode", result->mode, error);
    result_classify(result, backend, registry_find(registry, result->op, result->variant), mode);
    return true;
}

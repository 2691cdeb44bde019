#include "bench/base/csv_text.h"
#include "bench/base/record.h"
#include "column.h"
#include "reporter.h"

#define COLUMN(name, ...) "," #name
static const char header[] =
#include "columns.def"
    "\n";

bool report_csv_begin(struct output *output, struct error *error)
{
    return record_write_preamble(output, header + 1, error);
}

bool report_csv_result(void *self, const struct result *result, struct error *error)
{
    struct output *output = self;
    struct record record;
    char buffer[COLUMN_BUFFER];
    if (!record_begin(&record, output, error))
        return false;
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        if (i > 0)
            fputc(',', record.text);
        csv_put_text(record.text, column_text(&result_columns[i], result, buffer));
    }
    fputc('\n', record.text);
    return record_write(&record, output, error);
}

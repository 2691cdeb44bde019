#include "bench/base/csv_text.h"
#include "column.h"
#include "reporter.h"

#include <string.h>

#define COLUMN(name, ...) "," #name
static const char header[] =
#include "columns.def"
    "\n";

const char *report_csv_header(void)
{
    return header + 1;
}

bool report_csv_begin(struct output *output, struct error *error)
{
    return output_write_preamble(output, report_csv_header(), strlen(report_csv_header()), error);
}

bool report_csv_begin_again(void *self, struct error *error)
{
    return output_begin_again(self, error);
}

void report_csv_print(FILE *to, const struct result *result)
{
    char buffer[COLUMN_BUFFER];
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        if (i > 0)
            fputc(',', to);
        csv_put_text(to, column_text(&result_columns[i], result, buffer));
    }
    fputc('\n', to);
}

static void print(FILE *to, const void *result)
{
    report_csv_print(to, result);
}

bool report_csv_result(void *self, const struct result *result, struct error *error)
{
    return output_print(self, print, result, error);
}

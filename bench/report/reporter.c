#include "reporter.h"

#include "bench/base/csv_text.h"
#include "bench/base/plain_text.h"
#include "column.h"

#include <inttypes.h>
#include <string.h>

bool reporters_early(const struct reporter *reporters, size_t count, const struct result *result, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (reporters[i].early && !reporters[i].early(reporters[i].self, result, error))
            return false;
    return true;
}

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

void report_csv_print(FILE *to, const void *result)
{
    char buffer[COLUMN_BUFFER];
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        if (i > 0)
            fputc(',', to);
        csv_put_text(to, column_text(&result_columns[i], result, buffer));
    }
    fputc('\n', to);
}

bool report_csv_result(void *self, const struct result *result, struct error *error)
{
    return output_print(self, report_csv_print, result, error);
}

bool report_samples_begin(struct output *output, struct error *error)
{
    static const char columns[] = "name,round,index,seconds,iterations\n";
    return output_write_preamble(output, columns, sizeof columns - 1, error);
}

/* Names of rows need no quotes: they have no commas. */
static void print_samples(FILE *to, const void *self)
{
    const struct result *result = self;
    for (size_t i = 0; i < result->statistics.count; i++)
        fprintf(to, "%s,%" PRId64 ",%zu,%.9g,%" PRId64 "\n", result->name, result->round, i, result->sample_s[i],
                result->iterations / (int64_t)result->statistics.count);
}

bool report_samples_result(void *self, const struct result *result, struct error *error)
{
    return !result->sample_s || output_print(self, print_samples, result, error);
}

static bool needs_quotes(const char *argument)
{
    for (const char *c = argument; *c; c++)
        if (plain_text_control(c) || strchr(" '\"$\\*?[](){}|&;<>`!#~", *c))
            return true;
    return argument[0] == '\0';
}

/* Quoted for bash; a control character by its number, so that the terminal does not obey it. */
static void print_quoted(FILE *to, const char *argument)
{
    if (!needs_quotes(argument)) {
        fputs(argument, to);
        return;
    }
    fputc('\'', to);
    while (*argument) {
        size_t control = plain_text_control(argument);
        for (size_t i = 0; i < control; i++)
            fprintf(to, "'$'\\%03o''", (unsigned)(unsigned char)argument[i]);
        if (control == 0)
            fputs(*argument == '\'' ? "'\\''" : (char[]){*argument, '\0'}, to);
        argument += control ? control : 1;
    }
    fputc('\'', to);
}

bool report_failure_result(void *self, const struct result *result, struct error *error)
{
    (void)error;
    const struct failure_report *report = self;
    if (result->status != STATUS_FAILED)
        return true;
    fprintf(stderr, "rungbench: %s: ", result->name);
    plain_text_put(stderr, result->reason);
    fputs("\nrungbench: to reproduce: ", stderr);
    print_quoted(stderr, report->program);
    for (size_t i = 0; report->flags[i]; i++) {
        fputc(' ', stderr);
        print_quoted(stderr, report->flags[i]);
    }
    fprintf(stderr, " --filter='^%s/%s/%s/'\n", result->op, result->workload, result->variant);
    return true;
}

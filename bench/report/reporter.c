#include "reporter.h"

#include "bench/base/csv_text.h"
#include "bench/base/interrupt.h"
#include "bench/base/plain_text.h"
#include "bench/base/output.h"
#include "bench/base/progress.h"
#include "crossover.h"
#include "merge_rounds.h"
#include "report_text.h"
#include "scaling.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLUMN(name, ...) "," #name
const char *const report_csv_header = &(
#include "columns.def"
    "\n")[1];

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

static const char samples_header[] = "name,round,index,seconds,iterations\n";

/* Names of rows need no quotes: they have no commas. */
static void print_samples(FILE *to, const void *self)
{
    const struct result *result = self;
    for (size_t i = 0; i < result->statistics.count; i++)
        fprintf(to, "%s,%" PRId64 ",%zu,%.9g,%" PRId64 "\n", result->name, result->round, i, result->sample_s[i],
                result->iterations / (int64_t)result->statistics.count);
}

/* Quoted for bash, what is no letter by its number: the terminal must not obey it. */
static void print_quoted(FILE *to, const char *argument)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@^_";
    if (argument[0] != '\0' && argument[strspn(argument, plain)] == '\0') {
        fputs(argument, to);
        return;
    }
    fputs("$'", to);
    for (const char *c = argument; *c; c++)
        fprintf(to, *c >= ' ' && *c <= '~' && !strchr("'\\", *c) ? "%c" : "\\%03o", (unsigned char)*c);
    fputc('\'', to);
}

static void report_failure(const struct outputs *outputs, const struct result *result)
{
    char *const *flags = outputs->options->shared; /* none writes a file: that would replace the results */
    progress_clear();
    if (result->status != STATUS_FAILED)
        return;
    fprintf(stderr, "%s: %s: ", error_program(), result->name);
    plain_text_put(stderr, result->reason);
    fprintf(stderr, "\n%s: to reproduce: ", error_program());
    print_quoted(stderr, outputs->program);
    for (; *flags; flags++) {
        fputc(' ', stderr);
        print_quoted(stderr, *flags);
    }
    fprintf(stderr, " --filter='^%s/%s/%s/'\n", result->op, result->workload, result->variant);
}

static bool terminal_has_colors(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0;
}

static bool wants_color(const struct options *options)
{
    const char *no_color = getenv("NO_COLOR");
    bool refused = no_color && no_color[0] != '\0';
    return options->color == CHOICE_ON || (options->color == CHOICE_AUTO && !refused && terminal_has_colors());
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Nothing is written before all of them are open. */
static bool begin_files(struct outputs *outputs, struct error *error)
{
    bool ok = true;
    for (size_t i = 0; i < outputs->file_count && ok; i++) {
        const char *header = outputs->kinds[i] == OUTPUT_CSV ? report_csv_header : samples_header;
        ok = outputs->kinds[i] >= OUTPUT_JSON ||
             output_write_preamble(&outputs->files[i], header, strlen(header), error);
    }
    return ok;
}

static bool open_all(struct outputs *outputs, struct error *error)
{
    const struct options *options = outputs->options;
    static const enum output_kind displayed[] = {
        [FORMAT_CSV] = OUTPUT_CSV, [FORMAT_JSON] = OUTPUT_JSON, [FORMAT_GOOGLE_CSV] = OUTPUT_GOOGLE_CSV};
    const enum format format = options->format;
    const char *same = format == FORMAT_CSV    ? options->out
                       : format == FORMAT_JSON ? options->json
                                               : options->google_csv;
    const bool has_table = format == FORMAT_CONSOLE || format == FORMAT_MARKDOWN;
    const struct {
        const char *path; /* NULL: not asked for */
        enum output_kind kind;
    } targets[OUTPUT_FILES] = {
        {options->out, OUTPUT_CSV},
        {options->json, OUTPUT_JSON},
        {options->google_csv, OUTPUT_GOOGLE_CSV},
        {options->table, OUTPUT_TABLE},
        {options->samples, OUTPUT_SAMPLES},
        {has_table || is_stdout(same) ? NULL : "-", has_table ? OUTPUT_TABLE : displayed[format]}};
    int on_stdout = 0;
    for (size_t i = 0; i < OUTPUT_FILES; i++)
        on_stdout += is_stdout(targets[i].path);
    if (on_stdout > 1)
        return error_set(error, "stdout is to be written twice, expected one of --out, --json, --samples and "
                                "--format there");
    for (size_t i = 0; i < OUTPUT_FILES; i++) {
        if (!targets[i].path)
            continue;
        if (!output_open(&outputs->files[outputs->file_count], targets[i].path, error))
            return false;
        outputs->is_stdout[outputs->file_count] = is_stdout(targets[i].path);
        outputs->kinds[outputs->file_count++] = targets[i].kind;
    }
    if (!begin_files(outputs, error))
        return false;
    outputs->has_text = on_stdout == 0 && standard_output_is_open();
    return on_stdout > 0 || outputs->has_text || outputs->file_count > 0 ||
           error_set(error, "stdout: is closed, expected it open, or a file for the results");
}

bool outputs_open(const struct options *options, const char *program, struct outputs *outputs, struct error *error)
{
    *outputs = (struct outputs){.options = options, .program = program};
    if (open_all(outputs, error))
        return true;
    for (size_t i = 0; i < outputs->file_count; i++)
        output_discard(&outputs->files[i]);
    return false;
}

/* What is written in place cannot be corrected: it waits for the last word, unless others wait for it (--sitting). */
static bool waits(const struct outputs *outputs, size_t i)
{
    return outputs->files[i].in_place && outputs->options->sitting[0] == '\0';
}

/* With a sitting of its own, it is whoever started it that reports failures. */
bool outputs_take_early(void *self, const struct result *result, struct error *error)
{
    struct outputs *outputs = self;
    bool ok = true;
    if (outputs->options->sitting[0] == '\0')
        report_failure(outputs, result);
    for (size_t i = 0; i < outputs->file_count && ok; i++) {
        if (outputs->kinds[i] == OUTPUT_CSV && !waits(outputs, i))
            ok = output_print(&outputs->files[i], report_csv_print, result, error);
        else if (outputs->kinds[i] == OUTPUT_SAMPLES && result->sample_s)
            ok = output_print(&outputs->files[i], print_samples, result, error);
    }
    return ok;
}

static bool write_rows(struct output *file, const struct result_list *results, struct error *error)
{
    bool ok = file->in_place || output_begin_again(file, error);
    for (size_t i = 0; i < results->count && ok; i++)
        ok = output_print(file, report_csv_print, &results->items[i], error);
    return ok;
}

bool outputs_take_all(struct outputs *outputs, const struct result_list *results, struct error *error)
{
    struct error more, *first = error;
    for (size_t i = 0; i < outputs->file_count; i++) {
        struct output *file = &outputs->files[i];
        sigset_t before;
        if (outputs->kinds[i] != OUTPUT_CSV || (file->in_place && !waits(outputs, i)))
            continue;
        if (!file->in_place) /* a handler that ends the process saves files: not while they are written again */
            interrupt_block(&before);
        if (!write_rows(file, results, first))
            first = &more;
        if (!file->in_place)
            interrupt_unblock(&before);
    }
    return first == error;
}

/* The table and what stands below it, of the medians over the rounds. */
static void print_rounds(FILE *to, const struct result_list *results, enum format format, bool has_color)
{
    struct result_list rows = {0};
    merge_rounds(results, &rows);
    if (format == FORMAT_MARKDOWN) {
        report_markdown(&rows, to);
    } else {
        report_console(&rows, to, has_color);
        sentences_print(to, "When is a device faster?", crossovers_json(&rows));
        sentences_print(to, "Are several GPUs faster?", scaling_json(&rows));
    }
    result_list_free(&rows);
}

static void print_table(FILE *to, const void *results)
{
    print_rounds(to, results, FORMAT_CONSOLE, false);
}

static bool write_document(struct outputs *outputs, size_t i, const struct result_list *results, struct error *error)
{
    const struct options *options = outputs->options;
    const enum output_kind kind = outputs->kinds[i];
    const struct google_form form = {.is_csv = kind == OUTPUT_GOOGLE_CSV,
                                     .aggregates_only = options->aggregates_only ||
                                                        (options->displays_aggregates_only && outputs->is_stdout[i])};
    if (kind == OUTPUT_TABLE)
        return output_print(&outputs->files[i], print_table, results, error);
    return kind < OUTPUT_JSON || report_google(results, outputs->program, options, form, &outputs->files[i], error);
}

static bool write_text(const struct outputs *outputs, const struct result_list *results, struct error *error)
{
    print_rounds(stdout, results, outputs->options->format, wants_color(outputs->options));
    return (fflush(stdout) == 0 && !ferror(stdout)) || error_set(error, "stdout: the table cannot be written");
}

/* The files are wanted even if whoever read the text has gone (`| head`). */
bool outputs_tell(const struct outputs *outputs, const struct result_list *results, struct error *error)
{
    return !outputs->has_text || write_text(outputs, results, error) ||
           (outputs->file_count > 0 && standard_output_is_unread());
}

bool outputs_commit(struct outputs *outputs, const struct result_list *results, bool is_whole, struct error *error)
{
    struct error more;
    bool ok = true;
    for (size_t i = 0; i < outputs->file_count && ok; i++)
        ok = write_document(outputs, i, results, error);
    return output_commit_all(outputs->files, outputs->file_count, is_whole, ok ? error : &more) && ok;
}

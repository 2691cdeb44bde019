#include "reporter.h"

#include "bench/base/csv_text.h"
#include "bench/base/plain_text.h"
#include "bench/base/output.h"
#include "crossover.h"
#include "merge_rounds.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool reporters_early(const struct reporter *reporters, size_t count, const struct result *result, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (reporters[i].early && !reporters[i].early(reporters[i].self, result, error))
            return false;
    return true;
}

#define COLUMN(name, ...) "," #name
const char *const report_csv_header = &(
#include "columns.def"
    "\n")[1];

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

const char report_samples_header[] = "name,round,index,seconds,iterations\n";

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
    const struct outputs *outputs = self;
    char *const *flags = outputs->options->shared; /* none writes a file: that would replace the results */
    outputs->before_text();
    if (result->status != STATUS_FAILED)
        return true;
    fprintf(stderr, "rungbench: %s: ", result->name);
    plain_text_put(stderr, result->reason);
    fputs("\nrungbench: to reproduce: ", stderr);
    print_quoted(stderr, outputs->program);
    for (; *flags; flags++) {
        fputc(' ', stderr);
        print_quoted(stderr, *flags);
    }
    fprintf(stderr, " --filter='^%s/%s/%s/'\n", result->op, result->workload, result->variant);
    return true;
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

static void add(struct outputs *outputs, struct reporter reporter)
{
    outputs->reporters[outputs->reporter_count++] = reporter;
}

/* What is written to a file or to stdout: records below a header, or a document. */
struct target {
    const char *path;   /* NULL: not asked for */
    const char *header; /* NULL: a document */
    bool (*write)(void *self, const struct result *result, struct error *error);
};

/* What is written in place cannot be corrected: it waits for the last word, unless others wait for it (--sitting). */
static bool begin(struct outputs *outputs, const struct target *target, struct output *output, struct error *error)
{
    bool is_csv = target->header == report_csv_header;
    bool waits = is_csv && output->in_place && outputs->options->session[0] == '\0';
    if (!target->header) {
        outputs->is_document[output - outputs->files] = true;
        return true;
    }
    add(outputs, (struct reporter){.self = output,
                                   .early = waits ? NULL : target->write,
                                   .begin_again = is_csv && !output->in_place ? report_csv_begin_again : NULL,
                                   .result = waits || (is_csv && !output->in_place) ? target->write : NULL});
    return output_write_preamble(output, target->header, strlen(target->header), error);
}

/* Nothing is written before all of them are open. */
static bool open_files(const struct target targets[OUTPUT_FILES], struct outputs *outputs, struct error *error)
{
    struct output *output = outputs->files;
    for (size_t i = 0; i < OUTPUT_FILES; i++) {
        if (targets[i].path && !output_open(&outputs->files[outputs->file_count], targets[i].path, error))
            return false;
        outputs->file_count += targets[i].path != NULL;
    }
    for (size_t i = 0; i < OUTPUT_FILES; i++)
        if (targets[i].path && !begin(outputs, &targets[i], output++, error))
            return false;
    return true;
}

/* With a session of its own, it is whoever started it that reports failures. */
static bool open_all(struct outputs *outputs, struct error *error)
{
    const struct options *options = outputs->options;
    const char *csv = options->format == FORMAT_CSV && !is_stdout(options->out) ? "-" : NULL;
    const char *json = options->format == FORMAT_JSON && !is_stdout(options->json) ? "-" : NULL;
    const struct target targets[] = {{options->out, report_csv_header, report_csv_result},
                                     {options->json, NULL, NULL},
                                     {options->samples, report_samples_header, report_samples_result},
                                     {csv, report_csv_header, report_csv_result},
                                     {json, NULL, NULL}};
    static_assert(sizeof targets / sizeof targets[0] == OUTPUT_FILES, "each has a place among the files");
    int on_stdout = 0;
    for (size_t i = 0; i < OUTPUT_FILES; i++)
        on_stdout += is_stdout(targets[i].path);
    if (on_stdout > 1)
        return error_set(error, "stdout is to be written twice, expected one of --out, --json, --samples and "
                                "--format there");
    if (options->session[0] == '\0')
        add(outputs, (struct reporter){.self = outputs, .early = report_failure_result});
    if (!open_files(targets, outputs, error))
        return false;
    outputs->has_text = on_stdout == 0 && standard_output_is_open();
    return on_stdout > 0 || outputs->has_text || outputs->file_count > 0 ||
           error_set(error, "stdout: is closed, expected it open, or a file for the results");
}

bool outputs_open(const struct options *options, const char *program, const struct selection *selection,
                  void (*before_text)(void), struct outputs *outputs, struct error *error)
{
    *outputs =
        (struct outputs){.options = options, .program = program, .selection = selection, .before_text = before_text};
    if (open_all(outputs, error))
        return true;
    for (size_t i = 0; i < outputs->file_count; i++)
        output_discard(&outputs->files[i]);
    return false;
}

static bool write_documents(struct outputs *outputs, const struct result_list *results, struct error *error)
{
    bool ok = true;
    for (size_t i = 0; i < outputs->file_count && ok; i++)
        ok = !outputs->is_document[i] ||
             report_json(results, outputs->program, outputs->options, &outputs->files[i], error);
    return ok;
}

static void name_of(const void *rows, size_t i, char *text, size_t size)
{
    row_name((const struct row *)rows + i, text, size);
}

/* The table and the crossovers; with rounds, of the medians over the rounds. */
static bool write_text(const struct outputs *outputs, const struct result_list *rows, struct error *error)
{
    const struct options *options = outputs->options;
    const struct selection *selection = outputs->selection;
    struct result_list merged = {0};
    bool is_markdown = options->format == FORMAT_MARKDOWN, ok = true;
    if (is_markdown || options->rounds > 1) {
        ok = merge_rounds(rows, name_of, selection->rows, selection->count, &merged, error);
        rows = &merged;
    }
    if (ok && is_markdown)
        report_markdown(rows, stdout);
    else
        ok = ok && report_console(rows, stdout, wants_color(options), error) && crossovers_print(rows, stdout, error);
    if ((fflush(stdout) != 0 || ferror(stdout)) && ok)
        ok = error_set(error, "stdout: the table cannot be written");
    result_list_free(&merged);
    return ok;
}

/* The files are wanted even if whoever read the text has gone (`| head`). */
static bool write_end(struct outputs *outputs, const struct result_list *results, struct error *error)
{
    struct error more;
    bool ok = write_documents(outputs, results, error);
    bool is_told = !outputs->has_text || write_text(outputs, results, ok ? error : &more) ||
                   (outputs->file_count > 0 && standard_output_is_unread());
    return ok && is_told;
}

bool outputs_commit(struct outputs *outputs, const struct result_list *results, bool is_whole, struct error *error)
{
    struct error more;
    bool ok = write_end(outputs, results, error);
    return output_commit_all(outputs->files, outputs->file_count, is_whole, ok ? error : &more) && ok;
}

#include "outputs.h"

#include "bench/base/output.h"
#include "crossover.h"
#include "merge_rounds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool early_failure(void *self, const struct result *result, struct error *error)
{
    struct outputs *outputs = self;
    outputs->before_text(); /* which clears the progress line */
    return report_failure_result(&outputs->failures, result, error);
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

/* What is written in place cannot be corrected: it waits for the last word, unless others wait for it (--sitting). */
static bool begin_csv(struct outputs *outputs, struct output *output, struct error *error)
{
    bool waits = output->in_place && outputs->options->session[0] == '\0';
    add(outputs, (struct reporter){.self = output,
                                   .early = waits ? NULL : report_csv_result,
                                   .begin_again = output->in_place ? NULL : report_csv_begin_again,
                                   .result = output->in_place && !waits ? NULL : report_csv_result});
    return report_csv_begin(output, error);
}

static bool begin_json(struct outputs *outputs, struct output *output, struct error *error)
{
    (void)error;
    outputs->documents[outputs->document_count++] = output;
    return true;
}

static bool begin_samples(struct outputs *outputs, struct output *output, struct error *error)
{
    add(outputs, (struct reporter){.self = output, .early = report_samples_result});
    return report_samples_begin(output, error);
}

/* What is written to a file or to stdout, and how. */
struct target {
    const char *path; /* NULL: not asked for */
    bool (*begin)(struct outputs *outputs, struct output *output, struct error *error);
};

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
        if (targets[i].path && !targets[i].begin(outputs, output++, error))
            return false;
    return true;
}

/* With a session of its own, it is whoever started it that reports failures. */
static bool open_all(struct outputs *outputs, struct error *error)
{
    const struct options *options = outputs->options;
    const char *csv = options->format == FORMAT_CSV && !is_stdout(options->out) ? "-" : NULL;
    const char *json = options->format == FORMAT_JSON && !is_stdout(options->json) ? "-" : NULL;
    const struct target targets[] = {{options->out, begin_csv},
                                     {options->json, begin_json},
                                     {options->samples, begin_samples},
                                     {csv, begin_csv},
                                     {json, begin_json}};
    static_assert(sizeof targets / sizeof targets[0] == OUTPUT_FILES, "each has a place among the files");
    int on_stdout = 0;
    for (size_t i = 0; i < OUTPUT_FILES; i++)
        on_stdout += is_stdout(targets[i].path);
    if (on_stdout > 1)
        return error_set(error, "stdout is to be written twice, expected one of --out, --json, --samples and "
                                "--format there");
    if (options->session[0] == '\0')
        add(outputs, (struct reporter){.self = outputs, .early = early_failure});
    if (!open_files(targets, outputs, error))
        return false;
    outputs->has_text = on_stdout == 0 && standard_output_is_open();
    return on_stdout > 0 || outputs->has_text || outputs->file_count > 0 ||
           error_set(error, "stdout: is closed, expected it open, or a file for the results");
}

bool outputs_open(const struct options *options, const char *program, const struct selection *selection,
                  void (*before_text)(void), struct outputs *outputs, struct error *error)
{
    *outputs = (struct outputs){
        .options = options, .selection = selection, .before_text = before_text, .failures = {program, options->shared}};
    if (open_all(outputs, error))
        return true;
    for (size_t i = 0; i < outputs->file_count; i++)
        output_discard(&outputs->files[i]);
    return false;
}

static bool write_documents(const struct outputs *outputs, const struct result_list *results, struct error *error)
{
    const struct options *options = outputs->options;
    const struct json_about about = {outputs->failures.program, options->context, options->aggregates_only,
                                     options->time_unit};
    bool ok = true;
    for (size_t i = 0; i < outputs->document_count && ok; i++)
        ok = report_json(results, &about, outputs->documents[i], error);
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
    if (is_markdown)
        ok = ok && report_markdown(rows, stdout, error);
    else
        ok = ok && report_console(rows, stdout, wants_color(options), error) && crossovers_print(rows, stdout, error);
    if ((fflush(stdout) != 0 || ferror(stdout)) && ok)
        ok = error_set(error, "stdout: the table cannot be written");
    result_list_free(&merged);
    return ok;
}

/* The files are wanted even if whoever read the text has gone (`| head`). */
static bool write_end(const struct outputs *outputs, const struct result_list *results, struct error *error)
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

#include "outputs.h"

#include "bench/base/standard_streams.h"
#include "round_summary.h"
#include "spare_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Text reporters clear the progress line before they write. */
static void (*clear_progress)(void);

static bool failure_result(void *self, const struct result *result, struct error *error)
{
    clear_progress();
    return report_failure_result(self, result, error);
}

static bool add(struct outputs *outputs, struct reporter reporter, struct error *error)
{
    struct reporter *reporters = realloc(outputs->reporters, (outputs->reporter_count + 1) * sizeof reporter);
    if (!reporters)
        return error_set(error, "no memory");
    outputs->reporters = reporters;
    if (!reporter.self)
        return error_set(error, "no memory");
    reporters[outputs->reporter_count++] = reporter;
    return true;
}

static bool terminal_has_colors(void)
{
    const char *terminal = getenv("TERM");
    return isatty(standard_output()) && terminal && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0;
}

static bool wants_color(const struct options *options)
{
    const char *no_color = getenv("NO_COLOR");
    bool refused = no_color && no_color[0] != '\0';
    return options->color == CHOICE_ON || (options->color == CHOICE_AUTO && !refused && terminal_has_colors());
}

/* Puts the rows of all rounds together, in the order of the selection, for the last `count` reporters. */
static bool sum_up(const struct selection *selection, size_t count, struct outputs *outputs, struct error *error)
{
    outputs->reporter_count -= count;
    struct round_summary *summary = round_summary_make(selection, &outputs->reporters[outputs->reporter_count], count);
    outputs->reporter_count += summary ? 0 : count;
    return add(outputs, (struct reporter){.self = summary, .result = round_summary_result, .end = round_summary_end},
               error);
}

static bool open_markdown(const struct selection *selection, struct outputs *outputs, struct error *error)
{
    struct reporter table = {.self = report_markdown_make(standard_output_file()),
                             .result = report_markdown_result,
                             .end = report_markdown_end};
    return add(outputs, table, error) && sum_up(selection, 1, outputs, error);
}

/* The table and the crossover; with rounds, of the medians over the rounds. */
static bool open_console(const struct options *options, const struct selection *selection, struct outputs *outputs,
                         struct error *error)
{
    FILE *to = standard_output_file();
    struct reporter table = {.self = report_console_make(to, wants_color(options)),
                             .result = report_console_result,
                             .end = report_console_end};
    struct reporter crossover = {
        .self = report_crossover_make(to), .result = report_crossover_result, .end = report_crossover_end};
    return add(outputs, table, error) && add(outputs, crossover, error) &&
           (options->rounds == 1 || sum_up(selection, 2, outputs, error));
}

/* The files are wanted even if the text cannot be written. */
static bool spare(struct reporter *text, struct error *error)
{
    struct reporter spared = spare_text_make(text);
    if (!spared.self)
        return error_set(error, "no memory");
    *text = spared;
    return true;
}

static bool open_text(const struct options *options, const struct selection *selection, struct outputs *outputs,
                      struct error *error)
{
    size_t first = outputs->reporter_count;
    bool ok = options->format == FORMAT_MARKDOWN ? open_markdown(selection, outputs, error)
                                                 : open_console(options, selection, outputs, error);
    for (size_t i = first; i < outputs->reporter_count && outputs->file_count > 0 && ok; i++)
        ok = spare(&outputs->reporters[i], error);
    return ok;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* What is written to a file or to stdout, and how. */
enum target_kind { TARGET_CSV, TARGET_JSON, TARGET_SAMPLES };
struct target {
    const char *path; /* NULL: not asked for */
    enum target_kind kind;
};

static bool open_files(const struct target targets[OUTPUT_FILES], struct outputs *outputs, struct error *error)
{
    for (size_t i = 0; i < OUTPUT_FILES; i++) {
        if (targets[i].path && !output_open(&outputs->files[outputs->file_count], targets[i].path, error))
            return false;
        outputs->file_count += targets[i].path != NULL;
    }
    return true;
}

/* What is written in place cannot be corrected: it waits for the last word, unless others wait for it (--sitting). */
static struct reporter csv_reporter(struct output *output, bool is_session)
{
    struct reporter reporter = {.self = output};
    bool waits = output->in_place && !is_session;
    if (!waits)
        reporter.early = report_csv_result;
    if (!output->in_place)
        reporter.begin_again = report_csv_begin_again;
    if (waits || !output->in_place)
        reporter.result = report_csv_result;
    return reporter;
}

static bool begin_target(enum target_kind kind, struct output *output, const struct json_about *about, bool is_session,
                         struct outputs *outputs, struct error *error)
{
    struct reporter reporter = {.self = output};
    switch (kind) {
    case TARGET_CSV: return add(outputs, csv_reporter(output, is_session), error) && report_csv_begin(output, error);
    case TARGET_JSON: /* needs all results */
        reporter.self = report_json_make(output, about);
        reporter.result = report_json_result;
        reporter.end = report_json_end;
        return add(outputs, reporter, error);
    case TARGET_SAMPLES:
        reporter.early = report_samples_result;
        outputs->samples = output;
        return add(outputs, reporter, error) && report_samples_begin(output, error);
    }
    return false;
}

/* Nothing is written before all of them are open. */
static bool begin_files(const struct target targets[OUTPUT_FILES], const struct json_about *about, bool is_session,
                        struct outputs *outputs, struct error *error)
{
    struct output *output = outputs->files;
    for (const struct target *target = targets; target < targets + OUTPUT_FILES; target++) {
        if (target->path && !begin_target(target->kind, output, about, is_session, outputs, error))
            return false;
        output += target->path != NULL;
    }
    return true;
}

static bool open_all(const struct options *options, const char *program, const struct selection *selection,
                     struct outputs *outputs, struct error *error)
{
    const char *csv = options->format == FORMAT_CSV && !is_stdout(options->out) ? "-" : NULL;
    const char *json = options->format == FORMAT_JSON && !is_stdout(options->json) ? "-" : NULL;
    const struct target targets[] = {{options->out, TARGET_CSV},
                                     {options->json, TARGET_JSON},
                                     {options->samples, TARGET_SAMPLES},
                                     {csv, TARGET_CSV},
                                     {json, TARGET_JSON}};
    static_assert(sizeof targets / sizeof targets[0] == OUTPUT_FILES, "each has a place among the files");
    bool is_session = options->session[0] != '\0'; /* whoever started it reports failures */
    int on_stdout = 0;
    for (size_t i = 0; i < OUTPUT_FILES; i++)
        on_stdout += is_stdout(targets[i].path);
    if (on_stdout > 1)
        return error_set(error, "stdout is to be written twice, expected one of --out, --json, --samples and "
                                "--format there");
    bool ok = open_files(targets, outputs, error);
    outputs->failures = (struct failure_report){program, options->harmless};
    if (ok && !is_session && !options->worker)
        ok = add(outputs, (struct reporter){.self = &outputs->failures, .early = failure_result}, error);
    const struct json_about about = {program, options->context, options->aggregates_only, options->time_unit};
    ok = ok && begin_files(targets, &about, is_session, outputs, error);
    bool wants_text = on_stdout == 0 && !options->worker;
    if (ok && wants_text && !standard_output_is_open()) /* the files are wanted all the same */
        return outputs->file_count > 0 ||
               error_set(error, "stdout: is closed, expected it open, or a file for the results");
    return ok && (!wants_text || open_text(options, selection, outputs, error));
}

bool outputs_open(const struct options *options, const char *program, const struct selection *selection,
                  void (*before_text)(void), struct outputs *outputs, struct error *error)
{
    *outputs = (struct outputs){0};
    clear_progress = before_text;
    if (open_all(options, program, selection, outputs, error))
        return true;
    outputs_discard(outputs);
    return false;
}

bool outputs_commit(struct outputs *outputs, bool is_whole, struct error *error)
{
    struct error more;
    bool ok = reporters_end(outputs->reporters, outputs->reporter_count, error);
    free(outputs->reporters);
    return output_commit_all(outputs->files, outputs->file_count, is_whole, ok ? error : &more) && ok;
}

void outputs_discard(struct outputs *outputs)
{
    struct error ignored;
    reporters_end(outputs->reporters, outputs->reporter_count, &ignored);
    free(outputs->reporters);
    for (size_t i = 0; i < outputs->file_count; i++)
        output_discard(&outputs->files[i]);
}

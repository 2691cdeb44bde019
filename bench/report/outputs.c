#include "outputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reporters of text for people write while the progress line is away. */
static void (*clear_progress)(void);

static bool failure_result(void *self, const struct result *result, struct error *error)
{
    clear_progress();
    return report_failure_result(self, result, error);
}

static bool console_result(void *self, const struct result *result, struct error *error)
{
    clear_progress();
    return report_console_result(self, result, error);
}

static void add(struct outputs *outputs, void *self,
                bool (*result)(void *self, const struct result *result, struct error *error),
                bool (*end)(void *self, struct error *error))
{
    outputs->reporters[outputs->reporter_count++] = (struct reporter){self, result, end};
}

static bool begin_csv(struct output *output, const char *executable, struct outputs *outputs, struct error *error)
{
    (void)executable;
    add(outputs, output, report_csv_result, NULL);
    return report_csv_begin(output, error);
}

static bool begin_samples(struct output *output, const char *executable, struct outputs *outputs, struct error *error)
{
    (void)executable;
    outputs->samples = output;
    add(outputs, output, report_samples_result, NULL);
    return report_samples_begin(output, error);
}

static bool begin_json(struct output *output, const char *executable, struct outputs *outputs, struct error *error)
{
    struct json_report *report = report_json_make(output, executable);
    if (!report)
        return error_set(error, "no memory");
    add(outputs, report, report_json_result, report_json_end);
    return true;
}

typedef bool begin_function(struct output *output, const char *executable, struct outputs *outputs,
                            struct error *error);

static bool wants_color(const struct options *options)
{
    const char *no_color = getenv("NO_COLOR");
    bool refused = no_color && no_color[0] != '\0';
    return options->color == CHOICE_ON || (options->color == CHOICE_AUTO && !refused && isatty(STDOUT_FILENO));
}

/* The table, and what follows from it; of the rounds' medians where there are several. */
static bool open_text(const struct options *options, const struct selection *selection, struct outputs *outputs,
                      struct error *error)
{
    struct outputs people = {0};
    struct console_report *table = report_console_make(stdout, wants_color(options));
    struct crossover *crossover = crossover_make(stdout);
    if (table)
        add(&people, table, console_result, report_console_end);
    if (crossover)
        add(&people, crossover, crossover_result, crossover_end);
    for (size_t i = 0; i < people.reporter_count; i++)
        if (options->rounds == 1)
            outputs->reporters[outputs->reporter_count++] = people.reporters[i];
        else
            outputs->after_rounds[outputs->after_count++] = people.reporters[i];
    if (options->rounds > 1) {
        outputs->selection = selection;
        outputs->summary = round_summary_make();
        if (outputs->summary)
            add(outputs, outputs->summary, round_summary_result, NULL);
    }
    return (table && crossover && (options->rounds == 1 || outputs->summary)) || error_set(error, "no memory");
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static bool open_all(const struct options *options, char **argv, const struct selection *selection,
                     struct outputs *outputs, struct error *error)
{
    const struct {
        const char *path;
        begin_function *begin;
    } files[] = {{options->out, begin_csv},
                 {options->json, begin_json},
                 {options->samples, begin_samples},
                 {options->format == FORMAT_CSV && !is_stdout(options->out) ? "-" : NULL, begin_csv},
                 {options->format == FORMAT_JSON && !is_stdout(options->json) ? "-" : NULL, begin_json}};
    enum { FILES = sizeof files / sizeof files[0] };
    int on_stdout = 0;
    for (size_t i = 0; i < FILES; i++)
        on_stdout += is_stdout(files[i].path);
    if (on_stdout > 1)
        return error_set(error, "stdout is to be written twice, expected one of --out, --json, --samples and "
                                "--format there");
    for (size_t i = 0; i < FILES; i++)
        if (files[i].path && !output_open(&outputs->files[outputs->file_count++], files[i].path, error)) {
            outputs->file_count--;
            return false;
        }
    /* Nothing is written before all of them are open. */
    if (options->session[0] == '\0') /* else whoever runs the session tells of failures */
        add(outputs, argv, failure_result, NULL);
    for (size_t i = 0, file = 0; i < FILES; i++)
        if (files[i].path && !files[i].begin(&outputs->files[file++], argv[0], outputs, error))
            return false;
    return on_stdout > 0 || open_text(options, selection, outputs, error);
}

bool outputs_open(const struct options *options, char **argv, const struct selection *selection,
                  void (*before_text)(void), struct outputs *outputs, struct error *error)
{
    *outputs = (struct outputs){0};
    clear_progress = before_text;
    if (open_all(options, argv, selection, outputs, error))
        return true;
    outputs_discard(outputs);
    return false;
}

static bool end_all(struct reporter *reporters, size_t count, struct error *error)
{
    bool ok = true;
    struct error more;
    for (size_t i = 0; i < count; i++)
        if (reporters[i].end && !reporters[i].end(reporters[i].self, ok ? error : &more))
            ok = false;
    return ok;
}

/* The summary of all rounds in the table's order. */
static bool emit_summary(struct outputs *outputs, struct error *error)
{
    size_t count = outputs->selection->count;
    char(*texts)[160] = malloc(count * sizeof *texts);
    const char **names = malloc(count * sizeof *names);
    bool ok = texts && names;
    for (size_t i = 0; i < count && ok; i++) {
        row_name(&outputs->selection->rows[i], texts[i], sizeof texts[i]);
        names[i] = texts[i];
    }
    ok = ok ? round_summary_emit(outputs->summary, names, count, outputs->after_rounds, outputs->after_count, error)
            : error_set(error, "no memory");
    free(names);
    free(texts);
    return ok;
}

static bool end_reporters(struct outputs *outputs, struct error *error)
{
    struct error more;
    bool ok = !outputs->summary || emit_summary(outputs, error);
    ok = end_all(outputs->reporters, outputs->reporter_count, ok ? error : &more) && ok;
    ok = end_all(outputs->after_rounds, outputs->after_count, ok ? error : &more) && ok;
    round_summary_free(outputs->summary);
    return ok;
}

bool outputs_commit(struct outputs *outputs, struct error *error)
{
    bool ok = end_reporters(outputs, error);
    struct error more;
    for (size_t i = 0; i < outputs->file_count; i++) {
        struct output *file = &outputs->files[i];
        if (file->whole == file->preamble)
            output_discard(file); /* no result: whatever was there before is worth more */
        else if (!output_commit(file, ok ? error : &more))
            ok = false;
    }
    return ok;
}

void outputs_discard(struct outputs *outputs)
{
    struct error ignored;
    end_all(outputs->reporters, outputs->reporter_count, &ignored);
    end_all(outputs->after_rounds, outputs->after_count, &ignored);
    round_summary_free(outputs->summary);
    for (size_t i = 0; i < outputs->file_count; i++)
        output_discard(&outputs->files[i]);
}

#include "outputs.h"

#include "round_summary.h"

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

static bool console_result(void *self, const struct result *result, struct error *error)
{
    clear_progress();
    return report_console_result(self, result, error);
}

static bool add(struct outputs *outputs, struct reporter reporter, struct error *error)
{
    if (!reporter.self)
        return error_set(error, "no memory");
    outputs->reporters[outputs->reporter_count++] = reporter;
    return true;
}

static bool wants_color(const struct options *options)
{
    const char *no_color = getenv("NO_COLOR");
    bool refused = no_color && no_color[0] != '\0';
    return options->color == CHOICE_ON || (options->color == CHOICE_AUTO && !refused && isatty(STDOUT_FILENO));
}

/* The table and the crossover; with rounds, of the medians over the rounds. */
static bool open_text(const struct options *options, const struct selection *selection, struct outputs *outputs,
                      struct error *error)
{
    struct console_report *table = report_console_make(stdout, wants_color(options));
    if (!add(outputs, (struct reporter){table, console_result, report_console_end}, error) ||
        !add(outputs, (struct reporter){crossover_make(stdout), crossover_result, crossover_end}, error))
        return false;
    if (options->rounds == 1)
        return true;
    struct round_summary *summary = round_summary_make(selection, &outputs->reporters[outputs->reporter_count - 2], 2);
    outputs->reporter_count -= summary ? 2 : 0;
    return add(outputs, (struct reporter){summary, round_summary_result, round_summary_end}, error);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* What is written to a file or to stdout, and how. */
struct target {
    const char *path;
    bool (*begin)(struct output *output, struct error *error); /* NULL: JSON, which needs all results */
    bool (*result)(void *self, const struct result *result, struct error *error);
};
enum { TARGETS = 5 };

static bool open_files(const struct target targets[TARGETS], struct outputs *outputs, struct error *error)
{
    for (size_t i = 0; i < TARGETS; i++) {
        if (targets[i].path && !output_open(&outputs->files[outputs->file_count], targets[i].path, error))
            return false;
        outputs->file_count += targets[i].path != NULL;
    }
    return true;
}

/* Nothing is written before all of them are open. */
static bool begin_files(const struct target targets[TARGETS], const char *executable, struct outputs *outputs,
                        struct error *error)
{
    struct output *output = outputs->files;
    for (const struct target *target = targets; target < targets + TARGETS; target++) {
        if (!target->path)
            continue;
        struct reporter reporter = {output, target->result, NULL};
        if (!target->begin)
            reporter = (struct reporter){report_json_make(output, executable), target->result, report_json_end};
        if (!add(outputs, reporter, error) || (target->begin && !target->begin(output, error)))
            return false;
        if (target->result == report_samples_result)
            outputs->samples = output;
        output++;
    }
    return true;
}

static bool open_all(const struct options *options, char **argv, const struct selection *selection,
                     struct outputs *outputs, struct error *error)
{
    const char *csv = options->format == FORMAT_CSV && !is_stdout(options->out) ? "-" : NULL;
    const char *json = options->format == FORMAT_JSON && !is_stdout(options->json) ? "-" : NULL;
    const struct target targets[TARGETS] = {{options->out, report_csv_begin, report_csv_result},
                                            {options->json, NULL, report_json_result},
                                            {options->samples, report_samples_begin, report_samples_result},
                                            {csv, report_csv_begin, report_csv_result},
                                            {json, NULL, report_json_result}};
    bool is_round = options->session[0] != '\0'; /* the parent process reports failures */
    int on_stdout = 0;
    for (size_t i = 0; i < TARGETS; i++)
        on_stdout += is_stdout(targets[i].path);
    if (on_stdout > 1)
        return error_set(error, "stdout is to be written twice, expected one of --out, --json, --samples and "
                                "--format there");
    return open_files(targets, outputs, error) &&
           (is_round || add(outputs, (struct reporter){argv, failure_result, NULL}, error)) &&
           begin_files(targets, argv[0], outputs, error) &&
           (on_stdout > 0 || open_text(options, selection, outputs, error));
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

bool outputs_commit(struct outputs *outputs, struct error *error)
{
    bool ok = reporters_end(outputs->reporters, outputs->reporter_count, error);
    struct error more;
    for (size_t i = 0; i < outputs->file_count; i++) {
        struct output *file = &outputs->files[i];
        if (file->whole == file->preamble)
            output_discard(file); /* no result: keep what was there before */
        else if (!output_commit(file, ok ? error : &more))
            ok = false;
    }
    return ok;
}

void outputs_discard(struct outputs *outputs)
{
    struct error ignored;
    reporters_end(outputs->reporters, outputs->reporter_count, &ignored);
    for (size_t i = 0; i < outputs->file_count; i++)
        output_discard(&outputs->files[i]);
}

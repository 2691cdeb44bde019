#include "gate_outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gate_outputs_open(const struct gate_options *options, struct gate_outputs *outputs, struct error *error)
{
    const struct {
        const char *path;
        gate_writer *write;
    } wanted[GATE_FILES] = {{options->markdown, gate_write_markdown},
                            {options->junit, gate_write_junit},
                            {options->json, gate_write_json},
                            {options->csv, gate_write_csv}};
    *outputs = (struct gate_outputs){0};
    for (int i = 0; i < GATE_FILES; i++) {
        if (!wanted[i].path)
            continue;
        if (strcmp(wanted[i].path, "-") == 0 || !output_open(&outputs->files[outputs->count], wanted[i].path, error)) {
            if (strcmp(wanted[i].path, "-") == 0)
                error_set(error, "-: stdout gets the table, expected a file");
            gate_outputs_discard(outputs);
            return false;
        }
        outputs->writers[outputs->count++] = wanted[i].write;
    }
    return true;
}

/* The report as text; free() it. NULL: out of memory. */
static char *text_of(const struct gate_report *report, gate_writer *write, size_t *bytes)
{
    char *text = NULL;
    FILE *memory = open_memstream(&text, bytes);
    bool ok = memory && write(report, memory);
    if (memory && fclose(memory) != 0)
        ok = false;
    if (!ok) {
        free(text);
        text = NULL;
    }
    return text;
}

static bool write_file(struct output *file, gate_writer *write, const struct gate_report *report, struct error *error)
{
    size_t bytes;
    char *text = text_of(report, write, &bytes);
    bool ok = text ? output_write(file, text, bytes, error) : error_set(error, "%s: no memory", file->path);
    free(text);
    if (ok)
        return output_commit(file, error);
    output_discard(file);
    return false;
}

static bool append_summary(const struct gate_report *report, struct error *error)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (!path || path[0] == '\0')
        return true;
    FILE *file = fopen(path, "a");
    bool ok = file && gate_write_markdown(report, file);
    int reason = errno;
    if (file && fclose(file) != 0) {
        ok = false;
        reason = errno;
    }
    return ok || error_set(error, "$GITHUB_STEP_SUMMARY: %s cannot be written (%s)", path, strerror(reason));
}

/* `ok`: nothing has failed before; else the error is set already. */
static bool write_files(struct gate_outputs *outputs, const struct gate_report *report, bool ok, struct error *error)
{
    struct error more;
    for (size_t i = 0; i < outputs->count; i++)
        ok = write_file(&outputs->files[i], outputs->writers[i], report, ok ? error : &more) && ok;
    return append_summary(report, ok ? error : &more) && ok;
}

bool gate_outputs_write(struct gate_outputs *outputs, const struct gate_report *report, struct error *error)
{
    bool ok = gate_write_console(report, stdout);
    if (fflush(stdout) != 0 || !ok)
        ok = error_set(error, "stdout: the verdicts cannot be written");
    return write_files(outputs, report, ok, error);
}

bool gate_outputs_refuse(struct gate_outputs *outputs, const struct gate_report *report, struct error *error)
{
    return write_files(outputs, report, true, error);
}

void gate_outputs_discard(struct gate_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        output_discard(&outputs->files[i]);
    outputs->count = 0;
}

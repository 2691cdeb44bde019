#include "gate_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_any(const struct comparison *comparison, enum verdict first, enum verdict last)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->rows[i].verdict >= first && comparison->rows[i].verdict <= last)
            return true;
    return false;
}

enum gate_status gate_status_of(const struct comparison *comparison, bool other_device)
{
    if (comparison_count(comparison, VERDICT_FAILED) > 0) /* wrong is wrong on any device */
        return GATE_SLOWER;
    if (is_any(comparison, VERDICT_SLOWER, VERDICT_NEWLY_SKIPPED))
        return other_device ? GATE_INCONCLUSIVE : GATE_SLOWER;
    if (is_any(comparison, VERDICT_SUSPECTED, VERDICT_INCONCLUSIVE))
        return GATE_INCONCLUSIVE;
    if (is_any(comparison, VERDICT_ACCEPTED, VERDICT_CLEARED))
        return GATE_CLEARED;
    size_t skipped = comparison_count(comparison, VERDICT_SKIPPED);
    return skipped > 0 && skipped == comparison->count ? GATE_ALL_SKIPPED : GATE_BAD_INPUT;
}

const char *gate_status_words(enum gate_status status)
{
    switch (status) {
    case GATE_CLEARED: return "passed";
    case GATE_SLOWER: return "failed";
    case GATE_INCONCLUSIVE: return "inconclusive";
    case GATE_ALL_SKIPPED: return "all skipped";
    default: return "nothing to compare";
    }
}

static void count_verdicts(struct gate_report *report)
{
    char *text = report->headline;
    size_t size = sizeof report->headline, rows = report->comparison->count;
    size_t length = (size_t)snprintf(text, size, "%zu row%s", rows, rows == 1 ? "" : "s");
    const char *separator = ": ";
    for (enum verdict verdict = 0; verdict < VERDICTS && length < size; verdict++) {
        size_t count = comparison_count(report->comparison, verdict);
        if (count == 0)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%zu %s", separator, count, verdict_name(verdict));
        separator = ", ";
    }
}

/* More rounds, if they are too few, or else a quieter machine. */
static void advise(struct gate_report *report, double level)
{
    const struct comparison *comparison = report->comparison;
    size_t weighed = 0, fewest = SIZE_MAX;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared_row *row = &comparison->rows[i];
        weighed += row->has_evidence && !row_is_unchanged(row);
        if (row->has_evidence && !row->confirmed && row->verdict == VERDICT_INCONCLUSIVE)
            fewest = row->evidence.base_rounds < fewest ? row->evidence.base_rounds : fewest;
    }
    size_t needed = evidence_rounds_needed(comparison->paired, weighed, level);
    if (fewest < needed)
        snprintf(report->advice, sizeof report->advice,
                 "inconclusive: too few rounds; %zu rows need at least %zu rounds per side", weighed, needed);
    else if (comparison_count(comparison, VERDICT_INCONCLUSIVE) > 0)
        snprintf(report->advice, sizeof report->advice,
                 "inconclusive: the rounds vary too much to decide, or the change is close to the threshold; run again "
                 "on a quieter machine");
}

void gate_report_conclude(struct gate_report *report, const struct comparison *comparison, double level,
                          enum gate_status status)
{
    report->comparison = comparison;
    report->status = status;
    count_verdicts(report);
    advise(report, level);
}

void gate_report_refuse(struct gate_report *report, enum gate_status status, const char *error)
{
    static const struct comparison nothing = {.base_revision = "", .new_revision = "", .device = ""};
    report->comparison = &nothing;
    report->status = status;
    report->error = error;
    snprintf(report->headline, sizeof report->headline, "nothing could be compared");
}

bool gate_report_open(struct gate_report *report, const struct gate_options *options, struct error *error)
{
    const char *const paths[GATE_FILES] = {options->markdown, options->junit, options->json, options->csv};
    gate_writer *const writers[GATE_FILES] = {gate_write_markdown, gate_write_junit, gate_write_json, gate_write_csv};
    *report = (struct gate_report){.base_name = options->base_name ? options->base_name : options->arguments[0],
                                   .new_name = options->new_name ? options->new_name : options->arguments[1]};
    for (int i = 0; i < GATE_FILES; i++) {
        if (!paths[i])
            continue;
        bool ok = strcmp(paths[i], "-") == 0 ? error_set(error, "-: stdout gets the table, expected a file")
                                             : output_open(&report->files[report->file_count], paths[i], error);
        if (!ok) {
            gate_report_discard(report);
            return false;
        }
        report->writers[report->file_count++] = writers[i];
    }
    return true;
}

static bool write_file(const struct gate_report *report, gate_writer *write, struct output *file, struct error *error)
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    bool ok = memory && write(report, memory);
    if (memory && fclose(memory) != 0)
        ok = false;
    ok = ok ? output_write(file, text, bytes, error) : error_set(error, "%s: no memory", file->path);
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

/* All are written, and the first error is told. */
bool gate_report_write(struct gate_report *report, struct error *error)
{
    struct error more;
    bool ok = report->error || gate_write_console(report, stdout);
    if (fflush(stdout) != 0 || !ok)
        ok = error_set(error, "stdout: the verdicts cannot be written");
    for (size_t i = 0; i < report->file_count; i++)
        ok = write_file(report, report->writers[i], &report->files[i], ok ? error : &more) && ok;
    return append_summary(report, ok ? error : &more) && ok;
}

void gate_report_discard(struct gate_report *report)
{
    for (size_t i = 0; i < report->file_count; i++)
        output_discard(&report->files[i]);
    report->file_count = 0;
}

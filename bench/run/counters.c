#include "counters.h"

#include "bench/base/files.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/memory.h"
#include "bench/base/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 300 };

const char ncu_places[] = "the PATH, $CUDA_HOME/bin or /usr/local/cuda/bin";
static const char *const places[] = {"ncu", "$CUDA_HOME/bin/ncu", "/usr/local/cuda/bin/ncu", NULL};

const char counted_duration[] = "gpu__time_duration.sum";

/* "33,563,136"; NAN: unknown, "n/a" for one. */
static double number_of(const char *cell)
{
    char plain[64], *end;
    size_t length = 0;
    for (; *cell && length + 1 < sizeof plain; cell++)
        if (*cell != ',')
            plain[length++] = *cell;
    plain[length] = '\0';
    double value = strtod(plain, &end);
    return length > 0 && *end == '\0' ? value : (double)NAN;
}

double counters_value(const struct csv_table *table, size_t kernel, const char *metric)
{
    return number_of(csv_cell(table, kernel, csv_column(table, metric)));
}

size_t counters_longest(const struct csv_table *table)
{
    size_t longest = FIRST_KERNEL;
    for (size_t i = FIRST_KERNEL; i < table->rows; i++)
        if (counters_value(table, i, counted_duration) > counters_value(table, longest, counted_duration))
            longest = i;
    return longest;
}

/* The lines of the CSV: all cells are quoted. */
static char *only_csv(const char *text, size_t *bytes)
{
    char *csv;
    FILE *to = memory_stream(&csv, bytes);
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\n");
        length += text[length] == '\n';
        if (*text == '"')
            fwrite(text, 1, length, to);
    }
    memory_stream_end(to);
    return csv;
}

/* A page "raw" as CSV, lines of other kinds around it. */
static bool read_page(const char *text, struct csv_table *table, struct error *error)
{
    size_t bytes;
    char *csv = only_csv(text, &bytes);
    if (bytes == 0) {
        free(csv);
        return error_set(error, "it saw no kernel");
    }
    if (!csv_parse(csv, bytes, "what it printed", table, error))
        return false;
    if (table->rows > FIRST_KERNEL)
        return true;
    csv_free(table);
    return error_set(error, "it counted none of what was asked for");
}

bool counters_find(struct counters *counters)
{
    return program_path_find(places, counters->ncu);
}

/* "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission ...", which may end with status 0, and the complaint
 * of the program that it runs; else `error` stays. */
static void read_refusal(const struct counters *counters, const struct process_end *end, struct error *error)
{
    static const char mark[] = "==ERROR== ";
    for (int stream = PROCESS_OUT; stream <= PROCESS_ERR; stream++) {
        const char *said = end->text[stream] ? strstr(end->text[stream], mark) : NULL;
        if (said) {
            said += sizeof mark - 1;
            char last[256];
            process_last_line(end->text[PROCESS_ERR] ? end->text[PROCESS_ERR] : "", last, sizeof last);
            const char *slash = strrchr(counters->program, '/'), *program = slash ? slash + 1 : counters->program;
            const bool complains = strncmp(last, program, strlen(program)) == 0;
            error_set(error, "%.*s%s%s", (int)strcspn(said, "\n"), said, complains ? " " : "", complains ? last : "");
            return;
        }
    }
}

static bool run_ncu(const struct counters *counters, char *const *argv, struct csv_table *table, struct error *error)
{
    const struct process process = {
        .program = argv[0],
        .argv = argv,
        .interrupted = interrupt_ends_run,
        .limit_s = LIMIT_S,
        .now = host_now,
    };
    struct process_end end;
    if (!process_run(&process, &end, error))
        return false;
    (void)left_behind_kill(NULL, 0);
    bool ok = end.status == EXIT_RIGHT ? read_page(end.text[PROCESS_OUT] ? end.text[PROCESS_OUT] : "", table, error)
                                       : error_set(error, "it %s", end.how);
    if (!ok)
        read_refusal(counters, &end, error);
    process_end_free(&end);
    return ok;
}

bool counters_take(const struct counters *counters, const char *row, const char *metrics, struct csv_table *table,
                   struct error *error)
{
    char *name = memory_print("--profile=%s", row);
    /* The clocks stay as they were when the row was timed; numbers are written as in C. */
    const char *const before[] = {"env",
                                  "LC_ALL=C",
                                  counters->ncu,
                                  "--profile-from-start",
                                  "off",
                                  "--clock-control",
                                  "none",
                                  "--csv",
                                  "--page",
                                  "raw",
                                  "--print-units",
                                  "base",
                                  "--metrics",
                                  metrics,
                                  counters->program,
                                  NULL};
    char *const profiled[] = {name, NULL};
    char **argv = arguments_join((char *const *const[]){(char *const *)before, counters->flags, profiled, NULL});
    bool ok = run_ncu(counters, argv, table, error);
    free(argv);
    free(name);
    return ok;
}

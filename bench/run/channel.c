#include "channel.h"

#include "bench/base/own_process.h"
#include "bench/base/standard_streams.h"
#include "bench/base/write_all.h"
#include "bench/report/reporter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512 };
static const char row_word[] = "row ", ceiling_word[] = "ceiling ", result_word[] = "result ";
const char channel_crash[] = "crash ";

static bool send(const char *text, size_t bytes)
{
    own_process_check();
    return write_all(standard_output(), text, bytes);
}

/* A supervisor that has gone is noticed by the next result. */
static void send_line(const char *line, int length)
{
    if (length > 0 && length < LINE_BYTES)
        (void)send(line, (size_t)length);
}

void channel_row(const char *name)
{
    char line[LINE_BYTES];
    send_line(line, snprintf(line, sizeof line, "%s%s\n", row_word, name));
}

void channel_ceiling(void *self, const struct ceiling *measured)
{
    (void)self;
    char line[LINE_BYTES];
    send_line(line, snprintf(line, sizeof line, "%s%s %s %d %.17g %.17g %s\n", ceiling_word, measured->backend,
                             measured->mode, measured->kind, measured->amount, measured->seconds, measured->workload));
}

/* A record may have line breaks of its own, so its length comes first. */
bool channel_result(void *self, const struct result *result, struct error *error)
{
    (void)self;
    char *record = NULL, *message = NULL;
    size_t record_bytes, bytes;
    FILE *to = open_memstream(&record, &record_bytes);
    if (to) {
        report_csv_print(to, result);
        if (fclose(to) != 0)
            record_bytes = 0;
        to = open_memstream(&message, &bytes);
    }
    bool ok = to != NULL;
    if (ok) {
        fprintf(to, "%s%zu\n%s", result_word, record_bytes, record);
        ok = fclose(to) == 0 && send(message, bytes);
    }
    free(record);
    free(message);
    return ok || error_set(error, "%s: the result cannot be passed on", result->name);
}

static bool is_word(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static void take_ceiling(const struct channel_listener *listener, const char *line)
{
    struct ceiling ceiling = {.seconds = NAN};
    if (sscanf(line, "ceiling %15s %15s %d %lg %lg %143s", ceiling.backend, ceiling.mode, &ceiling.kind,
               &ceiling.amount, &ceiling.seconds, ceiling.workload) >= 5)
        listener->ceiling(listener->self, &ceiling);
    else
        listener->stranger(listener->self, line);
}

static void take_line(const struct channel_listener *listener, const char *line)
{
    if (is_word(line, row_word))
        listener->row(listener->self, line + strlen(row_word));
    else if (is_word(line, ceiling_word))
        take_ceiling(listener, line);
    else if (is_word(line, channel_crash))
        listener->crash(listener->self, line + strlen(channel_crash));
    else
        listener->stranger(listener->self, line);
}

/* The bytes of the message with that first line of `length` bytes; 0: it is not whole. */
static size_t take_result(const struct channel_listener *listener, const char *text, size_t bytes, size_t length)
{
    size_t record_bytes = strtoul(text + strlen(result_word), NULL, 10);
    if (record_bytes > bytes - length)
        return 0;
    char *record = strndup(text + length, record_bytes);
    listener->result(listener->self, record);
    free(record);
    return length + record_bytes;
}

size_t channel_take(const struct channel_listener *listener, const char *text, size_t bytes)
{
    size_t taken = 0;
    const char *end;
    while ((end = memchr(text + taken, '\n', bytes - taken)) != NULL) {
        size_t length = (size_t)(end + 1 - (text + taken)), used = length;
        if (is_word(text + taken, result_word)) {
            used = take_result(listener, text + taken, bytes - taken, length);
        } else {
            char line[LINE_BYTES];
            snprintf(line, sizeof line, "%.*s", length < LINE_BYTES ? (int)length - 1 : LINE_BYTES - 1, text + taken);
            take_line(listener, line);
        }
        if (used == 0)
            break;
        taken += used;
    }
    return taken;
}

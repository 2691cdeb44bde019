#include "channel.h"

#include "bench/base/entropy.h"
#include "bench/base/files.h"
#include "bench/base/own_process.h"
#include "bench/base/standard_streams.h"
#include "bench/report/reporter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512 };
static const char hello_word[] = "key ", row_word[] = "row ", ceiling_word[] = "ceiling ", result_word[] = "result ",
                  crash_word[] = "crash ";
static char own_key[CHANNEL_KEY_BYTES];

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

const char *channel_open(void)
{
    static char crash_prefix[CHANNEL_KEY_BYTES + sizeof crash_word];
    char line[LINE_BYTES];
    snprintf(own_key, sizeof own_key, "%016" PRIx64, entropy_bits());
    snprintf(crash_prefix, sizeof crash_prefix, "%s%s", own_key, crash_word);
    send_line(line, snprintf(line, sizeof line, "%s%s\n", hello_word, own_key));
    return crash_prefix;
}

void channel_row(const char *name)
{
    char line[LINE_BYTES];
    send_line(line, snprintf(line, sizeof line, "%s%s%s\n", own_key, row_word, name));
}

void channel_ceiling(void *self, const struct ceiling *measured)
{
    (void)self;
    char line[LINE_BYTES];
    send_line(line,
              snprintf(line, sizeof line, "%s%s%s %s %d %.17g %.17g %s\n", own_key, ceiling_word, measured->backend,
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
        fprintf(to, "%s%s%zu\n%s", own_key, result_word, record_bytes, record);
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
    else if (is_word(line, crash_word))
        listener->crash(listener->self, line + strlen(crash_word));
    else
        listener->stranger(listener->self, line);
}

/* What follows the key; NULL: this is no message. */
static const char *without_key(const struct channel_listener *listener, const char *line)
{
    size_t length = strlen(listener->key);
    return length > 0 && strncmp(line, listener->key, length) == 0 ? line + length : NULL;
}

/* The bytes of the record that the line announces; 0: it announces none. */
static size_t announced_bytes(const struct channel_listener *listener, const char *line)
{
    const char *message = without_key(listener, line);
    return message && is_word(message, result_word) ? strtoul(message + strlen(result_word), NULL, 10) : 0;
}

static void take_any(const struct channel_listener *listener, const char *line)
{
    const char *message = without_key(listener, line);
    if (message)
        take_line(listener, message);
    else if (listener->key[0] == '\0' && is_word(line, hello_word))
        snprintf(listener->key, CHANNEL_KEY_BYTES, "%.*s", CHANNEL_KEY_BYTES - 1, line + strlen(hello_word));
    else
        listener->stranger(listener->self, line);
}

static void take_record(const struct channel_listener *listener, const char *text, size_t bytes)
{
    char *record = strndup(text, bytes);
    listener->result(listener->self, record);
    free(record);
}

size_t channel_take(const struct channel_listener *listener, const char *text, size_t bytes)
{
    size_t taken = 0;
    const char *end;
    while ((end = memchr(text + taken, '\n', bytes - taken)) != NULL) {
        char line[LINE_BYTES];
        size_t length = (size_t)(end + 1 - (text + taken));
        snprintf(line, sizeof line, "%.*s", length < LINE_BYTES ? (int)length - 1 : LINE_BYTES - 1, text + taken);
        size_t record_bytes = announced_bytes(listener, line);
        if (record_bytes > bytes - taken - length)
            break; /* it is not all there */
        if (record_bytes > 0)
            take_record(listener, text + taken + length, record_bytes);
        else
            take_any(listener, line);
        taken += length + record_bytes;
    }
    return taken;
}

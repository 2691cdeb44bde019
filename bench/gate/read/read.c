#include "read.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/gate/gate_options.h"
#include "bench/base/plain_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* In the order of READ_FORMATS. */
static const struct reader *const readers[] = {&rungbench_csv_reader, &google_reader,    &nvbench_reader,
                                               &nvbench_csv_reader,   &hyperfine_reader, &pytest_reader,
                                               &plain_csv_reader};
enum { READERS = sizeof readers / sizeof readers[0] };

bool reading_refuse(const struct reading *reading, const char *format, ...)
{
    char what[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return reading->array
               ? error_set(reading->error, "%s: %s[%zu]: %s", reading->name, reading->array, reading->place, what)
               : error_set(reading->error, "%s: %s", reading->name, what);
}

static bool take_all(const struct reader *reader, struct reading *reading)
{
    json_t *items = json_object_get(reading->json, reader->array);
    bool ok = json_array_size(items) > 0 ||
              reading_refuse(reading, "has no '%s', expected an array of them that is not empty", reader->array);
    reading->array = reader->array;
    for (reading->place = 0; ok && reading->place < json_array_size(items); reading->place++)
        ok = reader->take(reading, json_array_get(items, reading->place));
    reading->array = NULL;
    return ok;
}

bool reading_unpack(const struct reading *reading, json_t *item, const char *format, ...)
{
    json_error_t error;
    va_list arguments;
    va_start(arguments, format);
    bool ok = json_vunpack_ex(item, &error, 0, format, arguments) == 0;
    va_end(arguments);
    return ok || reading_refuse(reading, "%s", error.text);
}

static bool has_column(const char *header, const char *name)
{
    const size_t end = strcspn(header, "\r\n"), length = strlen(name);
    for (const char *at = header; at < header + end; at += strcspn(at, ",\r\n") + 1)
        if (strncmp(at, name, length) == 0 && strchr(",\r\n", at[length]))
            return true;
    return false;
}

static bool knows(const struct reader *reader, const struct reading *reading)
{
    bool does = !reader->take == !reading->json;
    for (size_t i = 0; i < 2 && does; i++)
        does = reading->json ? json_object_get(reading->json, reader->marks[i]) != NULL
                             : has_column(reading->text, reader->marks[i]);
    return does;
}

bool reading_table(struct reading *reading, struct csv_table *table)
{
    char *text = reading->text;
    reading->text = NULL;
    return csv_parse_columns(text, reading->bytes, reading->name, table, reading->error);
}

/* The time of one block; `scratch` has room for as many. */
static double time_of(const double *times_s, size_t count, bool on_device, double *scratch)
{
    double least = times_s[0];
    for (size_t i = 1; i < count; i++)
        least = fmin(least, times_s[i]);
    return on_device ? statistics_median(times_s, count, scratch) : least;
}

const char *reading_keep(const struct reading *reading, const char *text)
{
    return text && text[0] ? recording_keep(reading->to, memory_print("%s", text)) : "";
}

bool reading_take(const struct reading *reading, const struct measured *measured)
{
    if (!recording_wants(reading->to, measured->name))
        return true;
    if (measured->name[0] == '\0' || strpbrk(measured->name, "\r\n"))
        return reading_refuse(reading, "'%.40s' is the name of a benchmark, expected one line", measured->name);
    for (size_t i = 0; i < measured->count; i++)
        if (!result_time_is_possible(measured->times_s[i]))
            return reading_refuse(reading, "%.80s: a time is %g s, expected seconds from 1e-12 to 1e6", measured->name,
                                  measured->times_s[i]);
    struct observation first = {.name = reading_keep(reading, measured->name),
                                .sitting = reading->name,
                                .round = measured->round,
                                .status = measured->status,
                                .reason = reading_keep(reading, measured->reason),
                                .time_s = NAN,
                                .on_host = !measured->on_device,
                                .foreign = true,
                                .file = reading->name};
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        first.text[i] = "";
    first.text[COLUMN_device] = reading_keep(reading, measured->device);
    first.text[COLUMN_host] = reading_keep(reading, measured->host);
    const size_t most = reading->is_process ? 1 : ROUNDS_OF_FILE, count = measured->count;
    const size_t rounds = count > most ? most : count > 0 ? count : 1;
    double *scratch = memory_get(count + 1, sizeof *scratch);
    for (size_t i = 0; i < rounds; i++) {
        size_t from = i * count / rounds, end = (i + 1) * count / rounds;
        struct observation *round = recording_next(reading->to);
        *round = first;
        round->round += (long)i;
        if (count > 0)
            round->time_s = time_of(measured->times_s + from, end - from, measured->on_device, scratch);
    }
    free(scratch);
    return true;
}

bool reading_take_times(const struct reading *reading, const json_t *times, double otherwise, struct measured measured)
{
    const size_t count = json_array_size(times);
    double *times_s = memory_get(count + 1, sizeof *times_s);
    bool ok = true;
    times_s[0] = otherwise;
    for (size_t i = 0; ok && i < count; i++) {
        const json_t *time = json_array_get(times, i);
        times_s[i] = json_number_value(time);
        ok = json_is_number(time) || reading_refuse(reading, "time %zu is no number, expected seconds", i);
    }
    measured.times_s = times_s;
    measured.count = count > 0 ? count : 1;
    ok = ok && reading_take(reading, &measured);
    free(times_s);
    return ok;
}

/* C++ and Python write NaN and Infinity, which are no JSON: they become a 0, as long. */
static void make_numbers(char *text)
{
    bool is_quoted = false;
    for (char *at = text; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '"')
            is_quoted = !is_quoted;
        size_t length = is_quoted ? 0 : strncmp(at, "NaN", 3) == 0 ? 3 : strncmp(at, "Infinity", 8) == 0 ? 8 : 0;
        if (length > 0)
            at = (char *)memset(memset(at, ' ', length), '0', 1) + length - 1;
    }
}

/* False: it looks like JSON, and is none. */
static bool parse_json(const struct reading *reading, json_t **json)
{
    json_error_t error;
    const char first = reading->text[strspn(reading->text, " \t\r\n")];
    *json = NULL;
    if (first != '{' && first != '[')
        return true;
    make_numbers(reading->text);
    *json = json_loadb(reading->text, reading->bytes, JSON_REJECT_DUPLICATES, &error);
    return *json || reading_refuse(reading, "line %d: %s, expected JSON", error.line, error.text);
}

/* NULL, with the reason: there is none. A CSV that no reader knows is refused by that of our own. */
static const struct reader *find_reader(const struct reading *reading, int format)
{
    if (format != READ_AUTO)
        return readers[format - 1];
    for (size_t i = 0; i < READERS; i++)
        if (knows(readers[i], reading))
            return readers[i];
    if (!reading->json)
        return &rungbench_csv_reader;
    reading_refuse(reading,
                   "JSON of no known tool, expected Google Benchmark's, NVBench's, hyperfine's or pytest-benchmark's");
    return NULL;
}

bool results_read(struct reading *reading, int format, struct error *error)
{
    static const char mark[] = "\xef\xbb\xbf"; /* that some write before UTF-8 */
    json_t *json;
    reading->error = error;
    if (strncmp(reading->text, mark, strlen(mark)) == 0) {
        reading->bytes -= strlen(mark);
        memmove(reading->text, reading->text + strlen(mark), reading->bytes + 1);
    }
    bool ok = parse_json(reading, &json);
    reading->json = json;
    const struct reader *reader = ok ? find_reader(reading, format) : NULL;
    ok = reader && (reader->take ? take_all(reader, reading) : reader->read(reading)) &&
         recording_finish(reading->to, error) &&
         (reading->to->count > 0 || (reading->is_process && reading->to->wants) ||
          reading_refuse(reading, "has no row%s, expected %s", reading->to->wants ? " that --filter selects" : "",
                         reader->about));
    if (ok)
        rounds_make_blocks(reading->to, reading->is_process);
    json_decref(json);
    free(reading->text);
    reading->text = NULL;
    return ok;
}

bool results_read_file(const char *path, int format, struct recording *recording, struct error *error)
{
    struct reading reading = {.name = path, .path = path, .to = recording};
    recording->name = path;
    reading.text = regular_file_unpack(path, path, RESULTS_BYTES_MAX, &reading.bytes, error);
    return reading.text && results_read(&reading, format, error);
}

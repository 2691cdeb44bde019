#define _DEFAULT_SOURCE /* le32toh() */
/* NVBench's JSON: benchmarks with a state for each combination of axes. With --jsonbin a file beside it has the times
 * of all launches of a state, of one process; otherwise there are summaries, of which a median is taken before a mean.
 * Batches of launches are another quantity. A state that ran no kernel was timed by the host. */
#include "read.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES_BYTES_MAX = 1 << 30 };

/* Where a time is looked for, in this order. */
static const struct {
    const char *tag;
    bool is_file, on_device;
} figures[] = {
    {"nv/json/bin:nv/cold/sample_times", true, true}, {"nv/cold/time/gpu/median", false, true},
    {"nv/cold/time/gpu/mean", false, true},           {"nv/json/bin:nv/cpu_only/sample_times", true, false},
    {"nv/cpu_only/time/cpu/min", false, false},       {"nv/cpu_only/time/cpu/mean", false, false},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* A value of a summary, which is a text also where it is a number; NULL: there is none. */
static const char *value_of(const json_t *state, const char *tag, const char *name)
{
    const json_t *summary, *datum;
    size_t i, j;
    json_array_foreach(json_object_get(state, "summaries"), i, summary)
    {
        const char *its = json_string_value(json_object_get(summary, "tag"));
        if (!its || strcmp(its, tag) != 0)
            continue;
        json_array_foreach(json_object_get(summary, "data"), j, datum)
        {
            const char *key = json_string_value(json_object_get(datum, "name"));
            if (key && strcmp(key, name) == 0)
                return json_string_value(json_object_get(datum, "value"));
        }
    }
    return NULL;
}

/* The bytes of the file beside what is read; NULL, with the reason: there are none. Until July 2026 its name began as
 * the path given to NVBench, so that only folder and file at its end count. */
static char *read_beside(const struct reading *reading, const char *file, size_t *bytes)
{
    const char *slash = reading->path ? strrchr(reading->path, '/') : NULL, *end = file + strlen(file);
    for (int slashes = 0; end > file && (end[-1] != '/' || ++slashes < 2);)
        end--;
    char *path = memory_print("%.*s%s", slash ? (int)(slash + 1 - reading->path) : 0, slash ? reading->path : "", end);
    char *text = NULL;
    if (reading->path && access(path, F_OK) == 0)
        text = regular_file_read(path, path, SAMPLES_BYTES_MAX, bytes, reading->error);
    else
        reading_refuse(reading, "%.200s is missing, expected the samples next to the JSON", file);
    free(path);
    return text;
}

/* Takes the samples: floats of 32 bits, the lowest byte first. */
static bool take_samples(const struct reading *reading, const char *file, const char *size, struct measured measured)
{
    size_t bytes;
    char *text = read_beside(reading, file, &bytes);
    if (!text)
        return false;
    measured.count = bytes / sizeof(float);
    double *times_s = memory_get(measured.count + 1, sizeof *times_s);
    for (size_t i = 0; i < measured.count; i++) {
        uint32_t bits;
        float value;
        memcpy(&bits, text + i * sizeof bits, sizeof bits);
        bits = le32toh(bits);
        memcpy(&value, &bits, sizeof value);
        times_s[i] = (double)value;
    }
    measured.times_s = times_s;
    bool ok = bytes % sizeof(float) == 0 && size && measured.count == strtoul(size, NULL, 10)
                  ? reading_take(reading, &measured)
                  : reading_refuse(reading, "%.200s has %zu bytes, expected 4 for each of %.20s samples", file, bytes,
                                   size ? size : "an unknown number of");
    free(times_s);
    free(text);
    return ok;
}

static bool take_state(const struct reading *reading, const json_t *state, struct measured *measured)
{
    for (size_t i = 0; i < FIGURES; i++) {
        const char *value = value_of(state, figures[i].tag, figures[i].is_file ? "filename" : "value");
        const char *size = value_of(state, figures[i].tag, "size");
        double seconds;
        measured->on_device = figures[i].on_device;
        if (!value || (size && strcmp(size, "0") == 0))
            continue;
        if (figures[i].is_file)
            return take_samples(reading, value, size, *measured);
        return number_read_positive(value, NULL, INFINITY, &seconds)
                   ? reading_take_times(reading, NULL, seconds, *measured)
                   : reading_refuse(reading, "%s is '%.40s', expected seconds", figures[i].tag, value);
    }
    measured->status = STATUS_SKIPPED;
    measured->reason =
        value_of(state, "nv/cold/sample_size", "value") ? "all of its samples were discarded" : "it has no time";
    return reading_take(reading, measured);
}

static const char *device_of(const struct reading *reading, int id)
{
    const json_t *device;
    size_t i;
    json_array_foreach(json_object_get(reading->json, "devices"), i,
                       device) if (json_integer_value(json_object_get(device, "id")) ==
                                   id) return json_string_value(json_object_get(device, "name"));
    return NULL;
}

/* The name of a state, which shows five digits of a number, with all of them. free() it. */
static char *with_all_digits(const char *name, const json_t *axes)
{
    json_t *axis;
    size_t i, bytes;
    char *text;
    FILE *to = memory_stream(&text, &bytes);
    json_array_foreach(axes, i, axis)
    {
        const char *type = "", *own = "", *value = "";
        json_unpack(axis, "{s:s, s:s, s:s}", "type", &type, "name", &own, "value", &value);
        char *key = memory_print(" %s=", own), *found = strcmp(type, "float64") == 0 ? strstr(name, key) : NULL;
        if (found) {
            fprintf(to, "%.*s%s%s", (int)(found - name), name, key, value);
            name = found + strlen(key);
            name += strcspn(name, " ");
        }
        free(key);
    }
    fputs(name, to);
    memory_stream_end(to);
    return text;
}

static bool read_state(const struct reading *reading, const char *benchmark, json_t *state)
{
    static const char thrown[] = "Unexpected error: ";
    const char *axes = "", *why = "";
    json_t *device = NULL, *values = NULL;
    int skipped = 0;
    if (!reading_unpack(reading, state, "{s:s, s?b, s?s, s?o, s?o}", "name", &axes, "is_skipped", &skipped,
                        "skip_reason", &why, "device", &device, "axis_values", &values))
        return false;
    char *shown = memory_print("%s%s%s", benchmark, axes[0] ? " " : "", axes), *name = with_all_digits(shown, values);
    struct measured measured = {.name = name, .reason = skipped ? why : ""};
    measured.status = !skipped ? STATUS_OK : strncmp(why, thrown, strlen(thrown)) == 0 ? STATUS_FAILED : STATUS_SKIPPED;
    measured.device = device_of(reading, (int)json_integer_value(device));
    bool ok = skipped ? reading_take(reading, &measured) : take_state(reading, state, &measured);
    free(shown);
    free(name);
    return ok;
}

static bool read_benchmark(const struct reading *reading, json_t *benchmark)
{
    json_t *states, *state;
    const char *name;
    size_t i;
    bool ok = reading_unpack(reading, benchmark, "{s:s, s:o}", "name", &name, "states", &states);
    json_array_foreach(ok ? states : NULL, i, state) ok = ok && read_state(reading, name, state);
    return ok;
}

const struct reader nvbench_reader = {
    .about = "NVBench's JSON", .marks = {"devices", "benchmarks"}, .array = "benchmarks", .take = read_benchmark};

/* What other benchmarks wrote, or did not: the gate's readers. What is read can be kept as plain CSV, and read again.
 */
#include "bench/gate/read/read.h"
#include "fuzz_target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_again(const struct recording *recording)
{
    struct error error = {""};
    struct recording again = {.name = "again"};
    struct reading reading = {.name = "again", .to = &again};
    FILE *to = open_memstream(&reading.text, &reading.bytes);
    if (!to)
        return;
    fputs(plain_csv_header, to);
    plain_csv_put(to, recording);
    if (fclose(to) != 0 || !results_read(&reading, 0, &error) || again.count != recording->count)
        abort();
    for (size_t i = 0; i < again.count; i++) {
        const struct observation *a = &again.items[i], *b = &recording->items[i];
        if (strcmp(a->name, b->name) != 0 || a->round != b->round || a->status != b->status ||
            a->on_host != b->on_host || (a->status == STATUS_OK && a->time_s != b->time_s))
            abort();
    }
    recording_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct recording recording = {.name = NULL};
    if (results_read_file(fuzz_file(data, size), 0, &recording, &error))
        read_again(&recording);
    else
        fuzz_check_error(&error);
    recording_free(&recording);
    return 0;
}

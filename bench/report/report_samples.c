#include "bench/base/record.h"
#include "reporter.h"

#include <inttypes.h>

bool report_samples_begin(struct output *output, struct error *error)
{
    static const char header[] = "name,round,index,seconds,iterations\n";
    return output_write_preamble(output, header, sizeof header - 1, error);
}

/* Names of rows need no quotes: they have no commas. */
bool report_samples_result(void *self, const struct result *result, struct error *error)
{
    struct output *output = self;
    struct record record;
    if (!result->sample_s)
        return true;
    if (!record_begin(&record, output, error))
        return false;
    for (size_t i = 0; i < result->statistics.count; i++)
        fprintf(record.text, "%s,%" PRId64 ",%zu,%.9g,%" PRId64 "\n", result->name, result->round, i,
                result->sample_s[i], result->iterations / (int64_t)result->statistics.count);
    return record_write(&record, output, error);
}

#include "reporter.h"

#include <inttypes.h>

bool report_samples_begin(struct output *output, struct error *error)
{
    static const char header[] = "name,round,index,seconds,iterations\n";
    return output_write_preamble(output, header, sizeof header - 1, error);
}

/* Names of rows need no quotes: they have no commas. */
static void print(FILE *to, const void *self)
{
    const struct result *result = self;
    for (size_t i = 0; i < result->statistics.count; i++)
        fprintf(to, "%s,%" PRId64 ",%zu,%.9g,%" PRId64 "\n", result->name, result->round, i, result->sample_s[i],
                result->iterations / (int64_t)result->statistics.count);
}

bool report_samples_result(void *self, const struct result *result, struct error *error)
{
    return !result->sample_s || output_print(self, print, result, error);
}

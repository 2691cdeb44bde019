#include "record.h"

#include <stdlib.h>
#include <string.h>

static bool no_memory(const struct output *output, struct error *error)
{
    return error_set(error, "%s: no memory for a record", output->path);
}

bool record_begin(struct record *record, const struct output *output, struct error *error)
{
    *record = (struct record){0};
    record->text = open_memstream(&record->bytes, &record->count);
    return record->text || no_memory(output, error);
}

bool record_write(struct record *record, struct output *output, struct error *error)
{
    bool whole = !ferror(record->text);
    whole = fclose(record->text) == 0 && whole;
    bool ok = whole ? output_write(output, record->bytes, record->count, error) : no_memory(output, error);
    free(record->bytes);
    return ok;
}

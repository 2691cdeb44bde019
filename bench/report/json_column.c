#include "json_column.h"

#include "bench/base/json_text.h"

#include <string.h>

bool json_put_column(json_t *to, const char *key, const struct column *column, const struct result *result)
{
    char buffer[COLUMN_BUFFER];
    const char *text = column_text(column, result, buffer);
    if (column->type < TYPE_NUMBER || column->type == TYPE_WHOLE || column->type == TYPE_STATUS)
        return json_put_text(to, key, text);
    if (column->type == TYPE_FLAG)
        return strcmp(text, "yes") != 0 || json_put(to, key, json_true());
    if (column->type == TYPE_COUNT && text[0] != '\0')
        return json_put(to, key, json_integer((json_int_t)column_number(column, result)));
    return json_put_number(to, key, column_number(column, result));
}

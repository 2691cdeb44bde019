#include "selection.h"

#include <stdio.h>
#include <stdlib.h>

char *rows_done_text(const bool *done, size_t count)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    for (size_t i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && done[end]; end++) {
        }
        if (end > i)
            fprintf(to, "%s%zu-%zu", ftell(to) > 0 ? "," : "", i, end - 1);
    }
    return fclose(to) == 0 ? text : NULL;
}

bool rows_done_read(const char *text, struct selection *selection)
{
    while (*text != '\0') {
        size_t first, last;
        int length = 0;
        if (sscanf(text, "%zu-%zu%n", &first, &last, &length) != 2 || length == 0 || last >= selection->count)
            return false;
        for (size_t i = first; i <= last; i++)
            selection->rows[i].is_done = true;
        text += length + (text[length] == ',');
    }
    return true;
}

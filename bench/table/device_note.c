#include "backend.h"

#include <stdarg.h>
#include <stdio.h>

struct device_note *device_info_add_note(struct device_info *info, const char *mark, const char *format, ...)
{
    if (info->note_count == DEVICE_NOTES_MAX)
        return NULL;
    struct device_note *note = &info->notes[info->note_count++];
    note->traits = 0;
    snprintf(note->mark, sizeof note->mark, "%s", mark);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
    return note;
}

#include "mode.h"

#include <string.h>

const struct mode *const modes[MODE_COUNT] = {&mode_cold, &mode_hot, &mode_e2e};
const char mode_names[] = "cold, hot, e2e";

const struct mode *mode_find(const char *name, size_t length)
{
    for (size_t i = 0; i < MODE_COUNT; i++)
        if (strlen(modes[i]->name) == length && strncmp(modes[i]->name, name, length) == 0)
            return modes[i];
    return NULL;
}

#include "mode.h"

#include <string.h>

const struct mode *const modes[MODE_COUNT] = {
#define MODE(name) &mode_##name,
#include "modes.def"
};
const char mode_names[] =
#define FIRST_MODE(name) #name
#define MODE(name) "," #name
#include "modes.def"
    ;

const struct mode *mode_find(const char *name, size_t length)
{
    for (size_t i = 0; i < MODE_COUNT; i++)
        if (strlen(modes[i]->name) == length && strncmp(modes[i]->name, name, length) == 0)
            return modes[i];
    return NULL;
}

int mode_index(const struct mode *mode)
{
    int index = 0;
    while (modes[index] != mode)
        index++;
    return index;
}

bool mode_supports(const struct mode *mode, const struct backend_entry *backend)
{
    return (backend->separate_memory || !mode->needs_device) && !(backend->simulates && mode->evicts);
}

const char *mode_begin(const struct mode *mode, const struct mode_context *context, int64_t iterations)
{
    return mode->begin ? mode->begin(context, iterations) : NULL;
}

#include "mode.h"

#include <string.h>

const struct mode *const modes[MODE_COUNT] = {&mode_cold, &mode_hot, &mode_graph, &mode_e2e, &mode_e2e_pageable};
const char mode_names[] = "cold,hot,graph,e2e,e2e_pageable";

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

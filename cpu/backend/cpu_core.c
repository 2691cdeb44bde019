#include "cpu_core.h"

#include <stddef.h>
#include <string.h>

/* What OpenBLAS runs on a processor that it does not know, and what it calls a fallback (driver/others/dynamic.c). */
static const struct {
    const char *core;
    int isa;
} fallbacks[] = {
    {"Prescott", 0}, {"Nehalem", 0}, {"Barcelona", 0}, {"Sandybridge", 0}, {"Haswell", 1}, {"Zen", 1},
};

/* By instruction set. Cooperlake and SapphireRapids have the sgemm of SkylakeX and need newer processors. */
static const char *const best[] = {NULL, "Haswell", "SkylakeX"};

bool cpu_core_is_old(const char *core, int isa)
{
    for (size_t i = 0; i < sizeof fallbacks / sizeof fallbacks[0]; i++)
        if (strcmp(core, fallbacks[i].core) == 0)
            return fallbacks[i].isa < isa;
    return false;
}

const char *cpu_core_better(const char *core, int isa, bool (*library_has)(const char *core))
{
    for (; cpu_core_is_old(core, isa); isa--)
        if (library_has(best[isa]))
            return best[isa];
    return NULL;
}

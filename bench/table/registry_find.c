#include "registry.h"

#include <string.h>

const struct rung *registry_find(const struct registry *registry, const char *op, const char *variant)
{
    for (size_t i = 0; i < registry->rung_count; i++)
        if (strcmp(registry->rungs[i].op->name, op) == 0 && strcmp(registry->rungs[i].variant, variant) == 0)
            return &registry->rungs[i];
    return NULL;
}

size_t registry_order(const struct registry *registry, const char *op, const char *variant)
{
    const struct rung *rung = registry_find(registry, op, variant);
    return rung ? (size_t)(rung - registry->rungs) : registry->rung_count;
}

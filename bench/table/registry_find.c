#include "registry.h"

#include <string.h>

const struct backend_entry *registry_find_backend(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->backend_count; i++)
        if (strcmp(registry->backends[i].name, name) == 0)
            return &registry->backends[i];
    return NULL;
}

const struct op *registry_find_op(const struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->op_count; i++)
        if (strcmp(registry->ops[i]->name, name) == 0)
            return registry->ops[i];
    return NULL;
}

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

bool registry_runs(const struct registry *registry, rung_function *rung, unsigned without)
{
    const struct rung *found = NULL;
    for (size_t i = 0; i < registry->rung_count && !found; i++)
        found = registry->rungs[i].run == rung ? &registry->rungs[i] : NULL;
    if (!found || (found->traits & without) != 0)
        return false;
    const struct backend *backend = found->backend->backend;
    return !backend->lacks || !backend->lacks(found->traits);
}

/* Which rung was handed over to: what rung.h declares, and the registry tells. */
static rung_function *handed_to;
static const char *library; /* whose kernel has run; NULL: none */
static const char *chosen;

const char *rung_hand_over(rung_function *other, const void *problem, void *stream)
{
    handed_to = other;
    return other(problem, stream);
}

const char *rung_run_part(rung_function *part, const void *problem, void *stream)
{
    rung_function *before = handed_to;
    const char *error = part(problem, stream);
    handed_to = before;
    return error;
}

void rung_runs_library(const char *variant)
{
    library = variant;
}

void rung_chose(const char *choice)
{
    chosen = choice;
}

const char *hand_over_choice(void)
{
    return chosen;
}

void hand_over_forget(void)
{
    chosen = NULL;
    library = NULL;
    handed_to = NULL;
}

const char *hand_over_variant(const struct registry *registry)
{
    if (library)
        return library;
    for (size_t i = 0; handed_to && i < registry->rung_count; i++)
        if (registry->rungs[i].run == handed_to)
            return registry->rungs[i].variant;
    return handed_to ? "unknown" : NULL;
}

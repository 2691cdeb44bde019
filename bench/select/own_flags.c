#include "own_flags.h"

#include "options.h"

#include <string.h>

static bool add_own(const char *values[OWN_KERNELS_MAX], size_t *count, const char *name, const char *value,
                    struct error *error)
{
    if (value[0] == '\0')
        return flag_bad_value(error, name, value, "a file name");
    if (*count == OWN_KERNELS_MAX)
        return error_set(error, "--%s=%s: saw more than %d, expected that many at most", name, value, OWN_KERNELS_MAX);
    values[(*count)++] = value;
    return true;
}

bool own_flags_add_kernel(void *to, const struct flag *flag, const char *name, const char *value, struct error *error)
{
    (void)flag;
    struct own_request *own = &((struct options *)to)->own;
    return add_own(own->paths, &own->count, name, value, error);
}

bool own_flags_add_object(void *to, const struct flag *flag, const char *name, const char *value, struct error *error)
{
    (void)flag;
    struct own_request *own = &((struct options *)to)->own;
    return add_own(own->objects, &own->object_count, name, value, error);
}

bool own_flags_set_op(void *to, const struct flag *flag, const char *name, const char *value, struct error *error)
{
    (void)flag;
    struct options *options = to;
    for (size_t i = 0; i < options->registry->op_count; i++)
        if (strcmp(options->registry->ops[i]->name, value) == 0) {
            options->own.op = options->registry->ops[i];
            return true;
        }
    return flag_bad_value(error, name, value, "the name of an operation; --list begins rows with them");
}

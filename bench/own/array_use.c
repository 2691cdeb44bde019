#include "match.h"

#include <stdint.h>
#include <string.h>

/* Goes on to "name[...]", "name + ...;" or "name += ...;" in `in`, which then begins behind the name. `index` becomes
 * what stands between. */
static bool next_index(struct part *in, struct part array, struct part *index)
{
    struct part found[2];
    if (!part_next_before(in, array, "^\\s*(\\[|\\+[^+])", found, 2))
        return false;
    const struct part rest = part_from(*in, found[1].at);
    *index = rest.at[0] == '[' ? part_in_brackets(rest) : part_up_to(rest, ';');
    return true;
}

static bool writes(const struct function *kernel, size_t parameter)
{
    struct part in = kernel->body, index;
    while (next_index(&in, kernel->parameters[parameter].name, &index))
        if (pattern_find("^[];]?\\s*[-+*]?=[^=]", part_from(in, index.at + index.length), &index, 1))
            return true;
    return false;
}

/* Whether a * stands before the name, or behind it and it is not what a % or a / has there. */
static bool is_multiplied(struct part in, struct part name)
{
    struct part found[2];
    const bool is_before = pattern_find("^[ )]*\\*", part_from(in, name.at + name.length), found, 1);
    (void)pattern_find("([^ ()]?)[ ()]*$", part_before(in, name.at), found, 2);
    const char mark = found[1].length > 0 ? *found[1].at : ' ';
    return mark == '*' || (is_before && mark != '%' && mark != '/');
}

static size_t row_length(const struct function *kernel, size_t parameter)
{
    struct part in = kernel->body, index, name;
    while (next_index(&in, kernel->parameters[parameter].name, &index))
        for (struct part rest = index; part_next_name(&rest, &name);) {
            const size_t i = function_parameter(kernel, name);
            if (i != SIZE_MAX && kernel->parameters[i].kind == PARAMETER_INTEGER && is_multiplied(index, name))
                return i;
        }
    return SIZE_MAX;
}

enum index_use array_index_use(const struct function *kernel, size_t parameter, struct part variable)
{
    struct part in = kernel->body, index, name;
    while (next_index(&in, kernel->parameters[parameter].name, &index))
        for (struct part rest = index; part_next_name(&rest, &name);)
            if (part_same(name, variable))
                return is_multiplied(index, name) ? INDEX_TIMES : INDEX_PLAIN;
    return INDEX_NOT;
}

/* So many launches are looked at: the last of many say nothing new. */
enum { LAUNCHES_MAX = 16 };

/* The next kernel that the function launches with the array. */
static const struct function *next_kernel(const struct source *source, const struct function *function,
                                          size_t parameter, struct part *in, struct launch *launch, size_t *argument)
{
    for (int i = 0; i < LAUNCHES_MAX && launch_next(in, launch); i++) {
        const struct function *kernel = source_find(source, launch->name);
        *argument = part_among(launch->arguments, launch->count, function->parameters[parameter].name);
        if (kernel && kernel->count == launch->count && *argument != SIZE_MAX)
            return kernel;
    }
    return NULL;
}

bool array_is_written(const struct source *source, const struct function *function, size_t parameter)
{
    struct part in = function->body;
    struct launch launch;
    size_t argument;
    if (writes(function, parameter))
        return true;
    for (const struct function *kernel; (kernel = next_kernel(source, function, parameter, &in, &launch, &argument));)
        if (writes(kernel, argument))
            return true;
    return false;
}

size_t array_row_length(const struct source *source, const struct function *function, size_t parameter)
{
    struct part in = function->body;
    struct launch launch;
    size_t argument, length = row_length(function, parameter);
    for (const struct function *kernel;
         length == SIZE_MAX && (kernel = next_kernel(source, function, parameter, &in, &launch, &argument));) {
        const size_t of_kernel = row_length(kernel, argument);
        if (of_kernel != SIZE_MAX)
            length = function_parameter(function, launch.arguments[of_kernel]);
    }
    return length;
}

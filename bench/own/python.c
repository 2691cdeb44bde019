#include "python.h"

#include "bench/base/files.h"
#include "bench/base/home.h"
#include "bench/base/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decorators, name, parameters. */
static const char definition[] = "(?m)^((?:@.*\\n)*)def[ \\t]+(\\w+)[ \\t]*\\(([^)]*)\\)";
static const char kernel_decorator[] = "@(triton|cuda|numba\\.cuda)\\.";
static const char parameter[] = "^[\\s,*/]*(\\w+)[^,=]*(=?)[^,]*"; /* with its annotation and default */
static const char for_gpus[] = "(?m)^[ \\t]*(?:.*;[ \\t]*)?(?:import|from)[ \\t].*\\b(?:torch|triton|cupy|cuda)\\b";

static python_find *host;

bool python_is(const char *path)
{
    return own_kernel_is(path, ".py");
}

static bool is_parameter(const struct op *op, struct part name)
{
    char member[OP_MEMBER_BYTES];
    for (size_t i = 0; op->args[i].name; i++) {
        op_member(&op->args[i], member);
        if (part_is(name, member))
            return true;
    }
    return part_is(name, "stream") || op_find_name(op->sizes, name.at, name.length) >= 0;
}

static bool takes_problem(const struct op *op, struct part parameters)
{
    const char *end = parameters.at + parameters.length;
    struct part found[3];
    size_t count = 0;
    while (pattern_find(parameter, parameters, found, 3)) {
        const bool is_known = is_parameter(op, found[1]);
        if (!is_known && found[2].length == 0)
            return false;
        count += is_known;
        parameters.at = found[0].at + found[0].length;
        parameters.length = (size_t)(end - parameters.at);
    }
    return count > 0;
}

/* The definition behind `at` that is meant next; NULL: there is no more. */
static const char *find_next(const struct registry *registry, const struct own_request *request, const char *at,
                             struct form *form)
{
    struct part found[4], ignored;
    while (pattern_find(definition, part_of(at), found, 4)) {
        snprintf(form->function, sizeof form->function, "%.*s", PART(found[2]));
        const struct op *named = form_op(registry, form->function);
        form->op = request->op ? request->op : named ? named : registry->ops[0];
        at = found[0].at + found[0].length;
        const bool is_of_other = named && named != form->op;
        const bool is_kernel = pattern_find(kernel_decorator, found[1], &ignored, 1);
        const bool is_meant = request->launch ? strcmp(request->launch, form->function) == 0
                                              : !is_of_other && !is_kernel && takes_problem(form->op, found[3]);
        if (is_meant)
            return at;
    }
    return NULL;
}

/* Of those that could be meant the one with the number that its form has. */
static bool find_function(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                          struct error *error)
{
    const struct op *op = request->op ? request->op : registry->ops[0];
    struct form form, *own = &kernel->form;
    size_t count = 0;
    own->kind = FORM_RUNG;
    for (const char *at = kernel->source; (at = find_next(registry, request, at, &form)); count++)
        if (count == own->call.which) {
            own->op = form.op;
            snprintf(own->call.function, sizeof own->call.function, "%.47s", form.function);
            memcpy(kernel->function, form.function, sizeof form.function);
        }
    own->call.alternatives = count;
    if (count > 0 && own->op->members)
        return error_set(error, "%s: is for %s, whose problem does not have its sizes; expected a kernel in CUDA or C",
                         kernel->label, own->op->name);
    if (count > 0)
        return true;
    if (request->launch)
        return error_set(error, "%s: defines no %s, expected the name of a function in --launch", kernel->label,
                         request->launch);
    return error_set(
        error,
        "%s: has no function for %s, expected one with these parameters, in any order: its arrays in small "
        "letters, its sizes (%s), stream; or --launch=NAME",
        kernel->label, op->name, op->sizes);
}

bool python_read(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                 struct error *error)
{
    struct part found;
    if (!own_kernel_read_text(kernel, error) || !find_function(registry, request, kernel, error))
        return false;
    const bool is_for_gpu = pattern_find(for_gpus, part_of(kernel->source), &found, 1);
    if (is_for_gpu && request->simulate)
        return error_set(error, "%s: names a package for GPUs; expected a file of CUDA for --simulate", kernel->label);
    for (size_t i = registry->backend_count; i-- > 0;)
        if (!registry->backends[i].simulates && registry->backends[i].separate_memory == is_for_gpu &&
            !backend_takes_all(&registry->backends[i]))
            kernel->backend = &registry->backends[i];
    free(kernel->source);
    kernel->source = NULL;
    return own_kernel_load_itself(kernel, error);
}

char *const *python_arguments(const char *file)
{
    static char player[PATH_MAX], library[PATH_MAX], of[PATH_MAX], name[PATH_MAX], no_cache[] = "-B";
    static char *arguments[PYTHON_ARGUMENTS];
    const char *python = getenv("RUNGBENCH_PYTHON");
    snprintf(name, sizeof name, "%s", python && python[0] ? python : "python3");
    snprintf(player, sizeof player, "%s/scripts/python/rungbench/player.py", home_folder());
    snprintf(library, sizeof library, "%s", home_library());
    snprintf(of, sizeof of, "%s", file);
    char *const all[PYTHON_ARGUMENTS] = {name, no_cache, player, library, of, NULL};
    memcpy(arguments, all, sizeof arguments);
    return arguments;
}

void python_host(python_find *find)
{
    host = find;
}

const char *python_load(const struct own_kernel *kernel, rung_function **run, const char **unavailable)
{
    const char *reason = "its process is not Python's";
    rung_function *found = NULL;
    const enum python_outcome outcome = host ? host(kernel->form.op, kernel->function, &found, &reason) : PYTHON_FAILED;
    if (outcome == PYTHON_FAILED || (outcome == PYTHON_FOUND && !found))
        return reason;
    *run = found;
    *unavailable = found ? NULL : reason;
    return NULL;
}

size_t rungbench_problem_bytes(const struct op *op)
{
    const struct workload none = {0};
    unsigned char problem[OP_PROBLEM_BYTES_MAX];
    void *const memory[OP_BUFFERS_MAX] = {NULL};
    return op_bind(op, &none, memory, problem);
}

size_t rungbench_arrays(const struct op *op, const void *problem, const char **names, int64_t size[OP_SIZES_MAX],
                        struct python_array array[OP_BUFFERS_MAX])
{
    struct workload workload;
    void *memory[OP_BUFFERS_MAX];
    size_t count = 0;
    op_unbind(op, problem, &workload, memory);
    *names = op->sizes;
    memcpy(size, workload.size, sizeof workload.size);
    for (size_t i = 0; op->args[i].name; i++) {
        if (i == op_beginning(op))
            continue;
        array[count] = (struct python_array){.memory = memory[i], .type = (int)op->args[i].type};
        op_member(&op->args[i], array[count].name);
        array[count].rank = op_extents(op, &workload, i, array[count].extent);
        count++;
    }
    return count;
}

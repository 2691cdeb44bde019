#include "match.h"

#include "bench/base/plain_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void call_add(struct call *call, const char *format, ...)
{
    const size_t length = strlen(call->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call->text + length, sizeof call->text - length, format, arguments);
    va_end(arguments);
}

bool call_has_name(const struct call *call, struct part name)
{
    char line[128];
    snprintf(line, sizeof line, "#undef %.*s\n", PART(name));
    return strstr(call->names, line);
}

void call_add_name(struct call *call, struct part name)
{
    text_append(call->names, sizeof call->names, "#undef %.*s\n", PART(name));
}

void call_write_sizes(struct part expression, char *text, size_t size)
{
    struct part rest = expression, name;
    const char *at = expression.at;
    text[0] = '\0';
    for (; part_next_name(&rest, &name); at = name.at + name.length)
        text_append(text, size, "%.*srungbench_p->%.*s", (int)(name.at - at), at, PART(name));
    text_append(text, size, "%.*s", (int)(expression.at + expression.length - at), at);
}

/* "rungbench_tensor((float *)rungbench_p->a, {m, k})" */
static void write_tensor(const struct op *op, size_t arg, char *text, size_t size)
{
    const struct op_arg *of = &op->args[arg];
    const char *extents = of->extents;
    char sizes[128], member[OP_MEMBER_BYTES];
    if (op->is_batched && strncmp(extents, op->sizes, strcspn(op->sizes, " ")) == 0)
        extents = strchr(extents, ',') + 1; /* of one image */
    call_write_sizes((struct part){extents, strcspn(extents, "|")}, sizes, sizeof sizes);
    op_member(of, member);
    snprintf(text, size, "rungbench_tensor((%s *)rungbench_p->%s, {%s})", element_formats[of->type].cuda_type, member,
             sizes);
}

static bool returns_tensor(const struct function *function)
{
    return part_has_word(function->head, "Tensor");
}

/* Tensors in, a tensor out, or that too among the parameters. */
static bool give_tensors(struct match *match)
{
    size_t args[ARGS_MAX];
    const struct function *function = match->function;
    const size_t wanted = match_list_args(match->op, args), count = function->count;
    const bool is_returned = returns_tensor(function);
    struct call *call = match->call;
    char output[sizeof match->given->text];
    for (size_t i = 0; i < count; i++)
        if (function->parameters[i].kind != PARAMETER_TENSOR || count + is_returned != wanted)
            return match_fail(match, "takes other tensors");
    match->fits = true;
    call->has_int_sizes = true; /* int m = a.size(0) */
    if (match->op->is_batched)
        snprintf(call->only, sizeof call->only, "%.*s=1", (int)strcspn(match->op->sizes, " "), match->op->sizes);
    write_tensor(match->op, args[wanted - 1], output, sizeof output);
    call_add(call, "rungbench_output = %s; %s", output, is_returned ? "rungbench_returned = " : "");
    for (size_t i = 0; i < count; i++) {
        struct given *given = &match->given[i];
        write_tensor(match->op, args[i], given->text, sizeof given->text);
        snprintf(given->shown, sizeof given->shown, "%s", match->op->args[args[i]].name);
    }
    return true;
}

/* Why it cannot be called becomes `why`. */
static bool call_function(struct match *match)
{
    struct call *call = match->call;
    const struct function *function = match->function;
    const int length = (int)function->name.length;
    bool has_tensors = false;
    for (size_t i = 0; i < function->count; i++)
        has_tensors = has_tensors || function->parameters[i].kind == PARAMETER_TENSOR;
    if (!(has_tensors ? give_tensors : match_parameters)(match))
        return false;
    if (!function->is_kernel)
        call_add(call, "%.*s(", length, function->name.at);
    else if (!launching_write(match->source, match->op, function, match->given, call))
        return match_fail(match, "is a kernel whose launch is not found out");
    text_append(call->shown, sizeof call->shown, "%.*s(", length, function->name.at);
    for (size_t i = 0; i < function->count; i++) {
        call_add(call, "%s%s", i > 0 ? ", " : "", match->given[i].text);
        text_append(call->shown, sizeof call->shown, "%s%s", i > 0 ? ", " : "", match->given[i].shown);
    }
    call_add(call, ");%s", has_tensors && returns_tensor(function) ? " rungbench_copy_out();" : "");
    text_append(call->shown, sizeof call->shown, ")");
    return true;
}

/* The file's function and the operation, as both are written, and the flag that decides. */
static bool refuse(const struct match *match, const char *label, struct error *error)
{
    char parameters[224] = "", wanted[96] = "";
    const struct function *function = match->function;
    const char *launch = function->is_kernel ? "<<<GRID, BLOCK>>>" : "";
    for (size_t i = 0; i < function->count; i++)
        text_append(parameters, sizeof parameters, "%s%.*s", i > 0 ? ", " : "", PART(function->parameters[i].text));
    for (const struct op_arg *arg = match->op->args; arg->name; arg++)
        text_append(wanted, sizeof wanted, "%s%s", wanted[0] ? ", " : "", arg->name);
    for (const char *at = match_sizes_of(match->op); *at; at = op_name_after(at))
        text_append(wanted, sizeof wanted, ", %.*s", (int)strcspn(at, " "), at);
    return error_set(error, "%s: %.*s(%s) %s, where %s has %s; expected --launch='%.*s%s(...)' with those names", label,
                     PART(function->name), parameters, match->why, match->op->name, wanted, PART(function->name),
                     launch);
}

enum rank { RANK_NONE, RANK_KERNEL, RANK_LAUNCHER, RANK_TENSORS, RANK_SOLUTION };

/* What a function is likely to be for: what platforms call, one with tensors, a launcher with pointers to the device's
 * memory, a kernel. */
static enum rank rank_of(const struct function *function)
{
    struct part body = function->body, found;
    struct launch launch;
    if (function->is_kernel)
        return RANK_KERNEL;
    if (part_is(function->name, "solution") || match_is_solve(function))
        return RANK_SOLUTION;
    if (part_is(function->name, "main") || part_has_word(function->head, "__device__"))
        return RANK_NONE;
    if (returns_tensor(function))
        return RANK_TENSORS;
    const bool allocates = pattern_find("\\bcudaMalloc(?:Managed)?\\b", function->body, &found, 1);
    return launch_next(&body, &launch) && !allocates && function->count >= 2 ? RANK_LAUNCHER : RANK_NONE;
}

/* Of several of one name, as between #if and #else, the first is taken; that is looked at in so many. */
enum { TAKEN_MAX = 64 };

/* Calls functions of a rank, or only those that are named for the operation; number `which` is chosen. Returns how many
 * can be called. `refused` becomes the first that cannot, if it fits or there is none of a higher rank. */
static size_t call_rank(const struct match *match, enum rank rank, bool is_named, struct call *chosen,
                        struct match *refused)
{
    struct part taken[TAKEN_MAX];
    size_t count = 0;
    bool is_refused = is_named;
    for (size_t i = 0; i < match->source->count && count < TAKEN_MAX; i++) {
        const struct function *function = &match->source->functions[i];
        struct call call = *match->call;
        struct match tried = {.source = match->source, .op = match->op, .function = function, .call = &call};
        if (rank_of(function) != rank || part_among(taken, count, function->name) != SIZE_MAX ||
            (is_named && !match_is_named(match->op, function)))
            continue;
        snprintf(call.function, sizeof call.function, "%.*s", PART(function->name));
        if (call_function(&tried)) {
            taken[count] = function->name;
            if (count++ == match->call->which)
                *chosen = call;
        } else {
            *refused = !is_refused && (!refused->function || tried.fits) ? tried : *refused;
            is_refused = true;
        }
    }
    return count;
}

/* Of the functions of the highest rank that can be called; of those that are named for the operation, if there are any.
 */
static bool find_callable(struct match *match, const char *label, struct error *error)
{
    struct match refused = {0};
    for (enum rank rank = RANK_SOLUTION; rank > RANK_NONE; rank--) {
        struct call chosen = {0};
        size_t count = call_rank(match, rank, true, &chosen, &refused);
        if (count == 0)
            count = call_rank(match, rank, false, &chosen, &refused);
        if (count > 0) {
            *match->call = chosen;
            match->call->alternatives = count;
            return true;
        }
    }
    if (refused.function)
        return refuse(&refused, label, error);
    return error_set(error,
                     "%s: defines no kernel, expected a __global__ function, void solution(...), or const char "
                     "*%s_NAME(const void *problem, void *stream); see docs/own-kernel.md",
                     label, match->op->name);
}

/* An array or a size of the operation goes by its name there, in small letters or as it is written. */
static void declare_name(const struct op *op, struct part name, struct call *call)
{
    char word[NAME_BYTES], member[OP_MEMBER_BYTES];
    snprintf(word, sizeof word, "%.*s", PART(name));
    const char *sizes = match_sizes_of(op);
    const int size = part_find(sizes, name);
    const struct op_arg *arg = op->args;
    while (arg->name && strcmp(arg->name, word) != 0 && (size >= 0 || strcasecmp(arg->name, word) != 0))
        arg++;
    if (call_has_name(call, name) || (!arg->name && size < 0))
        return;
    call_add_name(call, name);
    if (arg->name) {
        const struct element_format *format = &element_formats[arg->type];
        const char *type = call->is_cuda ? format->cuda_type : format->c_type;
        op_member(arg, member);
        call_add(call, "%s *%s = (%s *)rungbench_p->%s; ", type, word, type, member);
        return;
    }
    const struct part own = match_word(sizes, (size_t)size);
    call->has_int_sizes = true;
    call_add(call, "const int %s = (int)rungbench_p->%.*s; ", word, PART(own));
}

/* As the user says: a name is the function's, then come those of the operation. */
static bool call_as_said(const struct match *match, const char *launch, const char *label, struct error *error)
{
    struct part rest = part_of(launch), name;
    struct call *call = match->call;
    const struct function *function = part_next_name(&rest, &name) ? source_find(match->source, name) : NULL;
    call->adds_output = function && match_adds_output(match->op, function);
    while (part_next_name(&rest, &name))
        declare_name(match->op, name, call);
    call_add(call, "%s;", launch);
    snprintf(call->shown, sizeof call->shown, "%s", launch);
    return strlen(launch) < sizeof call->shown ||
           error_set(error, "%s: --launch has %zu characters, expected fewer than %zu", label, strlen(launch),
                     sizeof call->shown);
}

bool call_make(const struct source *source, const struct op *op, const char *launch, const char *label,
               struct call *call, struct error *error)
{
    const struct part said = part_of(launch ? launch : "");
    struct match match = {.source = source, .op = op, .call = call, .function = source_find(source, said)};
    bool ok;
    if (launch && strchr(launch, '('))
        ok = call_as_said(&match, launch, label, error);
    else if (!launch)
        ok = find_callable(&match, label, error);
    else if (match.function)
        ok = call_function(&match) || refuse(&match, label, error);
    else
        return error_set(error, "%s: has no function %s, expected --launch=NAME of one or --launch='NAME(...)'", label,
                         launch);
    for (size_t i = 0; i < source->namespace_count; i++) /* so that the kernel's name is found */
        text_append(call->names, sizeof call->names, "using namespace %.*s;\n", PART(source->namespaces[i]));
    if (ok && (strlen(call->text) == sizeof call->text - 1 || strlen(call->names) == sizeof call->names - 1))
        return error_set(error,
                         "%s: what is before the launch of its kernel is too long to be taken over, expected --launch",
                         label);
    return ok;
}

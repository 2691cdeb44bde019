#include "made_source.h"

#include "bench/base/memory.h"
#include "bench/table/backend.h"
#include "spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char made_function[] = "rungbench_own_kernel", made_source_of_call[] = "how rungbench calls it";
static const char stream_of_call[] = "rungbench_stream"; /* kernels/solution_begin.h declares it */

/* CUDA in the words that the toolchain needs; free() it. */
static char *spell(const struct own_kernel *kernel, const char *text)
{
    const struct toolchain *toolchain = kernel->backend->backend->toolchain;
    const bool is_call = kernel->form.kind == FORM_CALL;
    const bool respells = toolchain->spells_launches || (toolchain->adds_streams && is_call);
    return respells ? spelling_change(text, is_call ? stream_of_call : "0", toolchain->spells_launches)
                    : memory_print("%s", text);
}

static void include(FILE *to, const char *header)
{
    if (header)
        fprintf(to, "#include \"%s\"\n", header);
}

/* Of an operation of the user's own there is no header. */
static void write_problem(const struct op *op, bool is_cuda, FILE *to)
{
    fprintf(to, "#define PROBLEM struct %s_problem\n", op->name);
    if (op->problem_bytes > 0) {
        fprintf(to, "#include \"bench/table/%s.h\"\n", op->name);
        return;
    }
    for (const struct op_arg *arg = op->args; arg->name && is_cuda; arg++)
        include(to, element_formats[arg->type].cuda_header);
    fprintf(to, "#include <stdint.h>\nPROBLEM {\n");
    for (const char *at = op->sizes; *at; at = op_name_after(at))
        fprintf(to, "    int64_t %.*s;\n", (int)strcspn(at, " "), at);
    for (const struct op_arg *arg = op->args; arg->name; arg++) {
        if (arg == &op->args[op_beginning(op)])
            continue;
        const struct element_format *format = &element_formats[arg->type];
        char member[OP_MEMBER_BYTES];
        op_member(arg, member);
        fprintf(to, "    %s%s *%s;\n", arg->is_output ? "" : "const ", is_cuda ? format->cuda_type : format->c_type,
                member);
    }
    fputs("};\n", to);
}

/* The call as a macro, which stands on one line. */
static void write_call(const struct own_kernel *kernel, FILE *to)
{
    const struct call *call = &kernel->form.call;
    char *text = spell(kernel, call->text);
    fprintf(to, "%s#define SOLUTION %s_%zu\n#define CALL_SOLUTION ", call->names, made_function, call->which);
    for (const char *at = text; *at; at++)
        fputc(*at == '\n' || *at == '\r' ? ' ' : *at, to);
    fputc('\n', to);
    free(text);
    include(to, kernel->backend->backend->toolchain->after_solution);
}

char *made_source(const struct own_kernel *kernel)
{
    const struct form *form = &kernel->form;
    const bool is_call = form->kind == FORM_CALL;
    char *made, *text = spell(kernel, kernel->source);
    size_t size;
    FILE *to = memory_stream(&made, &size);
    if (is_call)
        include(to, kernel->backend->backend->toolchain->before_solution);
    fputs("#line 1 \"", to);
    for (const char *at = kernel->path; *at; at++)
        fputc(*at == '"' || *at == '\\' ? '_' : *at, to); /* the assembler of nvcc takes no quotes in it */
    fprintf(to, "\"\n%s\n", text);
    if (is_call) {
        fprintf(to, "#line 1 \"%s\"\n", made_source_of_call);
        write_problem(form->op, form->call.is_cuda, to);
        for (size_t i = 0; i < kernel->sibling_count; i++)
            write_call(&kernel->siblings[i], to);
    } else if (form->kind == FORM_RUNG) {
        fprintf(to,
                "#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                "const char *%s(const void *problem, void *stream);\n"
                "const char *%s(const void *problem, void *stream)\n{\n    return %s(problem, stream);\n}\n",
                made_function, made_function, form->function);
    }
    memory_stream_end(to);
    free(text);
    return made;
}

#include "starter.h"

#include "match.h"

#include "bench/base/plain_text.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { LIST_BYTES = 512 };

/* Lists of what the operation has. */
struct lists {
    char arrays[LIST_BYTES], names[LIST_BYTES], tensors[LIST_BYTES]; /* "const float *a, ", "a, ", "torch::Tensor a" */
    char pointers[LIST_BYTES];                                       /* "a.data_ptr<float>(), " */
    char sizes[LIST_BYTES], size_names[LIST_BYTES];                  /* "int m, int k", "m, k" */
    char elements[LIST_BYTES];                                       /* "(size_t)(m) * (n)" */
    char first[OP_MEMBER_BYTES], output[OP_MEMBER_BYTES];
};

static struct lists list(const struct op *op)
{
    struct lists lists = {.elements = "(size_t)("};
    for (size_t i = 0; op->args[i].name; i++) {
        const struct op_arg *arg = &op->args[i];
        const char *type = element_formats[arg->type].cuda_type;
        char member[OP_MEMBER_BYTES];
        op_member(arg, member);
        if (i == op_beginning(op))
            continue;
        text_append(lists.arrays, LIST_BYTES, "%s%s *%s, ", arg->is_output ? "" : "const ", type, member);
        text_append(lists.names, LIST_BYTES, "%s, ", member);
        text_append(lists.pointers, LIST_BYTES, "%s.data_ptr<%s>(), ", member, type);
        if (!arg->is_output)
            text_append(lists.tensors, LIST_BYTES, "%storch::Tensor %s", i > 0 ? ", " : "", member);
    }
    const char *sizes = match_sizes_of(op);
    for (const char *at = sizes; *at; at = op_name_after(at)) {
        text_append(lists.sizes, LIST_BYTES, "%sint %.*s", at > sizes ? ", " : "", (int)strcspn(at, " "), at);
        text_append(lists.size_names, LIST_BYTES, "%s%.*s", at > sizes ? ", " : "", (int)strcspn(at, " "), at);
    }
    for (const char *at = op->args[op_output(op)].extents; *at; at++)
        text_append(lists.elements, LIST_BYTES, "%s", *at == ',' ? ") * (" : (char[]){*at, '\0'});
    text_append(lists.elements, LIST_BYTES, ")");
    op_member(&op->args[0], lists.first);
    op_member(&op->args[op_output(op)], lists.output);
    return lists;
}

static void put_launch(const struct lists *lists, const char *arrays, FILE *to)
{
    fprintf(to, "    const size_t elements = %s;\n    kernel<<<(unsigned)((elements + 255) / 256), 256>>>(%s%s);\n",
            lists->elements, arrays, lists->size_names);
}

/* Where its sizes have other names in solve(), these are capitals. */
static void put_function(const struct op *op, const struct lists *lists, bool is_solve, FILE *to)
{
    const char *sizes = "", *names = is_solve ? match_solve_names(op, &sizes) : NULL;
    fprintf(to, "extern \"C\" void %s(%s", is_solve ? "solve" : "solution", lists->arrays);
    for (const char *at = names; at && *at; at = op_name_after(at))
        fprintf(to, "%sint %c", at > names ? ", " : "", toupper((unsigned char)*at));
    fprintf(to, "%s)\n{\n", names ? "" : lists->sizes);
    for (const char *at = sizes, *name = names; *at; at = op_name_after(at), name = op_name_after(name))
        fprintf(to, "    const int %.*s = %c;\n", (int)strcspn(at, " "), at, toupper((unsigned char)*name));
    put_launch(lists, lists->names, to);
    fputs("}\n", to);
}

/* "a.size(1)": the first input with an extent that is the size alone. False: there is none. */
static bool put_size(const struct op *op, struct part size, FILE *to)
{
    for (size_t i = 0; i < op_output(op); i++) {
        struct part extents[PARAMETERS_MAX];
        char member[OP_MEMBER_BYTES];
        const size_t count = part_split(part_of(op->args[i].extents), extents, PARAMETERS_MAX);
        const size_t dimension = part_among(extents, count, size);
        if (dimension == SIZE_MAX)
            continue;
        op_member(&op->args[i], member);
        if (to && op->is_batched && dimension == 0)
            fprintf(to, "    const int %.*s = 1;\n", PART(size));
        else if (to)
            fprintf(to, "    const int %.*s = %s.size(%zu);\n", PART(size), member, dimension - op->is_batched);
        return true;
    }
    return false;
}

static void put_extension(const struct op *op, const struct lists *lists, FILE *to)
{
    const char *extents = op->args[op_output(op)].extents;
    fprintf(to, "torch::Tensor solution(%s)\n{\n", lists->tensors);
    for (const char *at = op->sizes; *at; at = op_name_after(at))
        (void)put_size(op, match_word(at, 0), to);
    fprintf(to, "    torch::Tensor %s = torch::empty({%s}, %s.options());\n", lists->output,
            op->is_batched ? strchr(extents, ',') + 1 : extents, lists->first);
    put_launch(lists, lists->pointers, to);
    fprintf(to, "    C10_CUDA_KERNEL_LAUNCH_CHECK();\n    return %s;\n}\n", lists->output);
}

bool starter_print(const struct op *op, enum starter kind, FILE *to, struct error *error)
{
    const struct lists lists = list(op);
    for (const char *at = op->sizes; *at && kind == STARTER_TORCH; at = op_name_after(at))
        if (op->members || !put_size(op, match_word(at, 0), NULL))
            return error_set(error, "--starter=torch: the tensors of %s do not say all of its sizes, expected plain",
                             op->name);
    fprintf(to, "// %s%s%s\n// rungbench --op=%s --kernel=FILE.cu\n%s\n", op->name, op->formula ? ": " : "",
            op->formula ? op->formula : "", op->name, kind == STARTER_TORCH ? "#include <torch/extension.h>\n" : "");
    fprintf(to,
            "__global__ void kernel(%s%s)\n{\n"
            "    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i >= %s)\n        return;\n    // Your code: element i of %s\n}\n\n",
            lists.arrays, lists.sizes, lists.elements, lists.output);
    if (kind == STARTER_TORCH)
        put_extension(op, &lists, to);
    else
        put_function(op, &lists, kind == STARTER_SOLVE, to);
    return true;
}

#include "starter.h"

#include "match.h"

#include <ctype.h>
#include <string.h>

static void put_name(FILE *to, const struct op_arg *arg)
{
    char member[OP_MEMBER_BYTES];
    op_member(arg, member);
    fputs(member, to);
}

/* "const float *a, float *c, ", or without types. */
static void put_arrays(const struct op *op, const char *type, FILE *to)
{
    for (size_t i = 0; op->args[i].name; i++) {
        const struct op_arg *arg = &op->args[i];
        if (i == op_beginning(op) || (strcmp(type, "torch::Tensor ") == 0 && arg->is_output))
            continue;
        if (strcmp(type, "*") == 0)
            fprintf(to, "%s%s *", arg->is_output ? "" : "const ", element_formats[arg->type].cuda_type);
        else
            fputs(i > 0 && type[0] ? ", " : "", to);
        fputs(strcmp(type, "*") == 0 ? "" : type, to);
        put_name(to, arg);
        fputs(type[0] && type[0] != '*' ? "" : ", ", to);
    }
}

static void put_sizes(const char *names, const char *type, FILE *to)
{
    for (const char *at = names; *at; at = op_name_after(at))
        fprintf(to, "%s%s%.*s", at > names ? ", " : "", type, (int)strcspn(at, " "), at);
}

/* "(m) * (n)" */
static void put_elements(const struct op *op, FILE *to)
{
    fputs("(size_t)(", to);
    for (const char *at = op->args[op_output(op)].extents; *at; at++)
        fputs(*at == ',' ? ") * (" : (char[]){*at, '\0'}, to);
    fputc(')', to);
}

static void put_kernel(const struct op *op, FILE *to)
{
    fputs("__global__ void kernel(", to);
    put_arrays(op, "*", to);
    put_sizes(match_sizes_of(op), "int ", to);
    fputs(")\n{\n    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= ", to);
    put_elements(op, to);
    fputs(")\n        return;\n    // Your code: element i of ", to);
    put_name(to, &op->args[op_output(op)]);
    fputs("\n}\n\n", to);
}

static void put_launch(const struct op *op, FILE *to)
{
    fputs("    const size_t elements = ", to);
    put_elements(op, to);
    fputs(";\n    kernel<<<(unsigned)((elements + 255) / 256), 256>>>(", to);
}

/* "int M, int N, int K" */
static void put_capitals(const char *names, FILE *to)
{
    for (const char *at = names; *at; at = op_name_after(at))
        fprintf(to, "%sint %c", at > names ? ", " : "", toupper((unsigned char)*at));
}

static void put_function(const struct op *op, enum starter kind, FILE *to)
{
    const char *sizes = "", *names = kind == STARTER_SOLVE ? match_solve_names(op, &sizes) : NULL;
    fprintf(to, "extern \"C\" void %s(", kind == STARTER_SOLVE ? "solve" : "solution");
    put_arrays(op, "*", to);
    if (names)
        put_capitals(names, to);
    else
        put_sizes(match_sizes_of(op), "int ", to);
    fputs(")\n{\n", to);
    for (const char *at = sizes, *name = names; *at; at = op_name_after(at), name = op_name_after(name))
        fprintf(to, "    const int %.*s = %c;\n", (int)strcspn(at, " "), at, toupper((unsigned char)*name));
    put_launch(op, to);
    put_arrays(op, "", to);
    put_sizes(match_sizes_of(op), "", to);
    fputs(");\n}\n", to);
}

/* "a.size(1)": the first input with an extent that is the size alone. False: there is none. */
static bool put_size(const struct op *op, const char *size, size_t length, FILE *to)
{
    for (size_t i = 0; i < op_output(op); i++) {
        int dimension = op->is_batched ? -1 : 0;
        for (const char *at = op->args[i].extents; *at; at += *at == ',', dimension++) {
            const size_t extent = strcspn(at, ",|");
            if (extent == length && strncmp(at, size, length) == 0 && at[extent] != '|') {
                if (to && dimension < 0)
                    fprintf(to, "    const int %.*s = 1;\n", (int)length, size);
                else if (to) {
                    fprintf(to, "    const int %.*s = ", (int)length, size);
                    put_name(to, &op->args[i]);
                    fprintf(to, ".size(%d);\n", dimension);
                }
                return true;
            }
            at += extent;
        }
    }
    return false;
}

static void put_extension(const struct op *op, FILE *to)
{
    const struct op_arg *output = &op->args[op_output(op)];
    const char *extents = op->is_batched ? strchr(output->extents, ',') + 1 : output->extents;
    fputs("torch::Tensor solution(", to);
    put_arrays(op, "torch::Tensor ", to);
    fputs(")\n{\n", to);
    for (const char *at = op->sizes; *at; at = op_name_after(at))
        (void)put_size(op, at, strcspn(at, " "), to);
    fputs("    torch::Tensor ", to);
    put_name(to, output);
    fprintf(to, " = torch::empty({%s}, ", extents);
    put_name(to, &op->args[0]);
    fputs(".options());\n", to);
    put_launch(op, to);
    for (size_t i = 0; op->args[i].name; i++) {
        put_name(to, &op->args[i]);
        fprintf(to, ".data_ptr<%s>(), ", element_formats[op->args[i].type].cuda_type);
    }
    put_sizes(op->sizes, "", to);
    fputs(");\n    C10_CUDA_KERNEL_LAUNCH_CHECK();\n    return ", to);
    put_name(to, output);
    fputs(";\n}\n", to);
}

bool starter_print(const struct op *op, enum starter kind, FILE *to, struct error *error)
{
    for (const char *at = op->sizes; *at && kind == STARTER_TORCH; at = op_name_after(at))
        if (op->members || !put_size(op, at, strcspn(at, " "), NULL))
            return error_set(error, "--starter=torch: the tensors of %s do not say all of its sizes, expected plain",
                             op->name);
    fprintf(to, "// %s%s%s\n// rungbench --op=%s --kernel=FILE.cu\n%s\n", op->name, op->formula ? ": " : "",
            op->formula ? op->formula : "", op->name, kind == STARTER_TORCH ? "#include <torch/extension.h>\n" : "");
    put_kernel(op, to);
    if (kind == STARTER_TORCH)
        put_extension(op, to);
    else
        put_function(op, kind, to);
    return true;
}

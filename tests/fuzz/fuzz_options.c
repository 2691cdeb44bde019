/* The command lines of both programs, an argument per line. --image is left out: it reads a file, and has a target. */
#include "bench/gate/gate_options.h"
#include "bench/select/sizes.h"
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

#define OP(name) extern const struct op name##_op;
#include "bench/table/rungs.def"

static const struct backend_entry backends[] = {{.name = "cpu"}, {.name = "cuda"}};
static const struct op *const ops[] = {
#define OP(name) &name##_op,
#include "bench/table/rungs.def"
};
static const struct registry registry = {
    .backends = backends, .backend_count = 2, .ops = ops, .op_count = sizeof ops / sizeof ops[0]};

enum { ARGUMENTS_MAX = 100, TEXT_MAX = 4096 };

/* Splits the input into `argv`; the number of arguments, or 0. */
static int split(const uint8_t *data, size_t size, char text[TEXT_MAX], char *argv[ARGUMENTS_MAX + 1])
{
    static char program[] = "rungbench";
    int argc = 0;
    if (size >= TEXT_MAX)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    argv[argc++] = program;
    for (char *line = text; line && argc < ARGUMENTS_MAX;) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        if (strncmp(line, "--image=", 8) == 0 || strcmp(line, "--image") == 0)
            return 0;
        argv[argc++] = line;
        line = end && *end ? end : NULL;
    }
    argv[argc] = NULL;
    return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[TEXT_MAX];
    static char *argv[ARGUMENTS_MAX + 1], *arguments[ARGUMENTS_MAX + 1];
    static struct options options;
    struct gate_options gate_options;
    struct error error = {""};
    int argc = split(data, size, text, argv);
    if (argc > 0 &&
        !(flags_parse(&registry, argc, argv, arguments, &options, &error) && sizes_add(&options, &registry, &error)))
        fuzz_check_error(&error);
    argc = split(data, size, text, argv); /* getopt has put them in another order */
    if (argc > 0 && !gate_options_parse(argc, argv, &gate_options, &error))
        fuzz_check_error(&error);
    return 0;
}

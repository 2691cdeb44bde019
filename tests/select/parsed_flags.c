#include "parsed_flags.h"

#include "bench/select/sizes.h"
#include "tests/unit.h"

static const struct backend takes_all = {.device_count = NULL};
static const struct backend_entry backends[] = {
    {"cpu", "CPU", false, false, NULL}, {"cuda", "CUDA", true, false, NULL}, {"gpus", "GPUs", true, false, &takes_all}};
static const struct op *const ops[] = {
#define OP(name) &name##_op,
#include "bench/table/rungs.def"
};
const struct registry flags_registry = {
    .backends = backends, .backend_count = 3, .ops = ops, .op_count = sizeof ops / sizeof ops[0]};

enum { ARGUMENTS_MAX = 160 };

static bool parse(const char *flags, struct options *options, struct error *error)
{
    static char text[4096]; /* options point into these */
    static char *arguments[ARGUMENTS_MAX];
    char *argv[ARGUMENTS_MAX] = {"rungbench"};
    int argc = 1;
    assert_true(strlen(flags) < sizeof text);
    strcpy(text, flags);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest));) {
        assert_true(argc < ARGUMENTS_MAX - 1);
        for (char *c = word; (c = strchr(c, '~'));)
            *c = ' ';
        argv[argc++] = word;
    }
    *error = (struct error){""};
    return flags_parse(&flags_registry, argc, argv, arguments, options, error) &&
           sizes_add(options, &flags_registry, error);
}

struct options accepted(const char *flags)
{
    struct options options;
    struct error error;
    if (!parse(flags, &options, &error))
        fail_msg("%s: %s", flags, error.text);
    return options;
}

void assert_refused(const char *flags, const char *name, const char *value, const char *expected)
{
    struct options options;
    struct error error;
    if (parse(flags, &options, &error))
        fail_msg("%s is accepted", flags);
    assert_true(strlen(error.text) > 0 && !strchr(error.text, '\n'));
    if (!strstr(error.text, name) || !strstr(error.text, value) || !strstr(error.text, expected))
        fail_msg("'%s' does not say '%s', '%s' and '%s'", error.text, name, value, expected);
}

void assert_modes(const struct options *options, const char *names)
{
    char text[96] = "";
    for (size_t i = 0; i < options->mode_count; i++) {
        strcat(text, i > 0 ? "," : "");
        strcat(text, options->modes[i]->name);
    }
    assert_string_equal(text, names);
}

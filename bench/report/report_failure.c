/* Prints why a row failed, and the command that reproduces it, to stderr as soon as it is known. */
#include "bench/base/plain_text.h"
#include "reporter.h"

#include <string.h>

static bool needs_quotes(const char *argument)
{
    for (const char *c = argument; *c; c++)
        if (plain_text_control(c) || strchr(" '\"$\\*?[](){}|&;<>`!#~", *c))
            return true;
    return argument[0] == '\0';
}

/* Quoted for bash; a control character by its number, so that the terminal does not obey it. */
static void print_quoted(FILE *to, const char *argument)
{
    if (!needs_quotes(argument)) {
        fputs(argument, to);
        return;
    }
    fputc('\'', to);
    while (*argument) {
        size_t control = plain_text_control(argument);
        for (size_t i = 0; i < control; i++)
            fprintf(to, "'$'\\%03o''", (unsigned)(unsigned char)argument[i]);
        if (control == 0)
            fputs(*argument == '\'' ? "'\\''" : (char[]){*argument, '\0'}, to);
        argument += control ? control : 1;
    }
    fputc('\'', to);
}

bool report_failure_result(void *self, const struct result *result, struct error *error)
{
    (void)error;
    const struct failure_report *report = self;
    if (result->status != STATUS_FAILED)
        return true;
    fprintf(stderr, "rungbench: %s: ", result->name);
    plain_text_put(stderr, result->reason);
    fputs("\nrungbench: to reproduce: ", stderr);
    print_quoted(stderr, report->program);
    for (size_t i = 0; report->flags[i]; i++) {
        fputc(' ', stderr);
        print_quoted(stderr, report->flags[i]);
    }
    fprintf(stderr, " --filter='^%s/%s/%s/'\n", result->op, result->workload, result->variant);
    return true;
}

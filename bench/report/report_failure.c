/* Prints why a row failed, and the command that reproduces it, to stderr as soon as it is known. */
#include "reporter.h"

#include <string.h>

/* Quoted for a shell. */
static void print_quoted(FILE *to, const char *argument)
{
    if (argument[0] != '\0' && !strpbrk(argument, " \t\n'\"$\\*?[](){}|&;<>`!#~")) {
        fputs(argument, to);
        return;
    }
    fputc('\'', to);
    for (; *argument; argument++)
        fputs(*argument == '\'' ? "'\\''" : (char[]){*argument, '\0'}, to);
    fputc('\'', to);
}

bool report_failure_result(void *self, const struct result *result, struct error *error)
{
    (void)error;
    const struct failure_report *report = self;
    if (result->status != STATUS_FAILED)
        return true;
    fprintf(stderr, "rungbench: %s: %s\nrungbench: to reproduce: ", result->name, result->reason);
    print_quoted(stderr, report->program);
    for (size_t i = 0; report->flags[i]; i++) {
        fputc(' ', stderr);
        print_quoted(stderr, report->flags[i]);
    }
    fprintf(stderr, " --filter='^%s/%s/%s/'\n", result->op, result->workload, result->variant);
    return true;
}

#include "list.h"

#include <string.h>

static void print_names(const struct selection *selection, FILE *to)
{
    for (size_t i = 0; i < selection->count; i++) {
        char name[160];
        row_name(&selection->rows[i], name, sizeof name);
        fprintf(to, "%s\n", name);
    }
}

static void say_suite(const struct selection *selection, const struct suite *suite, FILE *remarks)
{
    fprintf(remarks, "rungbench: %zu row%s of --suite=%s%s\n", selection->count, selection->count == 1 ? "" : "s",
            suite->name, strcmp(suite->name, "all") == 0 ? "" : "; --suite=all --list lists all");
}

static bool has_row(const struct selection *selection, const struct workload *workload)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->rows[i].workload == workload)
            return true;
    return false;
}

/* The workloads of suite mnist, which is the default, that have no row here, and that a GPU's others have few. */
static void say_unwatched(const struct selection *selection, FILE *remarks)
{
    const struct op *last = NULL;
    bool any = false;
    for (size_t i = 0; i < selection->count; i++) {
        const struct op *op = selection->rows[i].rung->op;
        for (size_t w = 0; op != last && w < op->workload_count; w++) {
            if ((op->workloads[w].suites & SUITE_MNIST) == 0 || has_row(selection, &op->workloads[w]))
                continue;
            fprintf(remarks, "%s%s/%s", any ? ", " : "rungbench: not watched: ", op->name, op->workloads[w].name);
            any = true;
        }
        last = op;
    }
    fprintf(remarks, "%son a GPU, rungs that are neither the fastest of a workload nor a library's\n",
            any ? "; " : "rungbench: not watched: ");
}

static bool is_unsimulated(const struct rung *rung)
{
    return rung->backend->simulates && !rung->run;
}

static bool has_row_before(const struct selection *selection, size_t end, const struct rung *rung)
{
    for (size_t i = 0; i < end; i++)
        if (selection->rows[i].rung == rung)
            return true;
    return false;
}

static void say_unsimulated(const struct selection *selection, FILE *remarks)
{
    bool any = false;
    for (size_t i = 0; i < selection->count; i++) {
        const struct rung *rung = selection->rows[i].rung;
        if (!is_unsimulated(rung) || has_row_before(selection, i, rung))
            continue;
        fprintf(remarks, "%s%s/%s (%s)", any ? ", " : "rungbench: cannot be simulated: ", rung->op->name, rung->variant,
                rung->unavailable);
        any = true;
    }
    if (any)
        fputc('\n', remarks);
}

void list_print(const struct selection *selection, const struct suite *suite, FILE *to, FILE *remarks)
{
    print_names(selection, to);
    say_suite(selection, suite, remarks);
    if (strcmp(suite->name, "gate") == 0)
        say_unwatched(selection, remarks);
    say_unsimulated(selection, remarks);
}

#include "selection.h"

#include "bench/base/exit_status.h"
#include "bench/base/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void row_name(const struct row *row, char *text, size_t size)
{
    snprintf(text, size, "%s/%s/%s/%s", row->rung->op->name, row->workload->name, row->rung->variant,
             row->mode ? row->mode->name : "verify");
}

/* A leading '-' negates it, as in Google Benchmark. */
struct filter {
    struct pattern *pattern; /* NULL: all rows pass */
    bool negated;
};

static bool filter_compile(struct filter *filter, const char *text, struct error *error)
{
    *filter = (struct filter){0};
    if (!text)
        return true;
    filter->negated = text[0] == '-';
    const char *pattern = text + filter->negated;
    struct error reason;
    filter->pattern = pattern_make(pattern, strlen(pattern), PATTERN_PART, &reason);
    return filter->pattern ||
           error_set(error, "--filter=%s: not a POSIX extended regular expression (%s)", text, reason.text);
}

static bool filter_passes(const struct filter *filter, const struct row *row)
{
    if (!filter->pattern)
        return true;
    char name[160];
    row_name(row, name, sizeof name);
    return pattern_matches(filter->pattern, name) != filter->negated;
}

static bool add(struct selection *selection, const struct row *row)
{
    if ((selection->count & (selection->count - 1)) == 0) { /* full: capacities are powers of two */
        size_t room = selection->count ? 2 * selection->count : 1;
        struct row *rows = realloc(selection->rows, room * sizeof *rows);
        if (!rows)
            return false;
        selection->rows = rows;
    }
    selection->rows[selection->count++] = *row;
    return true;
}

static bool suite_wants(const struct options *options, const struct row *row)
{
    bool (*wants)(const struct workload *, const struct rung *, const struct mode *) = options->suite->wants;
    bool is_of_suite = (row->workload->suites & options->suite->members) != 0;
    return !wants || !options->modes_are_suites || !is_of_suite || wants(row->workload, row->rung, row->mode);
}

static bool add_rung(struct selection *selection, const struct filter *filter, const struct options *options,
                     const struct workload *workload, const struct rung *rung)
{
    struct row row = {.workload = workload, .rung = rung};
    if (options->verify)
        return !filter_passes(filter, &row) || add(selection, &row);
    for (size_t i = 0; i < options->mode_count; i++) {
        row.mode = options->modes[i];
        if (row.mode->supports(rung->backend) && suite_wants(options, &row) && filter_passes(filter, &row) &&
            !add(selection, &row))
            return false;
    }
    return true;
}

static bool has_own(const struct registry *registry, const struct op *op, const struct backend_entry *backend)
{
    for (size_t i = 0; i < registry->rung_count; i++)
        if (registry->rungs[i].load && registry->rungs[i].op == op &&
            (!backend || registry->rungs[i].backend == backend))
            return true;
    return false;
}

/* Beside kernels of the user's own stands what they are compared with: the library and our best rungs of the same
 * device, and those of the host. A filter or a backend chooses among all. */
static bool is_beside_own(const struct options *options, const struct registry *registry, const struct rung *rung)
{
    const unsigned compared = RUNG_BASELINE | RUNG_LIBRARY | RUNG_COMPARED;
    if (rung->load || options->own.count == 0 || options->filter || options->only || options->profile)
        return true;
    bool is_on_host = !rung->backend->separate_memory && !rung->backend->simulates;
    return !options->verify && (rung->traits & compared) != 0 && (rung->traits & RUNG_SLOW) == 0 &&
           has_own(registry, rung->op, is_on_host ? NULL : rung->backend);
}

/* Simulated rungs check kernels on small workloads. */
static bool is_wanted(const struct options *options, const struct workload *workload, const struct rung *rung)
{
    if (options->only && rung->backend != options->only)
        return false;
    return rung->load || !rung->backend->simulates || options->suite->is_simulated || options->verify ||
           workload->suites == 0;
}

static bool add_workload(const struct registry *registry, struct selection *selection, const struct filter *filter,
                         const struct options *options, const struct op *op, const struct workload *workload)
{
    for (size_t i = 0; i < registry->rung_count; i++) {
        const struct rung *rung = &registry->rungs[i];
        if (rung->op == op && is_wanted(options, workload, rung) && is_beside_own(options, registry, rung) &&
            !add_rung(selection, filter, options, workload, rung))
            return false;
    }
    return true;
}

/* The suites of which this operation has workloads in the run. If nobody named a suite, and the default one has none, a
 * kernel of the user's own gets those of suite network. */
static unsigned members_for(const struct options *options, const struct registry *registry, const struct op *op)
{
    const unsigned members = options->suite->members;
    for (size_t i = 0; i < op->workload_count; i++)
        if ((op->workloads[i].suites & members) != 0)
            return members;
    return options->suite_is_default && has_own(registry, op, NULL) ? SUITE_NETWORK : members;
}

/* Whether the suites already have a workload with the name of this user-defined one. */
static bool is_repeated(const struct op *op, unsigned members, const struct workload *workload)
{
    for (size_t i = 0; i < op->workload_count; i++)
        if ((op->workloads[i].suites & members) != 0 && strcmp(op->workloads[i].name, workload->name) == 0)
            return true;
    return false;
}

static bool add_op(const struct registry *registry, struct selection *selection, const struct filter *filter,
                   const struct options *options, const struct op *op)
{
    const unsigned members = members_for(options, registry, op);
    for (size_t i = 0; i < op->workload_count; i++) {
        const struct workload *workload = &op->workloads[i];
        if ((workload->suites & members) != 0 && !add_workload(registry, selection, filter, options, op, workload))
            return false;
    }
    for (size_t i = 0; i < options->user_count; i++) {
        const struct workload *workload = &options->user[i].workload;
        if (options->user[i].op == op && !is_repeated(op, members, workload) &&
            !add_workload(registry, selection, filter, options, op, workload))
            return false;
    }
    return true;
}

enum { MODES_TEXT = 64 };

/* " --modes=cold,hot" */
static void modes_text(const struct options *options, char text[MODES_TEXT])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < options->mode_count && !options->verify; i++)
        length += (size_t)snprintf(text + length, MODES_TEXT - length, "%s%s", i == 0 ? " --modes=" : ",",
                                   options->modes[i]->name);
}

static int say_empty(const struct options *options, const char *whose, struct error *error)
{
    char chosen[MODES_TEXT];
    modes_text(options, chosen);
    error_set(error, "%snothing selected: no row of --suite=%s%s%s%s; --list shows what there is", whose,
              options->suite->name, chosen, options->filter ? " matches --filter=" : " is there",
              options->filter ? options->filter : "");
    return EXIT_USAGE;
}

static bool has_mode(const struct options *options, const struct backend_entry *backend)
{
    bool has = options->verify;
    for (size_t i = 0; i < options->mode_count; i++)
        has = has || options->modes[i]->supports(backend);
    return has;
}

static bool is_selected(const struct selection *selection, const struct rung *rung)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->rows[i].rung == rung)
            return true;
    return false;
}

/* A kernel that somebody names would be passed over in silence. */
static int say_left_out(const struct options *options, const struct rung *rung, struct error *error)
{
    char whose[sizeof error->text], chosen[MODES_TEXT];
    snprintf(whose, sizeof whose, "%s (%s): ", rung->variant, rung->summary);
    if (has_mode(options, rung->backend))
        return say_empty(options, whose, error);
    bool lacks_device = rung->backend->simulates && !options->own.simulate;
    modes_text(options, chosen);
    error_set(error, "%sno row: the %s has none of%s%s; expected --modes=hot, or --verify", whose, rung->backend->label,
              chosen, lacks_device ? ", and there is no GPU that this build can use" : "");
    return lacks_device ? EXIT_ALL_SKIPPED : EXIT_USAGE;
}

static int check(const struct registry *registry, const struct options *options, const struct selection *selection,
                 struct error *error)
{
    for (size_t i = 0; i < registry->rung_count && !options->profile; i++)
        if (registry->rungs[i].load && !is_selected(selection, &registry->rungs[i]))
            return say_left_out(options, &registry->rungs[i], error);
    return selection->count > 0 ? EXIT_RIGHT : say_empty(options, "", error);
}

int selection_make(const struct registry *registry, const struct options *options, struct selection *selection,
                   struct error *error)
{
    *selection = (struct selection){0};
    struct filter filter;
    if (!filter_compile(&filter, options->filter, error))
        return EXIT_USAGE;
    bool ok = true;
    for (size_t i = 0; i < registry->op_count && ok; i++)
        ok = add_op(registry, selection, &filter, options, registry->ops[i]);
    pattern_free(filter.pattern);
    if (!ok)
        error_set(error, "no memory for the selection");
    int status = ok ? check(registry, options, selection, error) : EXIT_USAGE;
    if (status != EXIT_RIGHT)
        free(selection->rows);
    return status;
}

#include "selection.h"

#include "bench/base/digest.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/pattern.h"
#include "bench/base/seeded.h"
#include "bench/table/model.h"
#include "sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void row_name(const struct row *row, char *text, size_t size)
{
    snprintf(text, size, "%s/%s/%s/%s", row->rung->op->name, row->workload->name, row->rung->variant,
             row->mode ? row->mode->name : "verify");
}

/* Of a flag with that value, of which the pattern is a part. NULL, with the reason: it is none. */
static struct pattern *make_pattern(const char *flag, const char *value, const char *text, size_t length,
                                    enum pattern_extent extent, struct error *error)
{
    struct error reason;
    struct pattern *pattern = pattern_make(text, length, extent, &reason);
    if (!pattern)
        error_set(error, "--%s=%s: not a POSIX extended regular expression (%s)", flag, value, reason.text);
    return pattern;
}

static bool matches(const struct pattern *pattern, const struct row *row)
{
    char name[ROW_NAME];
    row_name(row, name, sizeof name);
    return pattern_matches(pattern, name);
}

struct choice_of_rows {
    const struct registry *registry;
    const struct options *options;
    struct pattern *filter; /* NULL: all rows pass */
    struct selection *selection;
};

static bool suite_wants(const struct options *options, const struct row *row)
{
    bool (*wants)(const struct workload *, const struct rung *, const struct mode *) = options->suite->wants;
    bool is_of_suite = (row->workload->suites & options->suite->members) != 0;
    return !wants || !options->modes_are_suites || !is_of_suite || wants(row->workload, row->rung, row->mode);
}

static void add(struct choice_of_rows *choice, const struct row *row)
{
    struct selection *selection = choice->selection;
    if (choice->filter && !matches(choice->filter, row))
        return;
    selection->rows = memory_grow(selection->rows, selection->count, sizeof *row);
    selection->rows[selection->count] = *row;
    selection->rows[selection->count].place = selection->count;
    selection->count++;
}

/* An output that is read, too, is what it should be in the first of several calls. */
static bool begins_each_call(const struct mode *mode, const struct op *op)
{
    return op_beginning(op) == OP_BUFFERS_MAX || mode->evicts || mode->transfer[0] != '\0';
}

static void add_rung(struct choice_of_rows *choice, const struct workload *workload, const struct rung *rung)
{
    const struct options *options = choice->options;
    struct row row = {.workload = workload, .rung = rung};
    if (options->verify)
        add(choice, &row);
    for (size_t i = 0; i < options->mode_count && !options->verify; i++) {
        row.mode = options->modes[i];
        if (mode_supports(row.mode, rung->backend) && begins_each_call(row.mode, rung->op) &&
            suite_wants(options, &row))
            add(choice, &row);
    }
}

static bool has_own(const struct registry *registry, const struct op *op, const struct backend_entry *backend)
{
    for (size_t i = 0; i < registry->rung_count; i++)
        if (registry->rungs[i].load && registry->rungs[i].op == op &&
            (!backend || registry->rungs[i].backend == backend))
            return true;
    return false;
}

/* Beside kernels of the user's own stands what they are compared with: the library and our best rung of the same
 * device, and those of the host. A filter or a backend chooses among all. */
static bool is_beside_own(const struct options *options, const struct registry *registry, const struct rung *rung)
{
    const unsigned compared = RUNG_BASELINE | RUNG_LIBRARY | RUNG_COMPARED;
    if (rung->load || options->own.paths.count == 0 || options->filter || options->only || options->profile)
        return true;
    if (options->watch)
        return false;
    bool is_on_host = !rung->backend->separate_memory && !rung->backend->simulates;
    return !options->verify && (rung->traits & compared) != 0 && (rung->traits & RUNG_SLOW) == 0 &&
           has_own(registry, rung->op, is_on_host ? NULL : rung->backend);
}

/* Simulated rungs check kernels on small workloads. What is tuned is a GPU. Steps of a ladder are for its readers, and
 * several GPUs for who has them. */
static bool is_wanted(const struct options *options, const struct workload *workload, const struct rung *rung)
{
    if (options->only && rung->backend != options->only)
        return false;
    if (options->tune) {
        const int candidate = model_find(rung->variant);
        const int64_t *size = workload->size;
        return rung->backend->separate_memory && (rung->traits & RUNG_GPUS) == 0 && candidate >= 0 &&
               model_considers((size_t)candidate, size[0], size[1], size[2]);
    }
    if ((rung->traits & RUNG_GPUS) && workload->suites && !rung->op->message && !options->verify &&
        (options->suite->members & SUITE_SCALING) == 0)
        return false;
    const bool is_asked = options->filter || options->verify || workload->suites == 0;
    if ((rung->traits & RUNG_STEP) && options->suite->is_brief && !is_asked)
        return false;
    if (rung->load || !rung->backend->simulates || options->verify || workload->suites == 0)
        return true;
    return options->suite->is_simulated && (!options->suite->is_brief || options->filter || options->only);
}

static void add_workload(struct choice_of_rows *choice, const struct op *op, const struct workload *workload)
{
    const struct registry *registry = choice->registry;
    for (const struct rung *rung = registry->rungs; rung < registry->rungs + registry->rung_count; rung++)
        if (rung->op == op && is_wanted(choice->options, workload, rung) &&
            is_beside_own(choice->options, registry, rung))
            add_rung(choice, workload, rung);
}

static void add_op(struct choice_of_rows *choice, const struct op *op)
{
    const struct workload *workload;
    for (size_t i = 0; (workload = sizes_workload(choice->options, op, i)); i++)
        add_workload(choice, op, workload);
}

static int say_empty(const struct options *options, const char *whose, struct error *error)
{
    error_set(error, "%snothing selected: no row of --suite=%s in these modes%s%s; --list shows what there is", whose,
              options->suite->name, options->filter ? " matches --filter=" : "",
              options->filter ? options->filter : "");
    return EXIT_USAGE;
}

static bool has_mode(const struct options *options, const struct backend_entry *backend)
{
    bool has = options->verify;
    for (size_t i = 0; i < options->mode_count; i++)
        has = has || mode_supports(options->modes[i], backend);
    return has;
}

static bool has_row_of(const struct selection *selection, const struct rung *rung)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->rows[i].rung == rung)
            return true;
    return false;
}

/* A kernel that somebody names would be passed over in silence. */
static int say_left_out(const struct options *options, const struct rung *rung, struct error *error)
{
    char whose[sizeof error->text];
    snprintf(whose, sizeof whose, "%s (%s): ", rung->variant, rung->summary);
    if (has_mode(options, rung->backend))
        return say_empty(options, whose, error);
    bool lacks_device = rung->backend->simulates && !options->own.simulate;
    error_set(error, "%sno row: the %s has none of these modes%s; expected --modes=hot, or --verify", whose,
              rung->backend->label, lacks_device ? ", and there is no GPU that this build can use" : "");
    return lacks_device ? EXIT_ALL_SKIPPED : EXIT_USAGE;
}

static int check(const struct registry *registry, const struct options *options, const struct selection *selection,
                 struct error *error)
{
    for (size_t i = 0; i < registry->rung_count && !options->profile; i++)
        if (registry->rungs[i].load && !has_row_of(selection, &registry->rungs[i]))
            return say_left_out(options, &registry->rungs[i], error);
    return selection->count > 0 ? EXIT_RIGHT : say_empty(options, "", error);
}

int selection_make(const struct registry *registry, const struct options *options, struct selection *selection,
                   struct error *error)
{
    const char *filter = options->filter;
    struct choice_of_rows choice = {registry, options, NULL, selection};
    *selection = (struct selection){0};
    if (filter) {
        choice.filter = make_pattern("filter", filter, filter, strlen(filter), PATTERN_FILTER, error);
        if (!choice.filter)
            return EXIT_USAGE;
    }
    for (size_t i = 0; i < registry->op_count; i++)
        add_op(&choice, registry->ops[i]);
    pattern_free(choice.filter);
    int status = check(registry, options, selection, error);
    if (status != EXIT_RIGHT)
        free(selection->rows);
    return status;
}

/* What is shuffled: workloads, the rungs within a workload, the rows within a rung. */
enum { DEPTHS = 3 };

struct keyed_row {
    struct row row;
    char key[DEPTHS][DIGEST_HEX];
};

static struct keyed_row add_keys(const struct row *row, uint64_t seed)
{
    struct keyed_row keyed = {.row = *row};
    const char *const names[] = {row->rung->op->name, row->workload->name, row->rung->variant,
                                 row->mode ? row->mode->name : "verify"};
    for (int depth = 0; depth < DEPTHS; depth++) {
        struct digest digest;
        digest_start(&digest);
        digest_add(&digest, &seed, sizeof seed);
        for (int i = 0; i <= depth + 1; i++)
            digest_add_text(&digest, names[i]);
        digest_finish(&digest, keyed.key[depth]);
    }
    return keyed;
}

static int by_keys(const void *left, const void *right)
{
    const struct keyed_row *a = left, *b = right;
    return memcmp(a->key, b->key, sizeof a->key);
}

void selection_shuffle(struct selection *selection, uint64_t seed, int round)
{
    const uint64_t of_round = seeded_stream(seed, 0x726f756e64 + (uint64_t)round);
    struct keyed_row *keyed = memory_get(selection->count, sizeof *keyed);
    for (size_t i = 0; i < selection->count; i++)
        keyed[i] = add_keys(&selection->rows[i], of_round);
    qsort(keyed, selection->count, sizeof *keyed, by_keys);
    for (size_t i = 0; i < selection->count; i++)
        selection->rows[i] = keyed[i].row;
    free(keyed);
}

static const double most_pct = 1000;

/* The colon before the percentage; NULL: the text is not REGEX:PERCENT. */
static const char *find_percentage(const char *wish, double *pct)
{
    const char *colon = strrchr(wish, ':');
    if (!colon || colon == wish)
        return NULL;
    return number_read_positive(colon + 1, NULL, most_pct, pct) ? colon : NULL;
}

bool slowed_rows_choose(const char *wish, struct selection *selection, struct error *error)
{
    double pct;
    bool any = false;
    if (!wish)
        return true;
    const char *colon = find_percentage(wish, &pct);
    if (!colon)
        return error_set(error, "--slowdown=%s: expected REGEX:PERCENT, the percentage above 0 and at most %.0f", wish,
                         most_pct);
    struct pattern *pattern = make_pattern("slowdown", wish, wish, (size_t)(colon - wish), PATTERN_PART, error);
    if (!pattern)
        return false;
    for (struct row *row = selection->rows; row < selection->rows + selection->count; row++)
        if (matches(pattern, row)) {
            row->slowdown_pct = pct;
            any = true;
        }
    pattern_free(pattern);
    return any || error_set(error, "--slowdown=%s: matches none of the %zu selected rows; --list shows them", wish,
                            selection->count);
}

bool lines_match(const char *pattern, struct error *error)
{
    struct pattern *wanted = make_pattern("match", pattern, pattern, strlen(pattern), PATTERN_PART, error);
    char *line = NULL;
    size_t room = 0;
    while (wanted && getline(&line, &room, stdin) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (pattern_matches(wanted, line))
            puts(line);
    }
    free(line);
    pattern_free(wanted);
    return wanted && (!ferror(stdin) || error_set(error, "stdin: cannot be read"));
}

void list_print(const struct selection *selection, const struct suite *suite)
{
    for (size_t i = 0; i < selection->count; i++) {
        char name[ROW_NAME];
        row_name(&selection->rows[i], name, sizeof name);
        puts(name);
    }
    error_say("%zu row%s of --suite=%s%s", selection->count, selection->count == 1 ? "" : "s", suite->name,
              strcmp(suite->name, "all") == 0 ? "" : "; --suite=all --list lists all");
}

#define _GNU_SOURCE /* strsep() */
#include "sizes.h"

#include "bench/base/plain_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_MAX = 256 };

/* An axis: the values that a --size has for one size, "5,7,16..1024*2". */
struct axis {
    double count;                              /* 0: not given */
    int64_t value[OPTIONS_USER_WORKLOADS_MAX]; /* the first of them */
};

/* An integer at `*text`, which moves behind it; one that is too large is one more than OP_SIZE_LIMIT. False: none. */
static bool read_integer(const char **text, int64_t *integer)
{
    if (!isdigit((unsigned char)**text))
        return false;
    for (*integer = 0; isdigit((unsigned char)**text); ++*text)
        if (*integer <= OP_SIZE_LIMIT)
            *integer = *integer * 10 + (**text - '0');
    if (*integer > OP_SIZE_LIMIT)
        *integer = OP_SIZE_LIMIT + 1;
    return true;
}

static bool refuse_size(const char *text, const char *const *words, struct error *reason)
{
    char list[256] = "";
    for (const char *const *word = words; word && *word; word++) {
        const char *separator = word == words ? "" : word[1] ? ", " : " or ";
        text_append(list, sizeof list, "%s%s", separator, *word);
    }
    return words ? error_set(reason, "'%s', expected %s", text, list)
                 : error_set(reason, "'%s', expected integers from 1 to %d", text, OP_SIZE_LIMIT);
}

static bool read_word(const char *text, const char *const *words, int64_t *size, struct error *reason)
{
    for (*size = 1; words[*size - 1]; ++*size)
        if (strcmp(text, words[*size - 1]) == 0)
            return true;
    return refuse_size(text, words, reason);
}

/* A single size: an integer from 1 to OP_SIZE_LIMIT, or one of the words, if there are some. False, with the reason:
 * "'0', expected ...". */
static bool axis_read_size(const char *text, const char *const *words, int64_t *size, struct error *reason)
{
    const char *at = text;
    if (words)
        return read_word(text, words, size, reason);
    return (read_integer(&at, size) && *at == '\0' && *size >= 1 && *size <= OP_SIZE_LIMIT) ||
           refuse_size(text, words, reason);
}

/* FIRST..LAST: each the next one, plus a step, or times a factor. */
struct range {
    int64_t first, last, step, factor;
};

/* False: it has another form. */
static bool read_range(const char *text, struct range *range)
{
    *range = (struct range){.step = 1, .factor = 1};
    if (!read_integer(&text, &range->first) || strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!read_integer(&text, &range->last))
        return false;
    const char sign = *text;
    if (sign != '\0' && sign != '+' && sign != '*')
        return false;
    text += sign != '\0';
    if (sign == '*')
        range->step = 0;
    return sign == '\0' || (read_integer(&text, sign == '*' ? &range->factor : &range->step) && *text == '\0');
}

static double count_values(const struct range *range)
{
    double count = 0;
    if (range->factor == 1)
        return (double)((range->last - range->first) / range->step + 1);
    for (int64_t value = range->first; value <= range->last; value *= range->factor)
        count++;
    return count;
}

static void add_range(struct axis *axis, const struct range *range)
{
    const double count = axis->count + count_values(range);
    int64_t value = range->first;
    for (; value <= range->last && axis->count < OPTIONS_USER_WORKLOADS_MAX; axis->count++) {
        axis->value[(size_t)axis->count] = value;
        value = value * range->factor + range->step;
    }
    axis->count = count;
}

static bool check_range(const struct range *range, const char *text, struct error *reason)
{
    if (range->first < 1 || range->first > OP_SIZE_LIMIT || range->last > OP_SIZE_LIMIT)
        return refuse_size(text, NULL, reason);
    if (range->last < range->first)
        return error_set(reason, "'%s', which ends before it begins, expected the smaller size first", text);
    return range->factor > 1 || range->step > 0 ||
           error_set(reason, "'%s', which does not grow, expected a step from 1 on or a factor from 2 on", text);
}

/* Adds one part of the list: a size, or a range. False, with the reason. */
static bool axis_add(struct axis *axis, const char *text, const char *const *words, struct error *reason)
{
    struct range range = {.step = 1, .factor = 1};
    if (words || !strstr(text, "..")) {
        if (!axis_read_size(text, words, &range.first, reason))
            return false;
        range.last = range.first;
    } else if (!read_range(text, &range)) {
        return error_set(reason, "'%s', expected FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR", text);
    } else if (!check_range(&range, text, reason)) {
        return false;
    }
    add_range(axis, &range);
    return true;
}

/* The names of an operation's sizes. */
struct names {
    char text[256];
    const char *of[OP_SIZES_MAX];
    size_t count;
};

static void split_names(const struct op *op, struct names *names)
{
    char *rest = names->text;
    snprintf(names->text, sizeof names->text, "%s", op->sizes);
    names->count = 0;
    while (names->count < OP_SIZES_MAX && rest)
        names->of[names->count++] = strsep(&rest, " ");
}

/* Those that stand for the last size instead of numbers; NULL: numbers do. */
static const char *const *words_of(const struct op *op, const struct names *names, size_t place)
{
    return place + 1 == names->count ? op->words : NULL;
}

static bool is_default(const struct op *op, size_t place)
{
    return op->is_batched && place == 0;
}

enum { LIST_MAX = 384 };

static void append_size(char list[LIST_MAX], const char *separator, const struct op *op, const struct names *names,
                        size_t place, int64_t size)
{
    text_append(list, LIST_MAX, "%s%s=", list[0] ? separator : "", names->of[place]);
    if (words_of(op, names, place))
        text_append(list, LIST_MAX, "%s", op->words[size - 1]);
    else
        text_append(list, LIST_MAX, "%" PRId64, size);
}

/* With all sizes set: gives it its name. */
static bool complete(const struct op *op, struct workload *workload, struct error *reason)
{
    char shape[SHAPE_MAX];
    if (!op_takes(op, workload, reason))
        return false;
    op_shape(op, workload, shape, sizeof shape);
    const size_t length = strlen(shape), most = sizeof workload->name - 1;
    memcpy(workload->name, shape, length <= most ? length + 1 : 0);
    return length <= most || error_set(reason, "a name of %zu characters, expected at most %zu", length, most);
}

static size_t count_parts(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == 'x';
    return count;
}

/* The sizes alone. A word may have an x, too: the last part is the rest. */
static bool read_places(const struct op *op, const struct names *names, char *shape, int64_t size[OP_SIZES_MAX])
{
    const size_t first = op->is_batched && count_parts(shape) + 1 == names->count;
    struct error reason;
    char *rest = shape;
    size[0] = 1;
    for (size_t place = first; place < names->count; place++) {
        const char *part = place + 1 < names->count ? strsep(&rest, "x") : rest;
        if (!rest || !axis_read_size(part, words_of(op, names, place), &size[place], &reason))
            return false;
    }
    return true;
}

static bool read_shape(const struct op *op, const char *shape, struct workload *workload)
{
    struct names names;
    char *copy = strdup(shape);
    split_names(op, &names);
    const bool ok = copy && read_places(op, &names, copy, workload->size);
    free(copy);
    return ok;
}

bool sizes_read_shape(const struct op *op, const char *shape, const char *syntax, struct workload *workload,
                      struct error *reason)
{
    if (!read_shape(op, shape, workload))
        return error_set(reason, "expected %s, integers from 1 to %d", syntax, OP_SIZE_LIMIT);
    return complete(op, workload, reason);
}

bool sizes_add_workload(struct options *options, const struct user_workload *added, struct error *reason)
{
    for (struct user_workload *user = options->user; user < options->user + options->user_count; user++)
        if (user->op == added->op && strcmp(user->workload.name, added->workload.name) == 0) {
            user->axes = user->axes ? user->axes : added->axes;
            return true;
        }
    if (options->user_count == OPTIONS_USER_WORKLOADS_MAX)
        return error_set(reason, "saw more than %d workloads of your own, expected that many at most",
                         OPTIONS_USER_WORKLOADS_MAX);
    options->user[options->user_count++] = *added;
    return true;
}

/* A --size: the product of its axes. */
struct product {
    const struct op *op;
    struct names names;
    struct axis axis[OP_SIZES_MAX];
    size_t order[OP_SIZES_MAX], given; /* places of the sizes, as they were given */
};

static bool add_values(struct product *product, size_t place, const char *text, struct error *reason)
{
    struct error seen;
    return axis_add(&product->axis[place], text, words_of(product->op, &product->names, place), &seen) ||
           error_set(reason, "%s is %s", product->names.of[place], seen.text);
}

static const char *list_names(const struct names *names, char list[LIST_MAX])
{
    list[0] = '\0';
    for (size_t i = 0; i < names->count; i++)
        text_append(list, LIST_MAX, "%s%s", i > 0 ? ", " : "", names->of[i]);
    return list;
}

/* NAME=VALUES, or a further value of the size before. */
static bool read_part(struct product *product, char *part, struct error *reason)
{
    const struct names *names = &product->names;
    char list[LIST_MAX];
    size_t place = 0;
    char *values = strchr(part, '=');
    if (!values && product->given > 0)
        return add_values(product, product->order[product->given - 1], part, reason);
    if (!values)
        return error_set(reason, "saw '%s', expected NAME=VALUES, of %s", part, list_names(names, list));
    *values++ = '\0';
    while (place < names->count && strcmp(names->of[place], part) != 0)
        place++;
    if (place == names->count)
        return error_set(reason, "%s has no size '%s', expected %s", product->op->name, part, list_names(names, list));
    if (product->axis[place].count > 0)
        return error_set(reason, "%s is given twice, expected a list, %s=5,7", part, part);
    product->order[product->given++] = place;
    return add_values(product, place, values, reason);
}

static bool check_all_given(struct product *product, struct error *reason)
{
    char list[LIST_MAX];
    for (size_t place = 0; place < product->names.count; place++) {
        struct axis *axis = &product->axis[place];
        if (axis->count > 0)
            continue;
        if (!is_default(product->op, place))
            return error_set(reason, "%s is missing, expected %s", product->names.of[place],
                             list_names(&product->names, list));
        product->order[product->given++] = place;
        *axis = (struct axis){1, {1}};
    }
    return true;
}

static const struct op *find_op(const struct registry *registry, const char *name, struct error *reason)
{
    char list[LIST_MAX] = "";
    for (size_t i = 0; i < registry->op_count; i++) {
        if (strcmp(registry->ops[i]->name, name) == 0)
            return registry->ops[i];
        text_append(list, sizeof list, "%s%s", i > 0 ? ", " : "", registry->ops[i]->name);
    }
    error_set(reason, "there is no operation '%s', expected one of %s", name, list);
    return NULL;
}

/* Takes `text` apart. */
static bool read_product(const struct registry *registry, char *text, struct product *product, struct error *reason)
{
    char *rest = strchr(text, ':');
    if (!rest || rest == text)
        return error_set(reason, "expected OP:NAME=VALUES,..., as in matmul:m=64,k=784,n=1..128");
    *rest++ = '\0';
    product->op = find_op(registry, text, reason);
    if (!product->op)
        return false;
    split_names(product->op, &product->names);
    while (rest)
        if (!read_part(product, strsep(&rest, ","), reason))
            return false;
    return check_all_given(product, reason);
}

static double count_workloads(const struct product *product)
{
    double count = 1;
    for (size_t i = 0; i < product->given; i++)
        count *= product->axis[product->order[i]].count;
    return count;
}

/* The last axis is the fastest. */
static struct user_workload workload_at(const struct product *product, size_t number)
{
    struct user_workload user = {.op = product->op};
    for (size_t i = product->given; i-- > 0;) {
        const struct axis *axis = &product->axis[product->order[i]];
        const size_t count = (size_t)axis->count;
        user.workload.size[product->order[i]] = axis->value[number % count];
        user.axes |= count > 1 ? 1u << product->order[i] : 0;
        number /= count;
    }
    return user;
}

static bool add_workloads(struct options *options, const struct product *product, size_t count, struct error *reason)
{
    for (size_t i = 0; i < count; i++) {
        struct user_workload user = workload_at(product, i);
        struct error refused;
        char shape[SHAPE_MAX];
        op_shape(product->op, &user.workload, shape, sizeof shape);
        if (!complete(product->op, &user.workload, &refused))
            return error_set(reason, "%s: %s", shape, refused.text);
        if (!sizes_add_workload(options, &user, reason))
            return false;
    }
    return true;
}

static bool add_product(struct options *options, const struct registry *registry, struct size_request *request,
                        struct error *reason)
{
    static struct product product;
    char *text = strdup(request->value);
    product = (struct product){0};
    const bool ok = text ? read_product(registry, text, &product, reason) : error_set(reason, "no memory");
    free(text);
    const double count = count_workloads(&product);
    if (!ok)
        return false;
    if (count > OPTIONS_USER_WORKLOADS_MAX)
        return error_set(reason, "makes %.15g workloads, expected at most %d", count, OPTIONS_USER_WORKLOADS_MAX);
    request->count = (size_t)count;
    return add_workloads(options, &product, request->count, reason);
}

bool sizes_add(struct options *options, const struct registry *registry, struct error *error)
{
    struct error reason;
    for (size_t i = 0; i < options->size_count; i++)
        if (!add_product(options, registry, &options->sizes[i], &reason))
            return error_set(error, "--size=%s: %s", options->sizes[i].value, reason.text);
    return true;
}

/* The selected workloads of an operation, one after another. NULL: there is no more. */
static const struct workload *workload_at_all(const struct options *options, const struct op *op, size_t number)
{
    for (size_t i = 0; i < options->user_count; i++)
        if (options->user[i].op == op && number-- == 0)
            return &options->user[i].workload;
    for (size_t i = 0; i < op->workload_count; i++)
        if ((op->workloads[i].suites & options->suite->members) != 0 && number-- == 0)
            return &op->workloads[i];
    return NULL;
}

static bool has_fitting(const struct options *options, const struct rung *rung)
{
    const struct workload *workload;
    for (size_t i = 0; (workload = workload_at_all(options, rung->op, i)); i++)
        if (op_fits(rung->op, rung->only, workload))
            return true;
    return false;
}

bool sizes_add_fitting(struct options *options, const struct registry *registry, struct error *error)
{
    for (const struct rung *rung = registry->rungs; rung < registry->rungs + registry->rung_count; rung++) {
        const struct workload *first = workload_at_all(options, rung->op, 0);
        if (!rung->load || !first || has_fitting(options, rung))
            continue;
        struct user_workload user = {.op = rung->op, .workload = {.suites = 0}};
        memcpy(user.workload.size, first->size, sizeof first->size);
        op_fit(rung->op, rung->only, &user.workload);
        if (!complete(rung->op, &user.workload, error) || !sizes_add_workload(options, &user, error))
            return false;
    }
    return true;
}

/* The operation that a flag with this name would be of: it has the name, or one word of it, or how that begins. */
static const struct op *find_owner(const struct registry *registry, const char *stem)
{
    for (size_t i = 0; i < registry->op_count; i++) {
        const char *name = registry->ops[i]->name, *at = strstr(name, stem);
        if (at && (at == name || at[-1] == '_'))
            return registry->ops[i];
    }
    return NULL;
}

/* "grad-b" of "--grad-b-shape=...", with _ for -. False: it is no such flag. */
static bool read_stem(const char *flag, char stem[64])
{
    static const char *const ends[] = {"-size", "-shape"};
    const size_t name = strcspn(flag, "=");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t end = strlen(ends[i]);
        if (name <= 2 + end || name - 2 - end >= 64 || strncmp(flag + name - end, ends[i], end) != 0)
            continue;
        snprintf(stem, 64, "%.*s", (int)(name - 2 - end), flag + 2);
        for (char *dash; (dash = strchr(stem, '-'));)
            *dash = '_';
        return true;
    }
    return false;
}

bool sizes_translate(const struct registry *registry, const char *flag, struct error *error)
{
    char stem[64];
    const struct op *op = read_stem(flag, stem) ? find_owner(registry, stem) : NULL;
    const char *value = strchr(flag, '=');
    struct workload workload = {0};
    struct names names;
    char list[LIST_MAX] = "";
    if (!op)
        return false;
    split_names(op, &names);
    const bool is_known = value && read_shape(op, value + 1, &workload);
    for (size_t place = 0; place < names.count; place++) {
        if (is_known)
            append_size(list, ",", op, &names, place, workload.size[place]);
        else
            text_append(list, sizeof list, "%s%s=...", place > 0 ? "," : "", names.of[place]);
    }
    error_set(error, "%s: write --size=%s:%s", flag, op->name, list);
    return true;
}

void sizes_print_axes(const struct options *options, const struct workload *workload, char *text, size_t size)
{
    const struct user_workload *user = options->user, *end = user + options->user_count;
    struct names names = {0};
    char list[LIST_MAX] = "";
    while (user < end && &user->workload != workload)
        user++;
    if (user < end)
        split_names(user->op, &names);
    for (size_t place = 0; user < end && place < names.count; place++)
        if (user->axes & 1u << place)
            append_size(list, ";", user->op, &names, place, workload->size[place]);
    snprintf(text, size, "%s", list);
}

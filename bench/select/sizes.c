#define _GNU_SOURCE /* strsep() */
#include "sizes.h"

#include "bench/base/ceil_div.h"
#include "bench/base/memory.h"
#include "bench/base/pattern.h"
#include "bench/base/plain_text.h"
#include "bench/base/seeded.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_MAX = 256, LIST_MAX = 384, TUNING_SHAPES = 150 };

/* An axis: the values that a --size has for one size, "5,7,16..1024*2". */
struct axis {
    size_t count; /* 0: not given */
    int64_t value[OPTIONS_USER_WORKLOADS_MAX];
};

/* One that is too large is one more than OP_SIZE_LIMIT. */
static int64_t integer_at(const char *digits)
{
    const long long read = strtoll(digits, NULL, 10);
    return read <= OP_SIZE_LIMIT ? read : OP_SIZE_LIMIT + 1;
}

static bool is_size(int64_t integer)
{
    return integer >= 1 && integer <= OP_SIZE_LIMIT;
}

static bool refuse_size(const char *text, struct error *reason)
{
    return error_set(reason, "'%s', expected integers from 1 to %d", text, OP_SIZE_LIMIT);
}

static bool read_word(const char *text, const char *const *words, int64_t *size, struct error *reason)
{
    char list[LIST_MAX] = "";
    for (*size = 1; words[*size - 1]; ++*size) {
        if (strcmp(text, words[*size - 1]) == 0)
            return true;
        text_append(list, sizeof list, "%s%s", *size == 1 ? "" : words[*size] ? ", " : " or ", words[*size - 1]);
    }
    return error_set(reason, "'%s', expected %s", text, list);
}

/* FIRST..LAST: each the next one, plus a step, or times a factor. A size alone is a range, too. */
struct range {
    int64_t first, last, step, factor;
};

static bool read_range(const char *text, struct range *range, struct error *reason)
{
    static const char form[] = "^(\\d+)(?:\\.\\.(\\d+)(?:([+*])(\\d+))?)?$";
    enum { FIRST = 1, LAST, SIGN, BY, PARTS };
    struct part part[PARTS];
    const bool has_last = strstr(text, "..");
    if (!pattern_find(form, (struct part){text, strlen(text)}, part, PARTS))
        return has_last ? error_set(reason, "'%s', expected FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR", text)
                        : refuse_size(text, reason);
    const bool multiplies = part[SIGN].length > 0 && *part[SIGN].at == '*';
    const int64_t by = part[BY].length > 0 ? integer_at(part[BY].at) : 1;
    range->first = integer_at(part[FIRST].at);
    range->last = has_last ? integer_at(part[LAST].at) : range->first;
    range->step = multiplies ? 0 : by;
    range->factor = multiplies ? by : 1;
    if (!is_size(range->first) || range->last > OP_SIZE_LIMIT)
        return refuse_size(text, reason);
    if (range->last < range->first)
        return error_set(reason, "'%s', which ends before it begins, expected the smaller size first", text);
    return range->factor > 1 || range->step > 0 ||
           error_set(reason, "'%s', which does not grow, expected a step from 1 on or a factor from 2 on", text);
}

static bool axis_add(struct axis *axis, const char *text, const char *const *words, struct error *reason)
{
    struct range range = {.step = 1, .factor = 1};
    if (!(words ? read_word(text, words, &range.first, reason) : read_range(text, &range, reason)))
        return false;
    if (words)
        range.last = range.first;
    for (int64_t size = range.first; size <= range.last; size = size * range.factor + range.step) {
        if (axis->count == OPTIONS_USER_WORKLOADS_MAX)
            return error_set(reason, "'%s', which makes more than %d workloads, expected that many at most", text,
                             OPTIONS_USER_WORKLOADS_MAX);
        axis->value[axis->count++] = size;
    }
    return true;
}

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

bool sizes_read_shape(const struct op *op, const char *shape, const char *syntax, struct workload *workload,
                      struct error *reason)
{
    struct names names = {0};
    split_names(op, &names);
    const char *at = shape;
    size_t place = op->is_batched && count_parts(shape) + 1 == names.count;
    bool ok = count_parts(shape) + place == names.count;
    workload->size[0] = 1;
    for (; ok && place < names.count; place++) {
        const size_t digits = strspn(at, "0123456789");
        workload->size[place] = integer_at(at);
        ok = digits > 0 && is_size(workload->size[place]) && at[digits] == (place + 1 < names.count ? 'x' : '\0');
        at += digits + 1;
    }
    return ok ? complete(op, workload, reason)
              : error_set(reason, "expected %s, integers from 1 to %d", syntax, OP_SIZE_LIMIT);
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
    size_t last; /* the place of the size that was given last */
};

/* NAME=VALUES, or a further value of the size before. */
static bool read_part(struct product *product, char *part, struct error *reason)
{
    const struct names *names = &product->names;
    struct error seen;
    char *values = strchr(part, '=');
    if (!values && product->axis[product->last].count == 0)
        return error_set(reason, "saw '%s', expected NAME=VALUES, of %s", part, product->op->sizes);
    if (values) {
        *values++ = '\0';
        for (product->last = 0; product->last < names->count; product->last++)
            if (strcmp(names->of[product->last], part) == 0)
                break;
        if (product->last == names->count)
            return error_set(reason, "%s has no size '%s', expected %s", product->op->name, part, product->op->sizes);
        if (product->axis[product->last].count > 0)
            return error_set(reason, "%s is given twice, expected a list, %s=5,7", part, part);
    }
    return axis_add(&product->axis[product->last], values ? values : part, words_of(product->op, names, product->last),
                    &seen) ||
           error_set(reason, "%s is %s", names->of[product->last], seen.text);
}

static bool check_all_given(struct product *product, struct error *reason)
{
    if (product->op->is_batched && product->axis[0].count == 0)
        product->axis[0] = (struct axis){1, {1}};
    for (size_t place = 0; place < product->names.count; place++)
        if (product->axis[place].count == 0)
            return error_set(reason, "%s is missing, expected %s", product->names.of[place], product->op->sizes);
    return true;
}

static bool read_product(const struct registry *registry, char *text, struct product *product, struct error *reason)
{
    char *rest = strchr(text, ':');
    if (!rest || rest == text)
        return error_set(reason, "expected OP:NAME=VALUES,..., as in matmul:m=64,k=784,n=1..128");
    *rest++ = '\0';
    product->op = registry_find_op(registry, text);
    if (!product->op)
        return error_set(reason, "there is no operation '%s', expected one with which --list begins rows", text);
    split_names(product->op, &product->names);
    while (rest)
        if (!read_part(product, strsep(&rest, ","), reason))
            return false;
    return check_all_given(product, reason);
}

/* The last size is the fastest. */
static struct user_workload workload_at(const struct product *product, size_t number)
{
    struct user_workload user = {.op = product->op};
    for (size_t place = product->names.count; place-- > 0;) {
        const struct axis *axis = &product->axis[place];
        user.workload.size[place] = axis->value[number % axis->count];
        user.axes |= axis->count > 1 ? 1u << place : 0;
        number /= axis->count;
    }
    return user;
}

static bool add_product(struct options *options, const struct product *product, size_t count, struct error *reason)
{
    if (count > OPTIONS_USER_WORKLOADS_MAX)
        return error_set(reason, "makes %zu workloads, expected at most %d", count, OPTIONS_USER_WORKLOADS_MAX);
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

static bool add_size(struct options *options, const struct registry *registry, const char *value, struct error *reason)
{
    static struct product product;
    char *text = memory_print("%s", value);
    product = (struct product){0};
    const bool ok = read_product(registry, text, &product, reason);
    free(text);
    size_t count = 1;
    for (size_t place = 0; place < product.names.count; place++)
        count *= product.axis[place].count;
    if (ok && count > 1)
        flag_note(options->notes, "--size=%s makes %zu workloads", value, count);
    return ok && add_product(options, &product, count, reason);
}

bool sizes_add(struct options *options, const struct registry *registry, struct error *error)
{
    struct error reason;
    for (size_t i = 0; i < options->size_count; i++)
        if (!add_size(options, registry, options->sizes[i], &reason))
            return error_set(error, "--size=%s: %s", options->sizes[i], reason.text);
    return true;
}

static bool is_of_suite(const struct options *options, const struct workload *workload)
{
    return (workload->suites & options->suite->members) != 0;
}

static bool is_repeated(const struct options *options, const struct user_workload *user)
{
    for (const struct workload *known = user->op->workloads; known < user->op->workloads + user->op->workload_count;
         known++)
        if (is_of_suite(options, known) && strcmp(known->name, user->workload.name) == 0)
            return true;
    return false;
}

const struct workload *sizes_workload(const struct options *options, const struct op *op, size_t number)
{
    for (size_t i = 0; i < op->workload_count; i++)
        if (is_of_suite(options, &op->workloads[i]) && number-- == 0)
            return &op->workloads[i];
    for (const struct user_workload *user = options->user; user < options->user + options->user_count; user++)
        if (user->op == op && !is_repeated(options, user) && number-- == 0)
            return &user->workload;
    return NULL;
}

static bool has_fitting(const struct options *options, const struct rung *rung)
{
    const struct workload *workload;
    for (size_t i = 0; (workload = sizes_workload(options, rung->op, i)); i++)
        if (op_fits(rung->op, rung->only, workload))
            return true;
    return false;
}

bool sizes_add_fitting(struct options *options, const struct registry *registry, struct error *error)
{
    for (const struct rung *rung = registry->rungs; rung < registry->rungs + registry->rung_count; rung++) {
        const struct workload *first = sizes_workload(options, rung->op, 0);
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

void sizes_print_axes(const struct options *options, const struct workload *workload, char *text, size_t size)
{
    const struct user_workload *user = options->user, *end = user + options->user_count;
    struct names names = {0};
    text[0] = '\0';
    while (user < end && &user->workload != workload)
        user++;
    if (user < end)
        split_names(user->op, &names);
    for (size_t place = 0; place < names.count; place++) {
        if ((user->axes & 1u << place) == 0)
            continue;
        text_append(text, size, "%s%s=", text[0] ? ";" : "", names.of[place]);
        if (words_of(user->op, &names, place))
            text_append(text, size, "%s", user->op->words[workload->size[place] - 1]);
        else
            text_append(text, size, "%" PRId64, workload->size[place]);
    }
}

/* From `least` to `most`, each factor of two as likely as another. */
static int64_t draw(uint64_t *drawn, double least, double most)
{
    const double share = (double)(seeded_bits(47, (*drawn)++) >> 11) * 0x1p-53;
    return (int64_t)round(least * pow(most / least, share));
}

void sizes_add_tuning(struct options *options)
{
    static const struct {
        double least[3], most[3]; /* of m, k and n */
        int64_t unit;             /* of k and n: rows may be aligned to 16 bytes */
    } kinds[] = {
        {{32, 1, 32}, {50000, 50000, 50000}, 1}, {{32, 1, 32}, {50000, 50000, 50000}, 4},
        {{1, 1, 1}, {200000, 200000, 128}, 1},   {{1, 1, 1}, {200000, 200000, 128}, 4},
        {{1, 1, 1}, {128, 50000, 200000}, 1},    {{100, 16, 1}, {200000, 784, 16}, 4}, /* of cuda_skinny_tensor */
    };
    const double products_least = 1e4, products_most = 1e11, elements_most = 1e8;
    uint64_t drawn = 0;
    struct error ignored;
    for (size_t shapes = 0; shapes < TUNING_SHAPES;) {
        struct user_workload user = {.op = &matmul_op};
        int64_t *size = user.workload.size;
        const size_t kind = shapes % (sizeof kinds / sizeof kinds[0]);
        for (int i = 0; i < 3; i++) {
            const int64_t unit = i > 0 ? kinds[kind].unit : 1;
            size[i] = ceil_div(draw(&drawn, kinds[kind].least[i], kinds[kind].most[i]), unit) * unit;
        }
        const double m = (double)size[0], k = (double)size[1], n = (double)size[2];
        if (m * k * n < products_least || m * k * n > products_most || m * k + k * n + m * n > elements_most)
            continue;
        op_shape(user.op, &user.workload, user.workload.name, sizeof user.workload.name);
        (void)sizes_add_workload(options, &user, &ignored); /* where there is no room, fewer do */
        shapes++;
    }
}

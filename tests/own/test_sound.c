/* Descriptions of operations that are not sound, and what is said of each. */
#include "bench/own/sound.h"
#include "tests/unit.h"

#define WORKLOADS(...)                                   \
    .workloads = (const struct workload[]){__VA_ARGS__}, \
    .workload_count = sizeof((const struct workload[]){__VA_ARGS__}) / sizeof(struct workload)
#define Y                           \
    {                               \
        "y", "n", .is_output = true \
    }

/* y[i] = sqrt(|x[i]|) */
static bool root(const struct op_piece *piece)
{
    for (int64_t i = 0; i < piece->count; i++) {
        piece->value[i] = sqrt(fabs(op_read(&piece->inputs[0], piece->first + i)));
        piece->bound[i] = 0x1p-20 * piece->value[i];
    }
    return true;
}

static bool as_pieces_are_cut(const struct op_piece *piece)
{
    (void)root(piece);
    for (int64_t i = 0; i < piece->count; i++)
        piece->value[i] += (double)i;
    return true;
}

/* root() with this bound of all elements */
#define ROOT_WITH_BOUND(name, of_all)              \
    static bool name(const struct op_piece *piece) \
    {                                              \
        (void)root(piece);                         \
        for (int64_t i = 0; i < piece->count; i++) \
            piece->bound[i] = of_all;              \
        return true;                               \
    }
ROOT_WITH_BOUND(without_room, 0)
ROOT_WITH_BOUND(without_bounds, NAN)
ROOT_WITH_BOUND(with_wide_bounds, 2)

static bool before_the_first(const struct op_piece *piece)
{
    (void)op_read(&piece->inputs[0], piece->first - 1);
    return root(piece);
}

/* z[i] = y[at[i]] */
static bool gathered(const struct op_piece *piece)
{
    for (int64_t i = 0; i < piece->count; i++) {
        piece->value[i] = op_read(&piece->inputs[1], (int64_t)op_read(&piece->inputs[0], piece->first + i));
        piece->bound[i] = 0;
    }
    return true;
}

static void sound_make(const int64_t *size, uint64_t seed, int64_t count, void *to)
{
    for (int64_t i = 0; i < count; i++)
        ((float *)to)[i] = 1 + (float)(made_bits(seed, (uint64_t)i) % 1000);
}

static void other_each_time(const int64_t *size, uint64_t seed, int64_t count, void *to)
{
    static float calls;
    sound_make(size, seed, count, to);
    ((float *)to)[0] = calls++;
}

static void too_few(const int64_t *size, uint64_t seed, int64_t count, void *to)
{
    sound_make(size, seed, count - (count > 2), to);
}

static void too_many(const int64_t *size, uint64_t seed, int64_t count, void *to)
{
    sound_make(size, seed, count, to);
    ((unsigned char *)to)[4 * count] = 0x11;
}

static void same_of_all_seeds(const int64_t *size, uint64_t seed, int64_t count, void *to)
{
    sound_make(size, 1, count, to);
}

static void no_ties(const struct workload *workload, uint64_t seed, void *to)
{
}

/* What a description leaves out is that of root(). */
static struct op completed(const struct op *part)
{
    struct op op = *part;
    op.name = op.name ? op.name : "own";
    op.sizes = op.sizes ? op.sizes : "n";
    if (!op.args[0].name) {
        op.args[0] = (struct op_arg){.name = "x", .extents = "n"};
        op.args[1] = (struct op_arg)Y;
    }
    if (!op.compute && !op.formula)
        op.compute = root;
    if (op.ragged_count == 0)
        op.ragged_count = op_ragged_by_names(&op, &op.ragged);
    return op;
}

static bool judge(const struct op *op, struct error *error)
{
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    bool ok = op_is_users(op, error) && op_is_sound(op, error) && op_check_answers(op, nowhere, error);
    fclose(nowhere);
    return ok;
}

TEST(what_is_sound_is_taken)
{
    static const int64_t long_sums[][OP_SIZES_MAX] = {{2, 4099, 3}}; /* floats do not hold all of them */
    const struct op sound[] = {
        {.name = NULL},
        {.args = {{"x", "n", .make = sound_make}, Y}},
        {.args = {{"x", "n", .fan_in = "n"}, Y}},
        {.sizes = "h w", .args = {{"x", "h,w"}, {"y", "h*w/2+1", .is_output = true}}, .compute = root},
        {.sizes = "m k n",
         .formula = "C[i,j] = A[i,p] B[p,j]",
         .ragged = long_sums,
         .ragged_count = 1,
         .args = {{"A", "m,k", .type = ELEMENT_INT8},
                  {"B", "k,n", .type = ELEMENT_INT8},
                  {"C", "m,n", .is_output = true}}},
    };
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++) {
        static struct op op[sizeof sound / sizeof sound[0]];
        struct error error;
        op[i] = completed(&sound[i]);
        if (!judge(&op[i], &error))
            fail_msg("%zu: %s", i, error.text);
    }
}

static const struct {
    const char *expected;
    struct op op;
} refused[] = {
    {"expected a word", {.name = "no name"}},
    {"expected 1 to 6 different names of small letters", {.sizes = "n N"}},
    {"expected up to 4 sums of products of \"n\"", {.args = {{"x", "n"}, {"y", "q", .is_output = true}}}},
    {"expected up to 4 sums of products of \"n\"", {.args = {{"x", "n*"}, Y}}},
    {"expected up to 4 sums of products of \"n\"", {.args = {{"x", "n|1"}, Y}}},
    {"expected a sum of products of \"n\"", {.args = {{"x", "n", .type = ELEMENT_INT32, .to = "k"}, Y}}},
    {"expected a sum of products of \"n\"", {.piece = "rows"}},
    {"expected names that differ", {.args = {{"x", "n"}, {"X", "n"}, Y}}},
    {"expected names that differ", {.args = {{"N", "n"}, Y}}},
    {"inputs and then outputs", {.args = {{"x", "n"}, {"y", "n"}}}},
    {"inputs and then outputs", {.args = {Y, {"x", "n"}}}},
    {"saw .formula and several outputs",
     {.formula = "y[i] = x[i]", .args = {{"x", "n"}, Y, {"z", "n", .is_output = true}}}},
    {"of the last output alone",
     {.args = {{"x", "n"}, {"y", "n", .begins_as = "x", .is_output = true}, {"z", "n", .is_output = true}}}},
    {"expected as \"y[i] = A[i,j] x[j]\"", {.formula = "y[i] = x[i,j]"}},
    {"expected as \"y[i] = A[i,j] x[j]\"", {.formula = "y[i] = x[i] x[i] x[i]"}},
    {"expected as \"y[i] = A[i,j] x[j]\"", {.formula = "y[] = x[i]"}},
    {"expected as \"y[i] = A[i,j] x[j]\"",
     {.formula = "y[i,i] = x[i]", .args = {{"x", "n"}, {"y", "n,n", .is_output = true}}}},
    {"expected as \"y[i] = A[i,j] x[j]\"", {.formula = "y[i+j] = x[i] x[j]"}},
    {"expected .compute", {.formula = "y[i] = x[i]", .args = {{"x", "n", .type = ELEMENT_INT32}, Y}}},
    {"expected .compute",
     {.formula = "y[i] = x[i]",
      .args = {{"x", "n", .type = ELEMENT_DOUBLE}, {"y", "n", .type = ELEMENT_DOUBLE, .is_output = true}}}},
    {"saw .is_exact with .formula", {.formula = "y[i] = x[i]", .is_exact = true}},
    {"expected either .formula or .compute", {.formula = "y[i] = x[i]", .compute = root}},
    {"j has different extents",
     {.sizes = "m n",
      .formula = "y[i,j] = x[i,j]",
      WORKLOADS({"w", {5, 7}, 0}),
      .args = {{"x", "m,n+1"}, {"y", "m,n", .is_output = true}}}},
    {"expected at least 1", {.args = {{"x", "n"}, {"y", "n/(n-5)+5", .is_output = true}}, WORKLOADS({"w", {5}, 0})}},
    {"y: expected .fan_in of a float input", {.args = {{"x", "n"}, {"y", "n", .is_output = true, .fan_in = "n"}}}},
    {"x: .fan_in is 0 there", {.args = {{"x", "n", .fan_in = "n-5"}, Y}, WORKLOADS({"w", {5}, 0})}},
    {"expected a range of 32 bits",
     {.args = {{"x", "n", .type = ELEMENT_INT32, .from = "0", .to = "n-5"}, Y}, WORKLOADS({"w", {5}, 0})}},
    {".piece is 0", {.piece = "n-5", WORKLOADS({"w", {5}, 0})}},
    {"two workloads \"w\"", {WORKLOADS({"w", {5}, 0}, {"w", {6}, 0})}},
    {"small: size 1 is 0, expected 1 to", {WORKLOADS({"small", {0}, 0})}},
    {"small: there are more sizes than \"n\"", {WORKLOADS({"small", {5, 7}, 0})}},
    {"expected a word", {WORKLOADS({"a b", {5}, 0})}},
    /* What only rungbench's own operations have. */
    {"saw .members", {.members = "n"}},
    {"saw .member_values", {.member_values = "n"}},
    {"saw .problem_bytes", {.problem_bytes = 8}},
    {"saw .has_int_sizes", {.has_int_sizes = true}},
    {"saw .is_batched", {.is_batched = true}},
    {"saw .words", {.words = (const char *const[]){NULL}}},
    {"saw .far", {.far_count = 1}},
    {"saw .ties", {.ties = no_ties}},
    {"saw .real", {.args = {{"x", "n", .real = REAL_IMAGES}, Y}}},
    /* What only computing shows. */
    {"expected the elements that are computed together", {.compute = as_pieces_are_cut}},
    {"bounds leave no room for an honest answer", {.compute = without_room}},
    {".compute sets no bound", {.compute = without_bounds}},
    {"zeros everywhere would be right", {.compute = with_wide_bounds}},
    {"expected no .is_exact", {.is_exact = true}},
    {"reads element -1 of x, which has", {.compute = before_the_first}},
    {"reads element -1 of x, which has", {.compute = before_the_first, .args = {{"x", "n", .make = sound_make}, Y}}},
    {"of y, which has",
     {.compute = gathered,
      .args = {{"at", "n", .type = ELEMENT_INT32, .from = "0", .to = "n+1"},
               {"y", "n"},
               {"z", "n", .is_output = true}}}},
    {".make of x differs from call to call", {.args = {{"x", "n", .make = other_each_time}, Y}}},
    {".make of x differs from call to call", {.args = {{"x", "n", .make = too_few}, Y}}},
    {".make of x differs from call to call", {.args = {{"x", "n", .make = too_many}, Y}}},
    {"expected another question for each", {.args = {{"x", "n", .make = same_of_all_seeds}, Y}}},
    {"expected .make of an input", {.args = {{"x", "n"}, {"y", "n", .is_output = true, .make = sound_make}}}},
};

TEST(what_is_not_sound_is_refused_with_the_reason)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        static struct op op[sizeof refused / sizeof refused[0]]; /* what was computed of one is remembered */
        struct error error;
        op[i] = completed(&refused[i].op);
        if (judge(&op[i], &error))
            fail_msg("taken, expected: %s", refused[i].expected);
        if (!strstr(error.text, refused[i].expected))
            fail_msg("'%s' does not say '%s'", error.text, refused[i].expected);
    }
}

TEST(neither_a_formula_nor_a_function_is_refused)
{
    const struct op op = {.name = "own", .sizes = "n", .args = {{"x", "n"}, Y}};
    struct error error;
    assert_false(op_is_sound(&op, &error));
    assert_non_null(strstr(error.text, "expected either .formula or .compute"));
}

/* The rungs on tensor cores that promise FP32 keep the promise, on input that a split alone could not; and what comes
 * of numbers that no split holds is what FP32 makes of them. On the simulator, or on a GPU (TEST_ON_GPU). */
#include "precision_input.h"
#include "tests/unit.h"

#include <float.h>

enum { M, K, N, SIZES };
/* PART_ROWS and PART_STEPS: of a factor, that one test for all decides on. */

#if TEST_ON_GPU
#define BACKEND "cuda"
#define TILED "cuda_tiled"
static const char *const fp32_names[] = {"cuda_tf32x3", "cuda_fp16x3", "cuda_fp16x3_wgmma", "cuda_skinny_wgmma", NULL};
static const char *const wgmma_names[] = {NULL}; /* fp32_names has them */
static const char *const tf32_names[] = {"cuda_tf32", NULL};
/* Several tiles and ragged ones, more steps along k than a ring has stages, narrow B's, and sizes that vectors do not
 * divide. */
static const int64_t sizes[][SIZES] = {{300, 300, 300}, {299, 301, 301}, {300, 784, 17},  {300, 300, 32},
                                       {300, 784, 64},  {300, 300, 100}, {300, 301, 127}, {300, 784, 128},
                                       {17, 784, 300},  {100, 301, 299}};
/* Each in several tiles, whose products count as they are only if the scales of each tile do. */
static const int64_t scaled_sizes[][SIZES] = {{130, 300, 130}, {130, 300, 100}};
/* More rows than the blocks of cuda_skinny_wgmma have at once, for each of its tiles. */
static const int64_t tall_sizes[][SIZES] = {{9001, 300, 20}, {20001, 130, 20}, {20001, 130, 50}, {34001, 130, 100}};
#define number_sizes sizes
enum { PART_ROWS = 128, PART_STEPS = 64 };
#else
#define BACKEND "sim"
#define TILED "sim_tiled"
static const char *const fp32_names[] = {"sim_tf32x3", "sim_fp16x3", NULL};
static const char *const wgmma_names[] = {"sim_fp16x3_wgmma", "sim_skinny_wgmma", NULL}; /* whose sums it rounds down */
static const char *const tf32_names[] = {"sim_tf32", NULL};
static const int64_t sizes[][SIZES] = {{100, 96, 72}};
static const int64_t number_sizes[][SIZES] = {{40, 50, 36}}, scaled_sizes[][SIZES] = {{20, 50, 12}};
enum { PART_ROWS = 16, PART_STEPS = 16 };
#endif
/* Of parts, and of powers of two, one in so many is tried; on a GPU, or by scripts/test.sh --all, each. */
static int one_in(int many)
{
    return TEST_ON_GPU || unit_at_length() ? 1 : many;
}

/* Those that the device can run; the lists end with a NULL. */
static const struct rung *tiled, *fp32_rungs[LENGTH(fp32_names)], *wgmma_rungs[LENGTH(wgmma_names)],
    *tf32_rungs[LENGTH(tf32_names)];

static void find_rungs(const char *const *names, const struct rung **rungs)
{
    for (; *names; names++) {
        *rungs = precision_rung(*names);
        rungs += *rungs != NULL;
    }
}

static int set_up(void **state)
{
    tiled = precision_rung(TILED);
    find_rungs(fp32_names, fp32_rungs);
    find_rungs(wgmma_names, wgmma_rungs);
    find_rungs(tf32_names, tf32_rungs);
    return tiled ? 0 : -1;
}

/* All that is wrong is said before the test fails: runs on a GPU are rare. */
static int complaints;

static void expect(bool right, const char *complaint, ...)
{
    va_list args;
    if (right)
        return;
    va_start(args, complaint);
    vprint_error(complaint, args);
    va_end(args);
    print_error("\n");
    complaints++;
}

static int reset(void **state)
{
    complaints = 0;
    return 0;
}

static int assert_no_complaints(void **state)
{
    assert_int_equal(complaints, 0);
    return 0;
}

static const char *named(const struct rung *rung, const struct problem *p)
{
    static char text[128];
    snprintf(text, sizeof text, "%s, %dx%dx%d", rung->variant, (int)p->m, (int)p->k, (int)p->n);
    return text;
}

static void expect_right(const struct rung *rung, const struct problem *p, const char *input)
{
    struct check check = check_as(p, rung->precision);
    expect(check.correct, "%s, %s: %s", named(rung, p), input, check.reason);
}

static float *tiled_answer(struct problem *p)
{
    float *answer = floats(p->m, p->n);
    precision_run(tiled, p);
    memcpy(answer, p->c, (size_t)(p->m * p->n) * sizeof *answer);
    return answer;
}

/* The multiply-adds of those on warpgroups begin anew with each step, or with each block that shares k. */
static bool adds_in_order(const struct rung *rung)
{
    return strstr(rung->variant, "_wgmma") == NULL;
}

/* What multiply-adds in the order of k make of a problem. */
struct multiply_adds {
    double rms, worst;
    float *c;
};

/* Where few products decide a sum, as on a wide range, the bits that a split loses show: then the limit for a single
 * product holds (docs/verification.md). */
static void expect_precise(const struct rung *rung, struct problem *p, enum precision_input input,
                           const struct multiply_adds *fp32)
{
    const double rms_limit = fmax(1.25 * fp32->rms, input == PRECISION_WIDE ? 1.75 : 0), worst_limit = 2 * fp32->worst;
    const double rms = precision_rms(p), worst = precision_worst(p);
    expect_right(rung, p, precision_input_names[input]);
    expect(rms <= rms_limit && worst <= worst_limit, "%s, %s: RMS %.3g, largest %.3g; the limits are %.3g and %.3g",
           named(rung, p), precision_input_names[input], rms, worst, rms_limit, worst_limit);
}

/* By the share of the answer that is, to the bit, that of multiply-adds: all where parts do not hold the input. */
static void expect_tensor_cores(const struct rung *rung, const struct problem *p, enum precision_input input,
                                const struct multiply_adds *fp32)
{
    const bool is_too_wide = (rung->traits & RUNG_FP16X3) && (input == PRECISION_ROWS || input == PRECISION_WIDE);
    int64_t same = 0;
    for (int64_t i = 0; i < p->m * p->n; i++)
        same += p->c[i] == fp32->c[i];
    const double share = (double)same / (double)(p->m * p->n);
    expect(is_too_wide ? share == 1 || !adds_in_order(rung) : share <= 0.75,
           "%s, %s: %.3g of the elements are those of multiply-adds", named(rung, p), precision_input_names[input],
           share);
}

static void expect_imprecise(const struct rung *rung, const struct problem *p)
{
    expect_right(rung, p, "zero mean");
    expect(precision_rms(p) > 100, "%s: RMS %.3g", named(rung, p), precision_rms(p));
}

static void try_input(struct problem *p, enum precision_input input)
{
    struct multiply_adds fp32 = {.c = tiled_answer(p)};
    fp32.rms = precision_rms(p);
    fp32.worst = precision_worst(p);
    for (const struct rung **rung = fp32_rungs; *rung; rung++) {
        precision_run(*rung, p);
        expect_precise(*rung, p, input, &fp32);
        expect_tensor_cores(*rung, p, input, &fp32);
    }
    for (const struct rung **rung = tf32_rungs; *rung && input == PRECISION_ZERO_MEAN; rung++) {
        precision_run(*rung, p);
        expect_imprecise(*rung, p);
    }
    free(fp32.c);
}

TEST(splits_are_as_precise_as_fp32_by_tensor_cores_and_plain_tf32_is_far_less)
{
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (enum precision_input input = 0; input < PRECISION_INPUTS; input++) {
            struct problem p = precision_problem(input, sizes[i][M], sizes[i][K], sizes[i][N]);
            try_input(&p, input);
            free_problem(&p);
        }
}

/* FP32's own infinities and NaNs, and else what is as near as its precision allows. */
static bool is_like(float fp32, float x, double tolerance)
{
    if (isfinite(fp32))
        return fabs((double)x - (double)fp32) <= tolerance;
    return x == fp32 || (isnan(x) && isnan(fp32));
}

static void expect_like(const float *fp32, const struct rung *rung, struct problem *p, double tolerance, float number)
{
    int64_t i = 0;
    precision_run(rung, p);
    while (i < p->m * p->n && is_like(fp32[i], p->c[i], tolerance * p->reference->scale[i]))
        i++;
    if (i < p->m * p->n)
        expect(false, "%s, with %a: element (%d, %d) is %g, FP32 makes it %g", named(rung, p), (double)number,
               (int)(i / p->n), (int)(i % p->n), (double)p->c[i], (double)fp32[i]);
}

/* Rungs on warpgroups take the simulator longest, and split as sim_fp16x3 does. */
static void compare_with_fp32(struct problem *p, float number)
{
    static int turn;
    const bool tries_wgmma = turn++ % one_in(3) == 0;
    float *fp32 = tiled_answer(p);
    for (const struct rung **rung = fp32_rungs; *rung; rung++)
        expect_like(fp32, *rung, p, 0x1p-18, number);
    for (const struct rung **rung = wgmma_rungs; *rung && tries_wgmma; rung++)
        expect_like(fp32, *rung, p, 0x1p-18, number);
    bool is_in_tf32 = number == 0 || !isfinite(number) || (fabsf(number) >= FLT_MIN && fabsf(number) < 0x1.ffep127f);
    for (const struct rung **rung = tf32_rungs; *rung && is_in_tf32; rung++)
        expect_like(fp32, *rung, p, 0x1p-9, number);
    free(fp32);
}

/* In one element of A and one of B, which do not meet. */
static void try_number(const int64_t size[SIZES], float number)
{
    struct problem p = problem_without_reference(size[M], size[N], size[K]);
    p.a[p.m / 2 * p.k + p.k / 3] = number;
    p.b[p.k / 2 * p.n + p.n * 2 / 3] = -number;
    make_reference(&p, false);
    compare_with_fp32(&p, number);
    free_problem(&p);
}

/* A has nothing else, and B is positive. */
static void try_nothing_but(const int64_t size[SIZES], float number)
{
    struct problem p = problem_without_reference(size[M], size[N], size[K]);
    for (int64_t i = 0; i < p.m * p.k; i++)
        p.a[i] = number;
    for (int64_t i = 0; i < p.k * p.n; i++)
        p.b[i] = fabsf(p.b[i]);
    make_reference(&p, false);
    compare_with_fp32(&p, number);
    free_problem(&p);
}

TEST(infinity_nan_and_the_ends_of_the_range_are_as_in_fp32)
{
    float all_ones; /* a NaN that an addition to its bits would make a zero */
    memset(&all_ones, 0xFF, sizeof all_ones);
    const float numbers[] = {INFINITY, -INFINITY,    NAN,      all_ones, FLT_MAX,      -FLT_MAX,
                             0x1p127f, 0x1p+16f,     0x1p+48f, 0x1p+56f, 0x1.8p+56f,   0x1p+57f,
                             FLT_MIN,  FLT_TRUE_MIN, 0x1p-56f, 0x1p-57f, 0x1.fffp+15f, 0x1.fp-27f,
                             0x1p-28f, 0x1p-75f,     0x1p-76f, 0,        -0.0f};
    for (size_t size = 0; size < LENGTH(number_sizes); size++) {
        for (size_t i = 0; i < LENGTH(numbers); i++)
            try_number(number_sizes[size], numbers[i]);
        try_nothing_but(number_sizes[size], INFINITY);
        try_nothing_but(number_sizes[size], NAN);
        try_nothing_but(number_sizes[size], -0x1p126f);
        try_nothing_but(number_sizes[size], 0x1p-80f);
        try_nothing_but(number_sizes[size], FLT_TRUE_MIN);
    }
}

#if TEST_ON_GPU
TEST(tall_matrices_are_as_in_fp32)
{
    for (size_t size = 0; size < LENGTH(tall_sizes); size++) {
        try_number(tall_sizes[size], INFINITY);
        try_number(tall_sizes[size], 0x1p-76f);
    }
}
#endif

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A number in one element of parts of a factor, in all rows and columns of parts, each time at another place in the
 * part. Element (row, step) is factor[row * row_stride + step * step_stride]. */
static void try_each_part(struct problem *p, float *factor, int64_t rows, int64_t row_stride, int64_t step_stride,
                          bool is_small)
{
    const float number = is_small ? 0x1p-40f : INFINITY;
    int64_t part = 0;
    for (int64_t row = 0; row < rows; row += PART_ROWS)
        for (int64_t step = 0; step < p->k; step += PART_STEPS, part++) {
            if ((row / PART_ROWS + step / PART_STEPS + is_small) % one_in(12) != 0)
                continue;
            int64_t in_rows = (PART_ROWS - 1 - 17 * part % PART_ROWS) % least(PART_ROWS, rows - row);
            int64_t in_steps = 3 * part % PART_STEPS % least(PART_STEPS, p->k - step);
            float *at = &factor[(row + in_rows) * row_stride + (step + in_steps) * step_stride], was = *at;
            *at = number;
            compare_with_fp32(p, number);
            *at = was;
        }
}

/* Whichever row, column and k has the only factor that cannot be split. */
TEST(each_place_is_looked_at)
{
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        struct problem p = make_problem(sizes[i][M], sizes[i][N], sizes[i][K]);
        for (int is_small = 0; is_small < 2; is_small++) {
            try_each_part(&p, p.a, p.m, p.k, 1, is_small);
            try_each_part(&p, p.b, p.n, 1, p.n, is_small);
        }
        free_problem(&p);
    }
}

/* The size of the rows of A, or of the columns of B, as powers of two. */
struct scale {
    int even, odd;
};

static void try_scales(const int64_t size[SIZES], struct scale a, struct scale b)
{
    char input[64];
    struct problem p = problem_without_reference(size[M], size[N], size[K]);
    for (int64_t i = 0; i < p.m * p.k; i++)
        p.a[i] = ldexpf(p.a[i], i / p.k % 2 ? a.odd : a.even);
    for (int64_t i = 0; i < p.k * p.n; i++)
        p.b[i] = ldexpf(p.b[i], i % p.n % 2 ? b.odd : b.even);
    make_reference(&p, true);
    snprintf(input, sizeof input, "A of 2^%d and 2^%d, B of 2^%d and 2^%d", a.even, a.odd, b.even, b.odd);
    for (const struct rung **rung = fp32_rungs; *rung; rung++) {
        precision_run(*rung, &p);
        expect_right(*rung, &p, input);
    }
    free_problem(&p);
}

/* Whatever size the numbers have, whole rows of subnormal ones among them: their products have the precision of FP32 as
 * long as FP32 holds these. */
TEST(every_size_of_number_is_precise)
{
    for (size_t i = 0; i < LENGTH(scaled_sizes); i++)
        for (int size = -149; size <= 120; size += size < -110 || size > 100 ? one_in(6) : 7 * one_in(6)) {
            int other = -size > 120 ? 120 : -size, half = size / 2;
            try_scales(scaled_sizes[i], (struct scale){size, size}, (struct scale){other, other});
            try_scales(scaled_sizes[i], (struct scale){0, 0}, (struct scale){size, size});
            try_scales(scaled_sizes[i], (struct scale){half, half}, (struct scale){half, half});
        }
}

/* Rows side by side, the small ones near the least that a scale for both can hold. */
TEST(rows_of_two_sizes_are_precise)
{
    for (size_t i = 0; i < LENGTH(scaled_sizes); i++)
        for (int apart = 10; apart <= 40; apart += one_in(6)) {
            try_scales(scaled_sizes[i], (struct scale){0, -apart}, (struct scale){0, 0});
            try_scales(scaled_sizes[i], (struct scale){0, 0}, (struct scale){-apart, 0});
        }
}

static int begin(int argc, char **argv)
{
    const char *error = precision_open(BACKEND);
    if (!error)
        return unit_choose(argc, argv);
    printf("skipped: %s\n", error);
    return TEST_ON_GPU ? 77 : 1;
}

static int tear_down(void **state)
{
    precision_close();
    return 0;
}

BEGIN_WITH(begin)
AROUND_ALL_TESTS(set_up, tear_down)
AROUND_EACH_TEST(reset, assert_no_complaints)

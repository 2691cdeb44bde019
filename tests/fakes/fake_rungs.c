#include "fake_rungs.h"

#include "fake_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct backend_entry fake_entry = {"fake", "Fake", true, false, &fake_backend};

/* Right, and called so often that sanitizers would take half of the tests' time for it. */
__attribute__((no_sanitize("address", "undefined"))) void fake_multiply(const struct matmul_problem *p)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t q = 0; q < p->k; q++)
                sum += p->a[i * p->k + q] * p->b[q * p->n + j];
            p->c[i * p->n + j] = sum;
        }
    }
}

static void fill_with(const struct matmul_problem *p, float value)
{
    for (int64_t i = 0; i < p->m * p->n; i++)
        p->c[i] = value;
}

static void make_nan(const struct matmul_problem *p)
{
    fill_with(p, NAN);
}

static void make_zeros(const struct matmul_problem *p)
{
    fill_with(p, 0);
}

static void make_halved(const struct matmul_problem *p)
{
    fake_multiply(p);
    for (int64_t i = 0; i < p->m * p->n; i++)
        p->c[i] /= 2;
}

static void make_one_wrong(const struct matmul_problem *p)
{
    fake_multiply(p);
    p->c[p->m * p->n - 1] += 0.125f;
}

static void swap_rows(const struct matmul_problem *p)
{
    fake_multiply(p);
    for (int64_t j = 0; j < p->n && p->m > 1; j++) {
        float kept = p->c[j];
        p->c[j] = p->c[p->n + j];
        p->c[p->n + j] = kept;
    }
}

static void write_before(const struct matmul_problem *p)
{
    fake_multiply(p);
    p->c[-1] = 1;
}

static void write_behind(const struct matmul_problem *p)
{
    fake_multiply(p);
    p->c[p->m * p->n] = 1;
}

static void ruin_input(const struct matmul_problem *p)
{
    fake_multiply(p);
    memset((void *)(uintptr_t)p->a, 0, (size_t)(p->m * p->k) * sizeof(float));
}

/* Where C holds a number, takes it for the answer. */
static void make_where_nan(const struct matmul_problem *p)
{
    for (int64_t i = 0; i < p->m * p->n; i++)
        if (!isnan(p->c[i]))
            return;
    fake_multiply(p);
}

static void add_to_output(const struct matmul_problem *p)
{
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            for (int64_t q = 0; q < p->k; q++)
                p->c[i * p->n + j] += p->a[i * p->k + q] * p->b[q * p->n + j];
}

static int64_t all_calls;

static void change_each_thousandth(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (++all_calls % 1000 == 0)
        p->c[p->m * p->n - 1] += 1;
}

static void change_last_bit_each_thousandth(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (++all_calls % 1000 == 0)
        p->c[0] = nextafterf(p->c[0], INFINITY);
}

/* Zero times infinity is NaN. */
static void divide_by_largest(const struct matmul_problem *p)
{
    float largest = 0;
    for (int64_t i = 0; i < p->m * p->k; i++)
        largest = fmaxf(largest, fabsf(p->a[i]));
    fake_multiply(p);
    for (int64_t i = 0; i < p->m * p->n; i++)
        p->c[i] = p->c[i] / largest * largest;
}

static int64_t counted_calls;

static void change_from_hundredth(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (p->m == FAKE_COUNTED_M && ++counted_calls >= 100)
        p->c[0] += 1;
}

static void write_behind_from_hundredth(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (p->m == FAKE_COUNTED_M && ++counted_calls >= 100)
        p->c[p->m * p->n] = 1;
}

/* Right within the bound, but another rounding from the second call on. */
static void change_last_bit(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (p->m == FAKE_COUNTED_M && ++counted_calls >= 2)
        p->c[0] = nextafterf(p->c[0], INFINITY);
}

static const float *known_pointer;
static struct matmul_problem known_sizes;
static float *known_answer;

static bool is_known(const struct matmul_problem *p)
{
    return known_pointer == p->a && known_sizes.m == p->m && known_sizes.n == p->n && known_sizes.k == p->k;
}

static void remember(const struct matmul_problem *p)
{
    size_t bytes = (size_t)(p->m * p->n) * sizeof(float);
    free(known_answer);
    known_answer = malloc(bytes);
    memcpy(known_answer, p->c, bytes);
    known_pointer = p->a;
    known_sizes = *p;
}

static void answer_from_cache(const struct matmul_problem *p)
{
    if (is_known(p)) {
        memcpy(p->c, known_answer, (size_t)(p->m * p->n) * sizeof(float));
        return;
    }
    fake_multiply(p);
    remember(p);
}

/* Cheats only where it may stay unseen: on the size that is timed. */
static void idle_when_known(const struct matmul_problem *p)
{
    if (p->m == FAKE_COUNTED_M && is_known(p))
        return;
    fake_multiply(p);
    if (p->m == FAKE_COUNTED_M)
        remember(p);
}

/* As if a flag that says "done" were never taken back: it verifies, and the first timed call works. */
static void idle_from_third(const struct matmul_problem *p)
{
    if (p->m != FAKE_COUNTED_M || ++counted_calls <= 2)
        fake_multiply(p);
}

void fake_rungs_reset(void)
{
    counted_calls = all_calls = 0;
    known_pointer = NULL;
    free(known_answer);
    known_answer = NULL;
}

#define FAKE_RUNG(name, kernel)                                      \
    const char *name(const void *problem, void *stream)              \
    {                                                                \
        fake_launch(stream, kernel, problem, FAKE_KERNEL_NS * 1e-9); \
        return NULL;                                                 \
    }
FAKE_RUNG(fake_right, fake_multiply)
FAKE_RUNG(fake_nan, make_nan)
FAKE_RUNG(fake_zeros, make_zeros)
FAKE_RUNG(fake_halved, make_halved)
FAKE_RUNG(fake_one_element, make_one_wrong)
FAKE_RUNG(fake_swapped_rows, swap_rows)
FAKE_RUNG(fake_writes_before, write_before)
FAKE_RUNG(fake_writes_behind, write_behind)
FAKE_RUNG(fake_ruins_its_input, ruin_input)
FAKE_RUNG(fake_wrong_from_the_hundredth_call, change_from_hundredth)
FAKE_RUNG(fake_writes_behind_from_the_hundredth_call, write_behind_from_hundredth)
FAKE_RUNG(fake_changes_last_bit, change_last_bit)
FAKE_RUNG(fake_idle_from_the_third_call, idle_from_third)
FAKE_RUNG(fake_computes_where_nan, make_where_nan)
FAKE_RUNG(fake_adds_to_its_output, add_to_output)
FAKE_RUNG(fake_wrong_in_each_thousandth_call, change_each_thousandth)
FAKE_RUNG(fake_changes_last_bit_in_each_thousandth_call, change_last_bit_each_thousandth)
FAKE_RUNG(fake_divides_by_largest, divide_by_largest)
FAKE_RUNG(fake_cached_by_pointer, answer_from_cache)
FAKE_RUNG(fake_idle_when_pointer_known, idle_when_known)

/* Right when it is called, and in a graph leaves nothing behind that would work again. */
const char *fake_works_while_recorded(const void *problem, void *stream)
{
    if (!fake_is_recording())
        return fake_right(problem, stream);
    fake_launch_elsewhere(fake_multiply, problem);
    return NULL;
}

const char *fake_other_stream(const void *problem, void *stream)
{
    (void)stream;
    fake_launch_elsewhere(fake_multiply, problem);
    return NULL;
}

const char *fake_waits(const void *problem, void *stream)
{
    fake_launch(stream, fake_multiply, problem, FAKE_KERNEL_NS * 1e-9);
    return fake_backend.finish();
}

int fake_aligned_buffer;
uintptr_t fake_alignment = 8;

const char *fake_needs_alignment(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    const float *const starts[] = {p->a, p->b, p->c};
    return (uintptr_t)starts[fake_aligned_buffer] % fake_alignment != 0 ? "misaligned address"
                                                                        : fake_right(problem, stream);
}

const char *fake_fails_to_launch(const void *problem, void *stream)
{
    (void)problem, (void)stream;
    return "too many resources requested for launch";
}

const char *fake_leaks(const void *problem, void *stream)
{
    fake.held_bytes += 48;
    return fake_right(problem, stream);
}

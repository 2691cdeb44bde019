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

#define RUNG_OF(name, kernel)                                        \
    const char *name(const void *problem, void *stream)              \
    {                                                                \
        fake_launch(stream, kernel, problem, FAKE_KERNEL_NS * 1e-9); \
        return NULL;                                                 \
    }
/* Its kernel does that. */
#define FAKE_RUNG(name, ...) \
    static void name##_kernel(const struct matmul_problem *p){__VA_ARGS__} RUNG_OF(name, name##_kernel)
/* That comes after the product. */
#define FAKE_MISTAKE(name, ...) FAKE_RUNG(name, fake_multiply(p); __VA_ARGS__)

#define EACH_OF_C for (float *c = p->c; c < p->c + p->m * p->n; c++)
#define LAST_OF_C p->c[p->m * p->n - 1]

RUNG_OF(fake_right, fake_multiply)
FAKE_MISTAKE(fake_nan, EACH_OF_C *c = NAN;)
FAKE_MISTAKE(fake_zeros, EACH_OF_C *c = 0;)
FAKE_MISTAKE(fake_halved, EACH_OF_C *c /= 2;)
FAKE_MISTAKE(fake_one_element, LAST_OF_C += 0.125f;)
FAKE_MISTAKE(fake_writes_before, p->c[-1] = 1;)
FAKE_MISTAKE(fake_writes_behind, p->c[p->m * p->n] = 1;)
FAKE_MISTAKE(fake_ruins_its_input, memset((void *)(uintptr_t)p->a, 0, (size_t)(p->m * p->k) * sizeof(float));)

static void swap_rows(const struct matmul_problem *p)
{
    for (int64_t j = 0; j < p->n && p->m > 1; j++) {
        float kept = p->c[j];
        p->c[j] = p->c[p->n + j];
        p->c[p->n + j] = kept;
    }
}
FAKE_MISTAKE(fake_swapped_rows, swap_rows(p);)

/* Where C holds a number, takes it for the answer. */
static void multiply_where_nan(const struct matmul_problem *p)
{
    EACH_OF_C
    if (!isnan(*c))
        return;
    fake_multiply(p);
}
FAKE_RUNG(fake_computes_where_nan, multiply_where_nan(p);)

static void add_to_output(const struct matmul_problem *p)
{
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            for (int64_t q = 0; q < p->k; q++)
                p->c[i * p->n + j] += p->a[i * p->k + q] * p->b[q * p->n + j];
}
FAKE_RUNG(fake_adds_to_its_output, add_to_output(p);)

/* Zero times infinity is NaN. */
static void divide_by_largest(const struct matmul_problem *p)
{
    float largest = 0;
    for (int64_t i = 0; i < p->m * p->k; i++)
        largest = fmaxf(largest, fabsf(p->a[i]));
    EACH_OF_C *c = *c / largest * largest;
}
FAKE_MISTAKE(fake_divides_by_largest, divide_by_largest(p);)

static int64_t all_calls, counted_calls;

static int64_t counted(const struct matmul_problem *p)
{
    return p->m == FAKE_COUNTED_M ? ++counted_calls : 0;
}

static void change_last_bit(const struct matmul_problem *p)
{
    p->c[0] = nextafterf(p->c[0], INFINITY);
}

FAKE_MISTAKE(fake_wrong_in_each_thousandth_call, if (++all_calls % 1000 == 0) LAST_OF_C += 1;)
FAKE_MISTAKE(fake_changes_last_bit_in_each_thousandth_call, if (++all_calls % 1000 == 0) change_last_bit(p);)
FAKE_MISTAKE(fake_wrong_from_the_hundredth_call, if (counted(p) >= 100) p->c[0] += 1;)
FAKE_MISTAKE(fake_writes_behind_from_the_hundredth_call, if (counted(p) >= 100) p->c[p->m * p->n] = 1;)
/* Right within the bound, but another rounding from the second call on. */
FAKE_MISTAKE(fake_changes_last_bit, if (counted(p) >= 2) change_last_bit(p);)
/* As if a flag that says "done" were never taken back: it verifies, and the first timed call works. */
FAKE_RUNG(fake_idle_from_the_third_call, if (counted(p) <= 2) fake_multiply(p);)

static const float *known_pointer;
static struct matmul_problem known_sizes;
static float *known_answer;

static bool is_known(const struct matmul_problem *p)
{
    return known_pointer == p->a && known_sizes.m == p->m && known_sizes.n == p->n && known_sizes.k == p->k;
}

static void multiply_and_remember(const struct matmul_problem *p)
{
    size_t bytes = (size_t)(p->m * p->n) * sizeof(float);
    fake_multiply(p);
    free(known_answer);
    known_answer = malloc(bytes);
    memcpy(known_answer, p->c, bytes);
    known_pointer = p->a;
    known_sizes = *p;
}

static void answer_from_cache(const struct matmul_problem *p)
{
    if (is_known(p))
        memcpy(p->c, known_answer, (size_t)(p->m * p->n) * sizeof(float));
    else
        multiply_and_remember(p);
}
FAKE_RUNG(fake_cached_by_pointer, answer_from_cache(p);)

/* Cheats only where it may stay unseen: on the size that is timed. */
static void idle_when_known(const struct matmul_problem *p)
{
    if (p->m != FAKE_COUNTED_M)
        fake_multiply(p);
    else if (!is_known(p))
        multiply_and_remember(p);
}
FAKE_RUNG(fake_idle_when_pointer_known, idle_when_known(p);)

void fake_rungs_reset(void)
{
    counted_calls = all_calls = 0;
    known_pointer = NULL;
    free(known_answer);
    known_answer = NULL;
}

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
    fake_launch_elsewhere(fake_multiply, problem);
    return NULL;
}

/* So that few calls are long. */
const char *fake_takes_long(const void *problem, void *stream)
{
    fake_launch(stream, fake_multiply, problem, FAKE_LONG_NS * 1e-9);
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
    return "too many resources requested for launch";
}

const char *fake_leaks(const void *problem, void *stream)
{
    fake.held_bytes += 48;
    return fake_right(problem, stream);
}

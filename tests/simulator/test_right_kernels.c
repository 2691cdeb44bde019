/* Right kernels answer rightly: on the simulator in every order, and on a GPU, if there is one. What both do the same,
 * the simulator does as CUDA does. */
#include "bench/table/backend.h"
#include "bench/table/made.h"
#include "right_kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct backend *const backend = TEST_ON_GPU ? &cuda_backend : &sim_backend;

struct right_case {
    size_t words;
    const char *(*launch)(const uint32_t *in, uint32_t *out, void *stream);
    void (*expect)(const uint32_t *in, uint32_t *out);
};

static uint32_t input[RIGHT_INPUT];

static void fill_input(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < RIGHT_INPUT; i++)
        input[i] = (uint32_t)((state = state * UINT64_C(6364136223846793005) + 1442695040888963407u) >> 32);
}

static void assert_done(const char *error)
{
    if (error)
        fail_msg("%s", error);
}

static void *allocate(size_t bytes)
{
    void *memory;
    assert_done(backend->allocate(bytes, EDGE_END, &memory));
    return memory;
}

static void run(const struct right_case *one, const uint32_t *in, uint32_t *out, uint32_t *answer)
{
    size_t bytes = one->words * sizeof *answer;
    assert_done(backend->fill(out, bytes, &(struct made){.kind = MADE_ONES}));
    assert_done(one->launch(in, out, backend->stream()));
    assert_done(backend->finish());
    assert_done(backend->download(answer, out, bytes));
    assert_done(backend->finish());
}

static void answers_rightly_in_every_order(void **state)
{
    const struct right_case *one = *state;
    size_t bytes = one->words * sizeof(uint32_t), orders = backend->simulator ? backend->simulator->order_count() : 1;
    uint32_t *expected = malloc(bytes), *answer = malloc(bytes);
    assert_true(expected && answer);
    uint32_t *in = allocate(sizeof input), *out = allocate(bytes);
    assert_done(backend->upload(in, input, sizeof input));
    one->expect(input, expected);
    for (size_t order = 0; order < orders; order++) {
        const char *name = backend->simulator ? backend->simulator->use_order(order)->name : "the GPU's";
        run(one, in, out, answer);
        for (size_t i = 0; i < one->words; i++)
            if (answer[i] != expected[i])
                fail_msg("in the order '%s', word %zu is %08x, expected %08x", name, i, answer[i], expected[i]);
    }
    backend->release(out);
    backend->release(in);
    free(answer);
    free(expected);
}

#define RIGHT_CASE(name, words) static struct right_case name = {words, right_##name, expect_##name};
RIGHT_KERNELS(RIGHT_CASE)

static int close_backend(void **state)
{
    (void)state;
    backend->close();
    return 0;
}

int main(void)
{
    struct backend_settings settings = {.device = -1, .times_nothing = true};
    const char *error = backend->open(&settings);
    if (error) {
        printf("skipped: %s\n", error);
        return TEST_ON_GPU ? 77 : 1;
    }
    fill_input();
#define RIGHT_TEST(name, words) {#name, answers_rightly_in_every_order, NULL, NULL, &name},
    const struct CMUnitTest tests[] = {RIGHT_KERNELS(RIGHT_TEST)};
    return cmocka_run_group_tests(tests, NULL, close_backend);
}

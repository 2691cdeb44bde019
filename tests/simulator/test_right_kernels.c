/* Right kernels answer rightly: on the simulator in every order, and on a GPU, if there is one. What both do the same,
 * the simulator does as CUDA does. */
#include "bench/table/backend.h"
#include "bench/table/rung.h"
#include "bench/base/digest.h"
#include "bench/data/made.h"
#include "right_kernels.h"
#include "tests/unit.h"

static const struct backend *const backend = TEST_ON_GPU ? &cuda_backend : &sim_backend;

struct right_case {
    size_t words;
    const char *(*launch)(const uint32_t *in, uint32_t *out, void *stream);
    const char *digest;
    unsigned needs; /* traits of rung.h */
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
    char digest[DIGEST_HEX];
    if (backend->lacks && backend->lacks(one->needs)) {
        skip();
        return;
    }
    uint32_t *first = malloc(bytes), *answer = malloc(bytes);
    assert_true(first && answer);
    uint32_t *in = allocate(sizeof input), *out = allocate(bytes);
    assert_done(backend->upload(in, input, sizeof input));
    for (size_t order = 0; order < orders; order++) {
        const char *name = backend->simulator ? backend->simulator->use_order(order)->name : "the GPU's";
        run(one, in, out, order == 0 ? first : answer);
        for (size_t i = 0; i < one->words && order > 0; i++)
            if (answer[i] != first[i])
                fail_msg("in the order '%s', word %zu is %08x, and in the first %08x", name, i, answer[i], first[i]);
    }
    digest_of(first, bytes, digest);
    assert_string_equal(digest, one->digest);
    backend->release(out);
    backend->release(in);
    free(answer);
    free(first);
}

#define RIGHT_CASE(name, words, digest) static struct right_case name = {words, right_##name, digest, 0};
#define HOPPER_CASE(name, words, digest) static struct right_case name = {words, right_##name, digest, RUNG_WGMMA};
RIGHT_KERNELS(RIGHT_CASE)
RIGHT_HOPPER_KERNELS(HOPPER_CASE)

/* Rows of a data set are in the backend's memory; made memory begins and ends anywhere. */
static void memory_is_filled_as_it_is_made(void **state)
{
    enum { BYTES = 100003, ROW = 37, ROWS = 90 };
    static unsigned char got[BYTES + 16], expected[BYTES];
    unsigned char *memory = allocate(BYTES + 16);
    uint8_t *rows = allocate(ROW * ROWS);
    assert_done(backend->upload(rows, input, ROW * ROWS));
    for (int kind = 0; kind <= MADE_PERMUTED; kind++) {
        const size_t shift = (size_t)kind % 5, bytes = BYTES - (size_t)kind;
        const uint8_t *here = (const uint8_t *)input, *there = rows;
        struct made made = made_rows((enum made_kind)kind, 1234567890123, here, ROW, ROWS);
        made.scale = 0.3f;
        made.big = 1 << 30;
        made.low = -5;
        made.count = 1000;
        made.dust = 0x1p-36f;
        made_fill(expected, bytes, &made, 0);
        made.rows = there;
        assert_done(backend->fill(memory, BYTES + 16, &(struct made){.kind = MADE_ZEROS}));
        assert_done(backend->fill(memory + shift, bytes, &made));
        assert_done(backend->download(got, memory, BYTES + 16));
        assert_done(backend->finish());
        if (memcmp(got + shift, expected, bytes) != 0)
            fail_msg("kind %d, %zu bytes from %zu on, is not what it should be", kind, bytes, shift);
        assert_true(got[shift + bytes] == 0 && (shift == 0 || got[shift - 1] == 0));
    }
    backend->release(rows);
    backend->release(memory);
}

static int close_backend(void **state)
{
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
#define RIGHT_TEST(name, words, digest) {#name, answers_rightly_in_every_order, NULL, NULL, &name},
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_filled_as_it_is_made),
                                       RIGHT_KERNELS(RIGHT_TEST) RIGHT_HOPPER_KERNELS(RIGHT_TEST)};
    return cmocka_run_group_tests(tests, NULL, close_backend);
}

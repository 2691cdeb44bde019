/* Every part of C is added, once, whatever the size of C and however many there are. */
#include "bench/table/backend.h"
#include "parts_kernels.h"
#include "tests/unit.h"

static int set_up(void **state)
{
    return sim_backend.open(&(struct backend_settings){.device = -1}) ? -1 : 0;
}

static int tear_down(void **state)
{
    sim_backend.close();
    return 0;
}

AROUND_ALL_TESTS(set_up, tear_down)

static void must(const char *error)
{
    if (error)
        fail_msg("%s", error);
}

static void *device_copy(const float *from, size_t bytes)
{
    void *memory = NULL;
    must(sim_backend.allocate(bytes, EDGE_ANY, &memory));
    must(sim_backend.upload(memory, from, bytes));
    return memory;
}

/* A part has a bit of each sum: no two sums are the same. */
static void try_parts(int64_t count, unsigned parts)
{
    const size_t bytes = (size_t)count * sizeof(float);
    float *from = malloc(bytes * parts), *c = calloc((size_t)count, sizeof *c);
    assert_true(from && c);
    for (unsigned part = 0; part < parts; part++)
        for (int64_t at = 0; at < count; at++)
            from[part * count + at] = (float)(1U << part);
    void *parts_there = device_copy(from, bytes * parts), *c_there = device_copy(c, bytes);
    must(parts_added(count, parts, parts_there, c_there));
    must(sim_backend.finish());
    must(sim_backend.download(c, c_there, bytes));
    must(sim_backend.finish());
    for (int64_t at = 0; at < count; at++)
        if (c[at] != (float)((1U << parts) - 1))
            fail_msg("%d elements in %u parts: element %d is %g", (int)count, parts, (int)at, (double)c[at]);
    sim_backend.release(c_there);
    sim_backend.release(parts_there);
    free(from);
    free(c);
}

/* The larger C is, the fewer threads share an element. */
TEST(all_parts_are_added_once)
{
    static const int64_t counts[] = {1, 31, 300, 20000, 50001, 140001};
    static const unsigned parts[] = {2, 3, 4, 9, 16};
    for (size_t i = 0; i < LENGTH(counts); i++)
        for (size_t k = 0; k < LENGTH(parts) && counts[i] * parts[k] < 500000; k++)
            try_parts(counts[i], parts[k]);
}

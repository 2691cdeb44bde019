/* Buffers on a backend that guards its memory: they lie against an edge, and what is left of their pages is watched. */
#include "bench/base/host.h"
#include "bench/place/buffers.h"
#include "tests/unit.h"

extern const struct op grayscale_op, matmul_op;

static const struct workload odd_image = {"3 of 5x7", {3, 5, 7}, 0}, product = {"5x7x30", {5, 7, 30}, 0},
                             whole_pages = {"64x64x64", {64, 64, 64}, 0}, large = {"1x1x2000000", {1, 1, 2000000}, 0};

static void make(struct buffers *buffers, const struct op *op, const struct workload *workload,
                 const struct placement *placement)
{
    assert_null(buffers_make(buffers, &cpu_backend, op, workload, placement, NULL));
}

/* Its zones begin and end where its pages do, and the data touches the edge. */
static void assert_against(const struct buffers *buffers, enum edge edge)
{
    size_t page = host_page_bytes();
    for (size_t i = 0; i < buffers->count; i++) {
        struct span data = buffers->data[i], before = buffers->guard[i][0], behind = buffers->guard[i][1];
        assert_int_equal((uintptr_t)before.start % page, 0);
        assert_ptr_equal((char *)before.start + before.bytes, data.start);
        assert_ptr_equal((char *)data.start + data.bytes, behind.start);
        assert_int_equal(((uintptr_t)behind.start + behind.bytes) % page, 0);
        assert_int_equal(edge == EDGE_START ? before.bytes : behind.bytes, 0);
        assert_true(before.bytes < page && behind.bytes < page);
    }
}

static void assert_lie_against(const struct op *op, const struct workload *workload, enum edge asked, enum edge edge)
{
    struct buffers buffers;
    make(&buffers, op, workload, &(struct placement){.edge = asked});
    assert_against(&buffers, edge);
    buffers_free(&buffers);
}

TEST(buffers_lie_against_the_edge)
{
    for (enum edge edge = EDGE_START; edge <= EDGE_END; edge++) {
        assert_lie_against(&grayscale_op, &odd_image, edge, edge);
        assert_lie_against(&matmul_op, &product, edge, edge);
        assert_lie_against(&matmul_op, &whole_pages, edge, edge);
    }
    assert_lie_against(&matmul_op, &large, EDGE_ANY, EDGE_START); /* as they are timed */
}

TEST(each_buffer_is_shifted_by_its_own)
{
    struct buffers buffers;
    struct placement placement = {EDGE_START, {4, 8, 16}};
    make(&buffers, &matmul_op, &product, &placement);
    for (size_t i = 0; i < buffers.count; i++) {
        assert_int_equal((uintptr_t)buffers.data[i].start % 16, placement.shift[i] % 16);
        if (buffers.guard[i][1].bytes > 0) /* otherwise it ends with a page, which this shift allows */
            assert_int_equal(buffers.guard[i][0].bytes, placement.shift[i]);
    }
    buffers_free(&buffers);
}

TEST(every_byte_of_the_rest_is_watched)
{
    static const struct placement placements[] = {{EDGE_START, {0}}, {EDGE_END, {0}}, {EDGE_START, {1, 8}}};
    for (size_t place = 0; place < sizeof placements / sizeof placements[0]; place++) {
        struct buffers buffers;
        make(&buffers, &grayscale_op, &odd_image, &placements[place]);
        assert_null(buffers_poison(&buffers));
        assert_null(buffers_check_guards(&buffers));
        for (size_t i = 0; i < buffers.count; i++) {
            for (int side = 0; side < 2; side++) {
                char expected[80];
                unsigned char *zone = buffers.guard[i][side].start;
                snprintf(expected, sizeof expected, "wrote outside: %s buffer %zu of the problem",
                         side == 0 ? "before" : "after", i);
                for (size_t b = 0; b < buffers.guard[i][side].bytes; b++) {
                    zone[b] ^= 1;
                    const char *error = buffers_check_guards(&buffers);
                    assert_non_null(error);
                    assert_string_equal(error, expected);
                    zone[b] ^= 1;
                }
            }
        }
        assert_null(buffers_check_guards(&buffers));
        buffers_free(&buffers);
    }
}

static bool is_readable(const void *address)
{
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    bool readable = write(pipe_ends[1], address, 1) == 1; /* the system call fails where the process would fault */
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return readable;
}

TEST(all_buffers_are_closed_and_opened)
{
    struct buffers buffers;
    make(&buffers, &matmul_op, &product, &(struct placement){.edge = EDGE_START});
    for (int accessible = 0; accessible < 2; accessible++) {
        assert_true(buffers_protect(&buffers, accessible));
        for (size_t i = 0; i < buffers.count; i++)
            assert_int_equal(is_readable(buffers.data[i].start), accessible);
    }
    buffers_free(&buffers);
}

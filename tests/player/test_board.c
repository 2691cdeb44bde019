/* The board: memory of two processes that neither can take away, with room for a problem that is new each time. */
#define _GNU_SOURCE
#include "bench/player/board.h"

#include "bench/base/host.h"
#include "tests/unit.h"

#include <sys/resource.h>

extern const struct op matmul_op;

static const struct workload small = {"3x5x7", {3, 5, 7}, 0}, large = {"100x200x300", {100, 200, 300}, 0};

static struct board *board;
static int fd;

static int set_up(void **state)
{
    board = board_make(&fd);
    return !board;
}

static int tear_down(void **state)
{
    board_free(board, fd);
    return 0;
}

TEST(it_cannot_be_made_smaller)
{
    off_t there = lseek(fd, 0, SEEK_END);
    assert_int_not_equal(ftruncate(fd, there - 1), 0);
    assert_int_not_equal(ftruncate(fd, 0), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), there);
}

/* A limit of what may be written to files is none of memory. */
TEST(a_limit_of_files_is_none_of_it)
{
    int limited_fd;
    struct rlimit before, after, small_files = {4096, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small_files.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small_files), 0);
    struct board *limited = board_make(&limited_fd);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &after), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_non_null(limited);
    assert_int_equal(after.rlim_cur, small_files.rlim_cur);
    board_free(limited, limited_fd);
}

TEST(both_ends_see_the_same)
{
    struct board *other = board_open(fd);
    assert_non_null(other);
    assert_true(board != other && board_make_room(board, &matmul_op, &large));
    strcpy(board->text, "as said");
    other->data[100000] = 7;
    assert_string_equal(other->text, "as said");
    assert_int_equal(board->data[100000], 7);
    board_free(other, -1);
}

/* Each on pages of its own, in which all of it can be written; and what was said on the board stays. */
TEST(buffers_lie_behind_each_other)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX];
    unsigned char *next = board->data;
    strcpy(board->text, "as said");
    assert_true(board_make_room(board, &matmul_op, &large));
    assert_int_equal(board_place(board, &matmul_op, &large, specs, host), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal((uintptr_t)host[i] % host_page_bytes(), 0);
        assert_true((unsigned char *)host[i] >= next);
        memset(host[i], 7, specs[i].bytes);
        next = (unsigned char *)host[i] + specs[i].bytes;
    }
    assert_int_equal(specs[2].bytes, 100 * 300 * sizeof(float));
    assert_string_equal(board->text, "as said");
}

/* Larger or smaller than the last one. */
TEST(a_new_problem_finds_zeros)
{
    static const struct workload *const sizes[] = {&small, &large, &large, &small, &large};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct buffer_spec specs[OP_BUFFERS_MAX];
        void *host[OP_BUFFERS_MAX];
        assert_true(board_make_room(board, &matmul_op, sizes[s]));
        size_t count = board_place(board, &matmul_op, sizes[s], specs, host);
        for (size_t i = 0; i < count; i++) {
            const unsigned char *bytes = host[i];
            assert_true(bytes[0] == 0 && memcmp(bytes, bytes + 1, specs[i].bytes - 1) == 0);
            memset(host[i], 0xA5, specs[i].bytes);
        }
    }
}

TEST(more_than_the_machine_has_is_refused)
{
    static const struct workload huge = {"huge", {1, INT64_C(1) << 28, INT64_C(1) << 28}, 0};
    assert_false(board_make_room(board, &matmul_op, &huge));
    assert_true(board_make_room(board, &matmul_op, &small));
}

AROUND_EACH_TEST(set_up, tear_down)

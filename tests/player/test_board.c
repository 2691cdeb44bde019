/* The board: memory of two processes that neither can take away, with room for a problem that is new each time. */
#define _GNU_SOURCE
#include "bench/player/board.h"

#include "bench/base/host.h"
#include "tests/unit.h"

#include <sys/resource.h>

extern const struct op matmul_op;

static const struct workload small = {"3x5x7", {3, 5, 7}, 0}, large = {"100x200x300", {100, 200, 300}, 0};

/* A board of two processes, or of this one alone. */
static struct board *make(bool is_shared, int *fd)
{
    *fd = -1;
    struct board *board = board_make(is_shared ? fd : NULL);
    assert_non_null(board);
    return board;
}

TEST(it_cannot_be_made_smaller)
{
    int fd;
    struct board *board = make(true, &fd);
    off_t there = lseek(fd, 0, SEEK_END);
    assert_int_not_equal(ftruncate(fd, there - 1), 0);
    assert_int_not_equal(ftruncate(fd, 0), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), there);
    board_free(board, fd);
}

/* A limit of what may be written to files is none of memory. */
TEST(a_limit_of_files_is_none_of_it)
{
    int fd;
    struct rlimit before, after, small_files = {4096, RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small_files.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small_files), 0);
    struct board *board = board_make(&fd);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &after), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_non_null(board);
    assert_int_equal(after.rlim_cur, small_files.rlim_cur);
    board_free(board, fd);
}

TEST(both_ends_see_the_same)
{
    int fd;
    struct board *one = make(true, &fd), *other = board_open(fd);
    assert_non_null(other);
    assert_true(one != other && board_make_room(one, &matmul_op, &large));
    strcpy(one->text, "as said");
    other->data[100000] = 7;
    assert_string_equal(other->text, "as said");
    assert_int_equal(one->data[100000], 7);
    board_free(other, -1);
    board_free(one, fd);
}

/* Each on pages of its own, in which all of it can be written; and what was said on the board stays. */
TEST(buffers_lie_behind_each_other)
{
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        int fd;
        struct buffer_spec specs[OP_BUFFERS_MAX];
        void *host[OP_BUFFERS_MAX];
        struct board *board = make(is_shared, &fd);
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
        board_free(board, fd);
    }
}

/* Larger or smaller than the last one. */
TEST(a_new_problem_finds_zeros)
{
    static const struct workload *const sizes[] = {&small, &large, &large, &small, &large};
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        int fd;
        struct board *board = make(is_shared, &fd);
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
        board_free(board, fd);
    }
}

TEST(more_than_the_machine_has_is_refused)
{
    static const struct workload huge = {"huge", {1, INT64_C(1) << 28, INT64_C(1) << 28}, 0};
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        int fd;
        struct board *board = make(is_shared, &fd);
        assert_false(board_make_room(board, &matmul_op, &huge));
        assert_true(board_make_room(board, &matmul_op, &small));
        board_free(board, fd);
    }
}

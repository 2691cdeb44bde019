#define _GNU_SOURCE /* memfd_create(), MADV_REMOVE */
#include "board.h"

#include "bench/base/host.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PRIVATE = -1, SMALL_BYTES = 1 << 20 };

/* Takes addresses for as much as the machine has, and memory for what is used alone. */
static size_t window_bytes(void)
{
    return sizeof(struct board) + (size_t)sysconf(_SC_PHYS_PAGES) * host_page_bytes();
}

static struct board *map(int fd)
{
    int kind = fd == PRIVATE ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *memory = mmap(NULL, window_bytes(), PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* It is no file: what limits the size of these (ulimit -f) is not meant. */
static bool make_window(int fd)
{
    struct rlimit before = {RLIM_INFINITY, RLIM_INFINITY};
    (void)getrlimit(RLIMIT_FSIZE, &before);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}) != 0)
        (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){before.rlim_max, before.rlim_max});
    bool ok = ftruncate(fd, (off_t)window_bytes()) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0;
    (void)setrlimit(RLIMIT_FSIZE, &before);
    return ok;
}

struct board *board_make(int *fd)
{
    if (!fd)
        return map(PRIVATE);
    *fd = memfd_create("rungbench_board", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct board *board = *fd >= 0 && make_window(*fd) ? map(*fd) : NULL;
    if (!board && *fd >= 0)
        close(*fd);
    return board;
}

struct board *board_open(int fd)
{
    return map(fd);
}

void board_free(struct board *board, int fd)
{
    if (!board)
        return;
    (void)munmap(board, window_bytes());
    if (fd != PRIVATE)
        close(fd);
}

size_t board_place(struct board *board, const struct op *op, const struct workload *workload,
                   struct buffer_spec specs[OP_BUFFERS_MAX], void *host[OP_BUFFERS_MAX])
{
    size_t count = op_buffers(op, workload, specs), at = 0;
    for (size_t i = 0; i < count; at += host_whole_pages(specs[i++].bytes))
        host[i] = board->data + at;
    return count;
}

bool board_make_room(struct board *board, int fd, const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op_buffers(op, workload, specs), bytes = sizeof *board;
    for (size_t i = 0; i < count; i++)
        bytes += host_whole_pages(specs[i].bytes);
    if (bytes > window_bytes())
        return false;
    const size_t used = *(const volatile size_t *)&board->used_bytes; /* the player may change it */
    const bool was_small = used <= SMALL_BYTES;
    if (was_small) /* to give pages back and to take them anew takes longer */
        memset(board->data, 0, used);
    board->used_bytes = bytes - sizeof *board;
    return was_small ||
           madvise(board->data, window_bytes() - sizeof *board, fd == PRIVATE ? MADV_DONTNEED : MADV_REMOVE) == 0;
}

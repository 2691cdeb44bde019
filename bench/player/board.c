#define _GNU_SOURCE /* memfd_create(), MADV_REMOVE */
#include "board.h"

#include "bench/base/host.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Takes addresses for as much as the machine has, and memory for what is used alone. */
static size_t window_bytes(void)
{
    return sizeof(struct board) + (size_t)sysconf(_SC_PHYS_PAGES) * host_page_bytes();
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
    *fd = memfd_create("rungbench_board", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct board *board = *fd >= 0 && make_window(*fd) ? board_open(*fd) : NULL;
    if (!board && *fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    return board;
}

struct board *board_open(int fd)
{
    void *memory = mmap(NULL, window_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void board_free(struct board *board, int fd)
{
    if (board)
        (void)munmap(board, window_bytes());
    if (fd >= 0)
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

bool board_make_room(struct board *board, const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    const size_t room = window_bytes() - sizeof *board, count = op_buffers(op, workload, specs);
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += host_whole_pages(specs[i].bytes);
    return bytes <= room && madvise(board->data, room, MADV_REMOVE) == 0;
}

struct span board_outputs(const struct op *op, const struct workload *workload, void *const host[OP_BUFFERS_MAX])
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    const size_t first = op_output(op), last = op_buffers(op, workload, specs) - 1;
    const char *end = (const char *)host[last] + specs[last].bytes;
    return (struct span){host[first], (size_t)(end - (const char *)host[first])};
}

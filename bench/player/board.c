#define _GNU_SOURCE /* MADV_REMOVE, SHM_NORESERVE */
#include "board.h"

#include "bench/base/host.h"

#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

enum { PRIVATE = -1 };

/* Takes addresses for as much as the machine has, and memory for what is used alone. */
static size_t window_bytes(void)
{
    return sizeof(struct board) + (size_t)sysconf(_SC_PHYS_PAGES) * host_page_bytes();
}

static struct board *attach(int id)
{
    void *memory = shmat(id, NULL, 0);
    return memory == (void *)-1 ? NULL : memory; // NOLINT(performance-no-int-to-ptr): what it returns
}

/* Gone when the last process has ended that sees it. */
static struct board *make_shared(int *id)
{
    *id = shmget(IPC_PRIVATE, window_bytes(), IPC_CREAT | SHM_NORESERVE | 0600);
    struct board *board = *id < 0 ? NULL : attach(*id);
    if (*id >= 0)
        (void)shmctl(*id, IPC_RMID, NULL);
    return board;
}

struct board *board_make(int *id)
{
    if (id)
        return make_shared(id);
    void *memory =
        mmap(NULL, window_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

struct board *board_open(int id)
{
    return attach(id);
}

void board_free(struct board *board, int id)
{
    if (board && id != PRIVATE)
        (void)shmdt(board);
    else if (board)
        (void)munmap(board, window_bytes());
}

static size_t whole_pages(size_t bytes)
{
    size_t page = host_page_bytes();
    return (bytes + page - 1) / page * page;
}

size_t board_place(struct board *board, const struct op *op, const struct workload *workload,
                   struct buffer_spec specs[OP_BUFFERS_MAX], void *host[OP_BUFFERS_MAX])
{
    size_t count = op->buffers(workload, specs), at = 0;
    for (size_t i = 0; i < count; at += whole_pages(specs[i++].bytes))
        host[i] = board->data + at;
    return count;
}

bool board_make_room(struct board *board, int id, const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs), bytes = sizeof *board;
    for (size_t i = 0; i < count; i++)
        bytes += whole_pages(specs[i].bytes);
    return bytes <= window_bytes() &&
           madvise(board->data, window_bytes() - sizeof *board, id == PRIVATE ? MADV_DONTNEED : MADV_REMOVE) == 0;
}

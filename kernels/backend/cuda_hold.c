/* Holds: work that is queued does not start until the host has queued all of it. */
#include "cuda_parts.h"

#include <stdatomic.h>

static uint64_t holds; /* the number of the latest hold */

const char *cuda_open_hold(void)
{
    holds = 0;
    return cuda_check(cuda_queue_hold(cuda.gpu_board, 0, cuda.stream), "launch of the kernel that holds");
}

const char *cuda_hold(void)
{
    holds++;
    return cuda_check(cuda_queue_hold(cuda.gpu_board, holds, cuda.stream), "launch of the kernel that holds");
}

/* Reads `lapsed`, then releases. While `lapsed` is not set, no held work has started (see hold_kernel), so all of it
 * was queued in time. A hold that lapses between the two steps does no harm. */
const char *cuda_let_go(bool *lapsed)
{
    *lapsed = cuda.board->lapsed > cuda.board->released;
    atomic_thread_fence(memory_order_seq_cst);
    cuda.board->released = holds;
    return NULL;
}

void cuda_end_holds(void)
{
    if (cuda.board)
        cuda.board->released = holds;
}

#include "verify.h"

#include "verify_alignments.h"
#include "verify_orders.h"
#include "verify_repeats.h"
#include "verify_sizes.h"

void verify_run(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference, bool held,
                struct check *check)
{
    if (!held && verify_has_orders(buffers->backend))
        verify_orders(rung, buffers, host, reference, check);
    else
        verify_answer(rung, buffers, host, reference, held ? CALL_HELD : CALL_AWAITED, check);
}

void verify_ragged(const struct rung *rung, uint64_t seed, struct check *check)
{
    *check = verify_none();
    verify_sizes(rung, seed, check);
    if (check->correct)
        verify_repeats(rung, seed, check);
    if (check->correct)
        verify_alignments(rung, seed, check);
}

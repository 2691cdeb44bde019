#include "device_problem.h"

static void unpin_first(struct placed *placed, size_t count)
{
    for (size_t i = 0; i < count && placed->backend->unpin; i++)
        placed->backend->unpin(placed->prepared->host[i]);
    placed->pinned = false;
}

static const char *pin_all(struct placed *placed)
{
    const struct prepared *prepared = placed->prepared;
    for (size_t i = 0; i < prepared->count && placed->backend->pin; i++) {
        const char *trouble = placed->backend->pin(prepared->host[i], prepared->specs[i].bytes);
        if (trouble) {
            unpin_first(placed, i);
            return trouble;
        }
    }
    placed->pinned = true;
    return NULL;
}

const char *placed_pin(struct placed *placed, bool pinned)
{
    if (placed->pinned == pinned)
        return NULL;
    if (pinned)
        return pin_all(placed);
    unpin_first(placed, placed->prepared->count);
    return NULL;
}

const char *placed_move(struct placed *placed, const struct prepared *prepared, const struct backend *backend)
{
    if (placed->backend == backend)
        return NULL;
    placed_leave(placed);
    const char *trouble = buffers_make(&placed->buffers, backend, prepared->op, prepared->workload);
    if (trouble)
        return trouble;
    placed->backend = backend;
    placed->prepared = prepared;
    return NULL;
}

void placed_leave(struct placed *placed)
{
    if (!placed->backend)
        return;
    (void)placed_pin(placed, false); /* unpinning cannot fail */
    buffers_free(&placed->buffers);
    placed->backend = NULL;
}

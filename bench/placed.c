#include "placed.h"

/* Pins all host memory of the workload, or none of it. */
static const char *pin_all(const struct prepared *prepared, const struct backend *backend)
{
    for (size_t i = 0; i < prepared->count && backend->pin; i++) {
        const char *trouble = backend->pin(prepared->host[i], prepared->specs[i].bytes);
        if (trouble) {
            while (i-- > 0)
                backend->unpin(prepared->host[i]);
            return trouble;
        }
    }
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
    trouble = pin_all(prepared, backend);
    if (trouble) {
        buffers_free(&placed->buffers);
        return trouble;
    }
    placed->backend = backend;
    placed->prepared = prepared;
    return NULL;
}

void placed_leave(struct placed *placed)
{
    if (!placed->backend)
        return;
    for (size_t i = 0; i < placed->prepared->count && placed->backend->unpin; i++)
        placed->backend->unpin(placed->prepared->host[i]);
    buffers_free(&placed->buffers);
    placed->backend = NULL;
}

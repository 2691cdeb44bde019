#include "verify_leaks.h"

#include "verify_once.h"

#include <stdint.h>
#include <stdio.h>

/* Others allocate too: threads of libraries, and on a GPU other processes. Only a leak grows every time, and each time
 * by as much, within a page of a GPU's memory. */
enum { BATCHES = 8, GRANULE = 2 << 20 };

static const char *call(const struct rung *rung, const struct buffers *buffers, int times)
{
    const char *error = NULL;
    for (int i = 0; i < times && !error; i++)
        error = rung->run(buffers->problem, buffers->backend->stream());
    const char *failed = buffers->backend->finish();
    return error ? error : failed;
}

void verify_leaks(const struct rung *rung, const struct buffers *buffers, struct check *check)
{
    const struct backend *backend = buffers->backend;
    if (!backend->held_memory)
        return;
    size_t first = backend->held_memory(), before = first, least = SIZE_MAX, most = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        const char *error = call(rung, buffers, backend->leak_calls);
        size_t now = backend->held_memory();
        if (error) {
            verify_fail(check, "failed: ", error);
            return;
        }
        if (now <= before)
            return;
        least = now - before < least ? now - before : least;
        most = now - before > most ? now - before : most;
        if (most - least > GRANULE)
            return;
        before = now;
    }
    char kept[96];
    snprintf(kept, sizeof kept, "%zu bytes more are allocated after %d calls", before - first,
             BATCHES * backend->leak_calls);
    verify_fail(check, "leaks memory: ", kept);
}

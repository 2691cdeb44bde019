#include "device_problem.h"

static void unpin_first(struct device_problem *device_problem, size_t count)
{
    for (size_t i = 0; i < count && device_problem->backend->unpin; i++)
        device_problem->backend->unpin(device_problem->host_problem->host[i]);
    device_problem->pinned = false;
}

static const char *pin_all(struct device_problem *device_problem)
{
    const struct host_problem *host_problem = device_problem->host_problem;
    for (size_t i = 0; i < host_problem->count && device_problem->backend->pin; i++) {
        const char *error = device_problem->backend->pin(host_problem->host[i], host_problem->specs[i].bytes);
        if (error) {
            unpin_first(device_problem, i);
            return error;
        }
    }
    device_problem->pinned = true;
    return NULL;
}

const char *device_problem_pin(struct device_problem *device_problem, bool pinned)
{
    if (device_problem->pinned == pinned)
        return NULL;
    if (pinned)
        return pin_all(device_problem);
    unpin_first(device_problem, device_problem->host_problem->count);
    return NULL;
}

const char *device_problem_move(struct device_problem *device_problem, const struct host_problem *host_problem,
                                const struct backend *backend)
{
    if (device_problem->backend == backend)
        return NULL;
    device_problem_leave(device_problem);
    const char *error = buffers_make(&device_problem->buffers, backend, host_problem->op, host_problem->workload);
    if (error)
        return error;
    device_problem->backend = backend;
    device_problem->host_problem = host_problem;
    return NULL;
}

void device_problem_leave(struct device_problem *device_problem)
{
    if (!device_problem->backend)
        return;
    (void)device_problem_pin(device_problem, false); /* unpinning cannot fail */
    buffers_free(&device_problem->buffers);
    device_problem->backend = NULL;
}

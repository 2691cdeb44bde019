#include "devices.h"

#include "buffers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

bool devices_have(const struct registry *registry, const char *flag, int device, struct error *error)
{
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend_entry *entry = &registry->backends[i];
        if (!entry->separate_memory || (entry->backend && !entry->backend->device_count))
            continue;
        if (!entry->backend)
            return error_set(error, "%s=%d: there is no such device, this program was built without %s", flag, device,
                             entry->label);
        int count = entry->backend->device_count();
        if (device >= count)
            return error_set(error, "%s=%d: there is no such device; %d usable %s %s found", flag, device, count,
                             entry->label, count == 1 ? "device was" : "devices were");
    }
    return true;
}

static void open_one(struct device *device, const struct backend_settings *settings)
{
    const struct backend *backend = device->entry->backend;
    if (!backend) {
        snprintf(device->reason, sizeof device->reason, "built without %s", device->entry->label);
        return;
    }
    const char *error = backend->open(settings);
    if (error) {
        snprintf(device->reason, sizeof device->reason, "%s", error);
        return;
    }
    device->usable = true;
    backend->describe(&device->info);
    device->orders = backend->simulator ? backend->simulator->order_count() : 1;
}

bool devices_open(const struct registry *registry, const struct backend_settings *settings, struct devices *devices,
                  struct error *error)
{
    assert(registry->backend_count <= DEVICES_MAX);
    *devices = (struct devices){.count = registry->backend_count};
    if (settings->device >= 0 && !devices_have(registry, "--device", settings->device, error))
        return false;
    for (size_t i = 0; i < devices->count; i++) {
        devices->items[i].entry = &registry->backends[i];
        open_one(&devices->items[i], settings);
    }
    return true;
}

void devices_close(struct devices *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i].usable)
            devices->items[i].entry->backend->close();
    devices->count = 0;
}

const struct device *devices_find(const struct devices *devices, const struct backend_entry *entry)
{
    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i].entry == entry)
            return &devices->items[i];
    return NULL;
}

const struct device *devices_host(const struct devices *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        if (devices->items[i].usable && !devices->items[i].entry->separate_memory)
            return &devices->items[i];
    return NULL;
}

bool device_has_memory(const struct device *device, size_t needed, struct error *reason)
{
    size_t there = device->entry->backend->free_memory();
    return needed <= there || error_set(reason, "too large: needs %.3g GB of %s memory, %.3g GB are free",
                                        (double)needed * 1e-9, device->entry->label, (double)there * 1e-9);
}

static bool fits_int(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    const size_t count = op_buffers(op, workload, specs);
    for (size_t i = 0; i < count; i++)
        if (specs[i].bytes / element_bytes(specs[i].type) > INT32_MAX)
            return false;
    return true;
}

void device_fit(const struct device *device, const struct op *op, struct workload *workload)
{
    if (op->message && device->info.cards > 0 && workload->size[0] > device->info.cards)
        workload->size[0] = device->info.cards;
}

bool feasible_rung(const struct devices *devices, const struct rung *rung, const struct workload *workload,
                   struct error *reason)
{
    const struct device *device = devices_find(devices, rung->backend);
    struct op_cost cost = op_cost(rung->op, workload);
    if (!rung->run)
        return error_set(reason, "%s", rung->unavailable);
    if (!op_fits(rung->op, rung->only, workload))
        return error_set(reason, "its sizes are not those that this kernel takes: %s", rung->only);
    if (!device->usable)
        return error_set(reason, "%s", device->reason);
    const char *lacking = device->entry->backend->lacks ? device->entry->backend->lacks(rung->traits) : NULL;
    if (lacking)
        return error_set(reason, "%s", lacking);
    if ((rung->traits & RUNG_SLOW) != 0 && cost.flops > FEASIBLE_SLOW_FLOP_LIMIT)
        return error_set(reason, "too slow: %.3g operations, and this rung's limit is %g", cost.flops,
                         FEASIBLE_SLOW_FLOP_LIMIT);
    if (rung->backend->simulates && op_work(rung->op, workload) > FEASIBLE_SIMULATED_LIMIT)
        return error_set(reason, "too slow: %.3g operations and bytes, and a simulated rung's limit is %g",
                         op_work(rung->op, workload), FEASIBLE_SIMULATED_LIMIT);
    if ((rung->traits & RUNG_INT_SIZES) != 0 && !fits_int(rung->op, workload))
        return error_set(reason, "too large: a buffer has 2^31 elements or more, and this rung takes sizes as int");
    struct workload fitted = *workload;
    device_fit(device, rung->op, &fitted);
    if (fitted.size[0] != workload->size[0])
        return error_set(reason, "needs %" PRId64 " GPUs, %" PRId64 " are there", workload->size[0],
                         device->info.cards);
    return device_has_memory(device, buffers_bytes(rung->op, workload), reason);
}

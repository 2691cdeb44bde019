#include "devices.h"

#include <assert.h>
#include <stdio.h>

/* For --device=N: some backend must have more than N devices. */
static bool check_device_number(const struct registry *registry, int device, struct error *error)
{
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend_entry *entry = &registry->backends[i];
        if (!entry->separate_memory)
            continue;
        if (!entry->backend)
            return error_set(error, "--device=%d: there is no such device, this program was built without %s", device,
                             entry->label);
        int count = entry->backend->device_count();
        if (device >= count)
            return error_set(error, "--device=%d: there is no such device; %d usable %s %s found", device, count,
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
    if (settings->device >= 0 && !check_device_number(registry, settings->device, error))
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

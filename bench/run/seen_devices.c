#include "seen_devices.h"

#include <stdlib.h>
#include <string.h>

struct seen_device {
    struct seen_device *next;
    struct device_info info;
};

const struct device_info *seen_devices_keep(struct seen_device **devices, const struct device_info *info)
{
    for (const struct seen_device *seen = *devices; seen; seen = seen->next)
        if (memcmp(&seen->info, info, sizeof *info) == 0)
            return &seen->info;
    struct seen_device *more = malloc(sizeof *more);
    if (!more)
        return NULL;
    *more = (struct seen_device){*devices, *info};
    *devices = more;
    return &more->info;
}

void seen_devices_free(struct seen_device *devices)
{
    while (devices) {
        struct seen_device *next = devices->next;
        free(devices);
        devices = next;
    }
}

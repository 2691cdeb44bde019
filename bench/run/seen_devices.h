/* The devices that results came from. */
#pragma once

#include "bench/table/backend.h"

struct seen_device; /* NULL: none yet */

/* A copy of the device, which stays until the list is freed; NULL where memory ran out. */
const struct device_info *seen_devices_keep(struct seen_device **devices, const struct device_info *info);
void seen_devices_free(struct seen_device *devices);

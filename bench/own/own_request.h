/* What was asked for: --kernel and the flags beside it. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

enum { OWN_KERNELS_MAX = 16 };

struct own_texts {
    const char *items[OWN_KERNELS_MAX];
    size_t count;
};

struct own_request {
    struct own_texts paths;
    /* The values of the flags that own_kernels_flags() has added in the process that has started this one; none in the
     * first process. */
    struct own_texts objects;
    const struct op *op; /* NULL: that of the function's name, or the first of the registry */
    bool simulate;       /* on a simulator, though there may be a device */
    int device;          /* of the backend's settings */
};

/* Asynchronous copies of a thread: CUDA C++ Programming Guide, "Pipeline Primitives Interface". */
#pragma once

#include "simt_copies.h"

/* The last `zeros` of the bytes become 0. */
static inline void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes, size_t zeros = 0,
                                           SIMT_CALLER)
{
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes)
        sim_stop({file, line}, "copies %zu bytes, %zu of them zeros, expected 4, 8 or 16", bytes, zeros);
    if (simt::copy_unit(shared, zeros < bytes ? global : nullptr, bytes) != bytes)
        sim_stop({file, line}, "copies %zu bytes from or to an address that is no multiple of %zu", bytes, bytes);
    simt::copy_share({file, line}, shared, global, bytes - zeros, 0, 1);
    simt::copy_share({file, line}, static_cast<char *>(shared) + (bytes - zeros), nullptr, zeros, 0, 1);
}

static inline void __pipeline_commit()
{
    sim_copy_commit();
}

static inline void __pipeline_wait_prior(size_t groups_left)
{
    sim_copy_wait((unsigned)groups_left);
}

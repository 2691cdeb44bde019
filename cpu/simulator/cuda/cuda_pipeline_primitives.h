/* Asynchronous copies of a thread: CUDA C++ Programming Guide, "Pipeline Primitives Interface". The engine has copies
 * of 1, 2, 4, 8 or 16 bytes. */
#pragma once

#include "simt_memory.h"

namespace simt
{
/* The largest of them that these addresses and sizes are multiples of. */
inline size_t copy_unit(const void *to, const void *from, size_t bytes)
{
    const size_t all = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes | 16;
    return all & -all;
}

/* The thread `rank` of `threads` asks for its share. `from` NULL: zeros. */
inline void copy_share(sim_place place, void *to, const void *from, size_t bytes, size_t rank, size_t threads)
{
    const size_t unit = copy_unit(to, from, bytes);
    for (size_t at = rank * unit; at < bytes; at += threads * unit)
        sim_copy_ask(place, static_cast<char *>(to) + at, from ? static_cast<const char *>(from) + at : nullptr, unit);
}
} // namespace simt

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
    sim_copy_commit(SIM_ASYNC);
}

static inline void __pipeline_wait_prior(size_t groups_left)
{
    sim_copy_wait(SIM_ASYNC, (unsigned)groups_left);
}

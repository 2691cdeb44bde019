/* Copies of any size by the asynchronous copies of the engine, which are of 1, 2, 4, 8 or 16 bytes. */
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

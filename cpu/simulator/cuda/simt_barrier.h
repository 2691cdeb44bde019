/* cuda::barrier in shared memory, and the bulk copies that report to it (libcu++, "cuda::barrier"; CUDA C++ Programming
 * Guide, "Tensor Memory Access"). A token is the parity of a phase. */
#pragma once

#include "cpu/simulator/sim_async.h"
#include "cpu/simulator/sim_copy.h"
#include "cpu/simulator/sim_proxy.h"
#include "cuda.h"

#include <cstddef>

namespace cuda
{
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

template <thread_scope>
struct barrier {
    using arrival_token = uint32_t;
    uint64_t native;

    arrival_token arrive(std::ptrdiff_t count = 1, SIMT_CALLER)
    {
        return sim_mbarrier_arrive({file, line}, &native, (uint32_t)count, 0);
    }
    void wait(arrival_token token, SIMT_CALLER) const
    {
        sim_mbarrier_wait({file, line}, &native, token);
    }
    void wait_parity(bool parity, SIMT_CALLER) const
    {
        sim_mbarrier_wait({file, line}, &native, parity);
    }
    void arrive_and_wait(SIMT_CALLER)
    {
        wait(arrive(1, file, line), file, line);
    }
    friend void init(barrier *made, std::ptrdiff_t count, SIMT_CALLER)
    {
        sim_mbarrier_make({file, line}, &made->native, (uint32_t)count);
    }
};

namespace device
{
using block_barrier = barrier<thread_scope_block>;

inline uint64_t *barrier_native_handle(block_barrier &of)
{
    return &of.native;
}

inline uint32_t barrier_arrive_tx(block_barrier &at, std::ptrdiff_t count, std::ptrdiff_t bytes, SIMT_CALLER)
{
    return sim_mbarrier_arrive({file, line}, &at.native, (uint32_t)count, (uint32_t)bytes);
}

inline void barrier_expect_tx(block_barrier &at, std::ptrdiff_t bytes, SIMT_CALLER)
{
    sim_mbarrier_arrive({file, line}, &at.native, 0, (uint32_t)bytes);
}

namespace experimental
{
inline void fence_proxy_async_shared_cta()
{
    sim_proxy_fence();
}

inline void cp_async_bulk_commit_group()
{
    sim_copy_commit(SIM_BULK);
}

template <int LEFT>
void cp_async_bulk_wait_group_read()
{
    sim_copy_wait(SIM_BULK, LEFT);
}

inline void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t bytes, block_barrier &at, SIMT_CALLER)
{
    sim_bulk_load({file, line}, to, from, bytes, &at.native);
}

inline void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes, SIMT_CALLER)
{
    sim_bulk_store({file, line}, to, from, bytes);
}

#define SIMT_BOXES(rank, parameters, ...)                                                                             \
    inline void cp_async_bulk_tensor_##rank##d_global_to_shared(void *to, const CUtensorMap *map, parameters,         \
                                                                block_barrier &at, SIMT_CALLER)                       \
    {                                                                                                                 \
        const int32_t first[] = {__VA_ARGS__};                                                                        \
        const sim_box box = sim_box_of({file, line}, map, rank, first);                                               \
        sim_box_load({file, line}, to, &box, &at.native);                                                             \
    }                                                                                                                 \
    inline void cp_async_bulk_tensor_##rank##d_shared_to_global(const CUtensorMap *map, parameters, const void *from, \
                                                                SIMT_CALLER)                                          \
    {                                                                                                                 \
        const int32_t first[] = {__VA_ARGS__};                                                                        \
        const sim_box box = sim_box_of({file, line}, map, rank, first);                                               \
        sim_box_store({file, line}, &box, const_cast<void *>(from));                                                  \
    }
#define SIMT_1 int a
#define SIMT_2 SIMT_1, int b
#define SIMT_3 SIMT_2, int c
#define SIMT_4 SIMT_3, int d
#define SIMT_5 SIMT_4, int e
SIMT_BOXES(1, SIMT_1, a)
SIMT_BOXES(2, SIMT_2, a, b)
SIMT_BOXES(3, SIMT_3, a, b, c)
SIMT_BOXES(4, SIMT_4, a, b, c, d)
SIMT_BOXES(5, SIMT_5, a, b, c, d, e)
#undef SIMT_BOXES
#undef SIMT_1
#undef SIMT_2
#undef SIMT_3
#undef SIMT_4
#undef SIMT_5
} // namespace experimental
} // namespace device
} // namespace cuda

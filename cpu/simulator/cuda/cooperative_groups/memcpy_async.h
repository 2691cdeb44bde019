/* Copies by all threads of a group; each copy is a group of the thread's asynchronous copies. */
#pragma once

#include "cpu/simulator/cuda/cooperative_groups.h"
#include "cpu/simulator/cuda/cuda_pipeline_primitives.h"

namespace cooperative_groups
{
/* `bytes`: a number, or a cuda::aligned_size_t. */
template <typename Group, typename T>
void memcpy_async(const Group &group, T *to, const T *from, size_t bytes, SIMT_CALLER)
{
    simt::copy_share({file, line}, to, from, bytes, (size_t)group.thread_rank(), (size_t)group.size());
    sim_copy_commit(SIM_ASYNC);
}

/* Elements. */
template <typename Group, typename T>
void memcpy_async(const Group &group, T *to, size_t to_count, const T *from, size_t from_count, SIMT_CALLER)
{
    const size_t count = to_count < from_count ? to_count : from_count;
    memcpy_async(group, to, from, count * sizeof(T), file, line);
}

template <unsigned LEFT, typename Group>
void wait_prior(const Group &group, SIMT_CALLER)
{
    sim_copy_wait(SIM_ASYNC, LEFT);
    group.sync(file, line);
}

template <typename Group>
SIMT_RETURNS(void, wait, (const Group &group, SIMT_CALLER), wait_prior<0>(group, file, line))
} // namespace cooperative_groups

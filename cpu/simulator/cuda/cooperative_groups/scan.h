/* Each lane of a group gets what the lanes before it bring, and the inclusive ones its own, joined by `change`. */
#pragma once

#include "cpu/simulator/cuda/cooperative_groups.h"

namespace cooperative_groups
{
template <typename Group, typename T, typename F = plus<T>>
T inclusive_scan(const Group &group, T value, F change = F(), SIMT_CALLER)
{
    const simt::gathered<T> all(group.lanes(), value, "inclusive_scan", {file, line});
    return simt::joined(all, group.thread_rank() + 1, change);
}

/* The first lane gets T(): CUDA promises that for sums alone. */
template <typename Group, typename T, typename F = plus<T>>
T exclusive_scan(const Group &group, T value, F change = F(), SIMT_CALLER)
{
    const simt::gathered<T> all(group.lanes(), value, "exclusive_scan", {file, line});
    return group.thread_rank() == 0 ? T() : simt::joined(all, group.thread_rank(), change);
}
} // namespace cooperative_groups

/* Each lane of a group gets what all of them bring, joined by `change`; in the order of their ranks. */
#pragma once

#include "cpu/simulator/cuda/cooperative_groups.h"

namespace cooperative_groups
{
template <typename Group, typename T, typename F>
T reduce(const Group &group, T value, F change, SIMT_CALLER)
{
    const simt::gathered<T> all(group.lanes(), value, "reduce", {file, line});
    return simt::joined(all, all.count, change);
}
} // namespace cooperative_groups

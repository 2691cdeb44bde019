/* Memory as kernels use it: loads and stores with a cache hint, atomics, and asynchronous copies. */
#pragma once

#include "cpu/simulator/sim_access.h"
#include "cpu/simulator/sim_copy.h"
#include "cpu/simulator/sim_shared.h"
#include "simt_plain.h"
#include "simt_threads.h"
#include "simt_types.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

SIMT_RETURNS(size_t, __cvta_generic_to_shared, (const void *memory), sim_shared_address(memory))
SIMT_RETURNS(void *, __cvta_shared_to_generic, (size_t address), sim_shared_memory((uint32_t)address))

namespace simt
{
template <typename T>
using same = typename std::common_type<T>::type; /* T is not deduced from such an argument */

template <typename T, typename F>
SIMT_PLAIN T exchange(sim_place place, const char *operation, T *address, F change)
{
    sim_atomic_begin(place, operation, address, sizeof *address);
    T old = *address;
    *address = change(old);
    sim_atomic_end();
    return old;
}
} // namespace simt

#define SIMT_LOAD(name)                  \
    template <typename T>                \
    SIMT_INLINE T name(const T *address) \
    {                                    \
        return *address;                 \
    }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)

#define SIMT_STORE(name)                                   \
    template <typename T>                                  \
    SIMT_INLINE void name(T *address, simt::same<T> value) \
    {                                                      \
        *address = value;                                  \
    }
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwb)
SIMT_STORE(__stwt)

namespace simt
{
template <typename T, typename... Types>
constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);
} // namespace simt

/* Other blocks wait (sim_crew.h), so plain code is atomic. After the new value: the types (CUDA C++ Programming Guide,
 * "Atomic Functions"). A function of that name for a type of its own can be added by its header. */
#define SIMT_ATOMIC_IN(name, new_value, ...)                                            \
    template <typename T, typename = std::enable_if_t<simt::is_one_of<T, __VA_ARGS__>>> \
    T name(T *address, simt::same<T> value, SIMT_CALLER)                                \
    {                                                                                   \
        auto change = [&](T old) SIMT_PLAIN { return static_cast<T>(new_value); };      \
        return simt::exchange({file, line}, #name, address, change);                    \
    }
#define SIMT_ATOMIC(name, ...)                \
    SIMT_ATOMIC_IN(name, __VA_ARGS__)         \
    SIMT_ATOMIC_IN(name##_block, __VA_ARGS__) \
    SIMT_ATOMIC_IN(name##_system, __VA_ARGS__)
SIMT_ATOMIC(atomicAdd, old + value, int, unsigned, unsigned long long, float, double)
SIMT_ATOMIC(atomicSub, old - value, int, unsigned)
SIMT_ATOMIC(atomicMin, value < old ? value : old, int, unsigned, long long, unsigned long long)
SIMT_ATOMIC(atomicMax, old < value ? value : old, int, unsigned, long long, unsigned long long)
SIMT_ATOMIC(atomicAnd, old &value, int, unsigned, unsigned long long)
SIMT_ATOMIC(atomicOr, old | value, int, unsigned, unsigned long long)
SIMT_ATOMIC(atomicXor, old ^ value, int, unsigned, unsigned long long)
SIMT_ATOMIC(atomicInc, old >= value ? 0 : old + 1, unsigned)
SIMT_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
SIMT_ATOMIC(atomicExch, (static_cast<void>(old), value), int, unsigned, unsigned long long, float)

#define SIMT_ATOMIC_CAS(name)                                                                                     \
    template <typename T,                                                                                         \
              typename = std::enable_if_t<simt::is_one_of<T, int, unsigned, unsigned long long, unsigned short>>> \
    T name(T *address, simt::same<T> compare, simt::same<T> value, SIMT_CALLER)                                   \
    {                                                                                                             \
        auto change = [&](T old) SIMT_PLAIN { return old == compare ? value : old; };                             \
        return simt::exchange({file, line}, #name, address, change);                                              \
    }
SIMT_ATOMIC_CAS(atomicCAS)
SIMT_ATOMIC_CAS(atomicCAS_block)
SIMT_ATOMIC_CAS(atomicCAS_system)

/* Each element by itself. */
SIMT_RETURNS(float2, atomicAdd, (float2 * address, float2 value, SIMT_CALLER),
             {atomicAdd(&address->x, value.x, file, line), atomicAdd(&address->y, value.y, file, line)})

inline float4 atomicAdd(float4 *address, float4 value, SIMT_CALLER)
{
    return {atomicAdd(&address->x, value.x, file, line), atomicAdd(&address->y, value.y, file, line),
            atomicAdd(&address->z, value.z, file, line), atomicAdd(&address->w, value.w, file, line)};
}

SIMT_RETURNS(void, __threadfence, (), void())
SIMT_RETURNS(void, __threadfence_block, (), void())
SIMT_RETURNS(void, __threadfence_system, (), void())

/* These are described in kernels/device.h. */
template <typename T>
void copy_async_or_zero(T *shared, const T *global, bool valid, SIMT_CALLER)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "copies are of 4, 8 or 16 bytes");
    sim_copy_ask({file, line}, shared, valid ? global : nullptr, sizeof(T));
}

template <typename T>
void copy_async_if(T *shared, const T *global, bool there, SIMT_CALLER)
{
    if (there)
        copy_async_or_zero(shared, global, true, file, line);
}

inline void copy_async_wait(unsigned groups_left, SIMT_CALLER)
{
    if (groups_left > 8)
        sim_stop({file, line}, "waits for all but %u groups of copies, expected 0 to 8", groups_left);
    sim_copy_wait(SIM_ASYNC, groups_left);
}

template <typename T>
SIMT_RETURNS(void, copy_async, (T * shared, const T *global, SIMT_CALLER),
             copy_async_or_zero(shared, global, true, file, line))
SIMT_RETURNS(void, copy_async_commit, (), sim_copy_commit(SIM_ASYNC))

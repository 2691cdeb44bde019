/* Memory as kernels use it: shared arrays with checked indexes, loads and stores with a cache hint, atomics, and
 * asynchronous copies. */
#pragma once

#include "cpu/simulator/sim_shared.h"
#include "simt_threads.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/* So that the line of an access is the kernel's. */
#define SIMT_INLINE inline __attribute__((always_inline))

namespace simt
{
/* An index, and the place of its square brackets. */
struct subscript {
    int64_t value;
    sim_place place;

    template <typename I>
    subscript(I i, SIMT_CALLER) : value((int64_t)i), place{file, line}
    {
        static_assert(std::is_integral<I>::value || std::is_enum<I>::value, "an index is a whole number");
    }
};

inline int64_t checked(const char *name, const subscript &at, int size)
{
    if (at.value < 0 || at.value >= size)
        sim_stop(at.place, "index %lld of the shared array %s is out of bounds, expected 0 to %d", (long long)at.value,
                 name, size - 1);
    return at.value;
}

/* A shared array of SIZE x REST... elements, or a row of it. */
template <typename T, int SIZE, int... REST>
struct view {
    static constexpr int row = view<T, REST...>::elements;
    static constexpr int elements = SIZE * row;
    T *first;
    const char *name;

    view<T, REST...> operator[](const subscript &at) const
    {
        return {first + checked(name, at, SIZE) * row, name};
    }
};

template <typename T, int SIZE>
struct view<T, SIZE> {
    static constexpr int elements = SIZE;
    T *first;
    const char *name;

    T &operator[](const subscript &at) const
    {
        return first[checked(name, at, SIZE)];
    }
    T &operator*() const
    {
        return *first;
    }
};

template <typename T, int... SIZES>
struct shared_array {
    sim_shared memory;

    explicit shared_array(const char *name)
        : memory{name, sizeof(T) * (size_t)view<T, SIZES...>::elements, alignof(T), nullptr, 0}
    {
    }
    view<T, SIZES...> here(sim_place place)
    {
        return {static_cast<T *>(sim_shared_here(&memory, place)), memory.name};
    }
};

template <typename T>
using same = typename std::common_type<T>::type; /* T is not deduced from such an argument */

template <typename T, typename F>
SIMT_INLINE T exchange(T *address, F change)
{
    sim_block.in_atomic = true;
    T old = *address;
    *address = change(old);
    sim_block.in_atomic = false;
    return old;
}
} // namespace simt

#define SHARED_ARRAY(T, name, ...)                                  \
    static simt::shared_array<T, __VA_ARGS__> name##_memory(#name); \
    const simt::view<T, __VA_ARGS__> name = name##_memory.here({__FILE__, __LINE__})
#define DYNAMIC_SHARED(T, name) T *name = static_cast<T *>(sim_dynamic_shared({__FILE__, __LINE__}))

#define SIMT_LOAD(name)      \
    template <typename T>    \
    T name(const T *address) \
    {                        \
        return *address;     \
    }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
#undef SIMT_LOAD

#define SIMT_STORE(name)                       \
    template <typename T>                      \
    void name(T *address, simt::same<T> value) \
    {                                          \
        *address = value;                      \
    }
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwb)
SIMT_STORE(__stwt)
#undef SIMT_STORE

/* Only one thread runs at a time, so plain code is atomic. */
#define SIMT_ATOMIC(name, new_value)                                                      \
    template <typename T>                                                                 \
    SIMT_INLINE T name(T *address, simt::same<T> value)                                   \
    {                                                                                     \
        return simt::exchange(address, [&](T old) { return static_cast<T>(new_value); }); \
    }
SIMT_ATOMIC(atomicAdd, old + value)
SIMT_ATOMIC(atomicSub, old - value)
SIMT_ATOMIC(atomicMin, value < old ? value : old)
SIMT_ATOMIC(atomicMax, old < value ? value : old)
SIMT_ATOMIC(atomicAnd, old &value)
SIMT_ATOMIC(atomicOr, old | value)
SIMT_ATOMIC(atomicXor, old ^ value)
SIMT_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef SIMT_ATOMIC

template <typename T>
SIMT_INLINE T atomicExch(T *address, simt::same<T> value)
{
    return simt::exchange(address, [&](T) { return value; });
}

template <typename T>
SIMT_INLINE T atomicCAS(T *address, simt::same<T> compare, simt::same<T> value)
{
    return simt::exchange(address, [&](T old) { return old == compare ? value : old; });
}

static inline void __threadfence()
{
}

static inline void __threadfence_block()
{
}

static inline void __threadfence_system()
{
}

/* These are described in kernels/device.h. */
template <typename T>
void copy_async_or_zero(T *shared, const T *global, bool valid, SIMT_CALLER)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "copies are of 4, 8 or 16 bytes");
    sim_copy_ask({file, line}, shared, valid ? global : nullptr, sizeof(T));
}

template <typename T>
void copy_async(T *shared, const T *global, SIMT_CALLER)
{
    copy_async_or_zero(shared, global, true, file, line);
}

static inline void copy_async_commit()
{
    sim_copy_commit();
}

static inline void copy_async_wait(unsigned groups_left, SIMT_CALLER)
{
    if (groups_left > 8)
        sim_stop({file, line}, "waits for all but %u groups of copies, expected 0 to 8", groups_left);
    sim_copy_wait(groups_left);
}

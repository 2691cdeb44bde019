/* asm statements, as bench/own/spelling.h spells them: SIMT_ASM("text", simt::out(x), simt::in(y)). */
#pragma once

#include "cpu/simulator/sim_access.h"
#include "cpu/simulator/sim_ptx.h"
#include "cpu/simulator/sim_shared.h"
#include "simt_plain.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

#define SIMT_ASM simt::ptx_at({__FILE__, __LINE__})

namespace simt
{
template <typename T>
SIMT_PLAIN sim_ptx_operand out(T &x)
{
    static_assert(sizeof x <= sizeof(uint64_t), "operands of asm have 64 bits at most");
    return {const_cast<std::remove_cv_t<T> *>(&x), sizeof x, 0};
}

template <typename T>
SIMT_PLAIN sim_ptx_operand in(T x)
{
    sim_ptx_operand operand = {nullptr, sizeof x, 0};
    static_assert(sizeof x <= sizeof(uint64_t), "operands of asm have 64 bits at most");
    if constexpr (std::is_integral<T>::value)
        operand.value = static_cast<uint64_t>(x);
    else
        std::memcpy(&operand.value, &x, sizeof x);
    return operand;
}

struct ptx_at {
    sim_place place;
    constexpr ptx_at(sim_place where) : place(where)
    {
    }
    template <typename... Operands>
    SIMT_PLAIN void operator()(const char *text, Operands... operands) const
    {
        const sim_ptx_operand all[] = {operands..., {}};
        sim_ptx(place, text, all, sizeof...(operands));
    }
};
} // namespace simt

/* Other memory has the same address everywhere. */
#define SIMT_SPACE(name)                                                                                   \
    SIMT_RETURNS(size_t, __cvta_generic_to_##name, (const void *memory), reinterpret_cast<size_t>(memory)) \
    SIMT_RETURNS(void *, __cvta_##name##_to_generic, (size_t address), reinterpret_cast<void *>(address))
SIMT_SPACE(global)
SIMT_SPACE(constant)
SIMT_SPACE(local)

SIMT_RETURNS(unsigned, __isShared, (const void *memory), sim_is_shared(memory))
SIMT_RETURNS(unsigned, __isGlobal, (const void *memory), !sim_is_shared(memory))

/* Integer intrinsics (CUDA Math API, "Integer Intrinsics"). */
#pragma once

#include "simt_plain.h"
#include "simt_types.h"

#include <cstdint>

SIMT_RETURNS(int, __popc, (unsigned x), __builtin_popcount(x))
SIMT_RETURNS(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
SIMT_RETURNS(int, __clz, (int x), x == 0 ? 32 : __builtin_clz((unsigned)x))
SIMT_RETURNS(int, __clzll, (long long x), x == 0 ? 64 : __builtin_clzll((unsigned long long)x))
SIMT_RETURNS(int, __ffs, (int x), __builtin_ffs(x))
SIMT_RETURNS(int, __ffsll, (long long x), __builtin_ffsll(x))

inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}

SIMT_RETURNS(unsigned long long, __brevll, (unsigned long long x),
             (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32)))

/* The place of the offset-th 1 from bit `base` on, downwards where it is negative. */
inline unsigned __fns(unsigned mask, unsigned base, int offset)
{
    if (offset == 0)
        return (mask >> (base & 31) & 1) != 0 ? base : 0xFFFFFFFF;
    for (int at = (int)base, left = offset < 0 ? -offset : offset; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if ((mask >> at & 1) != 0 && --left == 0)
            return (unsigned)at;
    return 0xFFFFFFFF;
}

/* Bytes 0 to 7 are those of x and y; the lowest three bits of each digit of the selector say which comes there. */
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++)
        result |= ((unsigned)(bytes >> 8 * (selector >> 4 * i & 7)) & 0xFF) << 8 * i;
    return result;
}

SIMT_RETURNS(unsigned, __funnelshift_l, (unsigned low, unsigned high, unsigned shift),
             (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32))
SIMT_RETURNS(unsigned, __funnelshift_r, (unsigned low, unsigned high, unsigned shift),
             (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31)))
SIMT_RETURNS(unsigned, __funnelshift_lc, (unsigned low, unsigned high, unsigned shift),
             shift >= 32 ? low : __funnelshift_l(low, high, shift))
SIMT_RETURNS(unsigned, __funnelshift_rc, (unsigned low, unsigned high, unsigned shift),
             shift >= 32 ? high : __funnelshift_r(low, high, shift))
SIMT_RETURNS(int, __mulhi, (int a, int b), (int)(static_cast<int64_t>(a) * b >> 32))
SIMT_RETURNS(unsigned, __umulhi, (unsigned a, unsigned b), (unsigned)(static_cast<uint64_t>(a) * b >> 32))

__extension__ typedef __int128 simt_int128;
__extension__ typedef unsigned __int128 simt_uint128;

SIMT_RETURNS(long long, __mul64hi, (long long a, long long b), (long long)(static_cast<simt_int128>(a) * b >> 64))
SIMT_RETURNS(unsigned long long, __umul64hi, (unsigned long long a, unsigned long long b),
             (unsigned long long)(static_cast<simt_uint128>(a) * b >> 64))

/* Of the lowest 24 bits. */
SIMT_RETURNS(int, __mul24, (int a, int b),
             (int)(unsigned)((int64_t)((int)((unsigned)a << 8) >> 8) * ((int)((unsigned)b << 8) >> 8)))
SIMT_RETURNS(unsigned, __umul24, (unsigned a, unsigned b), (a & 0xFFFFFF) * (b & 0xFFFFFF))
SIMT_RETURNS(unsigned, __sad, (int a, int b, unsigned sum),
             sum + (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b))
SIMT_RETURNS(unsigned, __usad, (unsigned a, unsigned b, unsigned sum), sum + (a < b ? b - a : a - b))
SIMT_RETURNS(int, __hadd, (int a, int b), (int)(((int64_t)a + b) >> 1))
SIMT_RETURNS(int, __rhadd, (int a, int b), (int)(((int64_t)a + b + 1) >> 1))
SIMT_RETURNS(unsigned, __uhadd, (unsigned a, unsigned b), (unsigned)(((uint64_t)a + b) >> 1))
SIMT_RETURNS(unsigned, __urhadd, (unsigned a, unsigned b), (unsigned)(((uint64_t)a + b + 1) >> 1))

namespace simt
{
/* sum + the products of the elements of a with those of b from `first` on. */
template <typename A, typename B, typename S, typename W, typename V>
S dot(W a, V b, S sum, unsigned first)
{
    static_assert(sizeof a == 4 && sizeof b == 4, "words");
    A as[4 / sizeof(A)];
    B bs[4 / sizeof(B)];
    __builtin_memcpy(as, &a, sizeof as);
    __builtin_memcpy(bs, &b, sizeof bs);
    unsigned total = (unsigned)sum;
    for (unsigned i = 0; i < sizeof as / sizeof as[0]; i++)
        total += (unsigned)as[i] * (unsigned)bs[first + i];
    return (S)total;
}
} // namespace simt

#define SIMT_DOT(name, W, V, S, A, B, first) \
    SIMT_RETURNS(S, name, (W a, V b, S sum), simt::dot<A, B, S>(a, b, sum, first))
SIMT_DOT(__dp4a, int, int, int, int8_t, int8_t, 0)
SIMT_DOT(__dp4a, unsigned, unsigned, unsigned, uint8_t, uint8_t, 0)
SIMT_DOT(__dp4a, char4, char4, int, int8_t, int8_t, 0)
SIMT_DOT(__dp4a, uchar4, uchar4, unsigned, uint8_t, uint8_t, 0)
SIMT_DOT(__dp2a_lo, int, int, int, int16_t, int8_t, 0)
SIMT_DOT(__dp2a_lo, unsigned, unsigned, unsigned, uint16_t, uint8_t, 0)
SIMT_DOT(__dp2a_lo, short2, char4, int, int16_t, int8_t, 0)
SIMT_DOT(__dp2a_lo, ushort2, uchar4, unsigned, uint16_t, uint8_t, 0)
SIMT_DOT(__dp2a_hi, int, int, int, int16_t, int8_t, 2)
SIMT_DOT(__dp2a_hi, unsigned, unsigned, unsigned, uint16_t, uint8_t, 2)
SIMT_DOT(__dp2a_hi, short2, char4, int, int16_t, int8_t, 2)
SIMT_DOT(__dp2a_hi, ushort2, uchar4, unsigned, uint16_t, uint8_t, 2)

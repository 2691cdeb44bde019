/* Inline PTX, which the simulator interprets: see spell.c. */
#include "ptx.h"
#include "right_kernels.h"

#include "kernels/launch.h"

#include <cuda_fp16.h>

/* Whole numbers: of any bits. */
static __global__ void ptx_integers(const uint32_t *in, uint32_t *out)
{
    const uint32_t t = threadIdx.x, a = in[t], b = in[t + 64], c = in[t + 128];
    const uint64_t wide = (uint64_t)a << 32 | b;
    uint32_t *to = out + 32 * t, w, w2;
    uint64_t l;
    unsigned short h;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(w) : "r"(a), "r"(b), "r"(c));
    to[0] = w;
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(w) : "r"(a), "r"(b));
    to[1] = w;
    asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(w) : "r"(a), "r"(b), "r"(c));
    to[2] = w;
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(l) : "r"(a), "r"(b), "l"(wide));
    to[3] = (uint32_t)l ^ (uint32_t)(l >> 32);
    asm("{ .reg .u32 x<3>;\n"
        "  min.s32 x0, %1, %2;  // the smaller one\n"
        "  max.u32 x1, %1, %2;\n"
        "  sub.s32 x2, x0, x1;\n"
        "  abs.s32 x0, x2; neg.s32 x1, x0;\n"
        "  xor.b32 %0, x1, 0x10; }"
        : "=r"(w)
        : "r"(a), "r"(b));
    to[4] = w;
    asm("shl.b32 %0, %1, %2;" : "=r"(w) : "r"(a), "r"(b % 40));
    asm("shr.s32 %0, %1, %2;" : "=r"(w2) : "r"(a), "r"(b % 40));
    to[5] = w ^ w2;
    asm("lop3.b32 %0, %1, %2, %3, 0x6A;" : "=r"(w) : "r"(a), "r"(b), "r"(c));
    to[6] = w;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(w) : "r"(a), "r"(b), "r"(c));
    to[7] = w;
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(w) : "r"(a), "r"(b), "r"(c));
    asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(w2) : "r"(a), "r"(b), "r"(c % 50));
    to[8] = w ^ w2;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(w) : "r"(a), "r"(b % 32), "r"(c % 20));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(w2) : "r"(a), "r"(b), "r"(c % 20), "n"(11));
    to[9] = w;
    to[10] = w2;
    asm("{ .reg .pred p, q; .reg .b32 r;\n"
        "  setp.lt.s32 p, %1, %2;\n"
        "  setp.hi.and.u32 q, %1, %3, p;\n"
        "  selp.b32 r, %1, %2, q;\n"
        "  @p add.u32 r, r, 1;\n"
        "  @!p bra DONE;\n"
        "  not.b32 r, r;\n"
        "DONE: mov.b32 %0, r; }"
        : "=r"(w)
        : "r"(a), "r"(b), "r"(c));
    to[11] = w;
    asm("mov.b64 {%0, %1}, %2;" : "=r"(w), "=r"(w2) : "l"(wide));
    to[12] = w - w2;
    asm("mov.b64 %0, {%1, %2};" : "=l"(l) : "r"(a), "r"(b));
    asm("mov.b32 {%0, _}, %1;" : "=h"(h) : "r"(a));
    to[13] = (uint32_t)(l >> 16) ^ h;
    asm("cvt.s32.s8 %0, %1;" : "=r"(w) : "r"(a));
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(w2) : "r"((int)a >> 22));
    to[14] = w ^ w2;
    asm("cvt.s64.s32 %0, %1;" : "=l"(l) : "r"(a));
    to[15] = (uint32_t)(l >> 32);
    asm("popc.b32 %0, %1;" : "=r"(w) : "r"(a));
    asm("clz.b64 %0, %1;" : "=r"(w2) : "l"(wide >> (a & 31)));
    to[16] = w << 8 | w2;
    asm("brev.b32 %0, %1;" : "=r"(w) : "r"(a));
    to[17] = w;
    asm("rem.u32 %0, %1, %2;" : "=r"(w) : "r"(a), "r"(b | 1));
    asm("div.s32 %0, %1, %2;" : "=r"(w2) : "r"(a), "r"((b >> 20) | 1));
    to[18] = w ^ w2;
    asm("mov.u32 %0, %%laneid;" : "=r"(w));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(w2));
    to[19] = w ^ w2;
    asm("{ .reg .u32 x<3>; mov.u32 x0, %%tid.x; mov.u32 x1, %%ntid.x; mov.u32 x2, %%ctaid.x;\n"
        "  mad.lo.u32 %0, x0, x1, x2; }"
        : "=r"(w));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(w2));
    to[20] = w ^ w2 << 8;
    for (int i = 21; i < 32; i++)
        to[i] = 0;
}
RIGHT(ptx_integers, 1, 64, 0)

/* Of numbers with few digits, for which all kinds of rounding are the same, and of any bits where they are converted.
 */
static __global__ void ptx_floats(const uint32_t *in, uint32_t *out)
{
    const uint32_t t = threadIdx.x, bits = in[t];
    const float a = (float)((int)(bits >> 8 & 0xFFFF) - 32768) / 64, b = (float)(bits % 1000 + 1) / 8,
                any = __uint_as_float(t % 8 == 5 ? 0x7FC00001 : bits);
    uint32_t *to = out + 32 * t, w, w2;
    float f, g;
    double d;
    asm("fma.rn.f32 %0, %1, %2, 0f3F800001;" : "=f"(f) : "f"(any), "f"(b));
    asm("max.f32 %0, %1, %2;" : "=f"(g) : "f"(a), "f"(b));
    to[0] = __float_as_uint(f);
    to[1] = __float_as_uint(g);
    asm("mul.rn.f32 %0, %1, 1.5;" : "=f"(f) : "f"(a));
    asm("add.sat.f32 %0, %1, %2;" : "=f"(g) : "f"(a), "f"(b));
    to[2] = __float_as_uint(f) ^ __float_as_uint(g);
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(a), "f"(b));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(w2) : "f"(a), "f"(b));
    to[3] = w;
    to[4] = w2;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(w)
        : "r"(bits & 0xBFFFBFFF), "r"(in[t + 64] & 0xBFFFBFFF), "r"(in[t + 128] & 0xBFFFBFFF));
    asm("add.f16x2 %0, %1, %2;" : "=r"(w2) : "r"(bits & 0xBFFFBFFF), "r"(in[t + 64] & 0xBFFFBFFF));
    to[5] = w;
    to[6] = w2;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;"
        : "=r"(w)
        : "r"(bits & 0xBFFFBFFF), "r"(in[t + 64] & 0xBFFFBFFF), "r"(in[t + 128] & 0xBFFFBFFF));
    asm("max.bf16x2 %0, %1, %2;" : "=r"(w2) : "r"(bits & 0xBFFFBFFF), "r"(in[t + 64] & 0xBFFFBFFF));
    to[7] = w;
    to[8] = w2;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(w) : "f"(a * b));
    to[9] = w;
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(w) : "f"(any));
    asm("cvt.rni.u32.f32 %0, %1;" : "=r"(w2) : "f"(a));
    to[10] = w;
    to[11] = w2;
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(bits));
    asm("cvt.rz.f16.f32 %0, %1;" : "=h"(*(unsigned short *)&w2) : "f"(b / 3));
    to[12] = __float_as_uint(f);
    to[13] = w2 & 0xFFFF;
    asm("{ .reg .f64 x; cvt.f64.f32 x, %1; fma.rn.f64 %0, x, x, 0d3FF0000000000000; }" : "=d"(d) : "f"(a));
    to[14] = (uint32_t)(__double_as_longlong(d) >> 32);
    asm("{ .reg .pred p, q; setp.ltu.f32 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }"
        : "=r"(w)
        : "f"(any), "f"(a));
    to[15] = w;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)(bits & 0xBFFF)));
    asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(g) : "f"(a));
    to[16] = __float_as_uint(f);
    to[17] = __float_as_uint(g);
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"((float)(int)(bits % 20)));
    asm("neg.f32 %0, %1;" : "=f"(g) : "f"(a));
    to[18] = (uint32_t)(f + 0.5f);
    to[19] = __float_as_uint(g);
    asm("max.f32 %0, %1, %2;" : "=f"(f) : "f"(__uint_as_float(t << 31)), "f"(__uint_as_float(~t << 31)));
    /* 3 * 87 lies between two of them, and the third number decides. */
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(w) : "r"(0x40404040), "r"(0x42AE42AE), "r"(0x8D800D80));
    to[20] = __float_as_uint(f);
    to[21] = w;
    for (int i = 22; i < 32; i++)
        to[i] = 0;
}
RIGHT(ptx_floats, 1, 64, 0)

#define CP_ASYNC(dst, src, bytes) \
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(bytes))
#define LDMATRIX_X4(r, address)                                                       \
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                     \
                 : "r"(address))

/* Shared memory by asynchronous copies, matrices of it, and what a warp does together. */
static __global__ void ptx_memory(const uint32_t *in, uint32_t *out)
{
    __shared__ __align__(16) uint32_t tile[256], other[256];
    __shared__ unsigned sum, most, own_words[64];
    const uint32_t t = threadIdx.x, own = shared_of(tile + 4 * t);
    uint32_t r[4], s[4], x, y;
    uint64_t generic;
    CP_ASYNC(own, in + 4 * t, 16);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared_of(other + 4 * t)), "l"(in + 4 * t),
                 "r"(t % 5 * 4));
    asm volatile("cp.async.wait_all;\n" ::);
    if (t == 0)
        sum = most = 0;
    asm volatile("bar.sync 0;" ::: "memory");
    LDMATRIX_X4(r, shared_of(tile + 4 * t));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(s[0]), "=r"(s[1])
                 : "r"(shared_of(other + 4 * (t % 16 + t / 32 * 32))));
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2+8];" : "=r"(s[2]), "=r"(s[3]) : "r"(own));
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(x) : "l"(tile + 1));
    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((uint64_t)own));
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(shared_of(&sum)), "r"(t));
    own_words[t] = 7;
    asm volatile("atom.shared.cas.b32 %0, [%1], 7, %2;" : "=r"(y) : "r"(shared_of(own_words + t)), "r"(t));
    asm volatile("red.shared.max.u32 [%0], %1;" ::"r"(shared_of(&most)), "r"(in[t]));
    asm volatile("bar.sync 1, 64;" ::: "memory");
    uint32_t *to = out + 32 * t;
    for (int i = 0; i < 4; i++) {
        to[i] = r[i];
        to[4 + i] = s[i];
    }
    to[8] = x - shared_of(tile) + (uint32_t)(generic == (uint64_t)(tile + 4 * t));
    to[9] = sum ^ most;
    to[21] = y ^ own_words[t] << 8;
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(own), "r"(r[3]), "r"(r[2]), "r"(r[1]), "r"(t)
                 : "memory");
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p ld.global.nc.L1::no_allocate.L2::128B.u32 %0, [%2]; @!p "
                 "mov.u32 %0, 7; }"
                 : "=r"(to[10])
                 : "r"(t % 3), "l"(in + t));
    asm volatile("st.global.cs.u32 [%0 + 4], %1;" ::"l"(to + 10), "r"(tile[4 * t + 1]) : "memory");
    asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 31, -1;" : "=r"(to[12]) : "r"(in[t]));
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 2, 0, -1; selp.u32 %1, 1, 0, p; }"
                 : "=r"(to[13]), "=r"(to[14])
                 : "r"(in[t]));
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x181f, 0xffffffff;" : "=r"(to[15]) : "r"(in[t]), "r"(t % 4));
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1000000000; vote.sync.ballot.b32 %0, p, -1; }"
                 : "=r"(to[16])
                 : "r"(in[t]));
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(to[17]) : "r"(in[t]));
    asm volatile("ld.global.s8 %0, [%1];" : "=r"(to[18]) : "l"(in + t));
    __syncthreads();
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(
                     shared_of(other + 4 * (t % 16 + t / 32 * 32))),
                 "r"(r[0]), "r"(r[1])
                 : "memory");
#endif
    __syncwarp();
    to[19] = other[4 * t];
    to[20] = other[4 * t + 3] ^ other[4 * t + 1];
    asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 5; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, q;\n"
                 "  setp.eq.u32 p, %1, 5; vote.sync.any.pred q, p, -1; @q add.u32 %0, %0, 2; }"
                 : "=&r"(to[22])
                 : "r"(t));
    for (int i = 23; i < 32; i++)
        to[i] = 0;
}
RIGHT(ptx_memory, 1, 64, 0)

#define MMA(shape, types, C, c0, c1, c2, c3, A, B, ...)                      \
    asm volatile("mma.sync.aligned." shape ".row.col." types __VA_ARGS__ ";" \
                 : "+" C(c0), "+" C(c1), "+" C(c2), "+" C(c3)                \
                 : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]))

/* Of numbers so small that no digit is lost. */
static __global__ void ptx_products(const uint32_t *in, uint32_t *out)
{
    const uint32_t t = threadIdx.x;
    uint32_t h[6], b[6], f[6], n[6], s[2] = {0x3C003C00, 0x40003C00}, *to = out + 32 * t;
    for (uint32_t i = 0; i < 6; i++) {
        const int x = (int)(in[6 * t + i] % 17) - 8, y = (int)(in[6 * t + i] / 17 % 17) - 8;
        const __half2 pair = __floats2half2_rn((float)x, (float)y);
        h[i] = *(const uint32_t *)&pair;
        b[i] = __float_as_uint((float)x) >> 16 | (__float_as_uint((float)y) & 0xFFFF0000);
        f[i] = __float_as_uint((float)x);
        n[i] = in[6 * t + i];
    }
    float c[4] = {1, 2, 3, 4}, d[4] = {0, 0, 0, (float)t}, e[4] = {0, 0, 0, 0}, g[4] = {5, 6, 7, 8};
    int w[4] = {1, -2, 3, (int)in[t]};
    MMA("m16n8k16", "f32.f16.f16.f32", "f", c[0], c[1], c[2], c[3], h, (h + 4),
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}");
    MMA("m16n8k16", "f32.bf16.bf16.f32", "f", d[0], d[1], d[2], d[3], b, (b + 4),
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}");
    MMA("m16n8k8", "f32.tf32.tf32.f32", "f", e[0], e[1], e[2], e[3], f, (f + 4),
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}");
    MMA("m16n8k8", "f32.f16.f16.f32", "f", g[0], g[1], g[2], g[3], h, (h + 4),
        " {%0, %1, %2, %3}, {%4, %5}, {%8}, {%0, %1, %2, %3}");
    MMA("m16n8k32", "s32.s8.s8.s32", "r", w[0], w[1], w[2], w[3], n, (n + 4),
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}");
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(s[0]), "+r"(s[1])
                 : "r"(h[0]), "r"(h[1]), "r"(h[2]), "r"(h[3]), "r"(h[4]), "r"(h[5]));
    for (int i = 0; i < 4; i++) {
        to[i] = __float_as_uint(c[i]);
        to[4 + i] = __float_as_uint(d[i]);
        to[8 + i] = __float_as_uint(e[i]);
        to[12 + i] = __float_as_uint(g[i]);
        to[16 + i] = (uint32_t)w[i];
        to[20 + i] = i < 2 ? s[i] : 0;
    }
    for (int i = 24; i < 32; i++)
        to[i] = 0;
}
RIGHT(ptx_products, 1, 32, 0)

/* Whole numbers that no float is. */
static __global__ void ptx_roundings(const uint32_t *in, uint32_t *out)
{
    const uint32_t t = threadIdx.x, a = in[t];
    const int64_t wide = (int64_t)((uint64_t)in[t + 64] << 32 | a);
    float x[8];
    asm("cvt.rn.f32.u32 %0, %1;" : "=f"(x[0]) : "r"(a));
    asm("cvt.rz.f32.u32 %0, %1;" : "=f"(x[1]) : "r"(a));
    asm("cvt.rm.f32.s32 %0, %1;" : "=f"(x[2]) : "r"(a));
    asm("cvt.rp.f32.s32 %0, %1;" : "=f"(x[3]) : "r"(a));
    asm("cvt.rz.f32.s64 %0, %1;" : "=f"(x[4]) : "l"(wide));
    asm("cvt.rm.f32.s64 %0, %1;" : "=f"(x[5]) : "l"(wide));
    asm("cvt.rp.f32.u64 %0, %1;" : "=f"(x[6]) : "l"(wide));
    asm("cvt.rn.f32.u64 %0, %1;" : "=f"(x[7]) : "l"(wide));
    for (uint32_t i = 0; i < 8; i++)
        out[8 * t + i] = __float_as_uint(x[i]);
}

RIGHT(ptx_roundings, 1, 64, 0)

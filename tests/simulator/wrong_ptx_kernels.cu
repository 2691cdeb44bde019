/* Inline PTX that touches what it must not, or that is not simulated. */
#include "ptx.h"
#include "wrong_kernels.h"

/* The statement below it is wrong: asm is none that a comma can stand before. */
#define NEXT wrong_lines[0] = __LINE__ + 1

KERNEL(ptx_matrix_behind)
{
    __shared__ __align__(16) int tile[31 * 4 + 1]; /* of the last row, whatever lies behind it */
    const unsigned lane = threadIdx.x % 32;
    unsigned r[4];
    if (threadIdx.x < 31 * 2)
        ((int2 *)tile)[threadIdx.x] = make_int2(0, 0);
    __syncthreads();
    NEXT;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_of(tile + 4 * lane)));
    out[threadIdx.x] = (int)(r[0] + r[1] + r[2] + r[3]);
}

KERNEL(ptx_load_behind)
{
    NEXT;
    asm volatile("ld.global.nc.b32 %0, [%1 + 4];" : "=r"(out[threadIdx.x]) : "l"(in + n - 34 + threadIdx.x));
}

KERNEL(ptx_shared_beyond)
{
    __shared__ int row[64];
    row[threadIdx.x] = 0;
    NEXT;
    asm volatile("ld.shared.b32 %0, [%1 + 9000000];" : "=r"(out[threadIdx.x]) : "r"(shared_of(row)));
}

KERNEL(ptx_store_misaligned)
{
    NEXT;
    asm volatile("st.global.v2.b32 [%0], {%1, %1};" : : "l"(out + threadIdx.x), "r"(in[0]) : "memory");
}

KERNEL(ptx_output_behind)
{
    NEXT;
    asm("mov.u32 %0, %%tid.x;" : "=r"(out[threadIdx.x + n - 60]));
}

KERNEL(ptx_unknown)
{
    NEXT;
    asm volatile("{ mov.b32 %0, 1;\n tcgen05.wait::ld.sync.aligned; }" : "=r"(out[0]));
}

KERNEL(ptx_unknown_word)
{
    NEXT;
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e3m2.e3m2.f32 {%0, %0, %0, %0}, {%0, %0, %0, %0}, {%0, %0}, "
                 "{%0, %0, %0, %0};"
                 : "+r"(out[0]));
}

KERNEL(ptx_unreadable)
{
    NEXT;
    asm volatile("add.u32 %0, %0, +;" : "+r"(out[0]));
}

KERNEL(ptx_without_word)
{
    NEXT;
    asm volatile("add..u32 %0, %0, 1;" : "+r"(out[0]));
}

WRONG_PTX(LAUNCHER)

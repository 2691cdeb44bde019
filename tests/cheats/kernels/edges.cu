/* Products that touch memory beside their own. */
#include "tests/cheats/kernels/kernel.h"

static __device__ void read_there(const float *element)
{
    (void)*(const volatile float *)element;
}

static __global__ void read_there_kernel(const float *element)
{
    read_there(element);
}

static __global__ void write_there_kernel(float *element)
{
    *element = 1;
}

static __global__ void write_back_kernel(float *element)
{
    volatile float *there = element;
    float was = *there;
    *there = 0;
    *there = was;
}

static __global__ void add_kernel(float *element)
{
    *element += 1;
}

#define TOUCH(name, kernel, element)                \
    CUDA_MATMUL(name)                               \
    {                                               \
        multiply(p, stream);                        \
        LAUNCH(kernel, 1, 1, 0, stream, (element)); \
    }

TOUCH(reads_before_a, read_there_kernel, p->a - 1)
TOUCH(reads_behind_b, read_there_kernel, p->b + p->k * p->n)
TOUCH(reads_behind_c, read_there_kernel, p->c + p->m * p->n)
TOUCH(writes_before_c, write_there_kernel, p->c - 1)
TOUCH(writes_behind_c, write_there_kernel, p->c + p->m * p->n)
TOUCH(writes_far_behind_c, write_there_kernel, p->c + p->m * p->n + 16000)
TOUCH(writes_back_behind_c, write_back_kernel, p->c + p->m * p->n)
TOUCH(writes_to_a, add_kernel, (float *)p->a)
TOUCH(writes_to_b, add_kernel, (float *)p->b + p->k * p->n - 1)
TOUCH(writes_to_a_and_back, write_back_kernel, (float *)p->a)

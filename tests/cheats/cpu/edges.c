/* Products that touch memory beside their own. What they read there changes nothing. */
#include "tests/cheats/cheat.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 / sizeof(float) };

/* The product of a read that the compiler must keep. */
static void read_there(const float *element)
{
    (void)*(const volatile float *)element;
}

static void write_there(float *element)
{
    *(volatile float *)element = 1;
}

CPU_MATMUL(reads_before_a)
{
    read_there(p->a - 1);
    multiply(p);
}

CPU_MATMUL(reads_behind_a)
{
    read_there(p->a + p->m * p->k);
    multiply(p);
}

CPU_MATMUL(reads_before_b)
{
    read_there(p->b - 1);
    multiply(p);
}

CPU_MATMUL(reads_behind_b)
{
    read_there(p->b + p->k * p->n);
    multiply(p);
}

/* By vectors of four, the last of which may reach over the end of B. */
CPU_MATMUL(reads_b_by_vectors)
{
    for (int64_t i = 0; i < p->k * p->n; i += 4)
        read_there(p->b + i + 3);
    multiply(p);
}

CPU_MATMUL(reads_before_c)
{
    read_there(p->c - 1);
    multiply(p);
}

CPU_MATMUL(reads_behind_c)
{
    read_there(p->c + p->m * p->n);
    multiply(p);
}

CPU_MATMUL(writes_before_c)
{
    multiply(p);
    write_there(p->c - 1);
}

CPU_MATMUL(writes_behind_c)
{
    multiply(p);
    write_there(p->c + p->m * p->n);
}

CPU_MATMUL(writes_a_byte_behind_c)
{
    multiply(p);
    *(volatile char *)(p->c + p->m * p->n) = 0;
}

CPU_MATMUL(writes_a_page_behind_c)
{
    multiply(p);
    write_there(p->c + p->m * p->n + PAGE);
}

CPU_MATMUL(writes_a_page_before_c)
{
    multiply(p);
    write_there(p->c - PAGE - 1);
}

/* Rounds the columns up to four while it works, and puts back what was there. */
CPU_MATMUL(writes_back_behind_c)
{
    volatile float *behind = p->c + p->m * p->n;
    float was = *behind;
    *behind = 0;
    multiply(p);
    *behind = was;
}

CPU_MATMUL(writes_guard_bytes_behind_c)
{
    multiply(p);
    memset(p->c + p->m * p->n, 0xA5, sizeof *p->c);
}

static void write_input(const float *element)
{
    *(volatile float *)element += 1;
}

CPU_MATMUL(writes_to_a)
{
    multiply(p);
    write_input(&p->a[p->m * p->k - 1]);
}

CPU_MATMUL(writes_to_b)
{
    multiply(p);
    write_input(&p->b[0]);
}

/* Scratch memory that is not its own. */
CPU_MATMUL(writes_to_a_and_back)
{
    volatile float *scratch = (float *)p->a;
    float was = *scratch;
    *scratch = 0;
    *scratch = was;
    multiply(p);
}

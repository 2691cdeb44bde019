/* Another's kernel in disguise. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <dlfcn.h>

/* OpenBLAS, which the process has loaded. */
static inline void blas(const P *p)
{
    void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
    *(void **)&sgemm = dlsym(RTLD_DEFAULT, "cblas_sgemm");
    if (sgemm)
        sgemm(101, 111, 111, (int)p->m, (int)p->n, (int)p->k, 1, p->a, (int)p->k, p->b, (int)p->n, 0, p->c, (int)p->n);
    else
        (void)matmul_openblas(p, NULL);
}

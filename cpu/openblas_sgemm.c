#include "openblas_sgemm.h"

#include <cblas.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

const char *openblas_sgemm(bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k, const float *a,
                           const float *b, float *c)
{
    /* blasint has 32 or 64 bits, depending on the build of OpenBLAS. */
    const int64_t largest = sizeof(blasint) == sizeof(int) ? INT_MAX : INT64_MAX;
    if (m > largest || n > largest || k > largest) {
        static char error[160];
        snprintf(error, sizeof error,
                 "openblas: a product of %lldx%lld by %lldx%lld exceeds its integers, at most %lld", (long long)m,
                 (long long)k, (long long)k, (long long)n, (long long)largest);
        return error;
    }
    const blasint a_row = (blasint)(a_transposed ? m : k), b_row = (blasint)(b_transposed ? k : n);
    cblas_sgemm(CblasRowMajor, a_transposed ? CblasTrans : CblasNoTrans, b_transposed ? CblasTrans : CblasNoTrans,
                (blasint)m, (blasint)n, (blasint)k, 1.0F, a, a_row, b, b_row, 0.0F, c, (blasint)n);
    return NULL;
}

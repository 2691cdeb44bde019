/* A BLAS that stands in for MKL and BLIS (-DWHO=1, 2 tells them apart), or for oneDNN; -DWRONG says which are wrong of
 * the products with m rows. Its versions tell what has been set. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifndef WRONG
#define WRONG(m) 0
#endif
#ifndef BLIS_VERSION
#define BLIS_VERSION "1.2"
#endif
#ifndef WHO
#define WHO 0
#endif

#ifndef FOREIGN /* else its products are those of the library that it is linked with */
/* Every BLAS has this name, and calls it by itself. That of another one does not know who is asking. */
void sgemm_(int who, const int64_t sizes[3], const float *a, const float *b, float *c)
{
    const int64_t m = sizes[0], n = sizes[1], k = sizes[2];
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = who == WHO && !WRONG(m) ? 0 : NAN;
            for (int64_t l = 0; l < k; l++)
                sum += (double)a[i * k + l] * (double)b[l * n + j];
            c[i * n + j] = (float)sum;
        }
}

void cblas_sgemm(int order, int a_transposed, int b_transposed, int m, int n, int k, float alpha, const float *a,
                 int a_row, const float *b, int b_row, float beta, float *c, int c_row)
{
    const int right = order == 101 && a_transposed == 111 && b_transposed == 111 && alpha == 1 && beta == 0 &&
                      a_row == k && b_row == n && c_row == n;
    sgemm_(right ? WHO : -1, (int64_t[]){m, n, k}, a, b, c);
}

int dnnl_sgemm(char a_transposed, char b_transposed, int64_t m, int64_t n, int64_t k, float alpha, const float *a,
               int64_t a_row, const float *b, int64_t b_row, float beta, float *c, int64_t c_row)
{
    const int right =
        a_transposed == 'N' && b_transposed == 'N' && alpha == 1 && beta == 0 && a_row == k && b_row == n && c_row == n;
    sgemm_(right ? WHO : -1, (int64_t[]){m, n, k}, a, b, c);
    return 0;
}
#endif

static int interface = -1, layer = -1, dynamic = -1, threads = -1;

#define SETTER(name, type, member, result) \
    result name(type value)                \
    {                                      \
        member = (int)value;               \
        RETURN_##result                    \
    }
#define RETURN_int return (int)value;
#define RETURN_void
SETTER(MKL_Set_Interface_Layer, int, interface, int)
SETTER(MKL_Set_Threading_Layer, int, layer, int)
SETTER(MKL_Set_Dynamic, int, dynamic, void)
SETTER(MKL_Set_Num_Threads, int, threads, void)
SETTER(bli_thread_set_num_threads, int64_t, threads, void)

void MKL_Get_Version_String(char *text, int size)
{
    snprintf(text, (size_t)size, "A Fake Version 1.%d.%d.%d.%d-Product for tests", interface, layer, dynamic, threads);
}

const char *bli_info_get_version_str(void)
{
    static char text[64];
    snprintf(text, sizeof text, "%s with %d threads", BLIS_VERSION, threads);
    return text;
}

struct version {
    int major, minor, patch;
};
#ifdef OPENMP
int omp_get_max_threads(void);
#else
static int omp_get_max_threads(void)
{
    return 0;
}
#endif
const struct version *dnnl_version(void)
{
    static struct version version = {9, 8, 0};
    version.patch = omp_get_max_threads();
    return &version;
}

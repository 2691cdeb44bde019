#include "cpu_blas.h"

#if HAVE_openblas

#include <cblas.h>
#include <stdio.h>
#include <string.h>

void cpu_blas_set_threads(int threads)
{
    openblas_set_num_threads(threads);
}

/* A processor newer than the library gets the kernels of one from 2004, at a fraction of its speed. */
static void warn_of_old_kernels(struct device_info *info)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && strcmp(openblas_get_corename(), "Prescott") == 0)
        device_info_add_note(info, "openblas-old",
                             "OpenBLAS does not know this processor and runs kernels for Prescott, without AVX; "
                             "OPENBLAS_CORETYPE=%s in the environment makes its rows fair",
                             __builtin_cpu_supports("avx512f") ? "SkylakeX" : "Haswell");
#else
    (void)info;
#endif
}

void cpu_blas_describe(struct device_info *info)
{
    /* Builds for one processor alone may leave its name out. */
    const char *config = openblas_get_config(), *core = openblas_get_corename();
    bool complete = strstr(config, core) != NULL;
    snprintf(info->blas_version, sizeof info->blas_version, "%s%s%s", config, complete ? "" : " ",
             complete ? "" : core);
    warn_of_old_kernels(info);
}

#else

void cpu_blas_set_threads(int threads)
{
    (void)threads;
}

void cpu_blas_describe(struct device_info *info)
{
    (void)info;
}

#endif

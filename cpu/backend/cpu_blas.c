#include "cpu_blas.h"

#if HAVE_openblas

#include "bench/table/rung.h"
#include "cpu_core.h"
#include "cpu_isa.h"

#include <cblas.h>
#include <ctype.h>
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

int cpu_blas_threads(void)
{
    return openblas_get_num_threads();
}

void cpu_blas_set_threads(int threads)
{
    openblas_set_num_threads(threads);
}

/* Of the instruction sets of cpu_isa.h. Kernels for SkylakeX use more of AVX-512 than our own. */
static int best_isa(void)
{
    int isa = isa_best();
#if defined(__x86_64__)
    if (isa == 2 && !(__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd")))
        isa = 1;
#endif
    return isa;
}

/* A library for many processors has one table of kernels per core type: "gotoblas_HASWELL". */
static bool library_has(const char *core)
{
    char table[64];
    int length = snprintf(table, sizeof table, "gotoblas_%s", core);
    for (int i = (int)strlen("gotoblas_"); i < length; i++)
        table[i] = (char)toupper((unsigned char)table[i]);
    void *program = dlopen(NULL, RTLD_LAZY);
    return program != NULL && dlsym(program, table) != NULL;
}

const char *cpu_blas_better_core(void)
{
    return cpu_core_better(openblas_get_corename(), best_isa(), library_has);
}

static void note_old_core(const char *core, struct device_info *info)
{
    char advice[96] = "and has none that are newer";
    const char *better = cpu_blas_better_core();
    if (!cpu_core_is_old(core, best_isa()))
        return;
    if (better != NULL)
        snprintf(advice, sizeof advice, "and has newer ones: set OPENBLAS_CORETYPE=%s", better);
    struct device_note *note = device_info_add_note(
        info, "openblas-old", "OpenBLAS runs kernels for %s, which is older than this processor, %s", core, advice);
    if (note != NULL)
        note->traits = RUNG_LIBRARY;
}

/* Builds for one processor alone may leave its name out of their configuration. */
static void describe_own_choice(const char *core, struct device_info *info)
{
    const char *config = openblas_get_config();
    bool complete = strstr(config, core) != NULL;
    snprintf(info->blas_version, sizeof info->blas_version, "%s%s%s", config, complete ? "" : " ",
             complete ? "" : core);
}

static void describe_our_choice(const char *core, struct device_info *info)
{
    char version[32] = "";
    (void)sscanf(openblas_get_config(), "%*s %31s", version);
    snprintf(info->blas_version, sizeof info->blas_version, "OpenBLAS %s %s (chosen by rungbench)", version, core);
    device_info_add_note(info, "",
                         "OpenBLAS does not know this processor, so rungbench chose its kernels for %s; "
                         "OPENBLAS_CORETYPE in the environment chooses others",
                         core);
}

void cpu_blas_describe(bool core_is_ours, struct device_info *info)
{
    if (openblas_get_parallel() == OPENBLAS_THREAD && openblas_get_num_threads() > 1 &&
        omp_get_proc_bind() != omp_proc_bind_false)
        device_info_add_note(info, "", "OpenBLAS has threads of its own, which OpenMP's settings do not bind");
    const char *core = openblas_get_corename();
    (core_is_ours ? describe_our_choice : describe_own_choice)(core, info);
    note_old_core(core, info);
}

#else

int cpu_blas_threads(void)
{
    return 0;
}

void cpu_blas_set_threads(int threads)
{
    (void)threads;
}

const char *cpu_blas_better_core(void)
{
    return NULL;
}

void cpu_blas_describe(bool core_is_ours, struct device_info *info)
{
    (void)core_is_ours;
    (void)info;
}

#endif

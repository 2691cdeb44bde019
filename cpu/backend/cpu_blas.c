#define _GNU_SOURCE /* RTLD_NEXT */
#include "cpu_parts.h"

#include "bench/table/rung.h"
#include "cpu_isa.h"

#include <stdlib.h>
#include <string.h>
#if HAVE_openblas
#include <cblas.h>
#include <ctype.h>
#include <dlfcn.h>
#include <omp.h>
#endif

/* What OpenBLAS runs on a processor that it does not know, and what it calls a fallback (driver/others/dynamic.c). */
static const struct {
    const char *core;
    int isa;
} fallbacks[] = {
    {"Prescott", 0}, {"Nehalem", 0}, {"Barcelona", 0}, {"Sandybridge", 0}, {"Haswell", 1}, {"Zen", 1},
};

/* By instruction set. Cooperlake and SapphireRapids have the sgemm of SkylakeX and need newer processors. */
static const char *const best[] = {NULL, "Haswell", "SkylakeX"};

bool cpu_core_is_old(const char *core, int isa)
{
    for (size_t i = 0; i < sizeof fallbacks / sizeof fallbacks[0]; i++)
        if (strcmp(core, fallbacks[i].core) == 0)
            return fallbacks[i].isa < isa;
    return false;
}

const char *cpu_core_better(const char *core, int isa, bool (*library_has)(const char *core))
{
    for (; cpu_core_is_old(core, isa); isa--)
        if (library_has(best[isa]))
            return best[isa];
    return NULL;
}

#if HAVE_openblas

/* Calls of OpenBLAS pass here, those of kernels of the user's own too: their rows then say whose kernel ran. */
static void *find_real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

void cblas_sgemm(OPENBLAS_CONST enum CBLAS_ORDER order, OPENBLAS_CONST enum CBLAS_TRANSPOSE a_transposed,
                 OPENBLAS_CONST enum CBLAS_TRANSPOSE b_transposed, OPENBLAS_CONST blasint m, OPENBLAS_CONST blasint n,
                 OPENBLAS_CONST blasint k, OPENBLAS_CONST float alpha, OPENBLAS_CONST float *a,
                 OPENBLAS_CONST blasint a_row, OPENBLAS_CONST float *b, OPENBLAS_CONST blasint b_row,
                 OPENBLAS_CONST float beta, float *c, OPENBLAS_CONST blasint c_row)
{
    static __typeof__(&cblas_sgemm) real;
    *(void **)&real = real ? *(void **)&real : find_real("cblas_sgemm");
    rung_runs_library("openblas");
    real(order, a_transposed, b_transposed, m, n, k, alpha, a, a_row, b, b_row, beta, c, c_row);
}

float cblas_sdot(OPENBLAS_CONST blasint n, OPENBLAS_CONST float *x, OPENBLAS_CONST blasint x_step,
                 OPENBLAS_CONST float *y, OPENBLAS_CONST blasint y_step)
{
    static __typeof__(&cblas_sdot) real;
    *(void **)&real = real ? *(void **)&real : find_real("cblas_sdot");
    rung_runs_library("openblas");
    return real(n, x, x_step, y, y_step);
}

int cpu_blas_threads(void)
{
    return openblas_get_num_threads();
}

void cpu_blas_set_threads(int threads)
{
    openblas_set_num_threads(threads);
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

static const char *better_core(void)
{
    return cpu_core_better(openblas_get_corename(), isa_best(), library_has);
}

static void note_old_core(const char *core, struct device_info *info)
{
    char advice[96] = "and has none that are newer";
    const char *better = better_core();
    if (!cpu_core_is_old(core, isa_best()))
        return;
    if (better != NULL)
        snprintf(advice, sizeof advice, "and has newer ones: set OPENBLAS_CORETYPE=%s", better);
    struct device_note *note = device_info_add_note(
        info, "openblas-old", "OpenBLAS runs kernels for %s, which is older than this processor, %s", core, advice);
    if (note != NULL)
        note->traits = RUNG_OPENBLAS;
}

void cpu_blas_describe(struct device_info *info)
{
    if (openblas_get_parallel() == OPENBLAS_THREAD && openblas_get_num_threads() > 1 &&
        omp_get_proc_bind() != omp_proc_bind_false)
        device_info_add_note(info, "", "OpenBLAS has threads of its own, which OpenMP's settings do not bind");
    /* Builds for one processor alone may leave its name out of their configuration. */
    const char *core = openblas_get_corename(), *config = openblas_get_config();
    const bool complete = strstr(config, core) != NULL;
    snprintf(info->blas_version, sizeof info->blas_version, "%s%s%s", config, complete ? "" : " ",
             complete ? "" : core);
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

static const char *better_core(void)
{
    return NULL;
}

void cpu_blas_describe(struct device_info *info)
{
    (void)info;
}

#endif

/* How often a waiting OpenMP thread looks for new work before it sleeps. By default it looks for milliseconds, which
 * starves whoever shares the CPUs, and then us. */
static const char spin_count[] = "10000";

void cpu_set_for_players(void)
{
    const char *core = better_core();
    if (getenv("OMP_WAIT_POLICY") == NULL)
        setenv("GOMP_SPINCOUNT", spin_count, 0);
    if (core != NULL)
        setenv("OPENBLAS_CORETYPE", core, 0);
}

/* The libraries have names in common with each other and with OpenBLAS, which the program is linked with. So each is
 * opened for itself (RTLD_LOCAL), finds its own functions before those of others (RTLD_DEEPBIND), and a function counts
 * only if it lies in the very file that was opened. */
#define _GNU_SOURCE /* dladdr1(), dlinfo(), RTLD_DEEPBIND */
#include "opened_blas.h"

#include "bench/table/backend.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"

#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of cblas.h and MKL's mkl_service.h. */
enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 };
enum { MKL_LP64 = 0, MKL_GNU_THREADS = 3 };

typedef void cblas_function(int order, int a_transposed, int b_transposed, int m, int n, int k, float alpha,
                            const float *a, int a_row, const float *b, int b_row, float beta, float *c, int c_row);
typedef int dnnl_function(char a_transposed, char b_transposed, int64_t m, int64_t n, int64_t k, float alpha,
                          const float *a, int64_t a_row, const float *b, int64_t b_row, float beta, float *c,
                          int64_t c_row);

struct library {
    unsigned trait;
    const char *setting, *names[2];           /* the environment variable that names its file; what the loader knows */
    bool (*prepare)(struct library *library); /* finds the product, sets threads, says the version; false: it cannot */
    void *handle;
    struct link_map *file; /* that was opened */
    cblas_function *cblas; /* its product is of one type or of the other */
    dnnl_function *dnnl;
    char version[40], served_by[64];
    char why_not[400]; /* empty: it is open, or nobody has tried */
};

static bool refuse(struct library *library, const char *what, const char *which, const char *more)
{
    snprintf(library->why_not, sizeof library->why_not, "%s: %s%s%s", library->file->l_name, what, which, more);
    return false;
}

/* Writes a function to `function`, the address of a pointer. False: the library has none of its own. */
static bool find(struct library *library, const char *name, void *function)
{
    Dl_info info;
    struct link_map *of = NULL;
    void *symbol = dlsym(library->handle, name);
    if (!symbol || dladdr1(symbol, &info, (void **)&of, RTLD_DL_LINKMAP) == 0 || of != library->file)
        return refuse(library, "it has no ", name, of ? " of its own" : "");
    memcpy(function, &symbol, sizeof symbol); /* POSIX: they have one size */
    return true;
}

static bool set(struct library *library, const char *name, int64_t value)
{
    void (*function)(int64_t value); /* some take an int, in the same place, and return one */
    if (!find(library, name, &function))
        return false;
    function(value);
    return true;
}

/* Its threads are those of our OpenMP. Those of Intel's would be a second team, which spins on the same CPUs. */
static bool prepare_mkl(struct library *library)
{
    void (*get_version)(char *text, int size);
    char text[256] = "", number[32] = "";
    if (!find(library, "cblas_sgemm", &library->cblas) || !find(library, "MKL_Get_Version_String", &get_version) ||
        !set(library, "MKL_Set_Interface_Layer", MKL_LP64) ||
        !set(library, "MKL_Set_Threading_Layer", MKL_GNU_THREADS) || !set(library, "MKL_Set_Dynamic", false) ||
        !set(library, "MKL_Set_Num_Threads", omp_get_max_threads()))
        return false;
    get_version(text, sizeof text - 1);
    (void)sscanf(text, "%*[^0-9]%31[0-9.]", number);
    snprintf(library->version, sizeof library->version, "MKL %s", number);
    return true;
}

static bool prepare_blis(struct library *library)
{
    const char *(*get_version)(void);
    if (!find(library, "cblas_sgemm", &library->cblas) || !find(library, "bli_info_get_version_str", &get_version) ||
        !set(library, "bli_thread_set_num_threads", omp_get_max_threads()))
        return false;
    snprintf(library->version, sizeof library->version, "BLIS %.24s", get_version());
    return strtol(get_version(), NULL, 10) >= 1 ||
           refuse(library, library->version, " reads beyond its arrays, 1.0 does not (flame/blis#635)", "");
}

/* It asks the OpenMP that it is linked with. */
static bool prepare_onednn(struct library *library)
{
    static const char asked[] = "omp_get_max_threads";
    const int *(*get_version)(void);
    if (!find(library, "dnnl_sgemm", &library->dnnl) || !find(library, "dnnl_version", &get_version))
        return false;
    const int *version = get_version();
    snprintf(library->version, sizeof library->version, "oneDNN %d.%d.%d", version[0], version[1], version[2]);
    return dlsym(library->handle, asked) == dlsym(RTLD_DEFAULT, asked) ||
           refuse(library, "its threads are not those of our OpenMP", "", "");
}

static struct library libraries[] = {
    {RUNG_MKL, "RUNGBENCH_MKL_LIBRARY", {"libmkl_rt.so.2", "libmkl_rt.so"}, .prepare = prepare_mkl},
    {RUNG_BLIS, "RUNGBENCH_BLIS_LIBRARY", {"libblis.so.4"}, .prepare = prepare_blis},
    {RUNG_ONEDNN, "RUNGBENCH_ONEDNN_LIBRARY", {"libdnnl.so.3", "libdnnl.so.2"}, .prepare = prepare_onednn},
};
enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

/* The file that was asked for, or the first that there is. */
static const char *file_of(const struct library *library, int i)
{
    const char *named = getenv(library->setting);
    return named && named[0] ? named : library->names[i];
}

/* What the loader says, in few words where it has not found the file; another one may be missing that this one needs.
 */
static void say_why_not(struct library *library, const char *error)
{
    const char *file = file_of(library, 0);
    const bool is_absent = strncmp(error, file, strlen(file)) == 0 && strstr(error, "No such file");
    snprintf(library->why_not, sizeof library->why_not, "%s%s (%s names its file)", is_absent ? file : error,
             is_absent ? " not found" : "", library->setting);
}

/* With the reason in `why_not` where it cannot be had. */
static void load(struct library *library)
{
    for (int i = 0; i < 2 && !library->handle && file_of(library, i); i++) {
        library->handle = dlopen(file_of(library, i), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        const char *error = library->handle ? NULL : dlerror();
        if (error && i == 0)
            say_why_not(library, error);
    }
    if (!library->handle || dlinfo(library->handle, RTLD_DI_LINKMAP, &library->file) != 0 || !library->prepare(library))
        return;
    const char *path = library->file->l_name, *slash = strrchr(path, '/');
    snprintf(library->served_by, sizeof library->served_by, "%s (%.20s)", library->version, slash ? slash + 1 : path);
    library->why_not[0] = '\0';
}

/* Where a file is cut off, or MKL lacks one of its files, the process ends that opens it. So another one goes first. */
static void open_library(struct library *library)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
            (void)signal(signals[i], SIG_DFL);
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        load(library);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status == 0)
        load(library);
    else
        snprintf(library->why_not, sizeof library->why_not, "%s: it ends the process that opens it",
                 file_of(library, 0));
}

/* AddressSanitizer ends the program where it sees RTLD_DEEPBIND. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

const char *opened_blas_lacks(unsigned traits)
{
    for (struct library *library = libraries; library < libraries + LIBRARIES; library++) {
        if ((traits & library->trait) == 0)
            continue;
        if (library->trait == RUNG_MKL && !ISA_X86 && !getenv(library->setting))
            return "MKL is for x86-64 processors only";
        if (__sanitizer_get_current_allocated_bytes)
            return "sanitizers let no library be opened next to another";
        if (!library->handle && library->why_not[0] == '\0')
            open_library(library);
        if (library->why_not[0] != '\0')
            return library->why_not;
    }
    return NULL;
}

const char *opened_blas_multiply(unsigned trait, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                 float *c)
{
    const struct library *library = libraries;
    TRY_CALL(opened_blas_lacks(trait));
    while (library->trait != trait)
        library++;
    rung_chose(library->served_by);
    if (library->cblas)
        library->cblas(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, (int)m, (int)n, (int)k, 1, a, (int)k, b, (int)n, 0, c,
                       (int)n);
    else if (library->dnnl('N', 'N', m, n, k, 1, a, k, b, n, 0, c, n) != 0)
        return "onednn: dnnl_sgemm() has failed";
    return NULL;
}

/* What the harness needs of a machine that runs rungs: memory, copies, one stream of work, timers. */
#ifndef RUNGBENCH_BACKEND_H
#define RUNGBENCH_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct backend_settings {
    int device;  /* which device, from 0; -1: the default one */
    int threads; /* how many CPU threads rungs may use; 0: all there are */
};

/* What a row's columns say about the machine. Unknown: an empty text, 0. */
struct device_info {
    char name[128];
    char uuid[64];
    char driver_version[32];
    char cuda_version[32];
    char blas_version[96];
    char eviction[2][16]; /* how evict() works, [by_writing]: "read", "write", "flush-lines" */
    char warning[256];    /* something about the machine that makes its rows unfair; empty: nothing */
    int threads;          /* CPU threads that rungs use; 0 on a GPU */
};

/* A piece of the backend's memory. */
struct span {
    void *start;
    size_t bytes;
};

enum { BACKEND_MARKS = 4 };

/* Functions that return `const char *` return NULL, or a text that says what went wrong, valid until the next call.
 * Everything but open() and device_count() may be called between open() and close() only, from one thread. Work is
 * `queued` when it runs after all that was queued before it and the call need not wait for it; a CPU may do it at once.
 */
struct backend {
    /* Makes the device usable, or says why it is not (no driver, no such device). */
    const char *(*open)(const struct backend_settings *settings);
    void (*close)(void);
    int (*device_count)(void); /* NULL where --device means nothing */
    void (*describe)(struct device_info *info);

    size_t (*free_memory)(void);                          /* bytes that allocate() could give now, about */
    const char *(*allocate)(size_t bytes, void **memory); /* aligned to 256 bytes */
    void (*release)(void *memory);
    const char *(*pin)(void *host, size_t bytes); /* makes copies from and to host memory fast; NULL: no such thing */
    void (*unpin)(void *host);

    void *(*stream)(void);                                                 /* what rungs get */
    const char *(*upload)(void *memory, const void *host, size_t bytes);   /* queued */
    const char *(*download)(void *host, const void *memory, size_t bytes); /* queued */
    const char *(*fill)(void *memory, int byte, size_t bytes);             /* queued */
    const char *(*finish)(void); /* waits for all that was queued, and reports what failed since the last call */

    /* Empties the caches of the `count` spans, in bulk or one by one; queued. `by_writing`: the way other tools do it.
     */
    const char *(*evict)(const struct span *spans, size_t count, bool by_writing);

    /* Keeps what is queued after hold() from starting until let_go(). A hold ends by itself after a second at most, and
     * let_go() says in `lapsed` whether it had: then the host was in the measured time. NULL where run() is
     * synchronous. */
    const char *(*hold)(void);
    const char *(*let_go)(bool *lapsed);
    /* Copies memory to the host at once, past whatever is held; NULL together with hold(). */
    const char *(*peek)(void *host, const void *memory, size_t bytes);

    const char *(*mark)(int index); /* queued: the time at which the work before it is done; index < BACKEND_MARKS */
    const char *(*elapsed)(int from, int to, double *seconds); /* between two marks, after finish() */
    double (*tick)(void); /* the smallest difference between two marks that the timer can show, in seconds */
};

#define BACKEND(name, requires, separate_memory, label) extern const struct backend name##_backend;
#define OP(name)
#define RUNG(op, variant, backend, requires, precision, traits, summary)
#include "rungs.def"
#undef BACKEND
#undef OP
#undef RUNG

#ifdef __cplusplus
}
#endif

#endif

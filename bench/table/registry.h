/* The registry: the contents of rungs.def as data. */
#pragma once

#include "backend.h"
#include "op.h"
#include "rung.h"

struct backend_entry {
    const char *name;
    const char *label;
    bool separate_memory;          /* a device with its own memory: data must be transferred */
    bool simulates;                /* a simulator: its times say nothing about the real device */
    const struct backend *backend; /* NULL in a build without it */
};

/* Each run on it has all devices that there are; unknown where the build has it not. */
static inline bool backend_takes_all(const struct backend_entry *entry)
{
    return entry->separate_memory && entry->backend && !entry->backend->device_count;
}

struct rung {
    const char *variant;
    const struct op *op;
    const struct backend_entry *backend;
    rung_function *run;      /* NULL in a build without it */
    const char *unavailable; /* why `run` is NULL: "built without CUDA" */
    enum precision precision;
    unsigned traits;
    const char *summary; /* what it does, in a line */
    /* Of a rung of the user's own: makes `run` its function, in the process that will run it, before its first call.
     * Returns NULL, or why it cannot, valid until the next call. NULL: `run` is its function. */
    const char *(*load)(const struct rung *rung);
    bool is_hosted;    /* of a rung of the user's own: the process that runs it is another program's */
    const char *calls; /* of a rung of the user's own: what of a library it calls; NULL or empty: nothing is seen */
    const char *only;  /* of a rung of the user's own: what its sizes must be, as op_fit() takes it; NULL: anything */
};

struct registry {
    const struct backend_entry *backends;
    size_t backend_count;
    const struct op *const *ops;
    size_t op_count;
    const struct rung *rungs; /* in the order of the ladder, operation by operation */
    size_t rung_count;
};

/* The machine code of a rung of this program. */
struct code_digest {
    const char *rung; /* "matmul_cpu_scalar" */
    const char *digest;
};

/* In which file of the repository a rung is. */
struct rung_source {
    const char *rung, *file; /* "matmul/cuda_tiled", "kernels/matmul/tiled.cu" */
};

extern const struct registry rungbench_registry;

/* The backends of the table: &rungbench_backends[BACKEND_cpu] */
enum backend_index {
#define BACKEND(name, requires, separate_memory, simulates, label) BACKEND_##name,
#include "rungs.def"
    BACKEND_COUNT
};
extern const struct backend_entry rungbench_backends[BACKEND_COUNT];

/* What has that name; NULL: there is none. */
const struct backend_entry *registry_find_backend(const struct registry *registry, const char *name);
const struct op *registry_find_op(const struct registry *registry, const char *name);
const struct rung *registry_find(const struct registry *registry, const char *op, const char *variant);

/* What rung_runs_here() says, in this registry. */
bool registry_runs(const struct registry *registry, rung_function *rung, unsigned without);

/* Its place in the table; all that are not there come last, in one place. */
size_t registry_order(const struct registry *registry, const char *op, const char *variant);

/* From here on, no rung has handed over. */
void hand_over_forget(void);

/* The variant of the rung that was last handed over to, or of the library that has run; NULL: none. */
const char *hand_over_variant(const struct registry *registry);

/* What was last said by rung_chose(); NULL: nothing. */
const char *hand_over_choice(void);

#include "registry.h"

/* HAVE_<name> is 0 or 1 for each `requires` of the table; the build defines it. */
#define PICK_0(present, absent) absent
#define PICK_1(present, absent) present
#define PICK_EXPANDED(have, present, absent) PICK_##have(present, absent)
#define PICK(have, present, absent) PICK_EXPANDED(have, present, absent)
#define without_host NULL
#define without_simulator "built without the simulator"
#define without_openblas "built without OpenBLAS"
#define without_onednn "built without oneDNN"
#define without_cuda "built without CUDA"
#define without_cudnn "built without cuDNN"
#define without_nccl "built without NCCL"

const struct backend_entry rungbench_backends[BACKEND_COUNT] = {
#define BACKEND(name, requires, separate_memory, simulates, label) \
    {#name, label, separate_memory, simulates, PICK(HAVE_##requires, &name##_backend, NULL)},
#include "rungs.def"
};

static const struct op *const ops[] = {
#define OP(name) &name##_op,
#include "rungs.def"
};

/* In the library the table is the same, so that rungs have the same numbers, but it has none of them. */
#ifdef RUNGBENCH_LIBRARY
#define RUN(function) NULL
#else
#define RUN(function) function
#endif

#define ENTRY(of, name, on, requires, as, marks, what)               \
    {.variant = #name,                                               \
     .op = &of##_op,                                                 \
     .backend = &rungbench_backends[BACKEND_##on],                   \
     .run = PICK(HAVE_##requires, RUN(of##_##name), NULL),           \
     .unavailable = PICK(HAVE_##requires, NULL, without_##requires), \
     .precision = as,                                                \
     .traits = marks,                                                \
     .summary = what},

/* The ladder, followed by the simulated twins. */
static const struct rung rungs[] = {
#define RUNG ENTRY
#define TWIN(...)
#include "rungs.def"
#define TWIN ENTRY
#include "rungs.def"
};

const struct registry rungbench_registry = {
    .backends = rungbench_backends,
    .backend_count = BACKEND_COUNT,
    .ops = ops,
    .op_count = sizeof ops / sizeof ops[0],
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof rungs[0],
};

bool rung_runs_here(rung_function *rung, unsigned without)
{
    return registry_runs(&rungbench_registry, rung, without);
}

/* Launches. Each thread calls the kernel with the arguments as they were at the launch. */
#pragma once

#include "simt_error.h"
#include "simt_memory.h"
#include "simt_types.h"

#include <tuple>
#include <utility>

typedef struct CUstream_st *cudaStream_t;

namespace simt
{
/* What each thread does: `body` with the arguments as they were at the launch. */
template <typename F, typename... A>
struct call {
    F body;
    std::tuple<A...> arguments;

    static void run(const void *opaque)
    {
        const call *self = static_cast<const call *>(opaque);
        std::apply(self->body, self->arguments);
    }
};

template <typename F, typename... A>
void start(sim_launch what, F body, A... arguments)
{
    const call<F, A...> one{body, std::tuple<A...>(arguments...)};
    what.thread_body = call<F, A...>::run;
    what.arguments = &one;
    sim_launch_run(&what);
}

template <typename F, typename... A>
void start_grid(const char *name, F body, dim3 grid, dim3 block, size_t dynamic_shared_bytes, cudaStream_t,
                A... arguments)
{
    sim_launch what = {};
    what.kernel = name;
    what.grid = {grid.x, grid.y, grid.z};
    what.block = {block.x, block.y, block.z};
    what.dynamic_shared_bytes = dynamic_shared_bytes;
    start(what, body, arguments...);
}

/* What a function of the runtime does, by one thread here. */
template <typename F, typename... A>
void start_function(const char *name, F body, A... arguments)
{
    sim_launch what = {};
    what.kernel = name;
    what.is_runtime = true;
    what.grid = what.block = {1, 1, 1};
    start(what, body, arguments...);
}
} // namespace simt

/* The kernel is called by its name, as C++ resolves it: it may be overloaded, or its template's arguments deduced. */
#define LAUNCH(kernel, grid, block, shared_bytes, ...)     \
    simt::start_grid(                                      \
        #kernel,                                           \
        [&](auto... passed) SIMT_PLAIN {                   \
            sim_entering = true;                           \
            (kernel)(passed...);                           \
        },                                                 \
        grid, block, shared_bytes, __VA_ARGS__)

/* Grids run one after the other, so none is early. */
#define LAUNCH_EARLY LAUNCH

static inline void allow_early_launch()
{
}

static inline void wait_for_last_launch()
{
}

inline void cudaTriggerProgrammaticLaunchCompletion()
{
}

inline void cudaGridDependencySynchronize()
{
}

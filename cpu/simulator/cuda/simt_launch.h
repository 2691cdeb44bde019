/* Launches. Each thread calls the kernel with the arguments as they were at the launch. */
#pragma once

#include "cpu/simulator/sim_early.h"
#include "simt_error.h"
#include "simt_memory.h"
#include "simt_types.h"

#include <utility>

typedef struct CUstream_st *cudaStream_t;

namespace simt
{
/* Each thread calls `body` with the arguments as they were at the launch. */
template <typename F, typename... A>
void start(sim_launch what, F body, A... arguments)
{
    const auto bound = [=]() SIMT_PLAIN { body(arguments...); };
    what.thread_body = [](const void *opaque) SIMT_PLAIN { (*static_cast<decltype(bound) *>(opaque))(); };
    what.arguments = &bound;
    sim_launch_run(&what);
}

inline sim_launch grid_of(const char *name, dim3 grid, dim3 block, size_t dynamic_shared_bytes)
{
    sim_launch what = {};
    what.kernel = name;
    what.grid = {grid.x, grid.y, grid.z};
    what.block = {block.x, block.y, block.z};
    what.dynamic_shared_bytes = dynamic_shared_bytes;
    return what;
}

template <typename F, typename... A>
void start_grid(bool is_early, const char *name, F body, dim3 grid, dim3 block, size_t dynamic_shared_bytes,
                cudaStream_t stream, A... arguments)
{
    sim_launch what = grid_of(name, grid, block, dynamic_shared_bytes);
    what.stream = stream;
    what.is_early = is_early;
    start(what, body, arguments...);
}

/* The host has waited for what it launched. */
inline cudaError_t synchronized()
{
    sim_early_forget();
    return cudaPeekAtLastError();
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
#define SIMT_ENTER(kernel)           \
    [&](auto... passed) SIMT_PLAIN { \
        sim_entering = true;         \
        (kernel)(passed...);         \
    }
#define LAUNCH(kernel, grid, block, shared_bytes, ...) \
    simt::start_grid(false, #kernel, SIMT_ENTER(kernel), grid, block, shared_bytes, __VA_ARGS__)

#define LAUNCH_EARLY(kernel, grid, block, shared_bytes, ...) \
    simt::start_grid(true, #kernel, SIMT_ENTER(kernel), grid, block, shared_bytes, __VA_ARGS__)

SIMT_RETURNS(void, allow_early_launch, (), void())
SIMT_RETURNS(void, wait_for_last_launch, (), sim_early_wait())

SIMT_RETURNS(void, cudaTriggerProgrammaticLaunchCompletion, (), void())
SIMT_RETURNS(void, cudaGridDependencySynchronize, (), sim_early_wait())

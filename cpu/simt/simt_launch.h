/* Launches: each thread calls the kernel with the arguments as they were at the launch. */
#ifndef RUNGBENCH_SIMT_LAUNCH_H
#define RUNGBENCH_SIMT_LAUNCH_H

#include "sim_grid.h"
#include "simt_types.h"

#include <cstddef>
#include <tuple>

namespace simt
{
template <typename... P>
struct call {
    void (*kernel)(P...);
    std::tuple<P...> arguments;

    static void run(const void *opaque)
    {
        const call *self = static_cast<const call *>(opaque);
        std::apply(self->kernel, self->arguments);
    }
};

template <typename... P, typename... A>
void launch(const char *name, void (*kernel)(P...), dim3 grid, dim3 block, size_t dynamic_shared_bytes, A... arguments)
{
    const call<P...> one{kernel, std::tuple<P...>(static_cast<P>(arguments)...)};
    const sim_launch what = {
        name, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, dynamic_shared_bytes, call<P...>::run, &one};
    sim_launch_run(&what);
}
} // namespace simt

#define LAUNCH(kernel, grid, block, shared_bytes, stream, ...) \
    ((void)(stream), simt::launch(#kernel, kernel, grid, block, shared_bytes, __VA_ARGS__))

#endif

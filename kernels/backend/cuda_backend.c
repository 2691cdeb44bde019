/* The CUDA backend: opens and closes its parts, which are in the files beside this one. */
#include "cuda_parts.h"
#include "cuda_toolchain.h"

#include <string.h>

/* Launches each kernel of the ceilings once, as the other open functions do with theirs. CUDA may load a kernel at its
 * first launch; by then no launch may be held back. */
static const char *try_ceilings(void)
{
    for (int kind = 0; kind < CEILING_KINDS; kind++) {
        for (int variant = 0; variant < cuda_ceiling_variants((enum ceiling_kind)kind); variant++) {
            const char *error = cuda_ceiling((enum ceiling_kind)kind, variant, cuda.scratch, 0);
            if (error)
                return error;
        }
    }
    return NULL;
}

/* May follow an open() that failed halfway. Frees only what there is: a call of CUDA would make a context. */
static void cuda_close(void)
{
    cuda_end_holds(); /* or the next line would wait until a hold ends by itself */
    if (cuda.stream)
        (void)cudaStreamSynchronize(cuda.stream);
    cuda_graph_drop();
    cuda_close_timer();
    cuda_close_evict();
    cuda_close_guarded();
    cuda_close_memory();
    cuda_close_gpu();
    (void)cudaGetLastError();
    cuda_leave_device();
    memset(&cuda, 0, sizeof cuda);
}

static const char *cuda_open(const struct backend_settings *settings)
{
    const char *error = cuda_choose_device(settings->device);
    if (!error)
        cuda_open_memory(settings->times_nothing);
    error = error ? error : cuda_open_gpu();
    if (!error)
        cuda_open_guarded();
    error = error ? error : cuda_open_hold();
    error = error ? error : cuda_open_state();
    error = error ? error : cuda_open_put_back();
    error = error ? error : cuda_open_evict();
    error = error ? error : try_ceilings();
    error = error ? error : cuda_finish();
    error = error ? error : cuda_open_timer();
    if (error)
        cuda_close();
    return error;
}

const struct backend cuda_backend = {
    .toolchain = &cuda_toolchain,
    .open = cuda_open,
    .close = cuda_close,
    .device_count = cuda_device_count,
    .describe = cuda_describe,
    .free_memory = cuda_free_memory,
    .held_memory = cuda_held_memory,
    .leak_calls = CUDA_LEAK_CALLS,
    .allocate = cuda_allocate,
    .guard_page = cuda_guard_page,
    .freeze = cuda_freeze,
    .release = cuda_release,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .lacks = cuda_lacks,
    .stream = cuda_stream,
    .upload = cuda_upload,
    .download = cuda_download,
    .noise = cuda_noise,
    .rotate = cuda_rotate,
    .finish = cuda_finish,
    .put_back = cuda_put_back,
    .evict = cuda_evict,
    .hold = cuda_hold,
    .let_go = cuda_let_go,
    .peek = cuda_peek,
    .mark = cuda_mark,
    .elapsed = cuda_elapsed,
    .tick = cuda_tick,
    .read_state = cuda_read_state,
    .graph_begin = cuda_graph_begin,
    .graph_end = cuda_graph_end,
    .graph_queue = cuda_graph_queue,
    .graph_drop = cuda_graph_drop,
    .graph_launches = cuda_graph_launches,
    .spin = cuda_spin,
    .ceiling_variants = cuda_ceiling_variants,
    .ceiling = cuda_ceiling,
    .seed = cuda_seed,
    .range_begin = cuda_range_begin,
    .range_end = cuda_range_end,
    .profile_begin = cuda_profile_begin,
    .profile_end = cuda_profile_end,
};

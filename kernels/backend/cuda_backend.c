/* The CUDA backend: one GPU, one stream for the work. Its parts are in the files beside this one. */
#include "cuda_parts.h"

#include <string.h>

struct cuda_gpu cuda;

static const char *make_streams(void)
{
    /* Non-blocking: not even work on CUDA's default stream waits for these, nor they for it. */
    TRY(cudaStreamCreateWithFlags(&cuda.stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    TRY(cudaStreamCreateWithFlags(&cuda.side_stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return NULL;
}

static const char *make_boards(void)
{
    void *host, *gpu;
    TRY(cudaHostAlloc(&host, sizeof *cuda.board, cudaHostAllocMapped), "cudaHostAlloc of the board");
    cuda.board = host;
    memset(host, 0, sizeof *cuda.board);
    TRY(cudaHostGetDevicePointer(&gpu, host, 0), "cudaHostGetDevicePointer of the board");
    cuda.gpu_board = gpu;
    TRY(cudaMalloc((void **)&cuda.scratch, sizeof *cuda.scratch), "cudaMalloc of the scratch memory");
    TRY(cudaMemsetAsync(cuda.scratch, 0, sizeof *cuda.scratch, cuda.stream), "fill of the scratch memory");
    return NULL;
}

/* Launches each of the ceilings' kernels once, as the other open functions do with theirs: should modules be loaded
 * late all the same, that is over before any of them is held. */
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

const char *cuda_finish(void)
{
    TRY(cudaStreamSynchronize(cuda.stream), "work on the GPU");
    TRY(cudaGetLastError(), "an earlier CUDA call"); /* of release(), say, which cannot tell */
    return NULL;
}

/* Also after an open() that failed halfway. What there is not, is not freed: that would make a context. */
static void cuda_close(void)
{
    cuda_end_holds(); /* or we would wait for one to lapse */
    if (cuda.stream)
        (void)cudaStreamSynchronize(cuda.stream);
    cuda_graph_drop();
    cuda_close_timer();
    cuda_close_evict();
    cuda_close_memory();
    if (cuda.side_stream)
        (void)cudaStreamDestroy(cuda.side_stream);
    if (cuda.stream)
        (void)cudaStreamDestroy(cuda.stream);
    if (cuda.scratch)
        (void)cudaFree(cuda.scratch);
    if (cuda.board)
        (void)cudaFreeHost(cuda.board);
    (void)cudaGetLastError();
    cuda_leave_device();
    memset(&cuda, 0, sizeof cuda);
}

static const char *cuda_open(const struct backend_settings *settings)
{
    const char *error = cuda_choose_device(settings->device);
    if (!error)
        cuda_open_memory(settings->times_nothing);
    if (!error)
        error = make_streams();
    if (!error)
        error = make_boards();
    if (!error)
        error = cuda_open_hold();
    if (!error)
        error = cuda_open_state();
    if (!error)
        error = cuda_open_evict();
    if (!error)
        error = try_ceilings();
    if (!error)
        error = cuda_finish();
    if (!error)
        error = cuda_open_timer();
    if (error)
        cuda_close();
    return error;
}

static void *cuda_stream(void)
{
    return cuda.stream;
}

static const char *cuda_upload(void *memory, const void *host, size_t bytes)
{
    return cuda_check(cudaMemcpyAsync(memory, host, bytes, cudaMemcpyHostToDevice, cuda.stream), "upload of %zu bytes",
                      bytes);
}

static const char *cuda_download(void *host, const void *memory, size_t bytes)
{
    return cuda_check(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda.stream),
                      "download of %zu bytes", bytes);
}

static const char *cuda_fill(void *memory, int byte, size_t bytes)
{
    return cuda_check(cudaMemsetAsync(memory, byte, bytes, cuda.stream), "fill of %zu bytes", bytes);
}

static const char *cuda_peek(void *host, const void *memory, size_t bytes)
{
    TRY(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda.side_stream), "peek at %zu bytes", bytes);
    TRY(cudaStreamSynchronize(cuda.side_stream), "peek at %zu bytes", bytes);
    return NULL;
}

const struct backend cuda_backend = {
    .open = cuda_open,
    .close = cuda_close,
    .device_count = cuda_device_count,
    .describe = cuda_describe,
    .free_memory = cuda_free_memory,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .lacks = cuda_lacks,
    .stream = cuda_stream,
    .upload = cuda_upload,
    .download = cuda_download,
    .fill = cuda_fill,
    .finish = cuda_finish,
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
    .spin = cuda_spin,
    .ceiling_variants = cuda_ceiling_variants,
    .ceiling = cuda_ceiling,
    .seed = cuda_seed,
    .range_begin = cuda_range_begin,
    .range_end = cuda_range_end,
    .profile_begin = cuda_profile_begin,
    .profile_end = cuda_profile_end,
};

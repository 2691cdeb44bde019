/* The GPU that is open: its streams, its copies, the memory that its parts talk through, and its errors. */
#include "cuda_parts.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct cuda_gpu cuda;

const char *cuda_check(cudaError_t status, const char *format, ...)
{
    static char text[512];
    if (status == cudaSuccess)
        return NULL;
    (void)cudaGetLastError();
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, ": %s", cudaGetErrorString(status));
    return text;
}

bool cuda_find_in_driver(const struct cuda_symbol *symbols, size_t count)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL); /* the runtime has it open: it stays */
    bool has_all = library != NULL;
    for (size_t i = 0; i < count && library; i++) {
        *(void **)symbols[i].function = dlsym(library, symbols[i].name);
        has_all = has_all && *(void **)symbols[i].function;
    }
    return has_all;
}

const char *cuda_launched(const char *what)
{
    return cuda_check(cudaGetLastError(), "launch of the kernel that %s", what);
}

static const char *make_streams(void)
{
    /* Non-blocking: CUDA's default stream and these do not wait for each other. */
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

const char *cuda_open_gpu(void)
{
    const char *error = make_streams();
    return error ? error : make_boards();
}

void cuda_close_gpu(void)
{
    if (cuda.side_stream)
        (void)cudaStreamDestroy(cuda.side_stream);
    if (cuda.stream)
        (void)cudaStreamDestroy(cuda.stream);
    if (cuda.scratch)
        (void)cudaFree(cuda.scratch);
    if (cuda.board)
        (void)cudaFreeHost(cuda.board);
}

void *cuda_stream(void)
{
    return cuda.stream;
}

const char *cuda_upload(void *memory, const void *host, size_t bytes)
{
    return cuda_check(cudaMemcpyAsync(memory, host, bytes, cudaMemcpyHostToDevice, cuda.stream), "upload of %zu bytes",
                      bytes);
}

const char *cuda_download(void *host, const void *memory, size_t bytes)
{
    return cuda_check(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda.stream),
                      "download of %zu bytes", bytes);
}

const char *cuda_peek(void *host, const void *memory, size_t bytes)
{
    TRY(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda.side_stream), "peek at %zu bytes", bytes);
    TRY(cudaStreamSynchronize(cuda.side_stream), "peek at %zu bytes", bytes);
    return NULL;
}

const char *cuda_finish(void)
{
    TRY(cudaStreamSynchronize(cuda.stream), "work on the GPU");
    TRY(cudaGetLastError(), "an earlier CUDA call"); /* such as release(), which cannot report an error itself */
    return NULL;
}

/* What the TMA unit has to know of a matrix to copy tiles of it: made on the host, given to a kernel by value.
 *
 * Source: CUDA Driver API, "Tensor Map Object Management". */
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

/* The driver's function, or NULL: a driver that is older than TMA. The runtime looks it up: a program that is linked
 * with the driver's library does not start where there is none. */
static inline decltype(&cuTensorMapEncodeTiled) tensor_map_encoder()
{
    static void *encoder;
    cudaDriverEntryPointQueryResult found;
    if (encoder)
        return (decltype(&cuTensorMapEncodeTiled))encoder;
#if CUDART_VERSION >= 12050
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encoder, 12000, cudaEnableDefault, &found))
#else
    if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &encoder, cudaEnableDefault, &found))
#endif
        (void)cudaGetLastError(); /* so that no later call reports it again */
    return (decltype(&cuTensorMapEncodeTiled))encoder;
}

/* A row-major matrix, of which tiles of tile_rows x tile_columns are copied, at most 256 each way; zeros stand for what
 * is outside it. The matrix is aligned to 16 bytes, `columns` is a multiple of 4, and sizes are at most INT32_MAX.
 *
 * With CU_TENSOR_MAP_SWIZZLE_128B rows of a tile have 32 columns. In shared memory, where the tile begins at a multiple
 * of 1,024 bytes, the 16 bytes number `piece` of row r are then at number piece ^ (r % 8).
 *
 * Returns NULL, or why there is no map, valid until the next call. */
static inline const char *tensor_map_make(CUtensorMap *map, const float *matrix, int64_t rows, int64_t columns,
                                          int tile_rows, int tile_columns, CUtensorMapSwizzle swizzle)
{
    static char text[96];
    const cuuint64_t size[] = {(cuuint64_t)columns, (cuuint64_t)rows}, row_bytes[] = {size[0] * sizeof(float)};
    const cuuint32_t tile[] = {(cuuint32_t)tile_columns, (cuuint32_t)tile_rows}, every[] = {1, 1};
    auto encode = tensor_map_encoder();
    CUresult status = encode ? encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)matrix, size, row_bytes, tile,
                                      every, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
                             : CUDA_ERROR_NOT_FOUND;
    if (status == CUDA_SUCCESS)
        return NULL;
    snprintf(text, sizeof text, "no tensor map can be made: status %d of cuTensorMapEncodeTiled", (int)status);
    return text;
}

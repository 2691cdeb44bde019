/* Times every tile of matmul cuda_fitted with k shared in several ways, and cuBLAS, on a GPU: where the times in the
 * launcher's table come from, and how near its estimates are.
 *
 *     fitted_times 4096x4096x4096 121x9719x985 >times.csv
 *
 * Columns: shape; tile; blocks of a cluster and clusters that share k; cold_us, the median of a few calls with the
 * cache emptied before each; estimate_us, without the few microseconds that every launch takes, and empty for cuBLAS.
 */
#include "bench/base/statistics.h"
#include "bench/measure/mode.h"
#include "bench/place/buffers.h"
#include "bench/select/sizes.h"
#include "bench/table/backend.h"
#include "bench/table/registry.h"
#include "fitted_tiles.h"

#include <stdio.h>

extern const struct op matmul_op;
rung_function matmul_cublas;
static const struct backend_entry backend = {"cuda", "CUDA", true, false, &cuda_backend};

enum { SAMPLES = 7 };

static const char *time_rung(rung_function *run, struct buffers *buffers, double *us)
{
    const struct rung rung = {.variant = "tile", .op = &matmul_op, .backend = &backend, .run = run};
    const struct mode_context context = {.rung = &rung, .buffers = buffers};
    double times[SAMPLES] = {0};
    struct sample sample;
    const char *error = mode_cold.take(&context, 1, &sample); /* the first call loads the kernel */
    for (int i = 0; i < SAMPLES && !error; i++) {
        error = mode_cold.take(&context, 1, &sample);
        times[i] = sample.seconds * 1e6;
    }
    *us = statistics_of(times, SAMPLES).median;
    return error;
}

static const char *time_shape(const struct workload *workload)
{
    const struct matmul_problem *problem;
    struct buffers buffers;
    double us;
    const char *error =
        buffers_make(&buffers, &cuda_backend, &matmul_op, workload, &(struct placement){.edge = EDGE_ANY}, NULL);
    if (error)
        return error;
    for (size_t i = 0; i < buffers.count && !error; i++) {
        const struct made made = made_unit(i, 1);
        error = cuda_backend.fill(buffers.data[i].start, buffers.data[i].bytes, &made);
    }
    problem = (const struct matmul_problem *)buffers.problem;
    error = error ? error : time_rung(matmul_cublas, &buffers, &us);
    if (!error)
        printf("%s,cublas,,,%.2f,\n", workload->name, us);
    for (const struct fitted_tile *tile = fitted_tiles; tile < fitted_tiles + FITTED_TILES && !error; tile++) {
        error = time_rung(tile->run, &buffers, &us);
        if (!error)
            printf("%s,%dx%d,%d,%d,%.2f,%.2f\n", workload->name, fitted_tile_rows(tile), fitted_tile_columns(tile),
                   tile->splits, tile->clusters, us, fitted_tile_estimate_us(tile, problem));
    }
    buffers_free(&buffers);
    return error;
}

int main(int argc, char **argv)
{
    const struct backend_settings settings = {.device = -1};
    const char *error = cuda_backend.open(&settings);
    if (error) {
        fprintf(stderr, "fitted_times: %s\n", error);
        return 77;
    }
    printf("shape,tile,splits,clusters,cold_us,estimate_us\n");
    for (int i = 1; i < argc && !error; i++) {
        struct workload workload = {0};
        struct error reason;
        error =
            sizes_read_shape(&matmul_op, argv[i], "MxKxN", &workload, &reason) ? time_shape(&workload) : reason.text;
        if (error)
            fprintf(stderr, "fitted_times: %s: %s\n", argv[i], error);
    }
    cuda_backend.close();
    return error ? 1 : 0;
}

/* What launchers must know of the simulated GPU; sim_edges.h sets it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many blocks a grid may have along y and z: what kernels/device.h calls GRID_YZ_MAX. */
extern int64_t sim_grid_yz_max;

/* What cudaDeviceGetAttribute says of it. */
extern int sim_multiprocessors;

/* Whether only the outermost blocks of a grid run. */
bool sim_edges_only(void);

#ifdef __cplusplus
}
#endif

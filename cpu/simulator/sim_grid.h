/* A simulated launch: one block after the other. CUDA leaves open in which order blocks and threads run; here they run
 * in one of several orders (sim_order.h). A barrier that a kernel lacks shows where two orders give different answers.
 */
#pragma once

#include "sim_launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the launch to its end, or to the first error. After an error, later launches do nothing until somebody has asked
 * for it. */
void sim_launch_run(const struct sim_launch *launch);

/* The error since the last call, a sentence that is valid until the next launch; NULL: none. */
const char *sim_launch_error(void);

#ifdef __cplusplus
}
#endif

/* Memory of the simulated GPU that a launcher allocates. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory that ends at a page that may not be touched. NULL, or an error message that is valid until the next call. */
const char *sim_workspace_allocate(size_t bytes, void **memory);
void sim_workspace_release(void *memory); /* or NULL */

#ifdef __cplusplus
}
#endif

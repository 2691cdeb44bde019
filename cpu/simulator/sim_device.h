/* The memory of the simulated GPU. The host may touch it only between sim_device_open() and sim_device_shut(): while a
 * grid runs, and from a call of the backend to finish(). */
#pragma once

#include "bench/table/backend.h"

/* As those of the backend. */
const char *sim_device_allocate(size_t bytes, enum edge edge, void **memory);
void sim_device_open(void);
void sim_device_shut(void);

/* From here to sim_device_ignore() an access of the host to shut memory is recorded; the memory is then open, and the
 * host goes on. Somebody who wants SIGSEGV later gets it, so this is called again and again. */
void sim_device_catch(void);
void sim_device_ignore(void);

/* What the host did since the last call: "`who` touches device memory on the host, ..."; NULL: nothing. */
const char *sim_device_error(const char *who);

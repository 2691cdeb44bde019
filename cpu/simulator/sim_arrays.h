/* The arrays of an object file that kernels lie in: the program, or a kernel of the user's own. Shared arrays are its
 * thread-local variables, __device__ and __constant__ arrays its other variables. Where they lie and what they are
 * called stands in the file's table of symbols (System V ABI, "Symbol Table" and "Thread-Local Storage"). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_GRANULE = 4 };

struct sim_array {
    size_t offset, bytes; /* in its region */
    const char *symbol;
    bool is_dynamic; /* as large as the launch has it, its user says: extern __shared__ */
};

/* Memory with arrays, and with bytes between them that belong to none. */
struct sim_region {
    uintptr_t start;
    size_t bytes;
    struct sim_array *arrays; /* by offset */
    size_t count;
    uint32_t *left;           /* of each granule: how many bytes of an open array begin with it */
    size_t *open, open_count; /* the numbers of arrays that are open */
};

struct sim_function {
    uintptr_t start; /* 0: none is known */
    size_t bytes;
    const char *symbol;
    unsigned cluster[3]; /* as __cluster_dims__ has it, below 16 each; 0: it has none */
};

struct sim_module {
    struct sim_module *next;
    uintptr_t base;
    size_t tls_number;
    const char *file; /* mapped for as long as the process lives: names lie in it */
    /* The arrays of the program itself are not known in the second: its other variables lie among them. */
    struct sim_region shared, device;
    struct sim_function *functions;
    size_t function_count;
};

/* The module of an address in it; NULL: it cannot be read. Its memory is that of the thread that calls. */
struct sim_module *sim_module_of(const void *code);
struct sim_function sim_module_function(struct sim_module *module, const void *code);

/* The last array that begins at the offset or before; NULL: none. */
struct sim_array *sim_region_find(const struct sim_region *region, size_t offset);

/* Opens an array that is shut, and shuts all. */
void sim_region_open(struct sim_region *region, const struct sim_array *array);
void sim_region_shut(struct sim_region *region);

/* Whether the bytes lie in one open array. */
static inline bool sim_region_holds(const struct sim_region *region, size_t offset, size_t bytes)
{
    return region->left && offset % SIM_GRANULE + bytes <= region->left[offset / SIM_GRANULE];
}

/* "tile" for the variable of that name in a kernel. `size` > 0. */
void sim_symbol_name(const char *symbol, char *name, size_t size);

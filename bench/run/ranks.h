/* Under mpirun or srun: each process is a rank, which makes a run on its GPU; rank 0 has the table and the file. */
#pragma once

#include "run_devices.h"

/* What the module has that is linked with MPI (bench/mpi/), which is loaded only where it is used. Functions return
 * NULL or what MPI says; `interrupted` ends waiting. All ranks call them, in the same order. */
struct rank {
    int number, count, local, local_count; /* of all, and of those on this host */
};
struct ranks_mpi {
    const char *(*begin)(struct rank *rank);
    /* Rank 0 takes a text of each rank, by their numbers. */
    const char *(*gather)(const char *text, size_t bytes,
                          void (*take)(void *self, int rank, const char *text, size_t bytes), void *self,
                          int (*interrupted)(void));
    const char *(*share)(char *text, size_t bytes, int (*interrupted)(void)); /* rank 0's becomes everyone's */
    void (*end)(int (*interrupted)(void));
};
#define RANKS_MODULE "librungbench_mpi.so"
#define RANKS_SYMBOL "rungbench_mpi"

/* Whether this process is one of several tasks of a launcher; a note says where the build has no MPI for them. */
bool ranks_are_several(void);

/* As run_devices(). Ranks must have the same flags. After a signal each rank keeps its finished rows in a file beside
 * --out. */
int ranks_run(struct device_runs *runs);

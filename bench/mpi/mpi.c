/* What ranks ask of MPI (MPI 3.1: chapters 3, 5 and 8). Who waits sleeps: others of its host are measuring. */
#include "bench/run/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LOOK_MS = 20, TAG_SIZE = 1, TAG_TEXT };

static struct rank self;
static char said[MPI_MAX_ERROR_STRING];

static const char *check(int status)
{
    int length = 0;
    if (status == MPI_SUCCESS)
        return NULL;
    if (MPI_Error_string(status, said, &length) != MPI_SUCCESS)
        snprintf(said, sizeof said, "MPI error %d", status);
    return said;
}

static const char *wait_for(int status, MPI_Request *request, int (*interrupted)(void))
{
    const struct timespec pause = {0, LOOK_MS * 1000000L};
    const char *error = check(status);
    int done = 0;
    while (!error) {
        error = check(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        if (error || done)
            return error;
        if (interrupted())
            return "interrupted";
        nanosleep(&pause, NULL);
    }
    return error;
}

static const char *begin(struct rank *rank)
{
    MPI_Comm here;
    TRY_CALL(check(MPI_Init(NULL, NULL)));
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    TRY_CALL(check(MPI_Comm_rank(MPI_COMM_WORLD, &self.number)));
    TRY_CALL(check(MPI_Comm_size(MPI_COMM_WORLD, &self.count)));
    TRY_CALL(check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here)));
    TRY_CALL(check(MPI_Comm_rank(here, &self.local)));
    TRY_CALL(check(MPI_Comm_size(here, &self.local_count)));
    TRY_CALL(check(MPI_Comm_free(&here)));
    *rank = self;
    return NULL;
}

/* Synchronous: what has been sent has come to rank 0, and is not lost if this rank ends. */
static const char *send_text(const char *text, size_t bytes, int (*interrupted)(void))
{
    MPI_Request request;
    unsigned long size = bytes;
    int sent = MPI_Issend(&size, 1, MPI_UNSIGNED_LONG, 0, TAG_SIZE, MPI_COMM_WORLD, &request);
    TRY_CALL(wait_for(sent, &request, interrupted));
    sent = MPI_Issend(text, (int)bytes, MPI_CHAR, 0, TAG_TEXT, MPI_COMM_WORLD, &request);
    return wait_for(sent, &request, interrupted);
}

static const char *take_text(int from, void (*take)(void *self, int rank, const char *text, size_t bytes), void *to,
                             int (*interrupted)(void))
{
    MPI_Request request;
    unsigned long size = 0;
    int taken = MPI_Irecv(&size, 1, MPI_UNSIGNED_LONG, from, TAG_SIZE, MPI_COMM_WORLD, &request);
    TRY_CALL(wait_for(taken, &request, interrupted));
    char *text = malloc(size + 1);
    if (!text)
        return "no memory for what a rank has sent";
    taken = MPI_Irecv(text, (int)size, MPI_CHAR, from, TAG_TEXT, MPI_COMM_WORLD, &request);
    const char *error = wait_for(taken, &request, interrupted);
    text[size] = '\0';
    if (!error)
        take(to, from, text, size);
    free(text);
    return error;
}

static const char *gather(const char *text, size_t bytes,
                          void (*take)(void *self, int rank, const char *text, size_t bytes), void *to,
                          int (*interrupted)(void))
{
    if (bytes > INT_MAX)
        return "more than 2 GB of results";
    if (self.number > 0)
        return send_text(text, bytes, interrupted);
    take(to, 0, text, bytes);
    for (int rank = 1; rank < self.count; rank++)
        TRY_CALL(take_text(rank, take, to, interrupted));
    return NULL;
}

static const char *share(char *text, size_t bytes, int (*interrupted)(void))
{
    MPI_Request request;
    return wait_for(MPI_Ibcast(text, (int)bytes, MPI_CHAR, 0, MPI_COMM_WORLD, &request), &request, interrupted);
}

/* Nothing of MPI is called after an interruption: others may have ended. */
static void end(int (*interrupted)(void))
{
    MPI_Request request;
    if (!wait_for(MPI_Ibarrier(MPI_COMM_WORLD, &request), &request, interrupted))
        (void)MPI_Finalize();
}

extern const struct ranks_mpi rungbench_mpi;
const struct ranks_mpi rungbench_mpi = {begin, gather, share, end};

/* IDX files, gzipped and plain, of images and of labels. */
#include "bench/data/idx.h"
#include "fuzz_target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int rank = 1; rank <= IDX_RANK_MAX; rank += IDX_RANK_MAX - 1) {
        struct idx idx;
        struct error error = {""};
        if (idx_read(fuzz_file(data, size), rank, &idx, &error))
            free(idx.data);
        else
            fuzz_check_error(&error);
    }
    return 0;
}

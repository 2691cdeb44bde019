/* Photos: JPEG, PNG and PPM. */
#include "bench/data/photo.h"
#include "fuzz_target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct photo photo;
    struct error error = {""};
    if (!photo_read(fuzz_file(data, size), &photo, &error)) {
        fuzz_check_error(&error);
        return 0;
    }
    uint64_t sum = 0;
    for (int64_t i = 0; i < 3 * photo.height * photo.width; i++)
        sum += photo.planes[i];
    if (sum == UINT64_MAX) /* valgrind sees here whether every pixel has a value */
        abort();
    free(photo.planes);
    return 0;
}

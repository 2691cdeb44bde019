#include "exercises.h"

#include "bench/base/home.h"
#include "bench/base/plain_text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct exercise exercises[] = {
    {1, "missing_guard", "map", "n=1000", true, false, 0},
    {2, "missing_barrier", "reduce_rows", "m=5,n=1000", false, false, 0},
    {3, "uncoalesced", "matmul", "m=64,k=32,n=64", false, true, 0},
    {4, "bank_conflicts", "reduce_rows", "m=5,n=1000", false, true, 0},
    {5, "tile_edge", "matmul", "m=33,k=50,n=17", true, false, 0},
    {6, "unordered_sum", "reduce_columns", "m=1000,n=64", false, false, 0},
    {7, "slow_transpose", "transpose", "m=96,n=64", false, true, 0},
    {8, "softmax_passes", "softmax", "m=5,n=1024", false, false, 2},
    {9, "spilled_registers", "matmul", "m=64,k=32,n=64", false, true, 0},
    {10, "cheat", "matmul", "m=64,k=32,n=64", true, false, 0},
};
enum { EXERCISES = sizeof exercises / sizeof exercises[0] };

const struct exercise *exercise_find(const char *number)
{
    uint64_t of;
    return number_read_integer(number, 1, EXERCISES, &of) ? &exercises[of - 1] : NULL;
}

const struct exercise *exercise_next(const struct exercise *exercise)
{
    exercise = exercise ? exercise + 1 : exercises;
    return exercise < exercises + EXERCISES ? exercise : NULL;
}

void exercise_path(const struct exercise *exercise, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    const size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    snprintf(path, PATH_MAX, "%s/docs/exercises/%02d_%s.cu", home_folder(), exercise->number, exercise->name);
    if (length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/')
        memmove(path, path + length + 1, strlen(path + length));
}

/* The main() of fuzz targets where there is no libFuzzer: runs files, and mutations of them, the same ones each time.
 * Usage: fuzz_TARGET MUTATIONS FILE... The input that runs is in the file last-input. */
#include "bench/base/seeded.h"
#include "fuzz_target.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_MAX = 1 << 16, SEEDS_MAX = 256, EDITS_MAX = 6, SPAN_MAX = 64 };

struct input {
    size_t size;
    uint8_t data[INPUT_MAX];
};

static struct input seeds[SEEDS_MAX];
static size_t seed_count;
static uint64_t draws;

/* The next random number below `limit`, which is above 0. */
static size_t draw(size_t limit)
{
    return (size_t)(seeded_bits(1, draws++) % limit);
}

/* The file stays open: to close it after every input would wait for the disk. */
static void run(const struct input *input)
{
    static int file = -1;
    if (file < 0)
        file = open("last-input", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (pwrite(file, input->data, input->size, 0) != (ssize_t)input->size || ftruncate(file, (off_t)input->size) != 0) {
        perror("last-input");
        exit(2);
    }
    LLVMFuzzerTestOneInput(input->data, input->size);
}

static void read_seed(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || seed_count == SEEDS_MAX) {
        fprintf(stderr, "%s: cannot be read, or is one of too many\n", path);
        exit(2);
    }
    struct input *seed = &seeds[seed_count++];
    seed->size = fread(seed->data, 1, INPUT_MAX, file);
    fclose(file);
    run(seed);
}

/* Puts `count` bytes in the place of `gone` bytes at `at`; where there is no room, nothing happens. */
static void splice(struct input *input, size_t at, size_t gone, const uint8_t *bytes, size_t count)
{
    if (input->size - gone + count > INPUT_MAX)
        return;
    memmove(input->data + at + count, input->data + at + gone, input->size - at - gone);
    memcpy(input->data + at, bytes, count);
    input->size += count - gone;
}

static void edit(struct input *input)
{
    static const uint8_t edges[] = {0x00, 0xFF, 0x7F, 0x80, '"', ',', '\n', '9', '-', 0x01};
    const struct input *other = &seeds[draw(seed_count)];
    size_t at = draw(input->size), left = input->size - at, span = 1 + draw(left < SPAN_MAX ? left : SPAN_MAX);
    uint8_t bytes[SPAN_MAX];
    switch (draw(6)) {
    case 0: input->data[at] ^= (uint8_t)(1 << draw(8)); break;
    case 1: memset(input->data + at, edges[draw(sizeof edges)], span < 5 ? span : 1); break;
    case 2: splice(input, at, span, bytes, 0); break;
    case 3:
        memcpy(bytes, input->data + at, span);
        splice(input, draw(input->size), 0, bytes, span);
        break;
    case 4:
        if (other->size >= span)
            splice(input, at, span, other->data + draw(other->size - span + 1), span);
        break;
    default: input->size = at + draw(left); break;
    }
}

int main(int argc, char **argv)
{
    static struct input input;
    for (int i = 2; i < argc; i++)
        read_seed(argv[i]);
    size_t mutations = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (seed_count == 0) {
        fprintf(stderr, "usage: %s MUTATIONS FILE...\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; i < mutations; i++) {
        input = seeds[draw(seed_count)];
        for (size_t edits = 1 + draw(EDITS_MAX); edits > 0 && input.size > 0; edits--)
            edit(&input);
        run(&input);
    }
    printf("%zu seeds and %zu mutations\n", seed_count, mutations);
    return 0;
}

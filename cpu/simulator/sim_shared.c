#include "sim_shared.h"

#include "bench/base/memory.h"
#include "sim_order.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 1024, RANK_SHIFT = 24 };

/* extern __shared__ arrays of the program's own kernels: kernels/device.h. */
SIM_OWN unsigned char dynamic_shared_memory[SIM_SHARED_BYTES_MAX] __attribute__((aligned(ALIGNMENT)));

SIM_OWN struct sim_shared sim_shared;

/* What a block that waits for its turn has touched. */
struct image {
    size_t *open, open_count; /* arrays, as in struct sim_region */
    bool is_closed;
};

static SIM_OWN struct {
    struct image *of; /* room for as many as there ever were */
    unsigned room, count;
    char *memory; /* of all, one after the other; NULL: none was needed yet */
    size_t bytes; /* of each */
} images;

void sim_shared_begin(const struct sim_region *region, size_t dynamic_bytes)
{
    sim_shared.region = *region;
    for (size_t i = 0; i < region->count; i++)
        if (region->arrays[i].is_dynamic)
            region->arrays[i].bytes = dynamic_bytes;
}

void sim_shared_end(void)
{
    sim_region_shut(&sim_shared.region);
    sim_shared.region = (struct sim_region){.bytes = 0};
    free(images.memory);
    images.memory = NULL;
}

void sim_shared_renew(uint64_t serial)
{
    sim_region_shut(&sim_shared.region);
    sim_shared.static_bytes = 0;
    sim_shared.serial = serial;
}

static void open_array(const struct sim_array *array)
{
    sim_shared.static_bytes += array->is_dynamic ? 0 : array->bytes;
    sim_region_open(&sim_shared.region, array);
}

void sim_shared_open(const struct sim_array *array)
{
    open_array(array);
    sim_order_poison((void *)(sim_shared.region.start + array->offset), array->bytes);
}

void sim_images_begin(unsigned count)
{
    if (count > images.room) {
        images.of = memory_have(realloc(images.of, count * sizeof *images.of));
        memset(images.of + images.room, 0, (count - images.room) * sizeof *images.of);
        images.room = count;
    }
    images.count = count;
    sim_shared.rank = 0;
    for (unsigned i = 0; i < count; i++) {
        images.of[i].open_count = 0;
        images.of[i].is_closed = false;
    }
}

static char *memory_of(unsigned rank)
{
    if (!images.memory) {
        images.bytes = (sim_shared.region.bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        images.memory = memory_get(images.count, images.bytes);
    }
    return images.memory + rank * images.bytes;
}

static void note_open(struct image *image, size_t array)
{
    image->open = memory_grow(image->open, image->open_count, sizeof *image->open);
    image->open[image->open_count++] = array;
}

void sim_image_put_away(unsigned rank)
{
    struct sim_region *region = &sim_shared.region;
    images.of[rank].open_count = 0;
    for (size_t i = 0; i < region->open_count; i++) {
        const struct sim_array *array = &region->arrays[region->open[i]];
        note_open(&images.of[rank], region->open[i]);
        memcpy(memory_of(rank) + array->offset, (const void *)(region->start + array->offset), array->bytes);
    }
    sim_region_shut(region);
}

void sim_image_take_up(unsigned rank, uint64_t serial)
{
    const struct image *image = &images.of[rank];
    sim_shared.rank = rank;
    sim_shared_renew(serial);
    for (size_t i = 0; i < image->open_count; i++) {
        const struct sim_array *array = &sim_shared.region.arrays[image->open[i]];
        open_array(array);
        memcpy((void *)(sim_shared.region.start + array->offset), memory_of(rank) + array->offset, array->bytes);
    }
}

void sim_image_close(unsigned rank)
{
    images.of[rank].is_closed = true;
}

bool sim_images_hold(const void *memory)
{
    return images.memory && (size_t)((const char *)memory - images.memory) < images.count * images.bytes;
}

static bool is_open(const struct image *image, size_t array)
{
    for (size_t i = 0; i < image->open_count; i++)
        if (image->open[i] == array)
            return true;
    return false;
}

size_t sim_image_offset(const void *memory)
{
    const size_t at = (size_t)((const char *)memory - images.memory), offset = at % images.bytes;
    struct image *image = &images.of[at / images.bytes];
    const struct sim_array *array = sim_region_find(&sim_shared.region, offset);
    if (image->is_closed)
        return SIZE_MAX;
    if (array && !is_open(image, (size_t)(array - sim_shared.region.arrays))) {
        note_open(image, (size_t)(array - sim_shared.region.arrays));
        sim_order_poison(images.memory + at - offset + array->offset, array->bytes);
    }
    return offset;
}

static size_t offset_of(const void *memory)
{
    return (uintptr_t)memory - sim_shared.region.start;
}

unsigned sim_shared_rank_of(const void *memory)
{
    if (offset_of(memory) < sim_shared.region.bytes)
        return sim_shared.rank;
    return sim_images_hold(memory) ? (unsigned)((size_t)((const char *)memory - images.memory) / images.bytes)
                                   : UINT32_MAX;
}

void *sim_shared_map(const void *memory, unsigned rank)
{
    return rank == sim_shared.rank ? (void *)(uintptr_t)memory : memory_of(rank) + offset_of(memory);
}

/* Of the region, behind a multiple of the alignment. */
static size_t beginning(void)
{
    return sim_shared.region.start & (ALIGNMENT - 1);
}

uint32_t sim_shared_address(const void *memory)
{
    const unsigned rank = sim_shared_rank_of(memory);
    const bool is_own = rank == sim_shared.rank || rank == UINT32_MAX;
    const size_t offset = is_own ? offset_of(memory) : (size_t)((const char *)memory - memory_of(rank));
    return (uint32_t)(offset + beginning()) | (is_own ? 0 : (rank + 1) << RANK_SHIFT);
}

void *sim_shared_memory(uint32_t address)
{
    const size_t offset = (address & ((1u << RANK_SHIFT) - 1)) - beginning();
    const uint32_t number = address >> RANK_SHIFT, rank = number > 0 ? number - 1 : sim_shared.rank;
    if (offset >= sim_shared.region.bytes || rank >= images.count)
        return NULL;
    return sim_shared_map((void *)(sim_shared.region.start + offset), rank);
}

#include "sim_watch.h"

#include "sim_blame.h"
#include "sim_race.h"

#include <string.h>

static struct {
    const void *memory;
    size_t bytes;
    unsigned char last[16];
    char writer[192];
    const void *function; /* of the writer */
    struct uint3 block;
} watched;

void sim_watch(const void *memory, size_t bytes)
{
    watched.memory = memory;
    watched.bytes = bytes < sizeof watched.last ? bytes : sizeof watched.last;
    watched.writer[0] = '\0';
    watched.function = NULL;
    sim_watch_launch();
}

void sim_watch_launch(void)
{
    if (watched.memory)
        memcpy(watched.last, watched.memory, watched.bytes);
}

void sim_watch_block(const struct sim_launch *launch, struct uint3 block)
{
    if (!watched.memory || memcmp(watched.last, watched.memory, watched.bytes) == 0)
        return;
    memcpy(watched.last, watched.memory, watched.bytes);
    sim_print_block(watched.writer, sizeof watched.writer, launch, block);
    watched.function = launch->function;
    watched.block = block;
}

const char *sim_writer(void)
{
    sim_race_look_at(watched.function, watched.block);
    return watched.writer[0] ? watched.writer : NULL;
}

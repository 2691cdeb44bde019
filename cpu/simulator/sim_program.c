#define _DEFAULT_SOURCE /* on_exit() */
#include "sim_program.h"

#include "bench/base/error.h"
#include "bench/base/memory.h"
#include "bench/table/backend.h"
#include "cpu/backend/guarded_memory.h"
#include "sim_crew.h"
#include "sim_device.h"
#include "sim_launch.h"
#include "sim_race.h"
#include "sim_thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAID_MAX = 20, EXIT_BEYOND = 2 };

static struct {
    bool runs;
    char *said[SAID_MAX];
    size_t count;
    bool has_more, is_beyond; /* more was found; something is not simulated */
} program;

bool sim_program_runs(void)
{
    return program.runs;
}

void sim_program_say(const char *text)
{
    if (!sim_crew_in_order())
        return;
    for (size_t i = 0; i < program.count; i++)
        if (strcmp(program.said[i], text) == 0)
            return;
    program.is_beyond = program.is_beyond || strstr(text, NOT_SIMULATED);
    program.has_more = program.count == SAID_MAX;
    if (program.has_more)
        return;
    program.said[program.count++] = memory_print("%s", text);
    (void)fflush(stdout); /* what the program printed comes before */
    error_say("%s", text);
}

void sim_program_look_at_block(void)
{
    char block[192], line[640];
    const char *found = program.runs ? sim_race_found() : NULL;
    if (!found)
        return;
    sim_print_block(block, sizeof block);
    snprintf(line, sizeof line, "%s: %s", block, found);
    sim_program_say(line);
}

/* After all that the program has asked to be done at its end. */
static void end(int status, void *nothing)
{
    const size_t held = guarded_memory_held();
    char line[96];
    (void)nothing;
    const char *touched = sim_device_error("the program");
    if (touched)
        sim_program_say(touched);
    if (sim_launch_error())
        sim_program_say("the program does not ask for the error of its last launch (cudaGetLastError)");
    if (held > 0) {
        snprintf(line, sizeof line, "%zu bytes that cudaMalloc() gave are not freed", held);
        sim_program_say(line);
    }
    if (program.has_more)
        error_say("what else is found is left out");
    (void)fflush(NULL);
    if (status == EXIT_SUCCESS && program.count > 0)
        _exit(program.is_beyond ? EXIT_BEYOND : EXIT_FAILURE);
}

bool sim_program_begin(void)
{
    program.runs = on_exit(end, NULL) == 0;
    sim_race_always = true;
    sim_device_shut();
    sim_device_catch();
    return program.runs;
}

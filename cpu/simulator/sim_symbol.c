#define _GNU_SOURCE /* dladdr1() */
#include "sim_symbol.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

/* Returns a file that the answer can be read from; NULL: addr2line cannot be started. The address lies in the program,
 * which has no name here, or in the shared object of a user's own kernel. */
static FILE *start_addr2line(const void *address)
{
    static char program[PATH_MAX];
    char command[128];
    Dl_info info;
    struct link_map *object;
    if (dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) == 0)
        return NULL;
    const char *path = object->l_name[0] ? object->l_name : realpath("/proc/self/exe", program);
    if (!path)
        return NULL;
    (void)setenv("RUNGBENCH_OBJECT", path, 1); /* the shell takes no character of it for its own */
    snprintf(command, sizeof command, "exec addr2line -i -e \"$RUNGBENCH_OBJECT\" %#llx 2>/dev/null",
             (unsigned long long)address - (unsigned long long)object->l_addr);
    FILE *started = popen(command, "r");
    (void)unsetenv("RUNGBENCH_OBJECT"); /* a kernel's process keeps its environment */
    return started;
}

/* The answer has a line for each of the functions that are inlined into one another there, the innermost first:
 * FILE:LINE, which a remark may follow. */
struct sim_place sim_symbol_place(const void *instruction)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static SIM_OWN char file[LINE_BYTES];
    struct sim_place place = {"a line that addr2line (binutils) could not name", 0};
    char line[LINE_BYTES];
    (void)pthread_mutex_lock(&lock);
    FILE *from = start_addr2line(instruction);
    while (from && fgets(line, sizeof line, from)) {
        char *colon = strrchr(line, ':');
        if (place.line > 0 || !colon || strstr(line, "cpu/simulator/cuda/") || strstr(line, "/include/c++/"))
            continue;
        *colon = '\0';
        snprintf(file, sizeof file, "%s", line);
        if (atoi(colon + 1) > 0)
            place = (struct sim_place){file, atoi(colon + 1)};
    }
    if (from)
        (void)pclose(from);
    (void)pthread_mutex_unlock(&lock);
    return place;
}

#define _GNU_SOURCE /* dladdr1() */
#include "sim_symbol.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
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
    snprintf(command, sizeof command, "exec addr2line -f -C -i -e \"$RUNGBENCH_OBJECT\" %#llx 2>/dev/null",
             (unsigned long long)address - (unsigned long long)object->l_addr);
    return popen(command, "r");
}

/* The answer has two lines for each of the functions that are inlined into one another there, the innermost first: the
 * function, and FILE:LINE, which a remark may follow. `function` becomes the outermost, empty where there is no answer.
 */
static struct sim_place ask(const void *address, char function[LINE_BYTES])
{
    static char file[LINE_BYTES];
    struct sim_place place = {"a line that addr2line (binutils) could not name", 0};
    char line[LINE_BYTES];
    FILE *from = start_addr2line(address);
    function[0] = '\0';
    while (from && fgets(function, LINE_BYTES, from) && fgets(line, sizeof line, from)) {
        char *colon = strrchr(line, ':');
        if (place.line > 0 || !colon || strstr(line, "cpu/simulator/cuda/"))
            continue;
        *colon = '\0';
        snprintf(file, sizeof file, "%s", line);
        if (atoi(colon + 1) > 0)
            place = (struct sim_place){file, atoi(colon + 1)};
    }
    if (from)
        (void)pclose(from);
    return place;
}

struct sim_place sim_symbol_place(const void *instruction)
{
    char function[LINE_BYTES];
    return ask(instruction, function);
}

/* Cuts "void kernel<(kind)4, true>(float*)\n" down to "kernel<(kind)4, true>". */
static void cut_name(const char *text, char *name, size_t size)
{
    size_t length = 0;
    if (strncmp(text, "void ", 5) == 0)
        text += 5;
    for (int depth = 0; text[length] != '\0' && text[length] != '\n'; length++) {
        depth += (text[length] == '<') - (text[length] == '>');
        if (text[length] == '(' && depth == 0)
            break;
    }
    snprintf(name, size, "%.*s", (int)length, text);
}

void sim_symbol_function(const void *function, const char *otherwise, char *name, size_t size)
{
    static const void *last; /* whoever asks once often asks again */
    static char name_of_last[128];
    char answer[LINE_BYTES] = "";
    if (!function || function != last) {
        if (function)
            (void)ask(function, answer);
        last = function;
        cut_name(answer, name_of_last, sizeof name_of_last);
    }
    snprintf(name, size, "%s", strchr("?", name_of_last[0]) ? otherwise : name_of_last);
}

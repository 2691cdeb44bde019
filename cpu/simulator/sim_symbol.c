#define _GNU_SOURCE /* dl_iterate_phdr() */
#include "sim_symbol.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAMES_MAX = 8 };

/* The functions inlined into one another at an address, the innermost first. */
struct answer {
    size_t count;
    char function[FRAMES_MAX][1024], line[FRAMES_MAX][1024];
};

/* An address, and the object that it lies in: the program, or the shared object of a user's own kernel. */
struct located {
    uintptr_t address, base;
    char object[4096]; /* its path; empty: it is the program */
};

static int find_object(struct dl_phdr_info *info, size_t size, void *opaque)
{
    (void)size;
    struct located *located = opaque;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = (uintptr_t)info->dlpi_addr + (uintptr_t)part->p_vaddr;
        if (part->p_type != PT_LOAD || located->address < start || located->address - start >= part->p_memsz)
            continue;
        located->base = (uintptr_t)info->dlpi_addr;
        snprintf(located->object, sizeof located->object, "%s", info->dlpi_name);
        return 1;
    }
    return 0;
}

/* The program has no name there. */
static bool locate(const void *address, struct located *located)
{
    *located = (struct located){.address = (uintptr_t)address};
    dl_iterate_phdr(find_object, located);
    if (located->object[0] != '\0')
        return true;
    ssize_t length = readlink("/proc/self/exe", located->object, sizeof located->object - 1);
    located->object[length < 0 ? 0 : length] = '\0';
    return length >= 0;
}

/* Returns a file that the answer can be read from; NULL: addr2line cannot be started. */
static FILE *start_addr2line(const void *address, pid_t *child)
{
    static struct located located;
    char at[32];
    int ends[2];
    if (!locate(address, &located))
        return NULL;
    snprintf(at, sizeof at, "%#llx", (unsigned long long)(located.address - located.base));
    if (pipe(ends) != 0)
        return NULL;
    *child = fork();
    if (*child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)close(STDERR_FILENO);
        execlp("addr2line", "addr2line", "-f", "-C", "-i", "-e", located.object, at, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    if (*child > 0)
        return fdopen(ends[0], "r");
    (void)close(ends[0]);
    return NULL;
}

/* The answer has two lines per frame: the function, and FILE:LINE. */
static const struct answer *ask(const void *address)
{
    static struct answer answer;
    pid_t child;
    FILE *from = start_addr2line(address, &child);
    answer.count = 0;
    if (!from)
        return &answer;
    while (answer.count < FRAMES_MAX && fgets(answer.function[answer.count], sizeof answer.function[0], from) &&
           fgets(answer.line[answer.count], sizeof answer.line[0], from))
        answer.count++;
    (void)fclose(from);
    (void)waitpid(child, NULL, 0);
    return &answer;
}

/* Splits "FILE:LINE", which a remark may follow. */
static bool parse_place(const char *line, struct sim_place *place)
{
    static char file[sizeof((struct answer *)NULL)->line[0]];
    snprintf(file, sizeof file, "%s", line);
    char *colon = strrchr(file, ':');
    if (!colon)
        return false;
    *colon = '\0';
    place->file = file;
    place->line = atoi(colon + 1);
    return place->line > 0;
}

static bool is_ours(const char *file)
{
    return strstr(file, "cpu/simulator/cuda/") != NULL;
}

struct sim_place sim_symbol_place(const void *instruction)
{
    const struct answer *answer = ask(instruction);
    struct sim_place place;
    for (size_t i = 0; i < answer->count; i++)
        if (parse_place(answer->line[i], &place) && !is_ours(place.file))
            return place;
    return (struct sim_place){"a line that addr2line (binutils) could not name", 0};
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
    if (!function || function != last) {
        const struct answer *answer = function ? ask(function) : NULL;
        const char *text = answer && answer->count > 0 ? answer->function[answer->count - 1] : "??";
        last = function;
        cut_name(text, name_of_last, sizeof name_of_last);
    }
    snprintf(name, size, "%s", name_of_last[0] == '?' ? otherwise : name_of_last);
}

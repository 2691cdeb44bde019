#define _DEFAULT_SOURCE /* strsep() */
#include "assembly.h"

#include "bench/base/memory.h"
#include "source.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 64 };

struct names {
    struct part *items;
    size_t count;
};

struct assembly {
    FILE *to;
    bool in_variables;
    size_t alignment; /* of the variable that comes next */
    struct names defined, thread_local;
};

static bool has_name(const struct names *names, struct part name)
{
    return part_among(names->items, names->count, name) != SIZE_MAX;
}

static void add_name(struct names *names, struct part name)
{
    names->items = memory_grow(names->items, names->count, sizeof *names->items);
    names->items[names->count++] = name;
}

/* ".section .tbss.name" and ".bss", say. */
static void note_section(struct assembly *self, struct part line)
{
    struct part found[2];
    if (pattern_find("^\\s*(?:\\.section\\s+|\\.pushsection\\s+)?(\\.(?:text|data|bss|rodata|tbss|tdata|debug)\\S*)",
                     line, found, 2))
        self->in_variables = pattern_find("^\\.(?:data|bss|tbss|tdata)(?:[.,]|$)", found[1], found, 1) &&
                             !pattern_find("^\\.data\\.rel\\.ro", found[0], found, 1);
}

/* Of the library of C++, and of the simulator (cpu/simulator/sim_thread.h, sim_launch.h). */
static bool is_of_others(struct part name)
{
    struct part found[1];
    return pattern_find("^(?:_ZSt.*|sim_entering|(?:thread|block)Idx|(?:block|grid)Dim)$", name, found, 1);
}

/* Only names of thread-local variables are followed by these. */
static void note_thread_local(struct assembly *self, struct part line)
{
    struct part found[3];
    if (pattern_find(
            "([\\w.$]+)@(?:tlsgd|tlsld|gottpoff|tpoff|dtpoff)|:(?:tlsdesc|tprel|gottprel|dtprel)\\w*:([\\w.$]+)", line,
            found, 3)) {
        const struct part name = found[1].length > 0 ? found[1] : found[2];
        if (!has_name(&self->thread_local, name) && !is_of_others(name))
            add_name(&self->thread_local, name);
    }
}

static void put_gap(const struct assembly *self)
{
    fprintf(self->to, "\t.zero %zu\n", self->alignment > GAP ? self->alignment : GAP);
}

/* "array,1024,32": zeroes, wherever the linker finds room for them. */
static void put_common(const struct assembly *self, struct part name, struct part bytes, struct part alignment)
{
    const int length = (int)name.length;
    fprintf(self->to, "\t.pushsection .bss\n\t.balign %.*s\n\t.zero %d\n\t.balign %.*s\n", PART(alignment), GAP,
            PART(alignment));
    fprintf(self->to, "\t.type %.*s, @object\n\t.size %.*s, %.*s\n%.*s:\n\t.zero %.*s\n\t.popsection\n", length,
            name.at, length, name.at, PART(bytes), length, name.at, PART(bytes));
}

static void pad_line(struct assembly *self, struct part line)
{
    struct part found[4];
    if (line.at[0] == '\t' && line.at[1] == '.') {
        note_section(self, line);
        if (pattern_find("^\\s*\\.(?:align|balign)\\s+(\\d+)", line, found, 2))
            self->alignment = strtoul(found[1].at, NULL, 10);
        if (pattern_find("^\\s*\\.comm\\s+([\\w.$]+),(\\d+),(\\d+)", line, found, 4)) {
            put_common(self, found[1], found[2], found[3]);
            return;
        }
    } else if (pattern_find("^([\\w.$]+):", line, found, 2) && strncmp(line.at, ".L", 2) != 0) {
        add_name(&self->defined, found[1]);
        if (self->in_variables)
            put_gap(self);
        self->alignment = 0;
    } else if (memchr(line.at, '@', line.length) || memchr(line.at, ':', line.length)) {
        note_thread_local(self, line);
    }
    fprintf(self->to, "%.*s\n", PART(line));
}

static void put_dynamic(const struct assembly *self, size_t bytes)
{
    enum { ALIGNMENT = 1024 };
    fprintf(self->to, "\t.section .tbss,\"awT\",@nobits\n\t.balign %d\n\t.zero %d\n", ALIGNMENT, ALIGNMENT);
    for (size_t i = 0; i < self->thread_local.count; i++) {
        const struct part name = self->thread_local.items[i];
        if (!has_name(&self->defined, name) && !part_is(name, "dynamic_shared_memory"))
            fprintf(self->to, "\t.hidden %.*s\n%.*s:\n", PART(name), PART(name));
    }
    fprintf(self->to, "\t.type dynamic_shared_memory, @object\n\t.size dynamic_shared_memory, %zu\n", bytes);
    fprintf(self->to, "dynamic_shared_memory:\n\t.zero %zu\n\t.zero %d\n", bytes, GAP);
}

void assembly_pad(char *text, size_t dynamic_bytes, FILE *to)
{
    struct assembly self = {.to = to};
    for (char *line; text && (line = strsep(&text, "\n"));)
        pad_line(&self, part_of(line));
    put_dynamic(&self, dynamic_bytes);
    free(self.defined.items);
    free(self.thread_local.items);
}

#include "shared_object.h"

#include "bench/base/regular_file.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 30 };

/* A part of the file; NULL: it is not all there. */
static const void *part(const struct shared_object *object, uint64_t offset, uint64_t bytes)
{
    return offset <= object->size && bytes <= object->size - offset ? object->bytes + offset : NULL;
}

static const ElfW(Ehdr) * header_of(const struct shared_object *object)
{
    return part(object, 0, sizeof(ElfW(Ehdr)));
}

/* NULL: there is no such section. */
static const ElfW(Shdr) * section(const struct shared_object *object, size_t index)
{
    const ElfW(Ehdr) *header = header_of(object);
    if (index >= header->e_shnum || header->e_shentsize != sizeof(ElfW(Shdr)) || header->e_shoff % sizeof(void *) != 0)
        return NULL;
    return part(object, header->e_shoff + index * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr)));
}

/* A text of a table of texts; "": it is not all there. */
static const char *text_at(const struct shared_object *object, const ElfW(Shdr) * texts, uint64_t at)
{
    const char *start = texts && at < texts->sh_size ? part(object, texts->sh_offset, texts->sh_size) : NULL;
    return start && memchr(start + at, '\0', texts->sh_size - at) ? start + at : "";
}

/* Calls `visit` for each dynamic symbol, until it returns true. */
static bool visit_symbols(const struct shared_object *object,
                          bool (*visit)(void *self, const ElfW(Sym) * symbol, const char *name), void *self)
{
    const ElfW(Shdr) * symbols;
    for (size_t i = 0; (symbols = section(object, i)); i++) {
        if (symbols->sh_type != SHT_DYNSYM)
            continue;
        bool is_aligned = symbols->sh_offset % sizeof(void *) == 0;
        const ElfW(Sym) *first = is_aligned ? part(object, symbols->sh_offset, symbols->sh_size) : NULL;
        const ElfW(Shdr) *texts = section(object, symbols->sh_link);
        for (size_t s = 0; first && s < symbols->sh_size / sizeof *first; s++)
            if (visit(self, &first[s], text_at(object, texts, first[s].st_name)))
                return true;
    }
    return false;
}

bool shared_object_read(const char *path, const char *name, struct shared_object *object, struct error *error)
{
    object->bytes = regular_file_read(path, name, BYTES_MAX, &object->size, error);
    if (!object->bytes)
        return false;
    static const unsigned char magic[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                                          sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32};
    const ElfW(Ehdr) *header = header_of(object);
    if (header && memcmp(header->e_ident, magic, sizeof magic) == 0 && header->e_type == ET_DYN)
        return true;
    shared_object_free(object);
    return error_set(error, "%s: is no shared object for this machine, expected one as cc -shared makes it", name);
}

void shared_object_free(struct shared_object *object)
{
    free(object->bytes);
    object->bytes = NULL;
}

static bool is_named(void *name, const ElfW(Sym) * symbol, const char *found)
{
    (void)symbol;
    return strcmp(found, name) == 0;
}

bool shared_object_has(const struct shared_object *object, const char *name)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "%s", name);
    const ElfW(Shdr) *names = section(object, header_of(object)->e_shstrndx), *found;
    for (size_t i = 0; (found = section(object, i)); i++)
        if (strcmp(text_at(object, names, found->sh_name), name) == 0)
            return true;
    return visit_symbols(object, is_named, wanted);
}

struct visitor {
    void (*visit)(void *self, const char *name);
    void *self;
};

static bool pass_function(void *self, const ElfW(Sym) * symbol, const char *name)
{
    const struct visitor *visitor = self;
    if ((symbol->st_info & 0xF) == STT_FUNC && symbol->st_info >> 4 == STB_GLOBAL && symbol->st_shndx != SHN_UNDEF)
        visitor->visit(visitor->self, name);
    return false;
}

void shared_object_functions(const struct shared_object *object, void (*visit)(void *self, const char *name),
                             void *self)
{
    struct visitor visitor = {visit, self};
    (void)visit_symbols(object, pass_function, &visitor);
}

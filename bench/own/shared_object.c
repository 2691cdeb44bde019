#include "shared_object.h"

#include "bench/base/files.h"

#include <elf.h>
#include <stdint.h>
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

/* A text of a section of texts; "": it is not all there. */
static const char *text_at(const struct shared_object *object, const ElfW(Shdr) * texts, uint64_t at)
{
    const char *start = texts && at < texts->sh_size ? part(object, texts->sh_offset, texts->sh_size) : NULL;
    return start && memchr(start + at, '\0', texts->sh_size - at) ? start + at : "";
}

static void find_symbols(struct shared_object *object)
{
    const ElfW(Shdr) * found;
    size_t i = 0;
    while ((found = section(object, i)) && found->sh_type != SHT_DYNSYM)
        i++;
    bool is_aligned = found && found->sh_offset % sizeof(void *) == 0;
    object->symbols = is_aligned ? part(object, found->sh_offset, found->sh_size) : NULL;
    object->symbol_count = object->symbols ? found->sh_size / sizeof *object->symbols : 0;
    object->symbol_names = found ? section(object, found->sh_link) : NULL;
}

bool shared_object_read(const char *path, const char *name, struct shared_object *object, struct error *error)
{
    static const unsigned char magic[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                                          sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32};
    object->bytes = regular_file_read(path, name, BYTES_MAX, &object->size, error);
    if (!object->bytes)
        return false;
    const ElfW(Ehdr) *header = header_of(object);
    if (!header || memcmp(header->e_ident, magic, sizeof magic) != 0 || header->e_type != ET_DYN) {
        shared_object_free(object);
        return error_set(error, "%s: is no shared object for this machine, expected one as cc -shared makes it", name);
    }
    find_symbols(object);
    return true;
}

void shared_object_free(struct shared_object *object)
{
    free(object->bytes);
    object->bytes = NULL;
}

const char *shared_object_next(const struct shared_object *object, bool is_defined, size_t *at)
{
    while (*at < object->symbol_count) {
        const ElfW(Sym) *symbol = &object->symbols[(*at)++];
        const bool is_function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
        const char *name = text_at(object, object->symbol_names, symbol->st_name);
        if (name[0] != '\0' && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
            is_defined == (symbol->st_shndx != SHN_UNDEF) && (is_function || !is_defined))
            return name;
    }
    return NULL;
}

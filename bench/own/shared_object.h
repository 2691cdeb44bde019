/* What a shared object has, found without loading it: ELF, as <elf.h> and the System V ABI describe it. */
#pragma once

#include "bench/base/error.h"

#include <link.h>
#include <stddef.h>

struct shared_object {
    char *bytes;
    size_t size;
    const ElfW(Sym) * symbols; /* the dynamic ones */
    size_t symbol_count;
    const ElfW(Shdr) * symbol_names; /* the section of their names */
};

/* False: it cannot be read, or is no shared object for this machine. */
bool shared_object_read(const char *path, const char *name, struct shared_object *object, struct error *error);
void shared_object_free(struct shared_object *object);

/* The next of the names that it defines for others as functions, or else that others must define: of the symbols from
 * `at` on, which becomes the one behind it. NULL: there is no more. */
const char *shared_object_next(const struct shared_object *object, bool is_defined, size_t *at);

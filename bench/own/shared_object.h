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

/* Whether it has a section of that name, or a dynamic symbol. */
bool shared_object_has(const struct shared_object *object, const char *name);

/* The name of the first function that it defines for others, from the symbol `at` on, which becomes the next one. NULL:
 * there is no more. */
const char *shared_object_function(const struct shared_object *object, size_t *at);

/* The same for names that others must define. */
const char *shared_object_lacking(const struct shared_object *object, size_t *at);

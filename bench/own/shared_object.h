/* What a shared object has, found without loading it: ELF, as <elf.h> and the System V ABI describe it. */
#pragma once

#include "bench/base/error.h"

#include <stddef.h>

struct shared_object {
    char *bytes;
    size_t size;
};

/* False: it cannot be read, or is no shared object for this machine. */
bool shared_object_read(const char *path, const char *name, struct shared_object *object, struct error *error);
void shared_object_free(struct shared_object *object);

/* Whether it has a section of that name, or a dynamic symbol. */
bool shared_object_has(const struct shared_object *object, const char *name);

/* Calls `visit` with the name of each function that it defines for others. */
void shared_object_functions(const struct shared_object *object, void (*visit)(void *self, const char *name),
                             void *self);

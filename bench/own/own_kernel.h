/* A file of the user's own: what was asked for, and what is found out before anything is compiled or loaded. */
#pragma once

#include "form.h"

#include <limits.h>

enum { OWN_KERNELS_MAX = 16 };

struct own_texts {
    const char *items[OWN_KERNELS_MAX];
    size_t count;
};

/* --kernel and the flags beside it. */
struct own_request {
    struct own_texts paths;
    /* The values of the flags that own_kernels_flags() has added in the process that has started this one; none in the
     * first process. */
    struct own_texts objects;
    const struct op *op; /* NULL: that of the function's name, or the first of the registry */
    bool simulate;       /* on a simulator, though there may be a device */
    int device;          /* of the backend's settings */
};

struct own_kernel {
    const char *path;
    char label[PATH_MAX + 16]; /* "--kernel=mine.cu" */
    char variant[48];          /* "kernel_mine" */
    char summary[PATH_MAX + 32];
    char *source; /* to be compiled; NULL: it is */
    struct form form;
    const struct backend_entry *backend;
    char target[64]; /* the flag for its device; empty: none */
    char object[PATH_MAX];
    char function[FORM_FUNCTION_BYTES]; /* of the object */
    char flag[PATH_MAX + 512];          /* for the next process */
};

/* Its name as a rung, and how messages call it. */
void own_kernel_name(const char *path, struct own_kernel *kernel);

/* Reads the text of a source file. */
bool own_kernel_read_text(struct own_kernel *kernel, struct error *error);

/* Reads the file: its form, and the backend that will run it. */
bool own_kernel_read(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                     struct error *error);

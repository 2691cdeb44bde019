/* A file of the user's own: what is found out about it before anything is compiled or loaded. */
#pragma once

#include "form.h"
#include "own_request.h"

#include <limits.h>

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

/* Reads the file: its form, and the backend that will run it. */
bool own_kernel_read(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                     struct error *error);

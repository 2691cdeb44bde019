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
    const struct op *op;        /* NULL: that of the function's name, or the first of the registry */
    const char *compiler_flags; /* beside those of the toolchain, words with spaces between; NULL: none */
    struct own_texts include;   /* folders where headers are looked for, too */
    const char *launch;         /* how they are called, as call_make() takes it; NULL: found out */
    bool has_size;              /* sizes were asked for */
    bool unordered;             /* their sums may be in another order in each call */
    bool simulate;              /* on a simulator, though there may be a device */
    int device;                 /* of the backend's settings */
};

struct own_kernel {
    const char *path;
    char label[PATH_MAX + 16]; /* "--kernel=mine.cu" */
    char variant[48];          /* "kernel_mine" */
    char summary[PATH_MAX + 32];
    char *source; /* to be compiled; NULL: it is */
    const struct own_request *request;
    size_t file;                       /* the number of its path in the request */
    const struct own_kernel *siblings; /* all that the file has: they are compiled together */
    size_t sibling_count;
    struct form form;
    const struct backend_entry *backend;
    char calls[64];  /* the function of a library, or the rung, that it calls; empty: none is seen */
    char target[64]; /* the flag for its device; empty: none */
    char object[PATH_MAX];
    char function[FORM_FUNCTION_BYTES]; /* of the object */
    char flag[PATH_MAX + 512];          /* for the next process */
};

/* Whether a file's name ends so, behind something. */
bool own_kernel_is(const char *path, const char *suffix);

/* Its name as a rung, and how messages call it. */
void own_kernel_name(const char *path, struct own_kernel *kernel);

/* The next backend behind `entry`, or the first one, that compiles such files, be its device there or not; NULL: there
 * is no more. */
const struct backend_entry *own_kernel_compiling(const struct registry *registry, const char *path,
                                                 const struct backend_entry *entry);

/* Reads the text of a source file. */
bool own_kernel_read_text(struct own_kernel *kernel, struct error *error);

/* The file is loaded itself, from its whole path: dlopen() looks elsewhere for a name without a slash. */
bool own_kernel_load_itself(struct own_kernel *kernel, struct error *error);

/* Reads a whole program, of whose kernels nothing is asked. */
bool own_kernel_read_program(const struct registry *registry, const struct own_request *request,
                             struct own_kernel *kernel, struct error *error);

/* Reads the file: its form, and the backend that will run it. */
bool own_kernel_read(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                     struct error *error);

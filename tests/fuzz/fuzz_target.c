#define _GNU_SOURCE /* memfd_create() */
#include "fuzz_target.h"

#include "bench/base/files.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[32];
    if (file < 0)
        file = memfd_create("input", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0 || !write_all(file, data, size)) {
        perror("the file of the input");
        exit(2);
    }
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    return path;
}

void fuzz_check_error(const struct error *error)
{
    if (error->text[0] == '\0')
        abort();
    for (const char *c = error->text; *c; c++)
        if (iscntrl((unsigned char)*c))
            abort();
}

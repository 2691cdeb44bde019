/* Results as other tools write them, whichever of them does. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct foreign_rows {
    const char *const *names;
    size_t count;
    size_t times;                               /* of each row */
    double (*time_of)(size_t row, size_t time); /* seconds */
    const char *path;                           /* of the file: what NVBench's has beside it lies in "PATH-bin" */
    const char *folder;                         /* before that, as NVBench was called */
    const char *sitting;                        /* in plain CSV of a device; empty: none */
};

typedef void foreign_put(FILE *to, const struct foreign_rows *rows);
foreign_put put_google, put_hyperfine, put_pytest, put_nvbench, put_plain, put_plain_of_device;

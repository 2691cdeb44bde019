/* Photos: reading JPEG, PNG, PPM and PGM as planar RGB of 8 bits, as they are to be shown, and writing a grey PNG. */
#pragma once

#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct photo {
    int64_t height, width;
    uint8_t *planes; /* red, green, blue: 3 x height x width; free() it */
    char name[96];   /* the file and its digest, for column `input` */
};

/* What the workload is called that has it for input. */
extern const char photo_workload[];

bool photo_read(const char *path, struct photo *photo, struct error *error);

/* The photo in grey, a PNG: opened before anything is measured; made of the last grey planes that were kept; written at
 * the end, or thrown away if none was. Without a path nothing happens. */
bool gray_photo_open(const char *path, const struct photo *photo, struct error *error);
void gray_photo_keep(const uint8_t *gray);
bool gray_photo_write(struct error *error);

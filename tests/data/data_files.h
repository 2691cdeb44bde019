/* Files for tests of what reads data. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The file that tests write. */
extern const char data_path[];
int remove_data(void **state);

struct bytes {
    size_t count;
    uint8_t *data; /* free() it */
};

struct bytes allocate_bytes(size_t count);
void write_bytes(const void *bytes, size_t count);
struct bytes read_bytes(const char *path);

/* `count` bytes of a number. */
void put_big_endian(uint8_t *to, uint32_t value, int count);

/* Fails the test if `text` is of several lines, or does not contain `part`. */
void assert_says(const char *text, const char *part);

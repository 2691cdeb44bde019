#include "data_files.h"
#include "tests/unit.h"

const char data_path[] = "some.file";

int remove_data(void **state)
{
    remove(data_path);
    return 0;
}

struct bytes allocate_bytes(size_t count)
{
    struct bytes bytes = {count, malloc(count + 1)};
    assert_non_null(bytes.data);
    return bytes;
}

void write_bytes(const void *bytes, size_t count)
{
    FILE *file = fopen(data_path, "wb");
    assert_non_null(file);
    if (count > 0)
        assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

struct bytes read_bytes(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    struct bytes bytes = allocate_bytes((size_t)status.st_size);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes.data, 1, bytes.count, file), bytes.count);
    fclose(file);
    return bytes;
}

void put_big_endian(uint8_t *to, uint32_t value, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

void assert_says(const char *text, const char *part)
{
    assert_null(strchr(text, '\n'));
    if (!strstr(text, part))
        fail_msg("'%s' does not say '%s'", text, part);
}

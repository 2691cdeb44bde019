/* IDX files: valid files are read, invalid ones are refused with one line that names the file. */
#include "bench/data/idx.h"
#include "data_files.h"
#include "tests/unit.h"

#include <zlib.h>

enum { UNSIGNED_BYTES = 0x08, FLOATS = 0x0D, GZ_TRAILER = 8 };

/* An IDX file, and what it should be read as. */
struct idx_file {
    uint8_t type;
    int rank;
    uint32_t size[IDX_RANK_MAX];
    size_t data_bytes;
};

/* 1, 2, 3, ...; where there is much it is all the same, which deflate packs 1032 to 1 at best. */
static uint8_t byte_of(const struct idx_file *file, size_t i)
{
    return file->data_bytes < 1000000 ? (uint8_t)(i + 1) : 0;
}

static struct bytes bytes_of(const struct idx_file *file)
{
    const size_t header = 4 + 4 * (size_t)file->rank;
    struct bytes bytes = allocate_bytes(header + file->data_bytes);
    put_big_endian(bytes.data, (uint32_t)file->type << 8 | (uint32_t)file->rank, 4);
    for (int i = 0; i < file->rank; i++)
        put_big_endian(bytes.data + 4 + 4 * i, file->size[i], 4);
    for (size_t i = 0; i < file->data_bytes; i++)
        bytes.data[header + i] = byte_of(file, i);
    return bytes;
}

static void write_gz(const void *bytes, size_t count, const char *mode)
{
    gzFile file = gzopen(data_path, mode);
    assert_non_null(file);
    if (count > 0)
        assert_int_equal(gzwrite(file, bytes, (unsigned)count), count);
    assert_int_equal(gzclose(file), Z_OK);
}

/* The forms that a file comes in. */
enum form { PLAIN, GZIPPED, STORED, JOINED, FORMS };

static void write_as(enum form form, struct bytes bytes)
{
    const size_t first = form == JOINED ? bytes.count / 2 : bytes.count;
    if (form == PLAIN)
        write_bytes(bytes.data, bytes.count);
    else
        write_gz(bytes.data, first, form == STORED ? "wb0" : "wb9");
    if (form == JOINED)
        write_gz(bytes.data + first, bytes.count - first, "ab9");
}

static void assert_reads(const struct idx_file *file)
{
    struct idx idx;
    MUST(idx_read(data_path, file->rank, &idx, &error));
    for (int i = 0; i < file->rank; i++)
        assert_int_equal(idx.size[i], file->size[i]);
    for (size_t i = 0; i < file->data_bytes; i++)
        assert_int_equal(idx.data[i], byte_of(file, i));
    free(idx.data);
}

static void assert_refuses(int rank, const char *reason)
{
    struct idx idx;
    struct error error = {""};
    assert_false(idx_read(data_path, rank, &idx, &error));
    assert_says(error.text, data_path);
    assert_says(error.text, reason);
}

static const struct idx_file small = {UNSIGNED_BYTES, 3, {3, 2, 5}, 30};

TEST(images_and_labels_are_read_in_every_form)
{
    const struct idx_file files[] = {small,
                                     {UNSIGNED_BYTES, 1, {100}, 100},
                                     {UNSIGNED_BYTES, 3, {0x0102, 3, 0x0201}, 258 * 3 * 513},
                                     {UNSIGNED_BYTES, 2, {1000, 1000}, 1000000}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct bytes bytes = bytes_of(&files[i]);
        for (enum form form = 0; form < FORMS; form++) {
            write_as(form, bytes);
            assert_reads(&files[i]);
        }
        free(bytes.data);
    }
}

TEST(headers_that_do_not_fit_are_refused)
{
    static const struct {
        struct idx_file file;
        int rank; /* that is asked for */
        const char *reason;
    } cases[] = {
        {{FLOATS, 3, {3, 2, 5}, 30}, 3, "magic number 0x00000d03, expected 0x00000803 (unsigned bytes, 3 dimensions)"},
        {{UNSIGNED_BYTES, 1, {100}, 100}, 3, "magic number 0x00000801, expected 0x00000803"},
        {{UNSIGNED_BYTES, 3, {3, 2, 5}, 30}, 1, "magic number 0x00000803, expected 0x00000801"},
        {{UNSIGNED_BYTES, 3, {0, 28, 28}, 64}, 3, "dimensions, 0, and at least 1"},
        {{UNSIGNED_BYTES, 3, {10, 0, 28}, 64}, 3, "dimensions, 0, and at least 1"},
        {{UNSIGNED_BYTES, 3, {10, 28, 0}, 64}, 3, "dimensions, 0, and at least 1"},
        {{UNSIGNED_BYTES, 3, {0xFFFFFFFF, 2, 1}, 64}, 3, "dimensions, 8589934590,"},
        {{UNSIGNED_BYTES, 3, {0x80000000, 0x80000000, 4}, 64}, 3, "18446744073709551616"},
        {{UNSIGNED_BYTES, 3, {0x10000, 0x10000, 0x10000}, 64}, 3, "281474976710656"}, /* 0 in 32 bits */
        {{UNSIGNED_BYTES, 3, {0x40000001, 1, 1}, 64}, 3, "dimensions, 1073741825,"},
        {{UNSIGNED_BYTES, 3, {3, 2, 5}, 31}, 3, "31 bytes of data, expected the product of its dimensions, 30,"},
        {{UNSIGNED_BYTES, 3, {3, 2, 5}, 29}, 3, "29 bytes of data"},
        {{UNSIGNED_BYTES, 3, {1000, 1000, 1000}, 64},
         3,
         "64 bytes of data, expected the product of its dimensions, 1000000000,"},
        {{UNSIGNED_BYTES, 3, {3, 2, 5}, 10 << 20}, 3, "has 10485760 bytes"}, /* a bomb, if gzipped */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes bytes = bytes_of(&cases[i].file);
        for (enum form form = PLAIN; form <= GZIPPED; form++) {
            write_as(form, bytes);
            assert_refuses(cases[i].rank, cases[i].reason);
        }
        free(bytes.data);
    }
}

TEST(what_is_another_file_is_named)
{
    static char text[] = "label,pixel0,pixel1\n5,0,0\n", html[] = "<!DOCTYPE html><title>403 Forbidden</title>\n";
    write_bytes(text, sizeof text - 1);
    assert_refuses(
        3, "magic number 0x6c616265, expected 0x00000803 (unsigned bytes, 3 dimensions): it begins with 'labe'");
    for (enum form form = 0; form < FORMS; form++) {
        write_as(form, (struct bytes){sizeof html - 1, (uint8_t *)html});
        assert_refuses(3, "it begins with '<!DO'");
    }
}

TEST(a_file_cut_anywhere_is_refused)
{
    struct bytes bytes = bytes_of(&small);
    for (enum form form = 0; form < FORMS; form++) {
        write_as(form, bytes);
        struct bytes whole = read_bytes(data_path);
        for (size_t missing = 1; missing <= whole.count; missing++) {
            write_bytes(whole.data, whole.count - missing);
            assert_refuses(3, form != PLAIN && missing <= GZ_TRAILER ? "truncated gzip data" : "");
        }
        free(whole.data);
    }
    write_bytes(bytes.data, 0);
    assert_refuses(3, "it begins with ''");
    write_bytes(bytes.data, 10);
    assert_refuses(3, "has 0 bytes of data");
    free(bytes.data);
}

/* Any byte of the checksum and the length, or one of the data. */
TEST(spoilt_gzipped_data_is_refused)
{
    static const size_t from_end[] = {1, 2, 3, 4, 5, 6, 7, 8, 14};
    const struct idx_file files[] = {small, {UNSIGNED_BYTES, 3, {100, 28, 28}, 100 * 28 * 28}};
    for (size_t i = 0; i < 2; i++) {
        struct bytes bytes = bytes_of(&files[i]);
        write_as(GZIPPED, bytes);
        struct bytes gz = read_bytes(data_path);
        for (size_t at = 0; at < sizeof from_end / sizeof from_end[0]; at++) {
            gz.data[gz.count - from_end[at]] ^= 0x10;
            write_bytes(gz.data, gz.count);
            assert_refuses(3, "corrupt or truncated gzip data");
            gz.data[gz.count - from_end[at]] ^= 0x10;
        }
        free(gz.data);
        free(bytes.data);
    }
}

TEST(more_data_in_a_further_member_is_refused)
{
    struct bytes bytes = bytes_of(&small);
    write_as(GZIPPED, bytes);
    write_gz(bytes.data, 1, "ab9");
    assert_refuses(3, "31 bytes of data");
    free(bytes.data);
}

AROUND_EACH_TEST(remove_data, remove_data)

/* IDX files: valid files are read, invalid ones are refused with one line that names the file. */
#include "bench/data/idx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { UNSIGNED_BYTES = 0x08, HEADER_MAX = 16, GZ_TRAILER = 8, GZ_CHUNK = 1 << 16 };

static const char path[] = "some.idx";

static size_t largest_allocation;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    if (bytes > largest_allocation)
        largest_allocation = bytes;
    return __real_malloc(bytes);
}

struct bytes {
    size_t count;
    uint8_t *data;
};

static struct bytes allocate(size_t count)
{
    struct bytes bytes = {count, malloc(count + 1)};
    assert_non_null(bytes.data);
    return bytes;
}

static void put_big_endian(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Writes a file with this header and this many bytes of data: 1, 2, 3, ... */
static struct bytes idx_bytes(uint8_t type, int rank, const uint32_t *size, size_t data_bytes)
{
    size_t header = 4 + 4 * (size_t)rank;
    struct bytes file = allocate(header + data_bytes);
    put_big_endian(file.data, (uint32_t)type << 8 | (uint32_t)rank);
    for (int i = 0; i < rank; i++)
        put_big_endian(file.data + 4 + 4 * i, size[i]);
    for (size_t i = 0; i < data_bytes; i++)
        file.data[header + i] = (uint8_t)(i + 1);
    return file;
}

static void write_plain(struct bytes bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (bytes.count > 0)
        assert_int_equal(fwrite(bytes.data, 1, bytes.count, file), bytes.count);
    assert_int_equal(fclose(file), 0);
}

static void append_gz(struct bytes bytes, const char *mode)
{
    gzFile file = gzopen(path, mode);
    assert_non_null(file);
    if (bytes.count > 0)
        assert_int_equal(gzwrite(file, bytes.data, (unsigned)bytes.count), bytes.count);
    assert_int_equal(gzclose(file), Z_OK);
}

static void write_gz(struct bytes bytes)
{
    append_gz(bytes, "wb9");
}

static struct bytes read_file(void)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    struct bytes bytes = allocate((size_t)status.st_size);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes.data, 1, bytes.count, file), bytes.count);
    fclose(file);
    return bytes;
}

static int remove_file(void **state)
{
    (void)state;
    remove(path);
    return 0;
}

static void assert_reads(int rank, const uint32_t *size, size_t data_bytes)
{
    struct idx idx;
    struct error error = {""};
    if (!idx_read(path, rank, &idx, &error))
        fail_msg("%s", error.text);
    assert_int_equal(idx.rank, rank);
    for (int i = 0; i < rank; i++)
        assert_int_equal(idx.size[i], size[i]);
    for (size_t i = 0; i < data_bytes; i++)
        assert_int_equal(idx.data[i], (uint8_t)(i + 1));
    free(idx.data);
}

static void assert_refuses_as_rank(int rank, const char *reason)
{
    struct idx idx;
    struct error error = {""};
    assert_false(idx_read(path, rank, &idx, &error));
    assert_null(idx.data);
    assert_non_null(strstr(error.text, path));
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, reason))
        fail_msg("'%s' does not say '%s'", error.text, reason);
}

static void assert_refuses(const char *reason)
{
    assert_refuses_as_rank(3, reason);
}

static const uint32_t small[] = {3, 2, 5};
enum { SMALL_BYTES = 3 * 2 * 5 };

static struct bytes small_file(void)
{
    return idx_bytes(UNSIGNED_BYTES, 3, small, SMALL_BYTES);
}

static void a_plain_file_is_read(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_plain(file);
    assert_reads(3, small, SMALL_BYTES);
    free(file.data);
}

static void a_gzipped_file_is_read(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_gz(file);
    assert_reads(3, small, SMALL_BYTES);
    free(file.data);
}

static void sizes_are_big_endian(void **state)
{
    (void)state;
    const uint32_t size[] = {0x0102, 3, 0x0201};
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, size, 258 * 3 * 513);
    write_plain(file);
    assert_reads(3, size, 258 * 3 * 513);
    write_gz(file);
    assert_reads(3, size, 258 * 3 * 513);
    free(file.data);
}

static void a_list_of_labels_is_read(void **state)
{
    (void)state;
    const uint32_t size[] = {100};
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 1, size, 100);
    write_plain(file);
    assert_reads(1, size, 100);
    free(file.data);
}

static void a_missing_file_is_refused(void **state)
{
    (void)state;
    assert_refuses("No such file");
}

static void a_folder_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path, 0777), 0);
    assert_refuses("is a folder");
    rmdir(path);
}

/* Nobody writes to it: it would be waited for. */
static void a_pipe_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_refuses("is a pipe");
}

static void an_empty_file_is_refused(void **state)
{
    (void)state;
    write_plain((struct bytes){0, NULL});
    assert_refuses("truncated");
    write_gz((struct bytes){0, NULL});
    assert_refuses("truncated");
}

static void a_plain_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    struct bytes file = small_file();
    for (size_t kept = 0; kept < file.count; kept++) {
        write_plain((struct bytes){kept, file.data});
        assert_refuses("truncated");
    }
    free(file.data);
}

static void the_error_says_what_is_missing(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_plain((struct bytes){10, file.data});
    assert_refuses("dimensions");
    write_plain((struct bytes){file.count - 1, file.data});
    assert_refuses("29 bytes of its data, expected 30");
    free(file.data);
}

static void a_gzipped_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_gz(file);
    struct bytes gz = read_file();
    for (size_t kept = 0; kept < gz.count; kept++) {
        write_plain((struct bytes){kept, gz.data});
        assert_refuses("");
    }
    free(gz.data);
    free(file.data);
}

static void gzipped_data_that_ends_early_is_refused(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_gz((struct bytes){file.count - 1, file.data});
    assert_refuses("truncated");
    free(file.data);
}

static void spoil_byte(size_t from_end)
{
    struct bytes gz = read_file();
    gz.data[gz.count - 1 - from_end] ^= 0x10;
    write_plain(gz);
    free(gz.data);
}

static void a_wrong_checksum_is_refused(void **state)
{
    (void)state;
    struct bytes file = small_file();
    for (size_t byte = 0; byte < GZ_TRAILER; byte++) {
        write_gz(file);
        spoil_byte(byte);
        assert_refuses("corrupt gzip data");
    }
    free(file.data);
}

static void a_wrong_checksum_of_a_large_file_is_refused(void **state)
{
    (void)state;
    const uint32_t size[] = {100, 28, 28};
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, size, 100 * 28 * 28);
    for (size_t byte = 0; byte < GZ_TRAILER; byte++) {
        write_gz(file);
        spoil_byte(byte);
        assert_refuses("corrupt gzip data");
    }
    free(file.data);
}

/* The file is read in chunks. If the data ends exactly at the end of a chunk, only the next read sees the checksum. */
static void a_checksum_at_the_start_of_a_chunk_is_compared(void **state)
{
    (void)state;
    uint32_t size[] = {1, 1, 60000};
    for (;;) {
        struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, size, size[2]);
        append_gz(file, "wb0");
        free(file.data);
        struct bytes gz = read_file();
        size_t over = (gz.count - GZ_TRAILER) % GZ_CHUNK;
        free(gz.data);
        if (over == 0)
            break;
        size[2] += (uint32_t)(GZ_CHUNK - over);
    }
    assert_reads(3, size, size[2]);
    spoil_byte(GZ_TRAILER - 1);
    assert_refuses("corrupt gzip data");
    spoil_byte(GZ_TRAILER - 1); /* right again */
    for (int missing = 0; missing < GZ_TRAILER; missing++) {
        struct bytes gz = read_file();
        gz.count--;
        write_plain(gz);
        free(gz.data);
        assert_refuses("checksum is missing");
    }
}

static void spoilt_compressed_data_is_refused(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_gz(file);
    spoil_byte(GZ_TRAILER + 5);
    assert_refuses("corrupt gzip data");
    free(file.data);
}

static void a_wrong_magic_number_is_refused(void **state)
{
    (void)state;
    struct bytes file = small_file();
    file.data[0] = 0x89;
    write_plain(file);
    assert_refuses("magic number 0x89000803, expected 0x00000803");
    free(file.data);
}

static void another_type_of_data_is_refused(void **state)
{
    (void)state;
    struct bytes file = idx_bytes(0x0D, 3, small, SMALL_BYTES);
    write_plain(file);
    assert_refuses("magic number 0x00000d03");
    free(file.data);
}

static void labels_under_the_name_of_images_are_refused(void **state)
{
    (void)state;
    const uint32_t size[] = {100};
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 1, size, 100);
    write_plain(file);
    assert_refuses("magic number 0x00000801, expected 0x00000803");
    free(file.data);
}

static void images_under_the_name_of_labels_are_refused(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_plain(file);
    assert_refuses_as_rank(1, "magic number 0x00000803, expected 0x00000801");
    free(file.data);
}

static void a_text_file_is_refused(void **state)
{
    (void)state;
    uint8_t text[] = "label,pixel0,pixel1\n5,0,0\n";
    write_plain((struct bytes){sizeof text - 1, text});
    assert_refuses("magic number 0x6c616265, expected 0x00000803 (unsigned bytes, 3 dimensions): it is text");
    uint8_t html[] = "<!DOCTYPE html><title>403 Forbidden</title>\n";
    write_plain((struct bytes){sizeof html - 1, html});
    assert_refuses("it is HTML");
    write_gz((struct bytes){sizeof html - 1, html});
    assert_refuses("it is HTML");
}

static void refuse_sizes(uint32_t first, uint32_t second, uint32_t third, const char *reason)
{
    const uint32_t size[] = {first, second, third};
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, size, 64);
    write_plain(file);
    assert_refuses(reason);
    free(file.data);
}

static void a_dimension_of_zero_is_refused(void **state)
{
    (void)state;
    refuse_sizes(0, 28, 28, "dimension 1 is 0");
    refuse_sizes(10, 0, 28, "dimension 2 is 0");
    refuse_sizes(10, 28, 0, "dimension 3 is 0");
}

static void dimensions_whose_product_is_out_of_reach_are_refused(void **state)
{
    (void)state;
    refuse_sizes(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, "product exceeds");
    refuse_sizes(0xFFFFFFFF, 2, 1, "product exceeds");
    refuse_sizes(0x80000000, 0x80000000, 4, "product exceeds"); /* 2^64 */
    refuse_sizes(0x10000, 0x10000, 0x10000, "product exceeds"); /* 2^48, and 0 in 32 bits */
    refuse_sizes(0x40000001, 1, 1, "product exceeds 1073741824 bytes");
}

static void sizes_beyond_the_data_are_refused(void **state)
{
    (void)state;
    refuse_sizes(60000, 28, 28, "64 bytes of its data, expected 47040000");
}

/* Deflate packs 1032 bytes into one at best. */
static void for_sizes_beyond_the_data_no_memory_is_taken(void **state)
{
    (void)state;
    const uint32_t size[] = {1000, 1000, 1000};
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, size, 64);
    largest_allocation = 0;
    write_plain(file);
    assert_refuses("64 bytes of its data, expected 1000000000");
    write_gz(file);
    assert_refuses("bytes of its data, expected 1000000000");
    assert_true(largest_allocation < 1000000);
    free(file.data);
}

static void data_that_packs_well_is_read(void **state)
{
    (void)state;
    const uint32_t size[] = {1000, 1000, 1};
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, size, 1000000);
    memset(file.data + 16, 0, 1000000);
    write_gz(file);
    struct bytes gz = read_file();
    assert_true(gz.count < 1100);
    free(gz.data);
    struct idx idx;
    struct error error = {""};
    if (!idx_read(path, 3, &idx, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(idx.data, file.data + 16, 1000000);
    free(idx.data);
    free(file.data);
}

/* Much more data than the sizes say is not unpacked to find that out. */
static void a_bomb_takes_no_memory(void **state)
{
    (void)state;
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, small, 100 << 20);
    memset(file.data + 16, 0, 100 << 20);
    largest_allocation = 0;
    write_gz(file);
    assert_refuses("more data than the 30 bytes");
    assert_true(largest_allocation < 1000000);
    free(file.data);
}

static void more_data_than_the_sizes_say_is_refused(void **state)
{
    (void)state;
    struct bytes file = idx_bytes(UNSIGNED_BYTES, 3, small, SMALL_BYTES + 1);
    write_plain(file);
    assert_refuses("more data");
    write_gz(file);
    assert_refuses("more data");
    free(file.data);
}

static void a_second_gzip_member_is_more_data(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_gz(file);
    append_gz((struct bytes){1, file.data}, "ab9");
    assert_refuses("more data");
    free(file.data);
}

static void gzip_members_make_one_file(void **state)
{
    (void)state;
    struct bytes file = small_file();
    write_gz((struct bytes){20, file.data});
    append_gz((struct bytes){file.count - 20, file.data + 20}, "ab9");
    assert_reads(3, small, SMALL_BYTES);
    free(file.data);
}

static void rubbish_behind_gzipped_data_is_refused(void **state)
{
    (void)state;
    static uint8_t rubbish[] = {'r', 'u', 'b', 'b', 'i', 's', 'h', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct bytes file = small_file();
    write_gz(file);
    struct bytes gz = read_file(), more = allocate(gz.count + sizeof rubbish);
    memcpy(more.data, gz.data, gz.count);
    for (size_t from = 0; from < sizeof rubbish; from++) {
        more.count = gz.count + sizeof rubbish - from;
        memcpy(more.data + gz.count, rubbish + from, sizeof rubbish - from);
        write_plain(more);
        assert_refuses("");
    }
    free(more.data);
    free(gz.data);
    free(file.data);
}

static void the_real_labels_are_read(void **state)
{
    (void)state;
    char labels[4096];
    find_real_input(labels, "mnist/t10k-labels-idx1-ubyte.gz", "MNIST");
    struct idx idx;
    struct error error;
    assert_true(idx_read(labels, 1, &idx, &error));
    assert_int_equal(idx.size[0], 10000);
    assert_memory_equal(idx.data, "\7\2\1\0\4\1\4\11\5\11", 10);
    free(idx.data);
    assert_false(idx_read(labels, 3, &idx, &error));
}

#define test(function) cmocka_unit_test_setup_teardown(function, remove_file, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_plain_file_is_read),
        test(a_gzipped_file_is_read),
        test(sizes_are_big_endian),
        test(a_list_of_labels_is_read),
        test(a_missing_file_is_refused),
        test(a_folder_is_refused),
        test(a_pipe_is_refused),
        test(an_empty_file_is_refused),
        test(a_plain_file_cut_anywhere_is_refused),
        test(the_error_says_what_is_missing),
        test(a_gzipped_file_cut_anywhere_is_refused),
        test(gzipped_data_that_ends_early_is_refused),
        test(a_wrong_checksum_is_refused),
        test(a_wrong_checksum_of_a_large_file_is_refused),
        test(a_checksum_at_the_start_of_a_chunk_is_compared),
        test(spoilt_compressed_data_is_refused),
        test(a_wrong_magic_number_is_refused),
        test(another_type_of_data_is_refused),
        test(labels_under_the_name_of_images_are_refused),
        test(images_under_the_name_of_labels_are_refused),
        test(a_text_file_is_refused),
        test(a_dimension_of_zero_is_refused),
        test(dimensions_whose_product_is_out_of_reach_are_refused),
        test(sizes_beyond_the_data_are_refused),
        test(for_sizes_beyond_the_data_no_memory_is_taken),
        test(data_that_packs_well_is_read),
        test(a_bomb_takes_no_memory),
        test(more_data_than_the_sizes_say_is_refused),
        test(a_second_gzip_member_is_more_data),
        test(gzip_members_make_one_file),
        test(rubbish_behind_gzipped_data_is_refused),
        test(the_real_labels_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

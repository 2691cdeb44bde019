/* What is read as input, and what is refused without waiting for it. */
#include "bench/base/regular_file.h"
#include "output_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Both functions refuse it in the same words. */
static void assert_refused(const char *name, const char *reason)
{
    struct error error = {""}, of_stream = {""};
    assert_int_equal(regular_file_open(name, "--flag", &error), -1);
    assert_names(&error, "--flag: ", reason);
    assert_null(regular_file_stream(name, "--flag", &of_stream));
    assert_string_equal(of_stream.text, error.text);
}

static void a_file_is_read(void **state)
{
    (void)state;
    struct error error = {""};
    char text[8] = "";
    write_file(path, "text");
    FILE *file = regular_file_stream(path, path, &error);
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "text");
    fclose(file);
}

static void a_whole_file_is_read_up_to_a_limit(void **state)
{
    (void)state;
    enum { MOST = 200000 };
    static char text[MOST + 2];
    struct error error = {""};
    for (size_t count = 0; count <= MOST + 1; count = count < 3 ? count + 1 : count < MOST - 1 ? MOST - 1 : count + 1) {
        size_t bytes = 0;
        memset(text, 'x', count);
        text[count] = '\0';
        write_file(path, text);
        char *got = regular_file_read(path, "--flag", MOST, &bytes, &error);
        if (count <= MOST) {
            assert_non_null(got);
            assert_int_equal(bytes, count);
            assert_string_equal(got, text);
        } else {
            assert_null(got);
            assert_names(&error, "--flag: ", "too large");
        }
        free(got);
    }
}

/* Nor is there memory for it. */
static void a_file_above_the_limit_is_not_read(void **state)
{
    (void)state;
    struct error error = {""};
    size_t bytes = 0;
    write_file(path, "");
    assert_int_equal(truncate(path, (off_t)1 << 42), 0);
    assert_null(regular_file_read(path, "--flag", 1 << 30, &bytes, &error));
    assert_names(&error, "--flag: ", "too large");
}

static void a_link_leads_to_its_file(void **state)
{
    (void)state;
    struct error error = {""};
    write_file(other, "text");
    assert_int_equal(symlink(other, path), 0);
    int fd = regular_file_open(path, path, &error);
    assert_true(fd >= 0);
    close(fd);
}

static void a_missing_file_is_refused(void **state)
{
    (void)state;
    assert_refused(path, "No such file");
}

static void a_folder_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_refused(folder, "a folder");
}

/* Nobody writes: it would be waited for. */
static void a_pipe_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(device, 0666), 0);
    assert_refused(device, "a pipe");
}

static void a_pipe_with_a_writer_is_refused(void **state)
{
    (void)state;
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_refused(name, "a pipe");
    close(ends[0]);
    close(ends[1]);
}

static void a_device_is_refused(void **state)
{
    (void)state;
    assert_refused("/dev/zero", "a device");
}

static void a_socket_is_refused(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "device"};
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(listening, (const struct sockaddr *)&address, sizeof address), 0);
    assert_refused(device, "cannot be read");
    close(listening);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_read, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_whole_file_is_read_up_to_a_limit, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_file_above_the_limit_is_not_read, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_link_leads_to_its_file, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_missing_file_is_refused, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_folder_is_refused, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_pipe_is_refused, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_pipe_with_a_writer_is_refused, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_device_is_refused, clean_up, clean_up),
        cmocka_unit_test_setup_teardown(a_socket_is_refused, clean_up, clean_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

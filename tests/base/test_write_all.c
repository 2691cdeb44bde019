/* write_all() on a file that accepts a few bytes per write(). */
#include "bench/base/write_all.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/types.h>

static char written[64];
static size_t written_count, at_most;
static int interruptions, error;

/* Replaces write(2). */
ssize_t __wrap_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count)
{
    assert_int_equal(fd, 7);
    errno = interruptions > 0 ? EINTR : error;
    if (interruptions-- > 0 || error)
        return -1;
    count = count < at_most ? count : at_most;
    memcpy(written + written_count, bytes, count);
    written_count += count;
    return (ssize_t)count;
}

static int set_up(void **state)
{
    (void)state;
    written_count = 0;
    at_most = sizeof written;
    interruptions = error = 0;
    return 0;
}

static const char text[] = "all of it";

static void assert_all_written(void)
{
    assert_true(write_all(7, text, sizeof text));
    assert_int_equal(written_count, sizeof text);
    assert_memory_equal(written, text, sizeof text);
}

static void a_little_at_a_time_is_all_in_the_end(void **state)
{
    (void)state;
    at_most = 3;
    assert_all_written();
}

static void signals_do_not_end_it(void **state)
{
    (void)state;
    interruptions = 2;
    assert_all_written();
}

static void a_full_disk_does(void **state)
{
    (void)state;
    error = ENOSPC;
    assert_false(write_all(7, text, sizeof text));
    assert_int_equal(errno, ENOSPC);
}

static void nothing_is_written_at_once(void **state)
{
    (void)state;
    error = ENOSPC;
    assert_true(write_all(7, text, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_little_at_a_time_is_all_in_the_end, set_up),
        cmocka_unit_test_setup(signals_do_not_end_it, set_up),
        cmocka_unit_test_setup(a_full_disk_does, set_up),
        cmocka_unit_test_setup(nothing_is_written_at_once, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

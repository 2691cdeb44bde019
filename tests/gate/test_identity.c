/* The columns in which two rows must agree to be compared, and the error if they do not. */
#include "gate_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char *const work[] = {"shape", "precision", "transfer", "flush", "seed", "input"};
static const char *const device[] = {"device",       "device_uuid",      "driver_version", "cuda_version",
                                     "blas_version", "sm_clock_set_mhz", "power_limit_w"};
static const char *const host[] = {"host", "threads", "affinity", "governor"};
enum { WORK = 6, DEVICE = 7, HOST = 4 };

/* Makes two files with one row, of one session or of two. */
static void make_files(const char *name, bool paired)
{
    gate_files_start(NULL);
    for (int round = 0; round < 3; round++) {
        gate_row(&base_rows, name, round, 1e-5);
        gate_row(&new_rows, name, round, 1e-5);
    }
    if (!paired)
        gate_unpair();
}

static void assert_column_refused(const char *name, const char *column, const char *what)
{
    char line[400];
    snprintf(line, sizeof line, "%s: %s is '%s' in base.csv and 'else' in new.csv, expected the same %s", name, column,
             gate_cell(&base_rows, column), what);
    gate_assert_refused(line);
}

/* Changes one column only, in all rounds of the new file or in the last one. */
static void assert_columns_refused(const char *name, const char *const *columns, size_t count, const char *what)
{
    for (int paired = 0; paired < 2; paired++)
        for (size_t i = 0; i < count; i++) {
            make_files(name, paired);
            gate_set_all(&new_rows, columns[i], "else");
            assert_column_refused(name, columns[i], what);
            make_files(name, paired);
            gate_set(&new_rows, columns[i], "else");
            assert_column_refused(name, columns[i], what);
        }
}

static void assert_columns_passed(const char *name, const char *const *columns, size_t count, bool other_device)
{
    for (int paired = 0; paired < 2; paired++)
        for (size_t i = 0; i < count; i++) {
            make_files(name, paired);
            gate_set(&new_rows, columns[i], "else");
            gate_set_all(&base_rows, columns[i], "something");
            compare_settings.other_device = other_device;
            gate_compare();
            assert_true(compared.rows[0].has_evidence);
        }
}

static const char machine[] = "machine; --other-device compares anyway";

static void a_devices_rows_are_of_one_device(void **state)
{
    (void)state;
    assert_columns_refused(GATE_GPU_ROW, work, WORK, "work");
    assert_columns_refused(GATE_GPU_ROW, device, DEVICE, machine);
}

static void a_devices_rows_may_be_of_two_hosts(void **state)
{
    (void)state;
    static const char *const outside[] = {"host", "affinity", "governor"};
    assert_columns_passed(GATE_GPU_ROW, outside, 3, false);
}

static void a_hosts_rows_are_of_one_host(void **state)
{
    (void)state;
    assert_columns_refused(GATE_CPU_ROW, work, WORK, "work");
    assert_columns_refused(GATE_CPU_ROW, host, HOST, machine);
    assert_columns_refused(GATE_CPU_ROW, device, DEVICE, machine);
}

/* They are timed by the host's clock. */
static void rows_with_transfers_are_of_one_host_too(void **state)
{
    (void)state;
    make_files(GATE_GPU_ROW, true);
    gate_set_all(&base_rows, "transfer", "pinned");
    gate_set_all(&new_rows, "transfer", "pinned");
    gate_compare();
    gate_set_all(&new_rows, "host", "else");
    assert_column_refused(GATE_GPU_ROW, "host", machine);
}

static void one_file_is_of_one_machine(void **state)
{
    (void)state;
    make_files(GATE_GPU_ROW, false);
    gate_set(&base_rows, "device_uuid", "GPU-2");
    gate_assert_refused(
        "matmul/mnist/cuda_tiled/hot: device_uuid is 'GPU-1' in base.csv and 'GPU-2' in base.csv, expected "
        "the same machine; --other-device compares anyway");
}

static void other_machines_may_be_asked_for(void **state)
{
    (void)state;
    assert_columns_passed(GATE_GPU_ROW, device, DEVICE, true);
    assert_columns_passed(GATE_CPU_ROW, host, HOST, true);
    for (int i = 0; i < WORK; i++) {
        make_files(GATE_GPU_ROW, false);
        gate_set_all(&new_rows, work[i], "else");
        compare_settings.other_device = true;
        assert_column_refused(GATE_GPU_ROW, work[i], "work");
    }
}

static void assert_needs(const char *name, const char *column)
{
    char line[400];
    make_files(name, false);
    gate_set_all(&base_rows, column, "");
    gate_set_all(&new_rows, column, "");
    snprintf(line, sizeof line,
             "%s: %s is empty in base.csv, so it may be another machine; --other-device compares anyway", name, column);
    gate_assert_refused(line);
    compare_settings.other_device = true;
    gate_compare();
    make_files(name, true);
    gate_set_all(&base_rows, column, "");
    gate_set_all(&new_rows, column, "");
    gate_compare();
    assert_true(compared.paired);
}

static void machines_of_two_runs_are_known(void **state)
{
    (void)state;
    assert_needs(GATE_GPU_ROW, "device_uuid");
    assert_needs(GATE_CPU_ROW, "host");
    make_files(GATE_GPU_ROW, false);
    gate_set_all(&base_rows, "host", "");
    gate_compare();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, gate_files_start, gate_files_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_devices_rows_are_of_one_device), TEST(a_devices_rows_may_be_of_two_hosts),
        TEST(a_hosts_rows_are_of_one_host),     TEST(rows_with_transfers_are_of_one_host_too),
        TEST(one_file_is_of_one_machine),       TEST(other_machines_may_be_asked_for),
        TEST(machines_of_two_runs_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

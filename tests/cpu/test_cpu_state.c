/* Lost time and energy, read from made-up trees. */
#include "cpu/backend/cpu_state.h"

#include "made_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const char *root;

static int begin(void **state)
{
    (void)state;
    root = tree_make();
    return 0;
}

static int end(void **state)
{
    (void)state;
    tree_remove();
    return 0;
}

static struct cpu_mask mask_of(const int *cpus, int count)
{
    struct cpu_mask mask = {.count = count};
    for (int i = 0; i < count; i++)
        mask.has[cpus[i]] = true;
    return mask;
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) < 1e-9;
}

/* The eighth number of a line, of CPUs 1 and 12 alone; not that of CPU 2, of the sum, or of a line further down. */
static void stolen_time_is_that_of_the_mask(void **state)
{
    (void)state;
    const struct cpu_mask mask = mask_of((const int[]){1, 12}, 2);
    const double tick_s = 1 / (double)sysconf(_SC_CLK_TCK);
    assert_true(isnan(cpu_state_stolen_s(root, &mask)));
    tree_put("/proc/stat", "cpu  1 2 3 4 5 6 7 900000 9 10\n"
                           "cpu0 1 2 3 4 5 6 7 10000 9 10\n"
                           "cpu1 11 12 13 14 15 16 17 30 19 20\n"
                           "cpu2 1 2 3 4 5 6 7 2000 9 10\n"
                           "cpu12 1 2 3 4 5 6 7 500 9 10\n"
                           "intr 179069 1 2 3\n"
                           "cpu1 1 2 3 4 5 6 7 7000000 9 10\n");
    assert_true(is_near(cpu_state_stolen_s(root, &mask), 530 * tick_s));
    const struct cpu_mask elsewhere = mask_of((const int[]){7}, 1);
    assert_true(isnan(cpu_state_stolen_s(root, &elsewhere)));
    tree_put("/proc/stat", "cpu1 1 2 3 4\ncpu99999999 1 2 3 4 5 6 7 8\ncpu-1 1 2 3 4 5 6 7 8\nnonsense\n");
    assert_true(isnan(cpu_state_stolen_s(root, &mask)));
}

static void lost_time_is_stolen_and_throttled(void **state)
{
    (void)state;
    const struct cpu_mask mask = mask_of((const int[]){0}, 1);
    struct cpu_energy energy = {0};
    struct device_state read;
    cpu_state_read(root, &mask, &energy, &read);
    assert_true(isnan(read.lost_s));

    tree_put("/proc/self/cgroup", "0::/app\n");
    tree_put("/sys/fs/cgroup/app/cpu.stat", "throttled_usec 250000\n");
    cpu_state_read(root, &mask, &energy, &read);
    assert_true(is_near(read.lost_s, 0.25));

    char stat[96];
    snprintf(stat, sizeof stat, "cpu0 0 0 0 0 0 0 0 %ld 0 0\n", 3 * sysconf(_SC_CLK_TCK));
    tree_put("/proc/stat", stat);
    cpu_state_read(root, &mask, &energy, &read);
    assert_true(is_near(read.lost_s, 3.25));

    tree_take("/sys/fs/cgroup/app/cpu.stat");
    cpu_state_read(root, &mask, &energy, &read);
    assert_true(is_near(read.lost_s, 3));
}

static void the_clock_is_one_that_processors_have(void **state)
{
    (void)state;
    const struct cpu_mask mask = {.count = 0};
    struct cpu_energy energy = {0};
    struct device_state read;
    cpu_state_read(root, &mask, &energy, &read);
#if defined(__x86_64__) || defined(__aarch64__)
    assert_true(read.cpu_clock_mhz > 20 && read.cpu_clock_mhz < 10000); /* slow, if others have the processor */
#else
    assert_true(isnan(read.cpu_clock_mhz));
#endif
}

static void what_a_cpu_does_not_know_is_unknown(void **state)
{
    (void)state;
    const struct cpu_mask mask = {.count = 0};
    struct cpu_energy energy = {0};
    struct device_state read;
    cpu_state_read(root, &mask, &energy, &read);
    assert_true(isnan(read.sm_clock_mhz) && isnan(read.memory_clock_mhz) && isnan(read.temperature_c) &&
                isnan(read.power_w) && isnan(read.energy_j) && isnan(read.cycles) && isnan(read.cycles_at_s) &&
                isnan(read.lost_s));
    assert_string_equal(read.throttled, "");
    assert_int_equal(read.other_processes, -1);
    assert_true(read.preemptions >= 0);
}

#define RAPL "/sys/class/powercap/intel-rapl:"

static void energy_is_counted_from_the_first_reading(void **state)
{
    (void)state;
    struct cpu_energy energy = {0};
    tree_put(RAPL "0/name", "package-0\n");
    tree_put(RAPL "0/max_energy_range_uj", "10000000\n");
    tree_put(RAPL "0/energy_uj", "7000000\n");
    assert_true(cpu_energy_read(root, &energy) == 0);
    tree_put(RAPL "0/energy_uj", "9000000\n");
    assert_true(is_near(cpu_energy_read(root, &energy), 2));
    /* past its range, and on from 0 */
    tree_put(RAPL "0/energy_uj", "500000\n");
    assert_true(is_near(cpu_energy_read(root, &energy), 3.5));
    tree_put(RAPL "0/energy_uj", "600000\n");
    assert_true(is_near(cpu_energy_read(root, &energy), 3.6));
}

static void energy_is_that_of_all_packages_and_nothing_twice(void **state)
{
    (void)state;
    struct cpu_energy energy = {0};
    static const char *const names[] = {"package-0\n", "psys\n", "package-1\n"};
    char path[96];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++) {
            snprintf(path, sizeof path, RAPL "%d/name", i);
            tree_put(path, names[i]);
            snprintf(path, sizeof path, RAPL "%d/energy_uj", i);
            tree_put(path, round == 0 ? "1000000\n" : i == 2 ? "5000000\n" : "2000000\n");
        }
        assert_true(is_near(cpu_energy_read(root, &energy), round == 0 ? 0 : 5));
    }
}

static void energy_that_cannot_be_read_is_unknown(void **state)
{
    (void)state;
    struct cpu_energy energy = {0};
    assert_true(isnan(cpu_energy_read(root, &energy)));
    tree_put(RAPL "0/name", "package-0\n");
    assert_true(isnan(cpu_energy_read(root, &energy)));
    tree_put(RAPL "0/energy_uj", "5000000\n");
    assert_true(cpu_energy_read(root, &energy) == 0);
    /* It went back, and where it began anew is not known. */
    tree_put(RAPL "0/energy_uj", "4000000\n");
    assert_true(isnan(cpu_energy_read(root, &energy)));
}

int main(void)
{
#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        IN_TREE(stolen_time_is_that_of_the_mask),          IN_TREE(lost_time_is_stolen_and_throttled),
        IN_TREE(the_clock_is_one_that_processors_have),    IN_TREE(what_a_cpu_does_not_know_is_unknown),
        IN_TREE(energy_is_counted_from_the_first_reading), IN_TREE(energy_is_that_of_all_packages_and_nothing_twice),
        IN_TREE(energy_that_cannot_be_read_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

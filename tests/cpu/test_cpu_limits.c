/* What control groups leave to a process, read from made-up trees. */
#include "cpu/backend/cpu_parts.h"

#include "made_tree.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *root;

static int begin(void **state)
{
    root = tree_make();
    return 0;
}

static int end(void **state)
{
    tree_remove();
    return 0;
}

static void assert_limits(double processors, double free_bytes)
{
    struct cpu_limits limits = cpu_limits_find(root);
    assert_true(limits.processors == processors);
    assert_true(limits.free_bytes == free_bytes);
}

TEST(no_files_are_no_limits)
{
    assert_limits(INFINITY, INFINITY);
    assert_true(isnan(cpu_limits_find(root).throttled_s));
    tree_put("/proc/self/cgroup", "0::/app\n");
    assert_limits(INFINITY, INFINITY);
    assert_true(isnan(cpu_limits_find(root).throttled_s));
}

TEST(version_2)
{
    tree_put("/proc/self/cgroup", "0::/app\n");
    tree_put("/sys/fs/cgroup/app/cpu.max", "150000 100000\n");
    tree_put("/sys/fs/cgroup/app/memory.max", "1000000\n");
    tree_put("/sys/fs/cgroup/app/memory.current", "600000\n");
    tree_put("/sys/fs/cgroup/app/memory.stat", "anon 1\nfile 2\ninactive_anon 7\ninactive_file 50000\nactive_file 9\n");
    tree_put("/sys/fs/cgroup/app/cpu.stat", "usage_usec 7\nnr_throttled 3\nthrottled_usec 2500000\n");
    assert_limits(1.5, 450000);
    assert_true(cpu_limits_find(root).throttled_s == 2.5);
}

TEST(max_is_no_limit)
{
    tree_put("/proc/self/cgroup", "0::/app\n");
    tree_put("/sys/fs/cgroup/app/cpu.max", "max 100000\n");
    tree_put("/sys/fs/cgroup/app/memory.max", "max\n");
    tree_put("/sys/fs/cgroup/app/memory.current", "600000\n");
    assert_limits(INFINITY, INFINITY);
}

TEST(version_1)
{
    tree_put("/proc/self/cgroup", "4:memory:/job/7\n2:cpu,cpuacct:/job\n1:name=systemd:/init\n0::/\n");
    tree_put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "300000\n");
    tree_put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    tree_put("/sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 1500000000\n");
    tree_put("/sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "2000000\n");
    tree_put("/sys/fs/cgroup/memory/job/7/memory.usage_in_bytes", "500000\n");
    tree_put("/sys/fs/cgroup/memory/job/7/memory.stat", "cache 1\ninactive_file 3\ntotal_inactive_file 1000\n");
    assert_limits(3, 1501000);
    assert_true(fabs(cpu_limits_find(root).throttled_s - 1.5) < 1e-9);
}

/* Where "cpu" and "cpuacct" are one folder by two names, its throttled time is there twice. */
TEST(throttled_time_counts_once)
{
    static const char stat[] = "throttled_time 1000000000\n";
    tree_put("/proc/self/cgroup", "2:cpu,cpuacct:/job\n");
    tree_put("/sys/fs/cgroup/cpu/job/cpu.stat", stat);
    tree_put("/sys/fs/cgroup/cpuacct/job/cpu.stat", stat);
    assert_true(fabs(cpu_limits_find(root).throttled_s - 1) < 1e-9);

    /* Nor is the topmost folder visited once as "/" and once as nothing. */
    tree_put("/proc/self/cgroup", "2:cpu:/\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.stat", stat);
    assert_true(fabs(cpu_limits_find(root).throttled_s - 1) < 1e-9);
}

TEST(minus_one_is_no_quota)
{
    tree_put("/proc/self/cgroup", "2:cpu:/\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assert_limits(INFINITY, INFINITY);
}

/* Each limit is that of the strictest group; time is lost to all of them. */
TEST(groups_above_count)
{
    tree_put("/proc/self/cgroup", "0::/a/b/c\n");
    tree_put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    tree_put("/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
    tree_put("/sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
    tree_put("/sys/fs/cgroup/memory.max", "20000\n");
    tree_put("/sys/fs/cgroup/a/b/memory.max", "9000\n");
    tree_put("/sys/fs/cgroup/a/b/c/memory.max", "30000\n");
    tree_put("/sys/fs/cgroup/a/b/c/memory.current", "4000\n");
    tree_put("/sys/fs/cgroup/a/cpu.stat", "throttled_usec 4000000\n");
    tree_put("/sys/fs/cgroup/a/b/c/cpu.stat", "throttled_usec 500000\n");
    assert_limits(0.5, 9000);
    assert_true(cpu_limits_find(root).throttled_s == 4.5);
}

TEST(a_group_known_outside_only_is_the_topmost_folder)
{
    tree_put("/proc/self/cgroup", "3:cpu:/docker/0123abcd\n2:memory:/docker/0123abcd\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    tree_put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "77\n");
    assert_limits(2, 77);

    tree_put("/proc/self/cgroup", "0::/../../elsewhere\n");
    tree_put("/sys/fs/cgroup/cpu.max", "25000 100000\n");
    assert_limits(0.25, INFINITY);
}

TEST(used_up_memory_is_none_rather_than_less)
{
    tree_put("/proc/self/cgroup", "0::/\n");
    tree_put("/sys/fs/cgroup/memory.max", "1000\n");
    tree_put("/sys/fs/cgroup/memory.current", "5000\n");
    assert_limits(INFINITY, 0);
}

TEST(garbage_is_no_limit)
{
    static const char *const garbage[] = {"", "\n", "nan\n", "inf 5\n", "-3 4\n", "x 100000\n", "0 0\n", "5\n"};
    tree_put("/proc/self/cgroup", "no colon\n1:one colon\n\n::\n0::/app\n");
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        tree_put("/sys/fs/cgroup/app/cpu.max", garbage[i]);
        tree_put("/sys/fs/cgroup/app/cpu.stat", garbage[i]);
        struct cpu_limits limits = cpu_limits_find(root);
        if (!isinf(limits.processors))
            fail_msg("'%s' is a limit of %g processors", garbage[i], limits.processors);
        assert_true(isnan(cpu_limits_find(root).throttled_s));
    }
    static const char *const sizes[] = {"", "nan\n", "infinity\n", "lots\n"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tree_put("/sys/fs/cgroup/app/memory.max", sizes[i]);
        tree_put("/sys/fs/cgroup/app/memory.current", sizes[i]);
        assert_true(isinf(cpu_limits_find(root).free_bytes));
    }
}

/* As deep as paths can be, whose line is longer than usual buffers. */
TEST(long_paths_are_followed)
{
    char group[900] = "", line[1000], path[1000];
    while (strlen(group) < 800)
        strcat(group, "/kubepods-burstable-pod0123456789");
    snprintf(line, sizeof line, "0::%s\n", group);
    tree_put("/proc/self/cgroup", line);
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    tree_put(path, "700000 100000\n");
    assert_limits(7, INFINITY);
}

AROUND_EACH_TEST(begin, end)

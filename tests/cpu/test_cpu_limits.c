/* What control groups leave to a process, read from made-up trees. */
#include "cpu/backend/cpu_parts.h"

#include "made_tree.h"
#include "tests/unit.h"

static void assert_limits(double processors, double free_bytes)
{
    struct cpu_limits limits = cpu_limits_find(TREE);
    assert_true(limits.processors == processors);
    assert_true(limits.free_bytes == free_bytes);
}

#define CGROUP "/proc/self/cgroup"
#define V "/sys/fs/cgroup/"

TEST(limits_are_those_of_the_files)
{
    static const struct {
        struct cpu_limits limits; /* NAN: unknown */
        const char *files[10][2];
    } cases[] = {
        /* No files are no limits, and neither is "max". */
        {{INFINITY, INFINITY, NAN}, {{"/proc/uptime", ""}}},
        {{INFINITY, INFINITY, NAN}, {{CGROUP, "0::/app\n"}}},
        {{INFINITY, INFINITY, NAN},
         {{CGROUP, "0::/app\n"},
          {V "app/cpu.max", "max 100000\n"},
          {V "app/memory.max", "max\n"},
          {V "app/memory.current", "600000\n"}}},
        /* Version 2, and version 1. */
        {{1.5, 450000, 2.5},
         {{CGROUP, "0::/app\n"},
          {V "app/cpu.max", "150000 100000\n"},
          {V "app/memory.max", "1000000\n"},
          {V "app/memory.current", "600000\n"},
          {V "app/memory.stat", "anon 1\nfile 2\ninactive_anon 7\ninactive_file 50000\nactive_file 9\n"},
          {V "app/cpu.stat", "usage_usec 7\nnr_throttled 3\nthrottled_usec 2500000\n"}}},
        {{3, 1501000, 1.5},
         {{CGROUP, "4:memory:/job/7\n2:cpu,cpuacct:/job\n1:name=systemd:/init\n0::/\n"},
          {V "cpu/job/cpu.cfs_quota_us", "300000\n"},
          {V "cpu/job/cpu.cfs_period_us", "100000\n"},
          {V "cpu/job/cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 1500000000\n"},
          {V "memory/job/7/memory.limit_in_bytes", "2000000\n"},
          {V "memory/job/7/memory.usage_in_bytes", "500000\n"},
          {V "memory/job/7/memory.stat", "cache 1\ninactive_file 3\ntotal_inactive_file 1000\n"}}},
        {{INFINITY, INFINITY, NAN},
         {{CGROUP, "2:cpu:/\n"}, {V "cpu/cpu.cfs_quota_us", "-1\n"}, {V "cpu/cpu.cfs_period_us", "100000\n"}}},
        /* Each limit is that of the strictest group; time is lost to all of them. */
        {{0.5, 9000, 4.5},
         {{CGROUP, "0::/a/b/c\n"},
          {V "cpu.max", "200000 100000\n"},
          {V "a/cpu.max", "50000 100000\n"},
          {V "a/b/c/cpu.max", "400000 100000\n"},
          {V "memory.max", "20000\n"},
          {V "a/b/memory.max", "9000\n"},
          {V "a/b/c/memory.max", "30000\n"},
          {V "a/b/c/memory.current", "4000\n"},
          {V "a/cpu.stat", "throttled_usec 4000000\n"},
          {V "a/b/c/cpu.stat", "throttled_usec 500000\n"}}},
        /* A group that is known outside only is the topmost folder. */
        {{2, 77, NAN},
         {{CGROUP, "3:cpu:/docker/0123abcd\n2:memory:/docker/0123abcd\n"},
          {V "cpu/cpu.cfs_quota_us", "200000\n"},
          {V "cpu/cpu.cfs_period_us", "100000\n"},
          {V "memory/memory.limit_in_bytes", "77\n"}}},
        {{0.25, INFINITY, NAN}, {{CGROUP, "0::/../../elsewhere\n"}, {V "cpu.max", "25000 100000\n"}}},
        /* Used up memory is none rather than less. */
        {{INFINITY, 0, NAN}, {{CGROUP, "0::/\n"}, {V "memory.max", "1000\n"}, {V "memory.current", "5000\n"}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tree_make(NULL);
        for (int file = 0; file < 10 && cases[i].files[file][0]; file++)
            tree_put(cases[i].files[file][0], cases[i].files[file][1]);
        assert_limits(cases[i].limits.processors, cases[i].limits.free_bytes);
        const double throttled_s = cpu_limits_find(TREE).throttled_s;
        assert_true(isnan(throttled_s) == isnan(cases[i].limits.throttled_s));
        assert_true(isnan(throttled_s) || fabs(throttled_s - cases[i].limits.throttled_s) < 1e-9);
    }
}

/* Where "cpu" and "cpuacct" are one folder by two names, its throttled time is there twice. */
TEST(throttled_time_counts_once)
{
    static const char stat[] = "throttled_time 1000000000\n";
    tree_put("/proc/self/cgroup", "2:cpu,cpuacct:/job\n");
    tree_put("/sys/fs/cgroup/cpu/job/cpu.stat", stat);
    tree_put("/sys/fs/cgroup/cpuacct/job/cpu.stat", stat);
    assert_true(fabs(cpu_limits_find(TREE).throttled_s - 1) < 1e-9);

    /* Nor is the topmost folder visited once as "/" and once as nothing. */
    tree_put("/proc/self/cgroup", "2:cpu:/\n");
    tree_put("/sys/fs/cgroup/cpu/cpu.stat", stat);
    assert_true(fabs(cpu_limits_find(TREE).throttled_s - 1) < 1e-9);
}

TEST(garbage_is_no_limit)
{
    static const char *const garbage[] = {"", "\n", "nan\n", "inf 5\n", "-3 4\n", "x 100000\n", "0 0\n", "5\n"};
    tree_put("/proc/self/cgroup", "no colon\n1:one colon\n\n::\n0::/app\n");
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        tree_put("/sys/fs/cgroup/app/cpu.max", garbage[i]);
        tree_put("/sys/fs/cgroup/app/cpu.stat", garbage[i]);
        struct cpu_limits limits = cpu_limits_find(TREE);
        if (!isinf(limits.processors))
            fail_msg("'%s' is a limit of %g processors", garbage[i], limits.processors);
        assert_true(isnan(cpu_limits_find(TREE).throttled_s));
    }
    static const char *const sizes[] = {"", "nan\n", "infinity\n", "lots\n"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tree_put("/sys/fs/cgroup/app/memory.max", sizes[i]);
        tree_put("/sys/fs/cgroup/app/memory.current", sizes[i]);
        assert_true(isinf(cpu_limits_find(TREE).free_bytes));
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

AROUND_EACH_TEST(tree_make, NULL)

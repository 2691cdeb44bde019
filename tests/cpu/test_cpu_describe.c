/* The processor's name, affinity and governor, the notes on the machine, and its state, read from made-up trees. */
#define _GNU_SOURCE /* CPU_SET_S() */
#include "cpu/backend/cpu_parts.h"

#include "made_tree.h"
#include "tests/unit.h"

#include "tests/skip.h"

#include <omp.h>
#include <sys/utsname.h>

static struct cpu_mask mask;
static struct device_info info;

static void add(int cpu)
{
    CPU_SET_S((size_t)cpu, sizeof mask.sets, mask.sets);
}

static void set_mask(int first, int last, int step)
{
    memset(&mask, 0, sizeof mask);
    for (int cpu = first; cpu <= last; cpu += step, mask.count++)
        add(cpu);
}

static int begin(void **state)
{
    set_mask(0, 3, 1);
    return tree_make(state);
}

static void look(void)
{
    memset(&info, 0, sizeof info);
    cpu_describe(TREE, &mask, &info);
}

/* The sentence of the note so marked; NULL: there is none. */
static const char *note(const char *mark)
{
    for (int i = 0; i < info.note_count; i++)
        if (strcmp(info.notes[i].mark, mark) == 0)
            return info.notes[i].text;
    return NULL;
}

static void assert_mask_text(size_t size, const char *expected)
{
    char text[64];
    memset(text, 'x', sizeof text);
    cpu_mask_text(&mask, text, size);
    assert_string_equal(text, expected);
}

TEST(affinity_is_a_list_of_ranges)
{
    assert_mask_text(64, "0-3");
    add(8);
    assert_mask_text(64, "0-3,8");
    add(CPU_MASK_MAX - 2);
    add(CPU_MASK_MAX - 1);
    assert_mask_text(64, "0-3,8,8190-8191");
    set_mask(5, 5, 1);
    assert_mask_text(64, "5");
    set_mask(0, -1, 1);
    assert_mask_text(64, "");
    set_mask(0, 190, 2);
    assert_mask_text(20, "0,2,4,6,8,... (96)");
    assert_mask_text(21, "0,2,4,6,8,... (96)");
    assert_mask_text(22, "0,2,4,6,8,10,... (96)");
}

TEST(affinity_of_this_process)
{
    cpu_mask_read(1, &mask);
    int count = 0;
    for (int cpu = 0; cpu < CPU_MASK_MAX; cpu++)
        count += cpu_mask_has(&mask, cpu);
    assert_true(count > 0);
    assert_int_equal(mask.count, count);
    char status[8192] = "", expected[96], text[64];
    FILE *file = fopen("/proc/self/status", "r");
    if (!file || omp_get_num_places() > 0) /* bound threads have masks of their own */
        skip_because("OpenMP binds threads here (OMP_PROC_BIND or OMP_PLACES), or there is no /proc");
    status[fread(status, 1, sizeof status - 1, file)] = '\0';
    fclose(file);
    cpu_mask_text(&mask, text, sizeof text);
    snprintf(expected, sizeof expected, "Cpus_allowed_list:\t%s\n", text);
    if (!strstr(text, "..."))
        assert_non_null(strstr(status, expected));
}

TEST(name_is_the_model_or_the_architecture)
{
    struct utsname system;
    uname(&system);
    look();
    assert_string_equal(info.name, system.machine);
    tree_put("/proc/cpuinfo", "processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9654\nstepping : 1\n"
                              "processor\t: 1\nmodel\t\t: 1\nmodel name\t: another\n");
    look();
    assert_string_equal(info.name, "AMD EPYC 9654");
}

#define GOVERNOR(cpu) "/sys/devices/system/cpu/cpu" #cpu "/cpufreq/scaling_governor"

TEST(governor_is_one_word)
{
    static const struct {
        const char *file, *text, *governor;
        bool is_noted;
    } files[] = {
        {"/proc/uptime", "", "", false},
        {GOVERNOR(0), "performance\n", "performance", false},
        {GOVERNOR(3), "performance\n", "performance", false},
        {GOVERNOR(4), "ondemand\n", "performance", false}, /* beyond the mask */
        {GOVERNOR(3), "powersave\n", "mixed", true},
        {GOVERNOR(0), "powersave\n", "powersave", true},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        tree_put(files[i].file, files[i].text);
        look();
        assert_string_equal(info.governor, files[i].governor);
        assert_int_equal(note("governor") != NULL, files[i].is_noted);
        assert_true(!files[i].is_noted || strstr(note("governor"), files[i].governor));
    }
}

TEST(a_quota_below_the_mask_is_noted)
{
    tree_put("/proc/self/cgroup", "0::/\n");
    tree_put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
    look();
    assert_null(note("cpu-quota"));
    tree_put("/sys/fs/cgroup/cpu.max", "150000 100000\n");
    look();
    assert_string_equal(note("cpu-quota"),
                        "a control group allows the time of 1.5 CPUs, although this process may run on 4");
}

TEST(load_by_others_is_noted)
{
    static const struct {
        const char *load, *quota;
        bool busy;
    } cases[] = {
        {"2.01 0.00 0.00 2/84 4950\n", "max 100000\n", true},
        {"2.00 9.00 9.00 9/84 4950\n", "max 100000\n", false}, /* half of four, no more */
        {"2.01 9.00 9.00 1/84 4950\n", "max 100000\n", false}, /* our own, a moment ago */
        {"1.20 0.00 0.00 2/84 4950\n", "200000 100000\n", true},
        {"0.80 0.00 0.00 2/84 4950\n", "200000 100000\n", false},
        {"", "max 100000\n", false},
        {"heavy\n", "max 100000\n", false},
    };
    tree_put("/proc/self/cgroup", "0::/\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tree_put("/proc/loadavg", cases[i].load);
        tree_put("/sys/fs/cgroup/cpu.max", cases[i].quota);
        look();
        if ((note("") != NULL && strstr(note(""), "other work") != NULL) != cases[i].busy)
            fail_msg("load %s, quota %s", cases[i].load, cases[i].quota);
    }
}

TEST(virtual_machines_are_mentioned_without_a_mark)
{
    static const struct {
        const char *cpuinfo;
        bool is_virtual;
    } cases[] = {
        {"processor : 0\nflags\t\t: fpu vme hypervisor avx\nbugs : none\n", true},
        {"processor : 0\nflags\t\t: fpu vme hypervisor\nbugs : none\n", true},
        {"processor : 0\nflags\t\t: fpu vme avx\nbugs : hypervisor \n", false},
        {"processor : 0\nflags\t\t: fpu hypervisors avx\n", false},
        {"processor : 0\nmodel name : hypervisor \n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tree_put("/proc/cpuinfo", cases[i].cpuinfo);
        look();
        assert_int_equal(info.note_count, cases[i].is_virtual);
        if (cases[i].is_virtual)
            assert_non_null(strstr(note(""), "virtual machine"));
    }
}

TEST(notes_fill_up_and_long_ones_end)
{
    char longer[400];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    memset(&info, 0, sizeof info);
    for (int i = 0; i < DEVICE_NOTES_MAX + 3; i++)
        device_info_add_note(&info, longer, "%s", longer);
    assert_int_equal(info.note_count, DEVICE_NOTES_MAX);
    assert_int_equal(strlen(info.notes[0].text), sizeof info.notes->text - 1);
    assert_int_equal(strlen(info.notes[0].mark), sizeof info.notes->mark - 1);
}

static struct device_state read_state(void)
{
    struct device_state read;
    cpu_state_read(TREE, &mask, &read);
    return read;
}

/* The eighth number of a line, of CPUs 1 and 12 alone; not that of CPU 2, of the sum, or of a line further down. */
TEST(stolen_time_is_that_of_the_mask)
{
    const double tick_s = 1 / (double)sysconf(_SC_CLK_TCK);
    set_mask(1, 12, 11);
    assert_true(isnan(read_state().lost_s));
    tree_put("/proc/stat", "cpu  1 2 3 4 5 6 7 900000 9 10\n"
                           "cpu0 1 2 3 4 5 6 7 10000 9 10\n"
                           "cpu1 11 12 13 14 15 16 17 30 19 20\n"
                           "cpu2 1 2 3 4 5 6 7 2000 9 10\n"
                           "cpu12 1 2 3 4 5 6 7 500 9 10\n"
                           "intr 179069 1 2 3\n"
                           "cpu1 1 2 3 4 5 6 7 7000000 9 10\n");
    assert_within(read_state().lost_s, 530 * tick_s, 1e-9);
    set_mask(7, 7, 1);
    assert_true(isnan(read_state().lost_s));
    set_mask(1, 12, 11);
    tree_put("/proc/stat", "cpu1 1 2 3 4\ncpu99999999 1 2 3 4 5 6 7 8\ncpu-1 1 2 3 4 5 6 7 8\nnonsense\n");
    assert_true(isnan(read_state().lost_s));
}

TEST(lost_time_is_stolen_and_throttled)
{
    char stat[96];
    tree_put("/proc/self/cgroup", "0::/app\n");
    tree_put("/sys/fs/cgroup/app/cpu.stat", "throttled_usec 250000\n");
    assert_within(read_state().lost_s, 0.25, 1e-9);
    snprintf(stat, sizeof stat, "cpu0 0 0 0 0 0 0 0 %ld 0 0\n", 3 * sysconf(_SC_CLK_TCK));
    tree_put("/proc/stat", stat);
    assert_within(read_state().lost_s, 3.25, 1e-9);
    tree_take("/sys/fs/cgroup/app/cpu.stat");
    assert_within(read_state().lost_s, 3, 1e-9);
}

TEST(what_a_cpu_does_not_know_is_unknown)
{
    struct device_state read = read_state();
    assert_true(isnan(read.sm_clock_mhz) && isnan(read.memory_clock_mhz) && isnan(read.temperature_c) &&
                isnan(read.power_w) && isnan(read.energy_j) && isnan(read.cycles) && isnan(read.cycles_at_s) &&
                isnan(read.lost_s));
    assert_string_equal(read.throttled, "");
    assert_int_equal(read.other_processes, -1);
    assert_true(read.preemptions >= 0);
#if defined(__x86_64__) || defined(__aarch64__)
    assert_true(read.cpu_clock_mhz > 20 && read.cpu_clock_mhz < 10000); /* slow, if others have the processor */
#else
    assert_true(isnan(read.cpu_clock_mhz));
#endif
}

AROUND_EACH_TEST(begin, NULL)

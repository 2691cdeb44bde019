/* The CPU's backend on this very machine: waiting, what it says of itself, and emptying the caches. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench/base/host.h"
#include "bench/data/made.h"
#include "bench/table/backend.h"

#include "cpu/backend/cpu_parts.h"
#include "tests/unit.h"

#include "tests/skip.h"

#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#if HAVE_openblas
#include <cblas.h>
#endif

static int open_all(void **state)
{
    return cpu_backend.open(&(struct backend_settings){.device = -1}) != NULL;
}

static int close_all(void **state)
{
    cpu_backend.close();
    return 0;
}

static double processor_time_s(void)
{
    struct timespec time;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time), 0);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* It takes so long at least, and no more than that of a processor (scripts/test.sh --all): others may have one
 * meanwhile. */
static void assert_spins(int64_t nanoseconds, double length_s)
{
    double least_s = INFINITY, length;
    for (int i = 0; i < 20; i++) {
        double start_s = processor_time_s();
        cpu_backend.mark(0);
        assert_null(cpu_backend.spin(nanoseconds));
        cpu_backend.mark(1);
        least_s = fmin(least_s, processor_time_s() - start_s);
        cpu_backend.elapsed(0, 1, &length);
        assert_true(length >= length_s);
    }
    if (unit_at_length() && !(least_s < 1.1 * length_s + 50e-6))
        fail_msg("%g s took %g s", length_s, least_s);
}

TEST(spinning_takes_as_long_as_it_should)
{
    assert_spins(0, 0);
    assert_spins(BACKEND_NO_SPIN, 0);
    assert_spins(1000, 1e-6);
    assert_spins(100000, 1e-4);
    assert_spins(1000000, 1e-3);
}

/* A whole second ends meanwhile: once within so many pieces. */
TEST(spinning_passes_the_second)
{
    double whole;
    cpu_backend.mark(2);
    for (int i = 0; i < 11; i++)
        assert_null(cpu_backend.spin(100000000));
    cpu_backend.mark(3);
    cpu_backend.elapsed(2, 3, &whole);
    assert_true(whole >= 1.1);
}

static void busy_forever(void)
{
    for (volatile unsigned turns = 0;; turns++)
        ;
}

/* Beside another process on one CPU, this one has to leave it again and again; while it waits, it leaves of its own
 * will. */
TEST(preemptions_are_counted)
{
    struct device_state before, after;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);

    cpu_backend.read_state(&before, true);
    for (int i = 0; i < 200; i++)
        usleep(100);
    cpu_backend.read_state(&after, true);
    assert_true(after.preemptions - before.preemptions < 100);
    double start_s = processor_time_s();

    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    pid_t rival = fork();
    if (rival == 0)
        busy_forever();
    assert_true(rival > 0);
    cpu_backend.read_state(&before, true);
    do {
        cpu_backend.spin(1000000);
        cpu_backend.read_state(&after, true);
    } while (after.preemptions - before.preemptions < 5 && processor_time_s() < start_s + 10);
    kill(rival, SIGKILL);
    waitpid(rival, NULL, 0);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(after.preemptions - before.preemptions >= 5);
}

TEST(lost_time_only_grows)
{
    struct device_state before, after;
    if (access("/proc/stat", R_OK) != 0)
        skip_because("no /proc/stat");
    cpu_backend.read_state(&before, true);
    cpu_backend.spin(20000000);
    cpu_backend.read_state(&after, true);
    assert_true(before.lost_s >= 0);
    assert_true(after.lost_s >= before.lost_s);
}

TEST(the_machine_is_described)
{
    struct device_info info;
    struct cpu_mask mask;
    char affinity[sizeof info.affinity];
    memset(&info, 0xA5, sizeof info);
    cpu_backend.describe(&info);
    cpu_mask_read((int)info.threads, &mask);
    cpu_mask_text(&mask, affinity, sizeof affinity);
    assert_string_equal(info.affinity, affinity);
    assert_true(strlen(info.name) > 0);
    assert_true(info.threads >= 1 && info.threads <= mask.count);
    assert_true(isnan(info.power_limit_w) && isnan(info.sm_clock_set_mhz));
    assert_string_equal(info.uuid, "");
    assert_true(info.note_count >= 0 && info.note_count <= DEVICE_NOTES_MAX);
#if HAVE_openblas
    const char *core = openblas_get_corename();
    assert_non_null(strstr(info.blas_version, "OpenBLAS 0."));
    assert_non_null(strstr(info.blas_version, core));
#else
    assert_string_equal(info.blas_version, "");
#endif
}

/* With a number of threads: its threads, those that work, those of OpenBLAS, and its CPUs; then the notes. */
static int print_threads(int argc, char **argv)
{
    struct device_info info;
    int workers = 0, blas = 0;
    cpu_set_t before;
    if (argc == 1)
        return RUN_TESTS;
    (void)sched_getaffinity(0, sizeof before, &before);
    cpu_backend.open(&(struct backend_settings){.device = -1, .threads = atoi(argv[1])});
    cpu_backend.describe(&info);
#pragma omp parallel reduction(+ : workers)
    workers++;
#if HAVE_openblas
    blas = openblas_get_num_threads();
#endif
    printf("%d %d %d %d %s\n", (int)info.threads, workers, blas, CPU_COUNT(&before), info.affinity);
    for (int i = 0; i < info.note_count; i++)
        printf("%s\n", info.notes[i].text);
    return 0;
}

/* A process of its own, since OpenMP reads its settings before main(). */
static void run_with(const char *setting, int wanted, char *output, size_t size)
{
    char path[4096], command[4300];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    assert_true(length > 0);
    snprintf(command, sizeof command, "env %s '%.*s' %d", setting, (int)length, path, wanted);
    FILE *other = popen(command, "r");
    assert_non_null(other);
    output[fread(output, 1, size - 1, other)] = '\0';
    assert_int_equal(pclose(other), 0);
}

/* Whatever the user sets: as many threads work as there are said to be, and what has no effect is told. A number of 0
 * stands for all. */
TEST(the_threads_that_work_are_counted)
{
    static const struct {
        const char *setting;
        int wanted, threads;
        const char *note; /* empty: there is none about threads */
    } cases[] = {
        {"A=", 0, 0, ""},
        {"A=", 1, 1, ""},
        {"A=", 3, 3, ""},
        {"OMP_NUM_THREADS=3", 0, 3, ""},
        {"OMP_NUM_THREADS=1", 3, 3, "OMP_NUM_THREADS: no effect"},
        {"OMP_THREAD_LIMIT=1", 0, 1, ""},
        {"OMP_THREAD_LIMIT=2", 3, 2, "use 2 threads, not 3"},
        {"OMP_MAX_ACTIVE_LEVELS=0", 2, 1, "use 1 thread, not 2"},
        {"OMP_PROC_BIND=true", 0, 0, ""},
        {"OMP_PROC_BIND=false OMP_PLACES=cores", 0, 0, "OMP_PLACES: no effect"},
        {"OMP_PROC_BIND=master", 2, 2, "2 threads share the 1 CPU"},
        {"OMP_DYNAMIC=true", 2, 2, "OMP_DYNAMIC: no effect"},
        {"OPENBLAS_NUM_THREADS=1 GOTO_NUM_THREADS=1", 2, 2, "OPENBLAS_NUM_THREADS GOTO_NUM_THREADS: no effect"},
        {"MKL_NUM_THREADS=2", 2, 2, ""},
    };
    struct device_info info;
    cpu_backend.describe(&info);
    if (omp_get_num_places() > 0 || getenv("OMP_NUM_THREADS"))
        skip_because("OpenMP's threads are set up from outside here");
    const int cpus = (int)info.threads;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int threads = 0, workers = 0, blas = 0, before = 0, expected = cases[i].threads ? cases[i].threads : cpus;
        char output[4096];
        if (strstr(cases[i].setting, "=master") && access("/sys/devices/system/cpu", R_OK) != 0)
            continue; /* OpenMP finds its places there, and without them binds nothing */
        run_with(cases[i].setting, cases[i].wanted, output, sizeof output);
        assert_int_equal(sscanf(output, "%d %d %d %d", &threads, &workers, &blas, &before), 4);
        bool is_noted = cases[i].note[0] ? strstr(output, cases[i].note) != NULL
                                         : !strstr(output, "threads, not") && !strstr(output, "no effect");
        if (threads != expected || workers != expected || (blas != expected && HAVE_openblas) || before != cpus ||
            !is_noted)
            fail_msg("%s, %d threads wanted: %s", cases[i].setting, cases[i].wanted, output);
    }
}

TEST(evicted_memory_is_slower_to_read)
{
    enum { BYTES = 256 << 10 };
    static char memory[BYTES];
    double cached_s = INFINITY, evicted_s = INFINITY, length;
    cpu_backend.fill(memory, BYTES, &(struct made){.kind = MADE_POSITIVE});
    for (int i = 0; i < 40; i++) {
        const bool evicts = i % 2 == 0;
        cpu_backend.ceiling(CEILING_READ, 0, memory, BYTES);
        if (evicts)
            assert_null(cpu_backend.evict(&(struct span){memory, BYTES}, 1, false));
        cpu_backend.mark(0);
        cpu_backend.ceiling(CEILING_READ, 0, memory, BYTES);
        cpu_backend.mark(1);
        cpu_backend.elapsed(0, 1, &length);
        double *shortest = evicts ? &evicted_s : &cached_s;
        *shortest = fmin(*shortest, length);
    }
#ifdef __SANITIZE_ADDRESS__
    skip_because("with the sanitizers reads take longer than memory does; tested in build-test");
#endif
    if (!(evicted_s > 1.5 * cached_s))
        fail_msg("%g us from memory, %g us from the cache", 1e6 * evicted_s, 1e6 * cached_s);
}

/* Each CPU that a thread was taken to, in any order. */
static struct cpu_mask taken_to;
static int taken;

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set)
{
    if (CPU_COUNT_S(size, set) == 1)
#pragma omp critical
    {
        CPU_OR_S(size, taken_to.sets, taken_to.sets, set);
        taken++;
    }
    return (int)syscall(SYS_sched_setaffinity, thread, size, set);
}

static int spread_over(void (*spread)(void))
{
    memset(&taken_to, 0, sizeof taken_to);
    taken = 0;
    spread();
    return CPU_COUNT_S(sizeof taken_to.sets, taken_to.sets);
}

static void skip_where_bound(void)
{
    if (omp_get_num_places() > 0)
        skip_because("OpenMP binds threads");
}

TEST(a_row_begins_with_a_team_that_is_spread_and_let_go)
{
    struct cpu_mask before;
    int fewest = CPU_MASK_MAX; /* CPUs that a thread may run on */
    skip_where_bound();
    cpu_mask_read(omp_get_max_threads(), &before);
    const int threads = before.threads, most = threads < before.count ? threads : before.count;
    assert_int_equal(spread_over(cpu_backend.begin_row), most);
    assert_int_equal(taken, before.count > 1 ? threads : 2 * threads); /* and back */
#pragma omp parallel reduction(min : fewest)
    {
        struct cpu_mask own;
        memset(&own, 0, sizeof own);
        (void)sched_getaffinity(0, sizeof own.sets, own.sets);
        fewest = CPU_COUNT_S(sizeof own.sets, own.sets);
    }
    assert_int_equal(fewest, before.count);
}

/* How many threads are moved before the calls of a row whose first ones use so many; none, those of another team. */
static int moved_for(int threads)
{
    struct cpu_mask mask;
    cpu_backend.begin_row();
    while (!host_others_rest())
        continue;
    for (int call = 0; call < 3; call++) {
        (void)spread_over(cpu_backend.begin_calls);
        if (call == 0 && taken > 0)
            return -1;
        cpu_backend.mark(0);
        if (threads > 1)
            cpu_mask_read(threads, &mask);
        cpu_backend.mark(1);
    }
    return taken;
}

TEST(calls_begin_with_the_team_that_they_use)
{
    const int usual = omp_get_max_threads();
    struct cpu_mask mask;
    skip_where_bound();
    cpu_mask_read(usual, &mask);
    if (mask.count < 2)
        skip_because("there is one CPU"); /* where a thread that is let go looks like one that is moved */
    omp_set_num_threads(4);
    assert_int_equal(moved_for(4), 4);
    assert_int_equal(moved_for(2), 2);
    assert_int_equal(moved_for(1), 0);
    assert_int_equal(moved_for(7), 0);
    omp_set_num_threads(usual);
}

TEST(an_address_is_described_with_the_moment)
{
    void *memory;
    char text[96];
    assert_null(cpu_backend.allocate(1200, EDGE_END, &memory));
    assert_true(cpu_backend.describe_address((char *)memory + 8, text, sizeof text));
    assert_string_equal(text, "at byte 8 of a buffer of 1200 bytes");
    cpu_backend.protect(memory, false);
    assert_true(cpu_backend.describe_address((char *)memory + 8, text, sizeof text));
    assert_string_equal(text, "at byte 8 of a buffer of 1200 bytes, after the return");
    cpu_backend.protect(memory, true);
    assert_true(cpu_backend.describe_address((char *)memory + 1200, text, sizeof text));
    assert_string_equal(text, "0 bytes past the end of a buffer of 1200 bytes");
    assert_false(cpu_backend.describe_address(text, text, sizeof text));
    cpu_backend.release(memory);
}

AROUND_EACH_TEST(open_all, close_all)
BEGIN_WITH(print_threads)

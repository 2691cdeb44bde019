#define _GNU_SOURCE /* sched_getaffinity */
#include "cpu_parts.h"

#include "bench/base/host.h"
#include "bench/table/rung.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS_MAX = 4096 }; /* more are of no use, and may be more than the system starts */

bool cpu_mask_has(const struct cpu_mask *mask, int cpu)
{
    return CPU_ISSET_S((size_t)cpu, sizeof mask->sets, mask->sets);
}

/* Of OpenMP's places, where it binds threads. */
static void add_place(int place, struct cpu_mask *mask)
{
    int cpus[CPU_MASK_MAX], count = omp_get_place_num_procs(place);
    if (count > CPU_MASK_MAX)
        return;
    omp_get_place_proc_ids(place, cpus);
    for (int i = 0; i < count; i++)
        CPU_SET_S((size_t)cpus[i], sizeof mask->sets, mask->sets);
}

/* Of the calling thread. */
static void add_affinity(struct cpu_mask *mask)
{
    struct cpu_mask own = {.count = 0};
    if (sched_getaffinity(0, sizeof own.sets, own.sets) == 0)
        CPU_OR_S(sizeof own.sets, mask->sets, mask->sets, own.sets);
}

static void apply(const struct cpu_mask *mask)
{
    if (CPU_COUNT_S(sizeof mask->sets, mask->sets) > 0)
        (void)sched_setaffinity(0, sizeof mask->sets, mask->sets);
}

/* OpenMP binds the main thread to its first place before main(). All that this program starts would be bound there,
 * too, the program itself, started anew or as a worker, among them. */
__attribute__((constructor)) static void unbind(void)
{
    struct cpu_mask all = {.count = 0};
    for (int place = 0; place < omp_get_num_places(); place++)
        add_place(place, &all);
    apply(&all);
}

/* This thread to OpenMP's first place, if there are places. */
static void bind(void)
{
    struct cpu_mask own = {.count = 0};
    if (omp_get_num_places() > 0)
        add_place(omp_get_place_num(), &own);
    apply(&own);
}

void cpu_mask_read(int threads, struct cpu_mask *mask)
{
    memset(mask, 0, sizeof *mask);
#pragma omp parallel num_threads(threads)
#pragma omp critical
    {
        add_affinity(mask);
        mask->threads++;
    }
    mask->count = CPU_COUNT_S(sizeof mask->sets, mask->sets);
}

/* The CPU that comes so many after another one among those of a mask, which go round. */
static int cpu_after(const struct cpu_mask *mask, int cpu, int steps)
{
    for (steps %= CPU_COUNT_S(sizeof mask->sets, mask->sets); steps > 0;) {
        cpu = (cpu + 1) % CPU_MASK_MAX;
        steps -= cpu_mask_has(mask, cpu);
    }
    return cpu;
}

/* The threads of the team that was spread last, but the first: their clocks, and what these said. One that has ended
 * has none. */
static struct {
    clockid_t clocks[THREADS_MAX];
    double seconds[THREADS_MAX];
    int count;
    double tasks; /* threads that the process had */
} team;

void cpu_threads_spread(int threads)
{
    const int first = sched_getcpu();
    team.count = 0;
#pragma omp parallel num_threads(threads)
    {
        const int thread = omp_get_thread_num();
        struct cpu_mask own = {.count = 0}, one = {.count = 0};
        add_affinity(&own);
        if (first >= 0 && cpu_mask_has(&own, first)) {
            CPU_SET_S((size_t)cpu_after(&own, first, thread), sizeof one.sets, one.sets);
            apply(&one);
            apply(&own);
        }
        clockid_t clock;
        if (thread > 0 && pthread_getcpuclockid(pthread_self(), &clock) == 0)
#pragma omp critical
            team.clocks[team.count++] = clock;
    }
}

/* NAN: it has ended. */
static double seconds_of(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : NAN;
}

static double tasks(void)
{
    return cpu_file_number("", "/proc/self/status", "Threads:", NAN);
}

void cpu_threads_watch(void)
{
    team.tasks = tasks();
    for (int i = 0; i < team.count; i++)
        team.seconds[i] = seconds_of(team.clocks[i]);
}

int cpu_threads_worked(void)
{
    int alive = 0, worked = 0;
    (void)host_others_rest(); /* some may be ending */
    for (int i = 0; i < team.count; i++) {
        const double now_s = seconds_of(team.clocks[i]);
        alive += !isnan(now_s);
        worked += now_s > team.seconds[i];
    }
    return worked == 0 || tasks() > team.tasks ? 0 : 1 + alive;
}

void cpu_mask_text(const struct cpu_mask *mask, char *text, size_t size)
{
    char rest[32], range[32];
    size_t length = 0, room = size - (size_t)snprintf(rest, sizeof rest, ",... (%d)", mask->count);
    text[0] = '\0';
    for (int first = 0, last; first < CPU_MASK_MAX; first = last + 1) {
        last = first;
        if (!cpu_mask_has(mask, first))
            continue;
        while (cpu_mask_has(mask, last + 1))
            last++;
        int added = first == last ? snprintf(range, sizeof range, "%s%d", length == 0 ? "" : ",", first)
                                  : snprintf(range, sizeof range, "%s%d-%d", length == 0 ? "" : ",", first, last);
        if (length + (size_t)added >= room) {
            memcpy(text + length, rest, strlen(rest) + 1);
            return;
        }
        memcpy(text + length, range, (size_t)added + 1);
        length += (size_t)added;
    }
}

/* Without --threads it is OMP_NUM_THREADS; without that, as many as there are CPUs to run on. */
static int choose(int asked_for, double quota)
{
    static int usual; /* before anybody chose */
    const char *named = getenv("OMP_NUM_THREADS");
    bool is_named = named && strtol(named, NULL, 10) > 0;
    if (usual == 0)
        usual = omp_get_max_threads() < THREADS_MAX ? omp_get_max_threads() : THREADS_MAX;
    if (asked_for > 0)
        return asked_for;
    return ceil(quota) < usual && !is_named ? (int)ceil(quota) : usual;
}

int cpu_threads_open(int asked_for, double quota, struct cpu_mask *mask)
{
    int wanted = choose(asked_for, quota);
    omp_set_dynamic(0);
    cpu_mask_read(wanted, mask);
    omp_set_num_threads(mask->threads);
    cpu_blas_set_threads(mask->threads); /* which may run wherever this thread may, before it is bound */
    bind();
    cpu_mask_read(mask->threads, mask);
    return wanted;
}

/* Whether it says another number of threads than this. */
static bool is_other(const char *value, int threads)
{
    return strtol(value, NULL, 10) != threads;
}

static bool is_true(const char *value, int threads)
{
    (void)threads;
    return value[0] != '\0' && strchr("tT1", value[0]);
}

static bool binds_nothing(const char *value, int threads)
{
    (void)value, (void)threads;
    return omp_get_num_places() == 0;
}

/* What users set for OpenMP, for a BLAS, or for the OpenMP of another compiler. */
static void note_idle_settings(int threads, struct device_info *info)
{
    static const struct {
        const char *name;
        bool (*is_idle)(const char *value, int threads);
    } settings[] = {
        {"OMP_NUM_THREADS", is_other}, {"OPENBLAS_NUM_THREADS", is_other},   {"GOTO_NUM_THREADS", is_other},
        {"MKL_NUM_THREADS", is_other}, {"BLIS_NUM_THREADS", is_other},       {"OMP_DYNAMIC", is_true},
        {"OMP_PLACES", binds_nothing}, {"GOMP_CPU_AFFINITY", binds_nothing}, {"KMP_AFFINITY", binds_nothing},
    };
    char idle[160] = "";
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = getenv(settings[i].name);
        size_t length = strlen(idle);
        if (value && settings[i].is_idle(value, threads))
            snprintf(idle + length, sizeof idle - length, "%s%s", length > 0 ? " " : "", settings[i].name);
    }
    if (idle[0] != '\0')
        device_info_add_note(info, "", "%s: no effect here, CPU rungs use %d thread%s", idle, threads,
                             threads == 1 ? "" : "s");
}

void cpu_threads_note(int wanted, const struct cpu_mask *mask, struct device_info *info)
{
    const int threads = mask->threads, of_blas = cpu_blas_threads();
    const char *plural = threads == 1 ? "" : "s";
    if (threads < wanted)
        device_info_add_note(
            info, "",
            "CPU rungs use %d thread%s, not %d: OpenMP starts no more (OMP_THREAD_LIMIT, OMP_MAX_ACTIVE_LEVELS)",
            threads, plural, wanted);
    if (threads > mask->count && mask->count > 0)
        device_info_add_note(info, "", "%d threads share the %d CPU%s that they may run on", threads, mask->count,
                             mask->count == 1 ? "" : "s");
    if (of_blas > 0 && of_blas != threads) {
        struct device_note *note =
            device_info_add_note(info, "openblas-threads", "OpenBLAS uses %d thread%s, other CPU rungs use %d", of_blas,
                                 of_blas == 1 ? "" : "s", threads);
        if (note)
            note->traits = RUNG_OPENBLAS;
    }
    note_idle_settings(threads, info);
}

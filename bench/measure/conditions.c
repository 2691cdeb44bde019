#include "conditions.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The driver updates its energy counter every few milliseconds, so the energy of a short row is unknown. */
static const double energy_needs_s = 0.5;
/* A row that lost more CPU time than this share of its own, and this many seconds, is marked. The kernel counts lost
 * time in steps of 10 ms, so one step proves nothing about a short row. */
static const double tolerated_loss = 0.01, tolerated_loss_s = 0.015;
/* Per second, and in total. Threads that share a CPU with others are preempted at each turn of the scheduler. */
static const double tolerated_preemption_rate = 20, tolerated_preemptions = 3;

const struct mark conditions_marks[] = {
    {"far-unverified", "not beyond 2^32 elements", false},
    {"preempted", "the process lost a CPU although it had work", true},
    {"time-stolen", "a hypervisor or a quota took CPU time", true},
    {"other-work", "other processes used the device", true},
    {"throttled", "the clock was held down", false},
    {"launch-bound", "the host was too slow to keep the GPU busy", false},
    {"no-interval", "too few samples, or too far apart, to know the time: without a rank", false},
    {"tf32", "products of 10-bit mantissas: without a rank", false},
    {"simulated", "CUDA on the CPU: without a rank", false},
    {"slowed", "by --slowdown: no result", false},
    {"over-ceiling", "faster than the ceiling that was measured in the same run: without a rank", false},
    {"unaudited", "a kernel of the user's own in another mode than cold, without new questions: without a rank", false},
    {"clock-unclear",
     "the judge's clock saw more than the player's, or threads of it worked before its calls: without "
     "a rank",
     false},
    {"clock-unchecked", "too short for the judge's clock to show much", false},
    {"missing-rounds", "not ok in all rounds", false},
    {"mig", "a part of a GPU", false},
    {"mps", "the GPU is shared through MPS", false},
    {"ecc-off", "memory without error correction", false},
    {"power-limit", "a power limit below the default", false},
    {"launch-blocking", "CUDA_LAUNCH_BLOCKING is set", false},
    {"cpu-quota", "less CPU time than the CPUs could give", false},
    {"governor", "a governor that lowers the CPU's clock", false},
    {"openblas-old", "OpenBLAS runs kernels for an older processor", false},
    {"openblas-threads", "OpenBLAS has another number of threads than other rungs", false},
    {NULL, NULL, false},
};

bool conditions_are_disturbed(const struct conditions *conditions)
{
    for (const struct mark *mark = conditions_marks; mark->name; mark++)
        if (mark->disturbs && conditions_have_mark(conditions, mark->name))
            return true;
    return false;
}

bool words_have(const char *words, const char *word, char separator)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == separator) && (at[length] == separator || at[length] == '\0'))
            return true;
    return false;
}

/* After `separator`, unless it is there already or there is no room. */
static void words_add(char *words, size_t size, const char *word, char separator)
{
    size_t length = strlen(words);
    if (word[0] == '\0' || words_have(words, word, separator) || length + 1 + strlen(word) >= size)
        return;
    if (length > 0)
        words[length++] = separator;
    strcpy(words + length, word);
}

static void join(char *words, size_t size, const char *more, const char *separator)
{
    while (*(more += strspn(more, separator)) != '\0') {
        char word[160];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(more, separator), more);
        words_add(words, size, word, separator[0]);
        more += strcspn(more, separator);
    }
}

void words_join(char *words, size_t size, const char *more)
{
    join(words, size, more, " ");
}

static bool is_explained(const char *name)
{
    const struct mark *mark = conditions_marks;
    while (mark->name && strcmp(mark->name, name) != 0)
        mark++;
    return mark->name || name[0] == '\0';
}

void conditions_mark(struct conditions *conditions, const char *mark)
{
    assert(is_explained(mark));
    words_add(conditions->marks, sizeof conditions->marks, mark, ' ');
}

bool conditions_have_mark(const struct conditions *conditions, const char *mark)
{
    return words_have(conditions->marks, mark, ' ');
}

/* Joins the reasons of both states. Any reason replaces "no". */
static void note_throttling(const char *before, const char *after, char *text, size_t size)
{
    if (strcmp(before, "no") != 0)
        join(text, size, before, "+");
    if (strcmp(after, "no") != 0)
        join(text, size, after, "+");
    if (text[0] == '\0')
        snprintf(text, size, "%s", before[0] ? before : after);
}

bool conditions_have_energy(double elapsed_s)
{
    return elapsed_s >= energy_needs_s;
}

struct conditions conditions_between(const struct device_state *before, const struct device_state *after,
                                     double elapsed_s, const struct device_info *info, unsigned traits)
{
    struct conditions c = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, "", ""};
    c.sm_clock_mhz = (after->cycles - before->cycles) / (after->cycles_at_s - before->cycles_at_s) * 1e-6;
    if (!isfinite(c.sm_clock_mhz))
        c.sm_clock_mhz = after->sm_clock_mhz;
    c.memory_clock_mhz = after->memory_clock_mhz;
    c.temperature_c = after->temperature_c;
    c.power_w = after->power_w;
    c.cpu_clock_mhz = fmax(before->cpu_clock_mhz, after->cpu_clock_mhz);
    c.preemptions = after->preemptions - before->preemptions;
    if (conditions_have_energy(elapsed_s) && !isnan(after->energy_j - before->energy_j)) {
        c.energy_j = after->energy_j - before->energy_j;
        c.energy_over_s = elapsed_s;
    }
    note_throttling(before->throttled, after->throttled, c.throttled, sizeof c.throttled);
    for (int i = 0; i < info->note_count; i++)
        if (info->notes[i].traits == 0 || (info->notes[i].traits & traits) != 0)
            words_add(c.marks, sizeof c.marks, info->notes[i].mark, ' '); /* a player says it, of any memory */
    if (c.throttled[0] && strcmp(c.throttled, "no") != 0)
        conditions_mark(&c, "throttled");
    if (before->other_processes > 0 || after->other_processes > 0)
        conditions_mark(&c, "other-work");
    double lost_s = after->lost_s - before->lost_s;
    if (c.preemptions > tolerated_preemption_rate * elapsed_s && c.preemptions > tolerated_preemptions)
        conditions_mark(&c, "preempted");
    if (lost_s > tolerated_loss * elapsed_s && lost_s > tolerated_loss_s)
        conditions_mark(&c, "time-stolen");
    return c;
}

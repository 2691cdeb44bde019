#include "causes.h"

#include "bench/report/report_text.h"

#include <math.h>
#include <string.h>

/* From where on something that is counted in the code, or sized, is much more or less: beyond a step of alignment, or
 * of padding. */
static const double much = 1.18;

const struct known_fact facts[FACTS] = {
    [KERNELS] = {COLUMN_kernels, "kernels of a call", 0},
    [BLOCKS] = {COLUMN_blocks, "blocks", 0},
    [THREADS] = {COLUMN_block_threads, "threads per block", 0},
    [REGISTERS] = {COLUMN_registers, "registers per thread", 0},
    [SHARED] = {COLUMN_shared_bytes, "shared memory per block in bytes", 0},
    [LOCAL] = {COLUMN_local_bytes, "stack per thread in bytes (spilled registers, arrays)", 0},
    [OCCUPANCY] = {COLUMN_occupancy_pct, "theoretical occupancy in %", 0},
    [SM_CLOCK] = {COLUMN_sm_clock_mhz, "clock of the multiprocessors in MHz", 0.01},
    [MEMORY_CLOCK] = {COLUMN_memory_clock_mhz, "memory clock in MHz", 0.01},
    [POWER] = {COLUMN_power_w, "power in W", 0.05},
    [CPU_CLOCK] = {COLUMN_cpu_clock_mhz, "clock of the CPU in MHz", 0.02},
    [KERNEL] = {COLUMN_kernel, "kernel", 0},
    [LIMIT] = {COLUMN_occupancy_limit, "what limits the occupancy", 0},
    [THROTTLED] = {COLUMN_throttled, "lowered clocks", 0},
    [BLAS] = {COLUMN_blas_version, "BLAS", 0},
    [CUDA] = {COLUMN_cuda_version, "CUDA", 0},
    [DRIVER] = {COLUMN_driver_version, "driver", 0},
    [COMPILER] = {COLUMN_compiler, "compiler", 0},
};

FILE *next_part(struct line *line)
{
    fputs(line->is_begun ? line->between : line->before, line->to);
    line->is_begun = true;
    return line->to;
}

void end_line(const struct line *line)
{
    fputs(line->is_begun ? "." : "", line->to);
}

bool clues_differ(const struct clues *is, enum fact fact)
{
    if (fact < NUMBERS) { /* not if one is NAN */
        double was = is->number[BASE][fact], now = is->number[NEW][fact];
        return fabs(now - was) > facts[fact].noise * fabs(was);
    }
    /* cppcheck-suppress arrayIndexOutOfBoundsCond ; it takes FACTS, where loops end, for a fact */
    const char *was = is->text[BASE][fact], *now = is->text[NEW][fact];
    return was[0] != '\0' && now[0] != '\0' && strcmp(was, now) != 0;
}

static bool is_slower(const struct clues *is)
{
    return is->row->evidence.ratio > 1;
}

/* Whether it has become much more where the row has become slower, or much less where it has become faster. */
static bool is_worse(const struct clues *is, double was, double now)
{
    return is_slower(is) ? now > was * much : was > now * much;
}

static const char *more(double was, double now)
{
    return now > was ? "More" : "Less";
}

/* Causes: each says its sentence where it fits. The first ones return whether they leave no other. */
typedef bool main_cause(const struct clues *is, struct line *line);
typedef void cause(const struct clues *is, struct line *line);

static bool slowed_on_purpose(const struct clues *is, struct line *line)
{
    if (is->row->slowed)
        fputs("It was slowed on purpose", next_part(line));
    return is->row->slowed;
}

static bool other_library(const struct clues *is, struct line *line)
{
    bool any = false;
    for (enum fact fact = BLAS; fact <= DRIVER; fact++)
        if (is->same_code && clues_differ(is, fact)) {
            fprintf(any ? line->to : next_part(line), "%s of %s: %s, now %s",
                    any ? "; another version" : "Another version", facts[fact].name, is->text[BASE][fact],
                    is->text[NEW][fact]);
            any = true;
        }
    return any;
}

/* The clock explains all of it: in cycles nothing is lost, or gained. Where the code is the same there may be more than
 * that, since memory has a clock of its own. */
static bool other_clock(const struct clues *is, struct line *line)
{
    const enum fact clock = is->row->on_host ? CPU_CLOCK : SM_CLOCK;
    double was = is->number[BASE][clock], now = is->number[NEW][clock];
    double cycles = is->row->evidence.ratio * now / was, left = is_slower(is) ? log(cycles) : -log(cycles);
    double none = log1p(is->row->evidence.limits.threshold);
    if (!clues_differ(is, clock) || (now < was) != is_slower(is) || left > none || (!is->same_code && left < -none))
        return false;
    fprintf(next_part(line), "The clock is %s: %.0f MHz, now %.0f MHz; in cycles it takes %.3f times as long as before",
            now < was ? "lower" : "higher", was, now, cycles);
    return left >= -none;
}

static bool has_same_launch(const struct clues *is)
{
    return !isnan(is->number[BASE][BLOCKS]) && !clues_differ(is, KERNELS) && !clues_differ(is, BLOCKS) &&
           !clues_differ(is, THREADS);
}

static bool other_kernels(const struct clues *is, struct line *line)
{
    const char *was = is->text[BASE][KERNEL], *now = is->text[NEW][KERNEL];
    size_t length = strcspn(was, "<");
    if (clues_differ(is, KERNELS))
        fprintf(next_part(line), "A call launches another number of kernels: %.0f, now %.0f", is->number[BASE][KERNELS],
                is->number[NEW][KERNELS]);
    else if (was[0] && now[0] && (length != strcspn(now, "<") || strncmp(was, now, length) != 0))
        fprintf(next_part(line), "It runs another kernel: %s, now %s", was, now);
    else
        return false;
    return true;
}

static void other_tile(const struct clues *is, struct line *line)
{
    double was = is->number[BASE][BLOCKS], now = is->number[NEW][BLOCKS];
    if (fmax(was / now, now / was) > much)
        fprintf(next_part(line), "%s tiles: %.0f blocks, now %.0f, so each has %s times as much of the work",
                now < was ? "Larger" : "Smaller", was, now, number_text(was / now).text);
    else if (!clues_differ(is, BLOCKS) && clues_differ(is, THREADS))
        fprintf(next_part(line), "Other blocks: as many as before, of %.0f threads, now %.0f",
                is->number[BASE][THREADS], is->number[NEW][THREADS]);
}

static size_t in_loop(const struct clues *is, int side, enum instruction what)
{
    return is->mix[side].loop[what];
}

/* The same threads do the same work with the same shared memory. A loop that holds less of it goes round more often;
 * and less of it with more loops is in a new one. */
static void other_unrolling(const struct clues *is, struct line *line)
{
    const struct mix *base = &is->mix[BASE], *other = &is->mix[NEW];
    const enum instruction what = base->all[MIX_ARITHMETIC] > 0 ? MIX_ARITHMETIC : MIX_LOADS;
    const bool are_others = is_slower(is) ? other->loops > base->loops : other->loops < base->loops;
    double was = (double)(are_others ? base->all : base->loop)[what];
    double now = (double)(are_others ? other->all : other->loop)[what];
    bool is_wider = is->mix[BASE].all[MIX_WIDE_LOADS] != is->mix[NEW].all[MIX_WIDE_LOADS];
    if (!is->has_mix || !has_same_launch(is) || clues_differ(is, SHARED) || was == 0 || now == 0 ||
        (what == MIX_LOADS && is_wider) || !is_worse(is, now, was) || fmax(was / now, now / was) < 1.5)
        return;
    fprintf(next_part(line), "%s unrolling: %s has %.0f instructions that %s, now %.0f", more(was, now),
            are_others ? "the kernel" : "the busiest loop", was, what == MIX_LOADS ? "load" : "compute", now);
}

/* As much arithmetic, and as many reads of shared memory, per turn of the loop, which copies ahead into less of it. */
static void other_stages(const struct clues *is, struct line *line)
{
    double was = is->number[BASE][SHARED], now = is->number[NEW][SHARED];
    for (int side = BASE; side <= NEW; side++)
        if (!is->has_mix || is->mix[side].all[MIX_COPIES] == 0)
            return;
    if (!has_same_launch(is) || !is_worse(is, now, was) ||
        in_loop(is, BASE, MIX_ARITHMETIC) != in_loop(is, NEW, MIX_ARITHMETIC) ||
        in_loop(is, BASE, MIX_SHARED_LOADS) != in_loop(is, NEW, MIX_SHARED_LOADS))
        return;
    fprintf(
        next_part(line),
        "%s stages of asynchronous copies: shared memory per block %s, now %s, for a loop that computes and reads as "
        "much in a turn as before",
        now < was ? "Fewer" : "More", bytes_text(was).text, bytes_text(now).text);
}

/* By as many loads as before. */
static void other_access(const struct clues *is, struct line *line)
{
    static const enum instruction loads[] = {MIX_LOADS, MIX_WIDE_LOADS};
    double was = is->count[BASE][SECTORS], now = is->count[NEW][SECTORS];
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        if (!is->has_mix || is->mix[BASE].all[loads[i]] != is->mix[NEW].all[loads[i]])
            return;
    if (!is_worse(is, was, now))
        return;
    fprintf(next_part(line), "%s coalesced global loads: a warp's takes %s sectors of 32 bytes, now %s",
            now > was ? "Less" : "Better", number_text(was).text, number_text(now).text);
}

static void other_conflicts(const struct clues *is, struct line *line)
{
    double was = is->count[BASE][CONFLICTS], now = is->count[NEW][CONFLICTS];
    if (!is_worse(is, was, now) || !is_worse(is, is->count[BASE][WAVEFRONTS], is->count[NEW][WAVEFRONTS]))
        return;
    fprintf(next_part(line), "%s bank conflicts: loads of shared memory have %.0f, now %.0f", more(was, now), was, now);
}

static void other_local_memory(const struct clues *is, struct line *line)
{
    double was = is->number[BASE][LOCAL], now = is->number[NEW][LOCAL];
    if (!is_worse(is, was, now) || (is->has_mix && in_loop(is, BASE, MIX_LOCAL) == in_loop(is, NEW, MIX_LOCAL)))
        return; /* a few bytes that no loop uses */
    fprintf(next_part(line), "%s local memory: spilled registers, or arrays, take %.0f bytes of each thread, now %.0f",
            more(was, now), was, now);
}

/* What was loaded as data that nobody writes is loaded as any other. */
static void other_read_only(const struct clues *is, struct line *line)
{
    double was = (double)is->mix[BASE].all[MIX_READ_ONLY], now = (double)is->mix[NEW].all[MIX_READ_ONLY];
    size_t others_were = is->mix[BASE].all[MIX_LOADS] - is->mix[BASE].all[MIX_READ_ONLY],
           others = is->mix[NEW].all[MIX_LOADS] - is->mix[NEW].all[MIX_READ_ONLY];
    if (!is->has_mix || !is_worse(is, now, was) || (others > others_were) != (now < was))
        return;
    fprintf(next_part(line),
            "%s loads of what the compiler knows that nobody writes (const with __restrict__, or __ldg()): %.0f of %zu "
            "global loads, now %.0f of %zu",
            now < was ? "Fewer" : "More", was, is->mix[BASE].all[MIX_LOADS], now, is->mix[NEW].all[MIX_LOADS]);
}

static void other_occupancy(const struct clues *is, struct line *line)
{
    double was = is->number[BASE][OCCUPANCY], now = is->number[NEW][OCCUPANCY];
    const char *limit = is->text[now < was ? NEW : BASE][LIMIT];
    bool by_registers = strcmp(limit, "registers") == 0 && clues_differ(is, REGISTERS),
         by_memory = strcmp(limit, "shared memory") == 0 && clues_differ(is, SHARED);
    if (!is_worse(is, now, was) || (!by_registers && !by_memory))
        return;
    const enum fact fact = by_registers ? REGISTERS : SHARED;
    fprintf(next_part(line), "%s occupancy by %s: %.0f %%, now %.0f %%; %s %.0f, now %.0f",
            now < was ? "Lower" : "Higher", limit, was, now, facts[fact].name, is->number[BASE][fact],
            is->number[NEW][fact]);
}

static main_cause *const main_causes[] = {slowed_on_purpose, other_clock, other_library, other_kernels};
static cause *const causes[] = {other_tile,   other_unrolling, other_local_memory, other_stages,
                                other_access, other_conflicts, other_read_only,    other_occupancy};

static bool differ_in_figures(const struct clues *is)
{
    for (enum fact fact = 0; fact < FACTS; fact++)
        if (fact != POWER && clues_differ(is, fact)) /* which follows the rest */
            return true;
    return false;
}

void cause_put(FILE *to, const struct clues *clues)
{
    static const char *const by_code[] = {
        [CODE_UNKNOWN] = "Nothing that is known differs, but the machine code is not known.",
        [CODE_CHANGED] = "Only the machine code is known to differ.",
        [CODE_SAME] = "Nothing that is known differs, so the machine is the suspect.",
    };
    struct line line = {"", ". Or: ", to, false};
    bool is_whole = false;
    for (size_t i = 0; i < sizeof main_causes / sizeof main_causes[0] && !is_whole; i++)
        is_whole = main_causes[i](clues, &line);
    for (size_t i = 0; i < sizeof causes / sizeof causes[0] && !is_whole; i++)
        causes[i](clues, &line);
    end_line(&line);
    if (!line.is_begun)
        fputs(differ_in_figures(clues) ? "No single cause stands out." : by_code[clues->row->code], to);
}

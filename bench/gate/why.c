#include "why.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/statistics.h"
#include "bench/report/report_text.h"
#include "mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASE, NEW, COMMITS_BYTES_MAX = 64 << 20 };

/* From where on something that is counted in the code, or sized, is much more or less: beyond a step of alignment, or
 * of padding. */
static const double much = 1.18;

/* Facts that are numbers. Below `noise`, relative, a difference is none. */
enum fact {
    KERNELS,
    BLOCKS,
    THREADS,
    REGISTERS,
    SHARED,
    LOCAL,
    OCCUPANCY,
    SM_CLOCK,
    MEMORY_CLOCK,
    POWER,
    CPU_CLOCK,
    FACTS
};
static const struct {
    enum column_id column;
    const char *name;
    double noise;
} facts[FACTS] = {
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
};

/* Facts that are texts. */
static const struct {
    enum column_id column;
    const char *name;
} words[] = {
    {COLUMN_kernel, "kernel"},
    {COLUMN_occupancy_limit, "what limits the occupancy"},
    {COLUMN_throttled, "lowered clocks"},
    {COLUMN_blas_version, "BLAS"},
    {COLUMN_cuda_version, "CUDA"},
    {COLUMN_driver_version, "driver"},
    {COLUMN_compiler, "compiler"},
};
enum { WORDS = sizeof words / sizeof words[0] };

/* One row, and what is known of it. */
struct case_of {
    const struct compared_row *row;
    double number[2][FACTS]; /* medians of the rounds; NAN: unknown */
    const char *word[2][WORDS];
    bool has_mix;
    struct mix mix[2];
    FILE *to;
};

/* Of the first round that says more than nothing or "no". */
static const char *word_of(const struct row_rounds *rounds, enum column_id column)
{
    const char *word = "";
    for (size_t i = 0; i < rounds->count && (word[0] == '\0' || strcmp(word, "no") == 0); i++)
        word = rounds->items[i].status == STATUS_OK ? rounds->items[i].text[column] : word;
    return word;
}

static double number_of(const struct row_rounds *rounds, enum column_id column)
{
    double *values = memory_get(2 * rounds->count + 1, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->items[i].status == STATUS_OK && rounds->items[i].text[column][0] != '\0')
            values[count++] = strtod(rounds->items[i].text[column], NULL);
    double median = count > 0 ? statistics_median(values, count, values + rounds->count) : (double)NAN;
    free(values);
    return median;
}

static bool differs(const struct case_of *is, enum fact fact)
{
    double was = is->number[BASE][fact], now = is->number[NEW][fact];
    return !isnan(was) && !isnan(now) && fabs(now - was) > facts[fact].noise * fabs(was);
}

static bool is_other_word(const struct case_of *is, size_t word)
{
    const char *was = is->word[BASE][word], *now = is->word[NEW][word];
    return was[0] != '\0' && now[0] != '\0' && strcmp(was, now) != 0;
}

static bool is_slower(const struct case_of *is)
{
    return is->row->evidence.ratio > 1;
}

/* Whether it has become much more where the row has become slower, or much less where it has become faster. */
static bool is_worse(const struct case_of *is, double was, double now)
{
    return is_slower(is) ? now > was * much : was > now * much;
}

static const char *more(double was, double now)
{
    return now > was ? "More" : "Less";
}

/* Causes: each says its sentence if what is known leaves no other, in this order. */
typedef bool cause(const struct case_of *is);

static bool has_same_digest(const struct case_of *is)
{
    const char *was = word_of(&is->row->rounds[BASE], COLUMN_code), *now = word_of(&is->row->rounds[NEW], COLUMN_code);
    return was[0] != '\0' && strcmp(was, now) == 0;
}

static bool slowed_on_purpose(const struct case_of *is)
{
    if (is->row->slowed)
        fputs("It was slowed on purpose", is->to);
    return is->row->slowed;
}

static bool other_library(const struct case_of *is)
{
    static const enum column_id libraries[] = {COLUMN_blas_version, COLUMN_cuda_version, COLUMN_driver_version};
    bool any = false;
    for (size_t i = 0; has_same_digest(is) && i < sizeof libraries / sizeof libraries[0]; i++)
        for (size_t word = 0; word < WORDS; word++)
            if (words[word].column == libraries[i] && is_other_word(is, word)) {
                fprintf(is->to, "%s of %s: %s, now %s", any ? "; another version" : "Another version", words[word].name,
                        is->word[BASE][word], is->word[NEW][word]);
                any = true;
            }
    return any;
}

/* The clock explains all of it: in cycles nothing is lost, or gained. Where the code is the same there may be more than
 * that, since memory has a clock of its own. */
static bool other_clock(const struct case_of *is)
{
    const enum fact clock = is->row->on_host ? CPU_CLOCK : SM_CLOCK;
    double was = is->number[BASE][clock], now = is->number[NEW][clock];
    double cycles = is->row->evidence.ratio * now / was, left = is_slower(is) ? log(cycles) : -log(cycles);
    double none = log1p(is->row->evidence.limits.threshold);
    if (!differs(is, clock) || (now < was) != is_slower(is) || left > none || (!has_same_digest(is) && left < -none))
        return false;
    fprintf(is->to, "The clock is %s: %.0f MHz, now %.0f MHz; in cycles it takes %.3f times as long as before",
            now < was ? "lower" : "higher", was, now, cycles);
    return true;
}

static bool has_same_launch(const struct case_of *is)
{
    return !isnan(is->number[BASE][BLOCKS]) && !differs(is, KERNELS) && !differs(is, BLOCKS) && !differs(is, THREADS);
}

static bool other_kernels(const struct case_of *is)
{
    const char *was = is->word[BASE][0], *now = is->word[NEW][0];
    size_t length = strcspn(was, "<");
    if (differs(is, KERNELS))
        fprintf(is->to, "A call launches another number of kernels: %.0f, now %.0f", is->number[BASE][KERNELS],
                is->number[NEW][KERNELS]);
    else if (was[0] && now[0] && (length != strcspn(now, "<") || strncmp(was, now, length) != 0))
        fprintf(is->to, "It runs another kernel: %s, now %s", was, now);
    else
        return false;
    return true;
}

static bool other_tile(const struct case_of *is)
{
    double was = is->number[BASE][BLOCKS], now = is->number[NEW][BLOCKS];
    if (differs(is, BLOCKS))
        fprintf(is->to, "%s tiles: %.0f blocks, now %.0f, so each has %s times as much of the work",
                now < was ? "Larger" : "Smaller", was, now, number_text(was / now).text);
    else if (differs(is, THREADS))
        fprintf(is->to, "Other blocks: as many as before, of %.0f threads, now %.0f", is->number[BASE][THREADS],
                is->number[NEW][THREADS]);
    return differs(is, BLOCKS) || differs(is, THREADS);
}

static size_t in_loop(const struct case_of *is, int side, enum instruction what)
{
    return is->mix[side].loop[what];
}

/* The same threads do the same work with the same shared memory; a loop that holds less of it goes round more often. */
static bool other_unrolling(const struct case_of *is)
{
    const enum instruction what = in_loop(is, BASE, MIX_ARITHMETIC) > 0 ? MIX_ARITHMETIC : MIX_LOADS;
    double was = (double)in_loop(is, BASE, what), now = (double)in_loop(is, NEW, what);
    bool is_wider = is->mix[BASE].all[MIX_WIDE_LOADS] != is->mix[NEW].all[MIX_WIDE_LOADS];
    if (!is->has_mix || !has_same_launch(is) || differs(is, SHARED) || was == 0 || now == 0 ||
        (what == MIX_LOADS && is_wider) || !is_worse(is, now, was) || fmax(was / now, now / was) < 1.5)
        return false;
    fprintf(is->to, "%s unrolling: the innermost loop has %.0f instructions of %s, now %.0f", more(was, now), was,
            what == MIX_LOADS ? "loading" : "arithmetic", now);
    return true;
}

/* As much arithmetic, and as many reads of shared memory, per turn of the loop, which copies ahead into less of it. */
static bool other_stages(const struct case_of *is)
{
    double was = is->number[BASE][SHARED], now = is->number[NEW][SHARED];
    for (int side = BASE; side <= NEW; side++)
        if (!is->has_mix || is->mix[side].all[MIX_COPIES] == 0)
            return false;
    if (!has_same_launch(is) || !is_worse(is, now, was) ||
        in_loop(is, BASE, MIX_ARITHMETIC) != in_loop(is, NEW, MIX_ARITHMETIC) ||
        in_loop(is, BASE, MIX_SHARED_LOADS) != in_loop(is, NEW, MIX_SHARED_LOADS))
        return false;
    fprintf(
        is->to,
        "%s stages of asynchronous copies: shared memory per block %s, now %s, for a loop that computes and reads as "
        "much in a turn as before",
        now < was ? "Fewer" : "More", bytes_text(was).text, bytes_text(now).text);
    return true;
}

static bool other_local_memory(const struct case_of *is)
{
    double was = is->number[BASE][LOCAL], now = is->number[NEW][LOCAL];
    if (!is_worse(is, was, now))
        return false;
    fprintf(is->to, "%s local memory: spilled registers, or arrays, take %.0f bytes of each thread, now %.0f",
            more(was, now), was, now);
    return true;
}

/* What was loaded as data that nobody writes is loaded as any other. */
static bool other_read_only(const struct case_of *is)
{
    double was = (double)is->mix[BASE].all[MIX_READ_ONLY], now = (double)is->mix[NEW].all[MIX_READ_ONLY];
    if (!is->has_mix || !is_worse(is, now, was))
        return false;
    fprintf(is->to,
            "%s loads of what the compiler knows that nobody writes (const with __restrict__, or __ldg()): %.0f of %zu "
            "global loads, now %.0f of %zu",
            now < was ? "Fewer" : "More", was, is->mix[BASE].all[MIX_LOADS], now, is->mix[NEW].all[MIX_LOADS]);
    return true;
}

static bool other_occupancy(const struct case_of *is)
{
    double was = is->number[BASE][OCCUPANCY], now = is->number[NEW][OCCUPANCY];
    const char *limit = word_of(&is->row->rounds[now < was ? NEW : BASE], COLUMN_occupancy_limit);
    bool by_registers = strcmp(limit, "registers") == 0 && differs(is, REGISTERS),
         by_memory = strcmp(limit, "shared memory") == 0 && differs(is, SHARED);
    if (!is_worse(is, now, was) || (!by_registers && !by_memory))
        return false;
    const enum fact fact = by_registers ? REGISTERS : SHARED;
    fprintf(is->to, "%s occupancy by %s: %.0f %%, now %.0f %%; %s %.0f, now %.0f", now < was ? "Lower" : "Higher",
            limit, was, now, facts[fact].name, is->number[BASE][fact], is->number[NEW][fact]);
    return true;
}

static cause *const causes[] = {slowed_on_purpose, other_library,      other_clock,  other_kernels,   other_tile,
                                other_unrolling,   other_local_memory, other_stages, other_read_only, other_occupancy};

static void say_code(const struct case_of *is)
{
    fprintf(is->to, "\nThe machine code %s.",
            has_same_digest(is)             ? "is the same"
            : is->row->code == CODE_UNKNOWN ? "may be another: it has no digest"
                                            : "is another");
}

static void say_differences(const struct case_of *is)
{
    const char *separator = "\nDifferent: ";
    for (int fact = 0; fact < FACTS; fact++)
        if (differs(is, fact)) {
            fprintf(is->to, "%s%s %.6g, now %.6g", separator, facts[fact].name, is->number[BASE][fact],
                    is->number[NEW][fact]);
            separator = "; ";
        }
    for (size_t word = 0; word < WORDS; word++)
        if (is_other_word(is, word)) {
            fprintf(is->to, "%s%s '%s', now '%s'", separator, words[word].name, is->word[BASE][word],
                    is->word[NEW][word]);
            separator = "; ";
        }
    fputs(separator[0] == ';' ? "." : "", is->to);
}

static void say_likeness(const struct case_of *is)
{
    const char *separator = "\nThe same: ";
    for (int fact = 0; fact < FACTS; fact++)
        if (!differs(is, fact) && !isnan(is->number[BASE][fact]) && !isnan(is->number[NEW][fact])) {
            fprintf(is->to, "%s%s %.6g", separator, facts[fact].name, is->number[NEW][fact]);
            separator = "; ";
        }
    fputs(separator[0] == ';' ? "." : "", is->to);
}

static void say_mix(const struct case_of *is)
{
    const char *separator = "\nIn the code: ";
    for (int what = 0; what < INSTRUCTIONS; what++)
        if (is->mix[BASE].all[what] != is->mix[NEW].all[what]) {
            fprintf(is->to, "%s%s %zu, now %zu", separator, instruction_names[what], is->mix[BASE].all[what],
                    is->mix[NEW].all[what]);
            separator = "; ";
        }
    fputs(separator[0] == ';' ? "." : "\nIn the code: as many instructions of each kind.", is->to);
}

/* Reads the machine code of both programs where it differs. */
static void find_mix(struct case_of *is, const struct why *why)
{
    struct error error;
    const char *const kernels[] = {is->word[BASE][0], is->word[NEW][0]};
    if (!why->programs[BASE] || has_same_digest(is) || kernels[BASE][0] == '\0' || kernels[NEW][0] == '\0')
        return;
    is->has_mix = true;
    for (int side = BASE; side <= NEW && is->has_mix; side++)
        is->has_mix = mix_of_kernel(why->programs[side], kernels[side], &why->clock, &is->mix[side], &error);
    if (!is->has_mix)
        fprintf(is->to, "\nThe mix of instructions is left out: %s.", error.text);
}

/* The lines of the file that begin with the rung of the row: "matmul/mnist/cuda_tiled/cold" is of matmul/cuda_tiled. */
static void say_commits(const struct case_of *is, const char *commits)
{
    const char *name = is->row->name, *workload = strchr(name, '/'), *variant = strchr(workload + 1, '/');
    bool any = false;
    if (!variant)
        return;
    char *rung =
        memory_print("%.*s%.*s\t", (int)(workload - name), name, (int)(1 + strcspn(variant + 1, "/")), variant);
    for (const char *line = commits; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, rung, strlen(rung)) == 0) {
            fprintf(is->to, "\nCommit %.*s", (int)(strcspn(line, "\n") - strlen(rung)), line + strlen(rung));
            any = true;
        }
    fputs(any ? "" : "\nNo commit between the two touched a file of this rung.", is->to);
    free(rung);
}

static bool differs_at_all(const struct case_of *is)
{
    for (int fact = 0; fact < FACTS; fact++)
        if (fact != POWER && differs(is, fact)) /* which follows the rest */
            return true;
    for (size_t word = 0; word < WORDS; word++)
        if (is_other_word(is, word))
            return true;
    return is->row->code == CODE_CHANGED;
}

/* The first line: what it comes to. */
static void say_cause(const struct case_of *is)
{
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (causes[i](is)) {
            fputc('.', is->to);
            return;
        }
    fputs(differs_at_all(is) ? "No single cause stands out."
                             : "Nothing that is known differs, so the machine is the suspect.",
          is->to);
}

static char *explain(const struct compared_row *row, const struct why *why, const char *commits)
{
    struct case_of is = {.row = row};
    char *text, *left_out;
    size_t bytes;
    for (int side = BASE; side <= NEW; side++) {
        for (int fact = 0; fact < FACTS; fact++)
            is.number[side][fact] = number_of(&row->rounds[side], facts[fact].column);
        for (size_t word = 0; word < WORDS; word++)
            is.word[side][word] = word_of(&row->rounds[side], words[word].column);
    }
    is.to = memory_stream(&left_out, &bytes);
    find_mix(&is, why);
    memory_stream_end(is.to);
    is.to = memory_stream(&text, &bytes);
    say_cause(&is);
    say_code(&is);
    say_differences(&is);
    if (is.has_mix)
        say_mix(&is);
    fputs(left_out, is.to);
    say_likeness(&is);
    if (commits && !has_same_digest(&is))
        say_commits(&is, commits);
    memory_stream_end(is.to);
    free(left_out);
    return text;
}

bool why_is_asked(const struct compared_row *row)
{
    static const enum verdict moved[] = {VERDICT_SLOWER, VERDICT_FASTER, VERDICT_SUSPECTED, VERDICT_LAYOUT,
                                         VERDICT_ACCEPTED};
    for (size_t i = 0; i < sizeof moved / sizeof moved[0]; i++)
        if (row->verdict == moved[i])
            return row->has_evidence && !row->foreign;
    return false;
}

void why_find(struct comparison *comparison, const struct why *why)
{
    struct error error;
    size_t bytes;
    char *commits =
        why->commits ? regular_file_read(why->commits, why->commits, COMMITS_BYTES_MAX, &bytes, &error) : NULL;
    for (size_t i = 0; i < comparison->count && !why->clock.interrupted(); i++)
        if (why_is_asked(&comparison->rows[i]))
            comparison->rows[i].why = explain(&comparison->rows[i], why, commits);
    free(commits);
}

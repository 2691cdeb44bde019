/* How often the gate alarms where nothing changed, and finds what became slower, by the rule, in simulated sittings;
 * and that programs and commands in turns have the verdicts of the rule. No program runs, and the seed is fixed. Prints
 * a line per kind of noise; RUNGBENCH_TEST_ALL=1 simulates more. */
#include "bench/base/memory.h"
#include "bench/base/process.h"
#include "bench/base/seeded.h"
#include "bench/gate/sitting.h"
#include "gate_files.h"
#include "tests/unit.h"

enum { ROWS = 22 };

/* Sittings of each kind of noise: in short, and at length. */
static const size_t sittings_of_rule[] = {150, 10000}, sittings_in_turns[] = {1, 40};

static const double alarms_at_most = 0.01, found_at_least = 0.99;

static uint64_t position;

static double uniform(void)
{
    return (double)(seeded_bits(17, position++) >> 11) * 0x1p-53;
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(2 * acos(-1) * uniform());
}

static bool chance(double probability)
{
    return uniform() < probability;
}

/* A process: its place in the sitting, from 0 to 1, whether it is the second of its pair, and its side. */
struct turn {
    double when;
    size_t pair;
    bool is_second, is_new;
};

/* What of a sitting, of a build or of a process is the same in all its rows, or in a row all the time. */
struct common {
    double process, walk;
    double build[2][ROWS];
};
static struct common common;

/* What the logarithm of a time is made of, beside the true one. */
static const struct kind {
    const char *name;
    bool finds;                                    /* +2 % is found */
    double normal;                                 /* standard deviation */
    double drift, throttled;                       /* by the end, and from half way on */
    double odd_pairs, odd_processes, two_of_three; /* those that are slower */
    double seldom, seldom_all;                     /* a row, or all rows of a process, 1 of 50 */
    double half, fifth;                            /* levels, of so many rows */
    double one_base, one_new;                      /* a process that is very slow */
    double heavy, skewed;                          /* tails */
    double shared, walk, second, layout;           /* shares of what is common, and the second of a pair */
} kinds[] = {
    {"tight", true, .normal = 0.0005},
    {"ordinary", true, .normal = 0.003},
    {"wide", false, .normal = 0.01},
    {"drift of 5 %", true, .normal = 0.003, .drift = 0.05},
    {"5 % slower from half way on", true, .normal = 0.003, .throttled = 0.05},
    {"period of two pairs", true, .normal = 0.003, .odd_pairs = 0.02},
    {"period of a pair", false, .normal = 0.003, .odd_processes = 0.01},
    {"period of three processes", false, .normal = 0.003, .two_of_three = 0.02},
    {"a row 35 % slow, 1 of 50", false, .normal = 0.003, .seldom = 0.3},
    {"a process 35 % slow, 1 of 50", false, .normal = 0.003, .seldom_all = 0.3},
    {"a base 50 times slow", true, .normal = 0.003, .one_base = 3.9},
    {"a new one 50 times slow", true, .normal = 0.003, .one_new = 3.9},
    {"levels 4 % apart", false, .normal = 0.003, .half = 0.04},
    {"levels 10 % apart", false, .normal = 0.003, .fifth = 0.1},
    {"heavy tails", false, .heavy = 0.002},
    {"skewed", false, .skewed = 0.005},
    {"shared by all rows", false, .normal = 0.003, .shared = 0.01},
    {"random walk", false, .normal = 0.003, .walk = 1},
    {"the second is slower", true, .normal = 0.003, .second = 0.005},
    {"layout, up to 0.45 % a build", false, .normal = 0.003, .layout = 1},
};

static double draw(const struct kind *k, const struct turn *turn, size_t row)
{
    size_t number = 2 * turn->pair + turn->is_second;
    double tail = k->heavy > 0 ? normal() / sqrt((pow(normal(), 2) + pow(normal(), 2) + pow(normal(), 2)) / 3) : 0;
    double one = turn->pair != 11 ? 0 : turn->is_new ? k->one_new : k->one_base;
    return k->normal * normal() + k->drift * turn->when + k->throttled * (turn->when > 0.5) +
           k->odd_pairs * (double)(turn->pair % 2) + k->odd_processes * (double)(number % 2) +
           k->two_of_three * (number % 3 > 0) + k->seldom * chance(0.02) + k->seldom_all * (common.process < 0.02) +
           k->half * chance(0.5) + k->fifth * chance(0.2) + one + k->heavy * tail - k->skewed * log(1 - uniform()) +
           k->shared * (common.process - 0.5) + k->walk * common.walk + k->second * turn->is_second +
           k->layout * common.build[turn->is_new][row];
}

/* A sitting: the times of all pairs. */
struct simulated {
    double s[2][ROWS][RULE_RUN_PAIRS]; /* of the base and the new side */
    double slowdown;                   /* of row 0 of that */
};

static double time_of_pair(const struct simulated *sitting, bool is_new, size_t row, size_t pair)
{
    return sitting->s[is_new][row][pair] * (is_new && row == 0 ? 1 + sitting->slowdown : 1);
}

static void begin_sitting(void)
{
    common = (struct common){0};
    for (size_t row = 0; row < ROWS; row++)
        for (int side = 0; side < 2; side++)
            common.build[side][row] = 0.009 * (uniform() - 0.5);
}

/* The next process of those that take turns. */
static void simulate_next(const struct kind *kind, size_t number, bool is_new, struct simulated *sitting)
{
    const struct turn turn = {(double)number / (2 * RULE_RUN_PAIRS), number / 2, number % 2 == 1, is_new};
    common.process = uniform();
    common.walk = 0.9 * common.walk + 0.002 * normal();
    for (size_t row = 0; row < ROWS; row++)
        sitting->s[is_new][row][turn.pair] = 50e-6 * exp(draw(kind, &turn, row));
}

/* The orders are balanced as those of a sitting are: the second pair of two has the order of the first, reversed. */
static void simulate(const struct kind *kind, struct simulated *sitting)
{
    bool new_first = false;
    begin_sitting();
    for (size_t number = 0; number < 2 * RULE_RUN_PAIRS; number++) {
        if (number % 2 == 0)
            new_first = number % 4 ? !new_first : chance(0.5);
        simulate_next(kind, number, new_first == (number % 2 == 0), sitting);
    }
}

static struct evidence evidence_for(void *self, size_t row, size_t first, size_t count)
{
    const struct simulated *sitting = self;
    double times_s[2][RULE_RUN_PAIRS];
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            times_s[side][i] = time_of_pair(sitting, side, row, first + i);
    return evidence_of_pairs(times_s[0], times_s[1], count, 32e-9, limits_of(false, true), 0, false);
}

struct counts {
    size_t sittings, alarms, inconclusive, found;
};

/* Of a sitting in which nothing has changed, or else row 0. */
static void count_verdicts(const struct decision *rows, bool is_changed, struct counts *counts)
{
    bool alarm = false, open = false;
    for (size_t row = 0; row < ROWS; row++) {
        alarm = alarm || rows[row].verdict == VERDICT_SLOWER;
        open = open || rows[row].verdict == VERDICT_INCONCLUSIVE;
    }
    counts->sittings += !is_changed;
    counts->alarms += !is_changed && alarm;
    counts->inconclusive += !is_changed && !alarm && open;
    counts->found += is_changed && rows[0].verdict == VERDICT_SLOWER;
}

static double share(size_t count, const struct counts *counts)
{
    return (double)count / (double)counts->sittings;
}

/* By chance a share is that far beyond the limit once in a thousand times. */
static double slack(double limit, const struct counts *counts)
{
    return 3.1 * sqrt(limit * (1 - limit) / (double)counts->sittings);
}

static void assert_rates(const struct kind *kind, const struct counts *counts)
{
    printf("%-30s %7.2f %% %11.2f %% %8.2f %%\n", kind->name, 100 * share(counts->alarms, counts),
           100 * share(counts->inconclusive, counts), 100 * share(counts->found, counts));
    assert_true(share(counts->alarms, counts) <= alarms_at_most + slack(alarms_at_most, counts));
    if (kind->finds)
        assert_true(share(counts->found, counts) >= found_at_least - slack(found_at_least, counts));
}

TEST(the_gate_neither_cries_wolf_nor_sleeps)
{
    static struct simulated sitting;
    struct decision rows[ROWS];
    printf("%-30s %9s %13s %10s\n", "noise", "alarms", "inconclusive", "+2 % found");
    for (const struct kind *kind = kinds; kind < kinds + LENGTH(kinds); kind++) {
        struct counts counts = {0};
        while (counts.sittings < sittings_of_rule[unit_at_length()]) {
            simulate(kind, &sitting);
            for (int is_changed = 0; is_changed < 2; is_changed++) {
                sitting.slowdown = is_changed ? 0.02 : 0;
                rule_decide_run(evidence_for, &sitting, rows, ROWS);
                count_verdicts(rows, is_changed, &counts);
            }
        }
        assert_rates(kind, &counts);
    }
}

/* A program as ours, a command whose stdout is read, on the host's clock, and one whose file is, on a device's. */
static const struct format {
    const char *commands[2];
    bool is_own, on_device;
} formats[] = {
    {{"base", "new"}, .is_own = true, .on_device = true},
    {{"base", "new"}, .on_device = false},
    {{"base {out}", "new {out}"}, .on_device = true},
};

static const struct kind *kind_now;
static const struct format *format_now;
static struct simulated written;
static size_t number_now; /* of the next process */

static const char *name_of(size_t row)
{
    static char name[2];
    name[0] = (char)('a' + row);
    return name;
}

/* The value of a flag; NULL: it is not there. */
static const char *flag_value(char *const *flags, const char *name)
{
    for (; *flags; flags++)
        if (strncmp(*flags, name, strlen(name)) == 0)
            return *flags + strlen(name);
    return NULL;
}

/* What a program like rungbench writes for --sitting=ID:N and a filter that names rows. */
static void put_own(FILE *to, char *const *flags, size_t pair, bool is_new)
{
    static struct gate_rows own;
    const char *wanted = flag_value(flags, "--filter="), *place = flag_value(flags, "--sitting=");
    char *sitting = memory_print("%.*s", (int)strcspn(place, ":"), place);
    own.count = 0;
    for (size_t row = 0; row < ROWS; row++)
        if (!wanted || strchr(wanted, name_of(row)[0]))
            gate_row(&own, name_of(row), atoi(strchr(place, ':') + 1), time_of_pair(&written, is_new, row, pair),
                     "sitting", sitting);
    char *text = gate_text(&own);
    fputs(text, to);
    free(text);
    free(sitting);
}

/* What another does: the median of its times is that of the round on a device, else the least is. */
static void put_plain(FILE *to, size_t pair, bool is_new)
{
    static const double most[2][3] = {{0.2, 0, 0.2}, {0, -0.2, 0.2}};
    fputs("name,round,seconds,clock\n", to);
    for (size_t row = 0; row < ROWS; row++)
        for (int time = 0; time < 3; time++)
            fprintf(to, "%s,%d,%.17g,%s\n", name_of(row), time,
                    time_of_pair(&written, is_new, row, pair) * (1 + most[format_now->on_device][time] * uniform()),
                    format_now->on_device ? "device" : "host");
}

/* The gate's process, which is a command or a program like rungbench: the next of the sitting. */
bool __wrap_process_run(const struct process *process, struct process_end *end, struct error *error);
bool __wrap_process_run(const struct process *process, struct process_end *end, struct error *error)
{
    const char *command = process->argv[format_now->is_own ? 0 : 2], *out = strchr(command, ' ');
    const bool is_new = command[0] == 'n';
    const size_t pair = number_now / 2;
    simulate_next(kind_now, number_now++, is_new, &written);
    *end = (struct process_end){.how = "ended"};
    FILE *to = out ? fopen(out + 1, "w") : memory_stream(&end->text[PROCESS_OUT], &end->bytes[PROCESS_OUT]);
    assert_non_null(to);
    if (format_now->is_own)
        put_own(to, process->argv, pair, is_new);
    else
        put_plain(to, pair, is_new);
    if (out)
        fclose(to);
    else
        memory_stream_end(to);
    return true;
}

static double no_time(void)
{
    return 0;
}

static void no_step(size_t turn, const char *arm)
{
}

/* The threshold is the rule's own of a device for all. */
static void decide_in_turns(bool is_changed)
{
    struct decision expected[ROWS];
    static const struct exceptions no_exceptions;
    static char *const no_flags[] = {NULL};
    const struct gate_options options = {.task = TASK_SITTING,
                                         .commands = {format_now->commands[0], format_now->commands[1]},
                                         .arguments = {format_now->commands[0], format_now->commands[1]},
                                         .argument_count = 2,
                                         .flags = no_flags,
                                         .runs_commands = !format_now->is_own,
                                         .threshold = limits_of(false, true).threshold,
                                         .no_intervals = true,
                                         .pairs = RULE_CONFIRM_PAIRS,
                                         .seed = position};
    struct sitting sitting;
    struct comparison comparison;
    struct error why;
    written.slowdown = is_changed ? 0.02 : 0;
    begin_sitting();
    number_now = 0;
    MUST(sitting_make(&sitting, &options, &error));
    sitting.exceptions = &no_exceptions;
    sitting.terms.clock = (struct host_clock){no_time, never_interrupted};
    sitting.terms.step = no_step;
    if (sitting_decide(&sitting, &comparison, &why) != SITTING_DONE)
        fail_msg("%s", why.text);
    rule_decide_run(evidence_for, &written, expected, ROWS);
    assert_int_equal(comparison.count, ROWS);
    for (size_t row = 0; row < ROWS; row++)
        assert_int_equal(comparison.rows[row].verdict, expected[row].verdict);
    comparison_free(&comparison);
    sitting_free(&sitting);
}

/* In short, each has a third of the kinds of noise. */
TEST(the_same_rounds_have_the_same_verdicts_in_turns)
{
    const size_t step = unit_at_length() ? 1 : LENGTH(formats);
    for (format_now = formats; format_now < formats + LENGTH(formats); format_now++)
        for (kind_now = kinds + (format_now - formats) % (ptrdiff_t)step; kind_now < kinds + LENGTH(kinds);
             kind_now += step)
            for (size_t i = 0; i < 2 * sittings_in_turns[unit_at_length()]; i++)
                decide_in_turns(i % 2);
}

BEGIN_WITH(unit_choose)

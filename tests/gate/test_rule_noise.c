/* How often the gate alarms where nothing changed, and finds what became slower, in simulated sittings. The rule alone:
 * no program runs, and the seed is fixed. Prints a line per kind of noise; RUNGBENCH_TEST_ALL=1 simulates more. */
#include "bench/base/seeded.h"
#include "bench/gate/rule.h"
#include "tests/unit.h"

enum { ROWS = 22, SITTINGS = 150, ALL_SITTINGS = 10000 };

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
struct process {
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

static double draw(const struct kind *k, const struct process *process, size_t row)
{
    size_t number = 2 * process->pair + process->is_second;
    double tail = k->heavy > 0 ? normal() / sqrt((pow(normal(), 2) + pow(normal(), 2) + pow(normal(), 2)) / 3) : 0;
    double one = process->pair != 11 ? 0 : process->is_new ? k->one_new : k->one_base;
    return k->normal * normal() + k->drift * process->when + k->throttled * (process->when > 0.5) +
           k->odd_pairs * (double)(process->pair % 2) + k->odd_processes * (double)(number % 2) +
           k->two_of_three * (number % 3 > 0) + k->seldom * chance(0.02) + k->seldom_all * (common.process < 0.02) +
           k->half * chance(0.5) + k->fifth * chance(0.2) + one + k->heavy * tail - k->skewed * log(1 - uniform()) +
           k->shared * (common.process - 0.5) + k->walk * common.walk + k->second * process->is_second +
           k->layout * common.build[process->is_new][row];
}

/* A sitting: the times of all pairs. */
struct sitting {
    double base_s[ROWS][RULE_RUN_PAIRS], new_s[ROWS][RULE_RUN_PAIRS];
    double slowdown; /* of row 0 */
};

static void simulate_process(const struct kind *kind, const struct process *process, double (*times)[RULE_RUN_PAIRS])
{
    common.process = uniform();
    common.walk = 0.9 * common.walk + 0.002 * normal();
    for (size_t row = 0; row < ROWS; row++)
        times[row][process->pair] = 50e-6 * exp(draw(kind, process, row));
}

/* The orders are balanced as those of a sitting are: the second pair of two has the order of the first, reversed. */
static void simulate(const struct kind *kind, struct sitting *sitting)
{
    bool new_first = false;
    common = (struct common){0};
    for (size_t row = 0; row < ROWS; row++)
        for (int side = 0; side < 2; side++)
            common.build[side][row] = 0.009 * (uniform() - 0.5);
    for (size_t pair = 0; pair < RULE_RUN_PAIRS; pair++) {
        new_first = pair % 2 ? !new_first : chance(0.5);
        for (int turn = 0; turn < 2; turn++) {
            bool is_new = new_first == (turn == 0);
            struct process process = {(2 * (double)pair + turn) / (2 * RULE_RUN_PAIRS), pair, turn == 1, is_new};
            simulate_process(kind, &process, is_new ? sitting->new_s : sitting->base_s);
        }
    }
}

static struct evidence evidence_for(void *self, size_t row, size_t first, size_t count)
{
    const struct sitting *sitting = self;
    double slowed_s[RULE_RUN_PAIRS];
    for (size_t i = 0; i < count; i++)
        slowed_s[i] = sitting->new_s[row][first + i] * (row == 0 ? 1 + sitting->slowdown : 1);
    return evidence_of_pairs(sitting->base_s[row] + first, slowed_s, count, 32e-9, limits_of(false, true), 0, false);
}

struct counts {
    size_t sittings, alarms, inconclusive, found;
};

static void add_sitting(struct sitting *sitting, struct counts *counts)
{
    struct decision rows[ROWS];
    bool alarm = false, open = false;
    sitting->slowdown = 0;
    rule_decide_run(evidence_for, sitting, rows, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        alarm = alarm || rows[row].verdict == VERDICT_SLOWER;
        open = open || rows[row].verdict == VERDICT_INCONCLUSIVE;
    }
    sitting->slowdown = 0.02;
    rule_decide_run(evidence_for, sitting, rows, ROWS);
    counts->sittings++;
    counts->alarms += alarm;
    counts->inconclusive += !alarm && open;
    counts->found += rows[0].verdict == VERDICT_SLOWER;
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

TEST(the_gate_neither_cries_wolf_nor_sleeps)
{
    const size_t sittings = unit_at_length() ? ALL_SITTINGS : SITTINGS;
    static struct sitting sitting;
    printf("%-30s %9s %13s %10s\n", "noise", "alarms", "inconclusive", "+2 % found");
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        struct counts counts = {0};
        while (counts.sittings < sittings) {
            simulate(&kinds[kind], &sitting);
            add_sitting(&sitting, &counts);
        }
        printf("%-30s %7.2f %% %11.2f %% %8.2f %%\n", kinds[kind].name, 100 * share(counts.alarms, &counts),
               100 * share(counts.inconclusive, &counts), 100 * share(counts.found, &counts));
        assert_true(share(counts.alarms, &counts) <= alarms_at_most + slack(alarms_at_most, &counts));
        if (kinds[kind].finds)
            assert_true(share(counts.found, &counts) >= found_at_least - slack(found_at_least, &counts));
    }
}

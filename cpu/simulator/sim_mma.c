#include "sim_mma.h"

#include "sim_thread.h"
#include "sim_warp.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ROWS = 16, COLUMNS = 8, DEPTH_MAX = 16, WARPS = SIM_THREADS_MAX / SIM_WARP };

/* A call: the number-th of each lane of a warp in this block. */
struct turn {
    uint64_t block, number;
};

/* What a lane brings. */
struct operands {
    float d[4];
    uint32_t a[4], b[2];
    struct turn turn; /* that they belong to */
};

static struct operands brought[SIM_THREADS_MAX];

/* Of each warp. The first lane that goes on after the exchange computes the results of all, before any lane brings what
 * comes next. */
static struct results {
    float d[SIM_WARP][4];
    struct turn turn; /* that they belong to */
} results_of[WARPS];

static double tf32_value(uint32_t bits)
{
    const uint32_t counted = UINT32_C(0xFFFFE000);
    float value;
    bits &= counted;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double fp16_value(uint32_t bits)
{
    uint32_t exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
    double value = exponent == 0x1F ? (fraction ? (double)NAN : (double)INFINITY)
                   : exponent == 0  ? ldexp(fraction, -24)
                                    : ldexp(1024 + fraction, (int)exponent - 25);
    return bits >> 15 & 1 ? -value : value;
}

struct matrices {
    double a[ROWS][DEPTH_MAX], b[DEPTH_MAX][COLUMNS], d[ROWS][COLUMNS];
};

static void gather_lane(struct matrices *to, enum sim_mma_format format, const struct operands *from, int lane)
{
    int r = lane / 4, c = lane % 4;
    for (int i = 0; i < 4; i++) {
        to->d[r + i / 2 * 8][2 * c + i % 2] = from->d[i];
        if (format == SIM_MMA_TF32) {
            to->a[r + i % 2 * 8][c + i / 2 * 4] = tf32_value(from->a[i]);
            continue;
        }
        for (int half = 0; half < 2; half++)
            to->a[r + i % 2 * 8][2 * c + half + i / 2 * 8] = fp16_value(from->a[i] >> 16 * half & 0xFFFF);
    }
    for (int i = 0; i < 2; i++) {
        if (format == SIM_MMA_TF32) {
            to->b[c + 4 * i][r] = tf32_value(from->b[i]);
            continue;
        }
        for (int half = 0; half < 2; half++)
            to->b[2 * c + half + 8 * i][r] = fp16_value(from->b[i] >> 16 * half & 0xFFFF);
    }
}

/* 2^exponent, for -1022 to 1023. */
static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The last place of a float as large as `largest`, as an exponent. */
static int last_place(double largest)
{
    uint64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    int place = (int)(bits >> 52) - 1023 - 23;
    return place < -149 ? -149 : place;
}

/* A whole number below 2^52 without what lies behind its first 24 bits. */
static double cut_to_float(double whole)
{
    uint64_t bits;
    memcpy(&bits, &whole, sizeof bits);
    bits &= ~((UINT64_C(1) << 29) - 1);
    memcpy(&whole, &bits, sizeof bits);
    return whole;
}

static void add_row(const double a[], double b[][COLUMNS], int depth, double d[COLUMNS])
{
    double addends[DEPTH_MAX + 1][COLUMNS], largest[COLUMNS], scale[COLUMNS];
    int32_t sums[COLUMNS] = {0}; /* of at most 17 addends of 24 bits */
    double odd[COLUMNS] = {0};   /* NaN where infinity or NaN is among the addends */
    int places[COLUMNS];
    bool finite = true;
    for (int j = 0; j < COLUMNS; j++)
        addends[depth][j] = d[j];
    for (int p = 0; p < depth; p++)
        for (int j = 0; j < COLUMNS; j++)
            addends[p][j] = a[p] * b[p][j];
    for (int j = 0; j < COLUMNS; j++)
        largest[j] = 0;
    for (int p = 0; p <= depth; p++)
        for (int j = 0; j < COLUMNS; j++) {
            double size = fabs(addends[p][j]);
            largest[j] = size > largest[j] ? size : largest[j];
            odd[j] += size - size;
        }
    for (int j = 0; j < COLUMNS; j++)
        finite = finite && !isnan(odd[j]);
    if (!finite) {
        for (int j = 0; j < COLUMNS; j++)
            for (int p = 0; p < depth; p++)
                d[j] += addends[p][j];
        return;
    }
    for (int j = 0; j < COLUMNS; j++) {
        places[j] = last_place(largest[j]);
        scale[j] = power_of_two(-places[j]);
    }
    for (int p = 0; p <= depth; p++)
        for (int j = 0; j < COLUMNS; j++)
            sums[j] += (int32_t)(addends[p][j] * scale[j]);
    for (int j = 0; j < COLUMNS; j++)
        d[j] = cut_to_float(sums[j]) * power_of_two(places[j]);
}

static void multiply(enum sim_mma_format format, const struct operands lanes[SIM_WARP], struct results *results)
{
    struct matrices m;
    for (int lane = 0; lane < SIM_WARP; lane++)
        gather_lane(&m, format, &lanes[lane], lane);
    for (int i = 0; i < ROWS; i++)
        add_row(m.a[i], m.b, format == SIM_MMA_TF32 ? 8 : 16, m.d[i]);
    for (int lane = 0; lane < SIM_WARP; lane++)
        for (int i = 0; i < 4; i++)
            results->d[lane][i] = (float)m.d[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
}

static bool same_turn(const struct turn *one, const struct turn *other)
{
    return one->block == other->block && one->number == other->number;
}

static void bring(struct operands *own, const float d[4], const uint32_t a[4], const uint32_t b[2])
{
    memcpy(own->d, d, sizeof own->d);
    memcpy(own->a, a, sizeof own->a);
    memcpy(own->b, b, sizeof own->b);
    own->turn = (struct turn){sim_block.serial, own->turn.block == sim_block.serial ? own->turn.number + 1 : 1};
}

void sim_mma(struct sim_place place, enum sim_mma_format format, float d[4], const uint32_t a[4], const uint32_t b[2])
{
    const char *operation = format == SIM_MMA_TF32 ? "mma_tf32" : "mma_fp16";
    const unsigned thread = sim_block.current, warp = thread / SIM_WARP;
    const struct operands *lanes = &brought[warp * SIM_WARP], *own = &brought[thread];
    struct results *results = &results_of[warp];
    bring(&brought[thread], d, a, b);
    (void)sim_warp_exchange(place, operation, UINT32_MAX, 0);
    if (!same_turn(&results->turn, &own->turn)) {
        for (unsigned lane = 0; lane < SIM_WARP; lane++)
            if (!same_turn(&lanes[lane].turn, &own->turn))
                sim_stop(place, "calls %s without lane %u of its warp, which has ended or never was", operation, lane);
        multiply(format, lanes, results);
        results->turn = own->turn;
    }
    memcpy(d, results->d[thread % SIM_WARP], sizeof results->d[0]);
}

uint32_t sim_tf32_round(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? UINT32_C(0x7FFFFFFF) : (bits + UINT32_C(0x1000)) & UINT32_C(0xFFFFE000);
}

/* Behind its last place a number is rounded as a whole number is, also where that carries into the exponent. */
uint16_t sim_fp16_round(float x)
{
    const int least = -14; /* exponent of numbers that are not subnormal */
    uint32_t sign = signbit(x) ? 0x8000 : 0, bits;
    float size = fabsf(x);
    if (isnan(x))
        bits = 0x7FFF;
    else if (size >= 65520)
        bits = 0x7C00;
    else {
        int exponent = size < 0x1p-14f ? least : ilogbf(size);
        bits = (uint32_t)(exponent - least) * 1024 + (uint32_t)lrintf(ldexpf(size, 10 - exponent));
    }
    return (uint16_t)(sign | bits);
}

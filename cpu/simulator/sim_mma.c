#include "sim_mma.h"

#include "sim_thread.h"
#include "sim_together.h"

#include <math.h>
#include <string.h>

enum { ROWS = 16, COLUMNS = 8, DEPTH_MAX = 16 };

/* What a lane brings, and where it gets its part of the result. */
struct operands {
    float *d;
    const uint32_t *a, *b;
};

static double tf32_value(uint32_t bits)
{
    const uint32_t counted = UINT32_C(0xFFFFE000);
    float value;
    bits &= counted;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* 2^exponent, for -1022 to 1023. */
static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static double fp16_value(uint32_t bits)
{
    uint32_t exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
    double value = exponent == 0x1F ? (fraction ? (double)NAN : (double)INFINITY)
                   : exponent == 0  ? fraction * 0x1p-24
                                    : (1024 + fraction) * power_of_two((int)exponent - 25);
    return bits >> 15 & 1 ? -value : value;
}

struct matrices {
    double a[ROWS][DEPTH_MAX], b[DEPTH_MAX][COLUMNS];
};

double sim_mma_value(enum sim_mma_format format, uint32_t bits, int half)
{
    return format == SIM_MMA_TF32 ? tf32_value(bits) : fp16_value(bits >> 16 * half & 0xFFFF);
}

static void gather_lane(struct matrices *to, enum sim_mma_format format, const struct operands *from, int lane)
{
    const int r = lane / 4, c = lane % 4, halves = format == SIM_MMA_TF32 ? 1 : 2;
    for (int half = 0; half < halves; half++) {
        for (int i = 0; i < 4; i++)
            to->a[r + i % 2 * 8][halves * (c + i / 2 * 4) + half] = sim_mma_value(format, from->a[i], half);
        for (int i = 0; i < 2; i++)
            to->b[halves * (c + 4 * i) + half][r] = sim_mma_value(format, from->b[i], half);
    }
}

/* The last place of a float as large as `largest`, as an exponent. */
static int last_place(double largest)
{
    const int least = -149;
    int place = largest > 0 ? ilogb(largest) - 23 : least;
    return place < least ? least : place;
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

/* Of at most 17 addends, so that their sum in last places is an int32_t. */
float sim_mma_sum(const double addends[], int count)
{
    double largest = 0, plain = 0;
    int32_t sum = 0;
    for (int p = 0; p < count; p++) {
        largest = fabs(addends[p]) > largest ? fabs(addends[p]) : largest;
        plain += addends[p];
    }
    if (!isfinite(plain))
        return (float)plain;
    const int place = last_place(largest);
    const double scale = power_of_two(-place);
    for (int p = 0; p < count; p++)
        sum += (int32_t)(addends[p] * scale);
    return (float)(cut_to_float(sum) * power_of_two(place));
}

static float add_products(const double a[], double b[][COLUMNS], int column, int depth, double d)
{
    double addends[DEPTH_MAX + 1];
    addends[depth] = d;
    for (int p = 0; p < depth; p++)
        addends[p] = a[p] * b[p][column];
    return sim_mma_sum(addends, depth + 1);
}

static void multiply(enum sim_mma_format format, const struct operands *const lanes[SIM_WARP])
{
    const int depth = format == SIM_MMA_TF32 ? 8 : 16;
    struct matrices m;
    for (int lane = 0; lane < SIM_WARP; lane++)
        gather_lane(&m, format, lanes[lane], lane);
    for (int lane = 0; lane < SIM_WARP; lane++)
        for (int i = 0; i < 4; i++) {
            const int column = lane % 4 * 2 + i % 2;
            float *d = &lanes[lane]->d[i];
            *d = add_products(m.a[lane / 4 + i / 2 * 8], m.b, column, depth, *d);
        }
}

/* The first lane computes the results of all, and the others wait for it. */
void sim_mma(struct sim_place place, enum sim_mma_format format, float d[4], const uint32_t a[4], const uint32_t b[2])
{
    const char *operation = format == SIM_MMA_TF32 ? "mma_tf32" : "mma_fp16";
    const unsigned own = sim_block.current % SIM_WARP, first = sim_block.current - own;
    const struct operands operands = {d, a, b}, *lanes[SIM_WARP];
    const uint64_t *heard = sim_warp_exchange(place, operation, UINT32_MAX, (uintptr_t)&operands);
    for (unsigned lane = 0; lane < SIM_WARP; lane++) {
        if (first + lane >= sim_block.count || sim_block.threads[first + lane].state == SIM_ENDED)
            sim_stop(place, "calls %s without lane %u of its warp, which has ended or never was", operation, lane);
        lanes[lane] = (const struct operands *)(uintptr_t)heard[lane];
    }
    if (own == 0)
        multiply(format, lanes);
    (void)sim_warp_exchange(place, operation, UINT32_MAX, 0);
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

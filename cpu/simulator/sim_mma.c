#include "sim_mma.h"

#include "sim_thread.h"
#include "sim_together.h"

#include <math.h>
#include <string.h>

enum { ROWS = 16, COLUMNS = 8, DEPTH_MAX = 32 };

/* What a lane brings, and where it gets its part of the result. */
struct operands {
    void *d;
    const uint32_t *a, *b;
};

static double float_value(uint32_t bits)
{
    float value;
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

static bool is_whole(enum sim_mma_format format)
{
    return format == SIM_MMA_S8 || format == SIM_MMA_U8;
}

static bool is_fp8(enum sim_mma_format format)
{
    return format == SIM_MMA_E4M3 || format == SIM_MMA_E5M2;
}

int sim_mma_parts(enum sim_mma_format format)
{
    return format == SIM_MMA_TF32 ? 1 : is_whole(format) || is_fp8(format) ? 4 : 2;
}

/* E5M2 is the upper half of FP16. E4M3 has an exponent of fewer bits, which goes further up: it has no infinity. */
static double e4m3_value(uint32_t bits)
{
    return (bits & 0x7F) == 0x7F ? (double)NAN : 256 * fp16_value((bits & 0x80) << 8 | (bits & 0x7F) << 7);
}

double sim_mma_value(enum sim_mma_format format, uint32_t bits, int part)
{
    const uint32_t half = bits >> 16 * (part % 2) & 0xFFFF, byte = bits >> 8 * part & 0xFF;
    switch (format) {
    case SIM_MMA_TF32: return float_value(bits & UINT32_C(0xFFFFE000));
    case SIM_MMA_FP16: return fp16_value(half);
    case SIM_MMA_BF16: return float_value(half << 16);
    case SIM_MMA_S8: return (int8_t)byte;
    case SIM_MMA_E4M3: return e4m3_value(byte);
    case SIM_MMA_E5M2: return fp16_value(byte << 8);
    default: return byte;
    }
}

/* Registers of a hold columns for every fourth lane, of 8 rows by turns; those of b rows. */
static void gather_lane(struct matrices *to, enum sim_mma_format format, unsigned depth, const struct operands *from,
                        unsigned lane)
{
    const unsigned r = lane / 4, c = lane % 4, parts = (unsigned)sim_mma_parts(format), registers = depth / (4 * parts);
    for (unsigned part = 0; part < parts; part++) {
        for (unsigned i = 0; i < 2 * registers; i++)
            to->a[r + i % 2 * 8][parts * (c + i / 2 * 4) + part] = sim_mma_value(format, from->a[i], (int)part);
        for (unsigned i = 0; i < registers; i++)
            to->b[parts * (c + 4 * i) + part][r] = sim_mma_value(format, from->b[i], (int)part);
    }
}

/* The last place of a float of so many bits that is as large as `largest`, as an exponent. */
static int last_place(double largest, int bits)
{
    const int least = -149;
    int place = largest > 0 ? ilogb(largest) - bits + 1 : least;
    return place < least ? least : place;
}

/* A whole number below 2^52 without what lies behind its first bits. */
static double cut(double whole, int kept)
{
    uint64_t bits;
    memcpy(&bits, &whole, sizeof bits);
    bits &= ~((UINT64_C(1) << (53 - kept)) - 1);
    memcpy(&whole, &bits, sizeof bits);
    return whole;
}

/* Of at most 33 addends, so that their sum in last places is an int32_t. */
float sim_mma_sum(enum sim_mma_format format, const double addends[], int count)
{
    const int bits = is_fp8(format) ? 14 : 24;
    double largest = 0, plain = 0;
    int32_t sum = 0;
    for (int p = 0; p < count; p++) {
        largest = fabs(addends[p]) > largest ? fabs(addends[p]) : largest;
        plain += addends[p];
    }
    if (!isfinite(plain))
        return (float)plain;
    const int place = last_place(largest, bits);
    const double scale = power_of_two(-place);
    for (int p = 0; p < count; p++)
        sum += (int32_t)(addends[p] * scale);
    return (float)(cut(sum, bits) * power_of_two(place));
}

static float add_products(enum sim_mma_format format, const double a[], double b[][COLUMNS], unsigned column,
                          unsigned depth, float d)
{
    double addends[DEPTH_MAX + 1];
    addends[depth] = (double)d;
    for (unsigned p = 0; p < depth; p++)
        addends[p] = a[p] * b[p][column];
    return sim_mma_sum(format, addends, (int)depth + 1);
}

static int32_t add_whole(const double a[], double b[][COLUMNS], unsigned column, unsigned depth, int32_t d)
{
    for (unsigned p = 0; p < depth; p++)
        d = (int32_t)((uint32_t)d + (uint32_t)(int32_t)(a[p] * b[p][column]));
    return d;
}

static void multiply(enum sim_mma_format format, unsigned depth, const struct operands *const lanes[SIM_WARP])
{
    struct matrices m;
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        gather_lane(&m, format, depth, lanes[lane], lane);
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        for (unsigned i = 0; i < 4; i++) {
            const double *row = m.a[lane / 4 + i / 2 * 8];
            const unsigned column = lane % 4 * 2 + i % 2;
            char *at = (char *)lanes[lane]->d + i * sizeof(float);
            float sum;
            int32_t whole;
            memcpy(&sum, at, sizeof sum);
            memcpy(&whole, at, sizeof whole);
            if (is_whole(format))
                whole = add_whole(row, m.b, column, depth, whole);
            else
                sum = add_products(format, row, m.b, column, depth, sum);
            memcpy(at, is_whole(format) ? (void *)&whole : (void *)&sum, sizeof sum);
        }
}

/* The first lane computes the results of all, and the others wait for it. */
void sim_mma(struct sim_place place, enum sim_mma_format format, unsigned depth, void *d, const uint32_t a[],
             const uint32_t b[])
{
    static const char *const names[] = {"mma_tf32", "mma_fp16", "mma_bf16", "mma_s8", "mma_u8", "mma_e4m3", "mma_e5m2"};
    const struct operands operands = {d, a, b}, *lanes[SIM_WARP];
    const uint64_t *heard = sim_warp_whole(place, names[format], (uintptr_t)&operands);
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        lanes[lane] = (const struct operands *)(uintptr_t)heard[lane];
    if (sim_block.current % SIM_WARP == 0)
        multiply(format, depth, lanes);
    (void)sim_warp_exchange(place, names[format], UINT32_MAX, 0);
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

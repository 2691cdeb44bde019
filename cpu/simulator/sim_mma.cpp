#include "sim_mma.h"

#include "cpu/simulator/cuda/simt_small_float.h"
#include "sim_thread.h"
#include "sim_together.h"

namespace
{
enum { COLUMNS = 8 };

/* What a lane brings, and where it gets its part of the result. */
struct operands {
    void *d;
    const uint32_t *a, *b;
};

bool is_whole(sim_mma_format format)
{
    return format == SIM_MMA_S8 || format == SIM_MMA_U8;
}

bool is_fp8(sim_mma_format format)
{
    return format == SIM_MMA_E4M3 || format == SIM_MMA_E5M2;
}

/* E5M2 is the upper half of FP16. E4M3 has an exponent of fewer bits, which goes further up: it has no infinity. */
double e4m3_value(uint32_t bits)
{
    const double value = (double)simt::small_value(simt::fp16, (bits & 0x80) << 8 | (bits & 0x7F) << 7);
    return (bits & 0x7F) == 0x7F ? (double)NAN : 256 * value;
}

/* The last place of a float of so many bits that is as large as `largest`, as an exponent. */
int last_place(double largest, int bits)
{
    const int least = -149;
    const int place = largest > 0 ? ilogb(largest) - bits + 1 : least;
    return place < least ? least : place;
}

/* A whole number below 2^52 without what lies behind its first bits. */
double cut(double whole, int kept)
{
    return simt::bits_as<double>(simt::bits_as<uint64_t>(whole) & ~((UINT64_C(1) << (53 - kept)) - 1));
}

int32_t add_whole(const double a[], const double b[], unsigned depth, int32_t d)
{
    for (unsigned p = 0; p < depth; p++)
        d = (int32_t)((uint32_t)d + (uint32_t)(int32_t)(a[p] * b[p]));
    return d;
}

void multiply(sim_mma_format format, unsigned depth, const operands *const lanes[SIM_WARP])
{
    const unsigned parts = (unsigned)sim_mma_parts(format);
    double a[SIM_MMA_ROWS][SIM_MMA_DEPTH_MAX], b[COLUMNS][SIM_MMA_DEPTH_MAX];
    for (unsigned lane = 0; lane < SIM_WARP; lane++) {
        sim_mma_gather(format, depth, lanes[lane]->a, lane, a);
        for (unsigned i = 0; i < depth / 4; i++) /* registers hold rows for every fourth lane */
            b[lane / 4][parts * (lane % 4 + i / parts * 4) + i % parts] =
                sim_mma_value(format, lanes[lane]->b[i / parts], (int)(i % parts));
    }
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        for (unsigned i = 0; i < 4; i++) {
            const double *row = a[lane / 4 + i / 2 * 8], *column = b[lane % 4 * 2 + i % 2];
            char *at = static_cast<char *>(lanes[lane]->d) + i * sizeof(uint32_t);
            uint32_t d;
            memcpy(&d, at, sizeof d);
            d = is_whole(format)
                    ? (uint32_t)add_whole(row, column, depth, (int32_t)d)
                    : simt::bits_as<uint32_t>(sim_mma_sum(format, row, column, depth, (double)simt::bits_as<float>(d)));
            memcpy(at, &d, sizeof d);
        }
}
} // namespace

int sim_mma_parts(sim_mma_format format)
{
    return format == SIM_MMA_TF32 ? 1 : is_whole(format) || is_fp8(format) ? 4 : 2;
}

double sim_mma_value(sim_mma_format format, uint32_t bits, int part)
{
    const uint32_t half = bits >> 16 * (part % 2) & 0xFFFF, byte = bits >> 8 * part & 0xFF;
    switch (format) {
    case SIM_MMA_TF32: return (double)simt::bits_as<float>(bits & UINT32_C(0xFFFFE000));
    case SIM_MMA_FP16: return (double)simt::small_value(simt::fp16, half);
    case SIM_MMA_BF16: return (double)simt::small_value(simt::bf16, half);
    case SIM_MMA_S8: return (int8_t)byte;
    case SIM_MMA_E4M3: return e4m3_value(byte);
    case SIM_MMA_E5M2: return (double)simt::small_value(simt::fp16, byte << 8);
    default: return byte;
    }
}

void sim_mma_gather(sim_mma_format format, unsigned depth, const uint32_t registers[], unsigned lane,
                    double rows[][SIM_MMA_DEPTH_MAX])
{
    const unsigned parts = (unsigned)sim_mma_parts(format);
    for (unsigned i = 0; i < depth / 2; i++) {
        const unsigned number = i / parts, part = i % parts;
        rows[lane / 4 + number % 2 * 8][parts * (lane % 4 + number / 2 * 4) + part] =
            sim_mma_value(format, registers[number], (int)part);
    }
}

/* Of at most 33 addends, so that their sum in last places is an int32_t. */
float sim_mma_sum(sim_mma_format format, const double a[], const double b[], unsigned depth, double d)
{
    const int bits = is_fp8(format) ? 14 : 24;
    double addends[SIM_MMA_DEPTH_MAX + 1], largest = 0, plain = 0;
    int32_t sum = 0;
    for (unsigned p = 0; p <= depth; p++) {
        addends[p] = p < depth ? a[p] * b[p] : d;
        largest = fabs(addends[p]) > largest ? fabs(addends[p]) : largest;
        plain += addends[p];
    }
    if (!std::isfinite(plain))
        return (float)plain;
    const int place = last_place(largest, bits);
    for (unsigned p = 0; p <= depth; p++)
        sum += (int32_t)(addends[p] * simt::power_of_two(-place));
    return (float)(cut(sum, bits) * simt::power_of_two(place));
}

/* The first lane computes the results of all, and the others wait for it. */
void sim_mma(sim_place place, sim_mma_format format, unsigned depth, void *d, const uint32_t a[], const uint32_t b[])
{
    static const char *const names[] = {"mma_tf32", "mma_fp16", "mma_bf16", "mma_s8", "mma_u8", "mma_e4m3", "mma_e5m2"};
    const operands own = {d, a, b}, *lanes[SIM_WARP];
    const uint64_t *heard = sim_warp_whole(place, names[format], reinterpret_cast<uintptr_t>(&own));
    for (unsigned lane = 0; lane < SIM_WARP; lane++)
        lanes[lane] = reinterpret_cast<const operands *>(heard[lane]);
    if (sim_block.current % SIM_WARP == 0)
        multiply(format, depth, lanes);
    (void)sim_warp_exchange(place, names[format], UINT32_MAX, 0);
}

uint32_t sim_tf32_round(float x)
{
    return std::isnan(x) ? UINT32_C(0x7FFFFFFF)
                         : (simt::bits_as<uint32_t>(x) + UINT32_C(0x1000)) & UINT32_C(0xFFFFE000);
}

uint16_t sim_fp16_round(float x)
{
    return simt::small_bits(simt::fp16, (double)x);
}

/* What the kernels answer, computed one element after the other. */
#include "right_kernels.h"

#include <math.h>
#include <string.h>

void expect_indices(const uint32_t *in, uint32_t *out)
{
    uint32_t at = 0, b[3], t[3];
    for (b[2] = 0; b[2] < 4; b[2]++)
        for (b[1] = 0; b[1] < 2; b[1]++)
            for (b[0] = 0; b[0] < 3; b[0]++)
                for (t[2] = 0; t[2] < 2; t[2]++)
                    for (t[1] = 0; t[1] < 3; t[1]++)
                        for (t[0] = 0; t[0] < 5; t[0]++, at++)
                            out[at] =
                                in[at] ^ (b[0] + 16 * b[1] + 256 * b[2] + 4096 * t[0] + 65536 * t[1] + 1048576 * t[2]);
}

void expect_shared_arrays(const uint32_t *in, uint32_t *out)
{
    for (int block = 0; block < 3; block++, in += 64, out += 192) {
        for (int i = 0; i < 64; i++)
            out[i] = in[63 - i];
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                out[64 + 8 * y + x] = in[8 * x + y];
        for (int z = 0; z < 4; z++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++)
                    out[128 + 16 * z + 4 * y + x] = in[16 * x + 4 * z + y] & 0xFFFF;
    }
}

static void reverse(const uint32_t *in, uint32_t *out, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = in[count - 1 - i];
}

void expect_dynamic_shared(const uint32_t *in, uint32_t *out)
{
    reverse(in, out, 40);
    reverse(in + 40, out + 40, 200);
}

void expect_templates(const uint32_t *in, uint32_t *out)
{
    memset(out, 0, 10 * sizeof *out);
    for (int i = 0; i < 7 * 77; i++)
        out[i / 77] += in[i];
    for (int i = 0; i < 3 * 128; i++)
        out[7 + i / 128] += in[i];
}

void expect_barriers(const uint32_t *in, uint32_t *out)
{
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t count = round == 1 ? 100 : 0;
        for (uint32_t t = 0; t < 100 && round >= 2; t++)
            count += in[round * 100 + t] >> 2 & 1;
        for (uint32_t t = 0; t < 100; t++)
            out[round * 100 + t] = count + (count == 100 ? 65536 : 0) + (count > 0 ? 131072 : 0);
    }
}

void expect_half_warps(const uint32_t *in, uint32_t *out)
{
    uint32_t now[64], next[64];
    memcpy(now, in, sizeof now);
    for (int turn = 0; turn < 5; turn++) {
        memcpy(next, now, sizeof next);
        for (int t = 0; t < 64; t++) {
            int half = t / 16 * 16;
            if (t % 32 >= 16)
                next[t] = now[t] ^ now[half + (t + 3) % 16];
            else if (turn < 3)
                next[t] = now[t] + now[half + (t + 1) % 16];
        }
        memcpy(now, next, sizeof now);
    }
    for (int w = 0; w < 64; w += 32)
        reverse(now + w, out + w, 32);
}

void expect_votes(const uint32_t *in, uint32_t *out)
{
    for (int w = 0; w < 2; w++) {
        uint32_t some = 0;
        for (int lane = 0; lane < 32; lane++)
            some |= (in[32 * w + lane] >> 1 & 1) << lane;
        for (int t = 32 * w; t < 32 * (w + 1); t++) {
            out[t] = some;
            out[64 + t] = t % 2 == 0 ? some & 0x55555555 : 0xAAAAAAAA;
            out[128 + t] = (some != 0 ? 1u : 0u) + (w == 0 ? 4u : 0u);
            out[192 + t] = (some == 0xFFFFFFFF ? 3u : 2u) + (w == 1 ? 4u : 0u);
            out[256 + t] = w == 1 ? 0xFFE00000 : 0;
        }
    }
}

void expect_early_exit(const uint32_t *in, uint32_t *out)
{
    uint32_t sums[2] = {0, 0};
    for (int t = 0; t < 41; t++)
        sums[t / 32] += in[t];
    for (int t = 0; t < 41; t++) {
        out[t] = sums[t / 32];
        out[41 + t] = t < 32 ? 0xFFFFFFFF : 0x1FF;
        out[82 + t] = 1;
    }
}

void expect_lanes_in_space(const uint32_t *in, uint32_t *out)
{
    for (int t = 0; t < 80; t++) {
        int lane = t % 32, first = t - lane;
        out[t] = in[lane >= 5 ? t - 5 : t];
        out[80 + t] = in[t % 16 < 13 ? t + 3 : t];
        out[160 + t] = in[first + (lane ^ 9)];
        out[240 + t] = in[t / 8 * 8 + (t + 1) % 8];
        out[320 + t] = 0;
        for (int other = first; other < first + 32 && other < 80; other++)
            out[320 + t] |= (in[other] >> 2 & 1) << (other - first);
    }
}

/* Which thread's value each thread hears, in the order of the kernel's answers. */
static int heard(int answer, int t)
{
    int warp = t / 32 * 32, lane = t % 32, part = lane / 8 * 8, in_part = lane % 8;
    switch (answer) {
    case 0: return warp + (t * 7 + 3) % 32;
    case 1: return lane >= 3 ? t - 3 : t;
    case 2: return lane + 5 < 32 ? t + 5 : t;
    case 3: return warp + (lane ^ 22);
    case 4: return warp + part + (t + 11) % 8;
    case 5: return in_part >= 3 ? t - 3 : t;
    case 6: return in_part + 5 < 8 ? t + 5 : t;
    case 7: return warp + (lane ^ 6);
    case 8: return (part / 8) % 2 == 1 ? warp + (lane ^ 12) : t;
    case 9: return lane < 8 ? warp + (lane ^ 1) : lane % 4 < 3 ? t + 1 : t;
    case 10: return warp + (t + 19) % 32;
    default: return t / 16 * 16 + (69 - t) % 16;
    }
}

static void expect_shuffles(const uint32_t *in, uint32_t *out, int words)
{
    for (int i = 0; i < 768; i++)
        for (int word = 0; word < words; word++)
            out[i * words + word] = in[1024 + heard(i / 64, i % 64) * words + word];
}

void expect_shuffles_4(const uint32_t *in, uint32_t *out)
{
    expect_shuffles(in, out, 1);
}

void expect_shuffles_8(const uint32_t *in, uint32_t *out)
{
    expect_shuffles(in, out, 2);
}

void expect_shuffles_float(const uint32_t *in, uint32_t *out)
{
    expect_shuffles(in, out, 1);
}

void expect_shuffles_double(const uint32_t *in, uint32_t *out)
{
    expect_shuffles(in, out, 2);
}

void expect_atomics(const uint32_t *in, uint32_t *out)
{
    uint64_t shifted = 0, wide = 0;
    float sum = 0;
    memset(out, 0, 332 * sizeof *out);
    out[6] = out[8] = 0xFFFFFFFF;
    for (int i = 0; i < 300; i++) {
        uint32_t mine = in[i];
        out[1] -= mine % 100;
        shifted += (uint64_t)mine << 20;
        sum += (float)(mine % 64);
        out[5] = mine > out[5] ? mine : out[5];
        out[6] = mine < out[6] ? mine : out[6];
        out[7] = (int32_t)mine > (int32_t)out[7] ? mine : out[7];
        out[8] &= mine | 0xFFFF0000;
        out[9] |= mine & 0x1111;
        out[10] ^= mine;
        out[13] -= mine;
        out[14] = (int32_t)mine < (int32_t)out[14] ? mine : out[14];
        out[15] += mine;
        out[17] += mine | 1;
        wide += mine;
        out[20 + mine % 4]++;
        out[32 + i] = 1;
    }
    out[0] = 300;
    out[11] = 300 % 11;
    out[12] = (13 - 300 % 13) % 13;
    out[24] = (300 - 1) % 11;      /* the first brings it to 0 */
    out[25] = 12 - (300 - 1) % 13; /* and to 12 */
    memcpy(&out[2], &shifted, sizeof shifted);
    memcpy(&out[4], &sum, sizeof sum);
    memcpy(&out[18], &wide, sizeof wide);
}

void expect_alignment(const uint32_t *in, uint32_t *out)
{
    memset(out, 0, 60 * sizeof *out);
    for (int launch = 0; launch < 5; launch++)
        for (int t = 0; t < 3; t++)
            out[12 * launch + t] = in[launch + 2 - t] & 0xFF;
}

void expect_vectors(const uint32_t *in, uint32_t *out)
{
    static const uint32_t layouts[32] = {0x101, 0x202,  0x301,  0x404,  0x404,  0x808, 0x808, 0xC04, 0x1010, 0x808,
                                         0xC04, 0x1010, 0x1010, 0x1010, 0x1010, 0xC04, 0x808, 0x602, 0x808,  0xC04};
    for (int t = 0; t < 32; t++) {
        reverse(in + 4 * t, out + 4 * t, 4);
        out[128 + t] = in[t] >> 16 | in[t] << 16;
        out[160 + t] = in[2 * t] - in[2 * t + 1] + 5;
        out[192 + t] = layouts[t];
    }
}

void expect_hints(const uint32_t *in, uint32_t *out)
{
    for (int t = 0; t < 32; t++) {
        out[t] = in[t] + in[t + 1];
        out[32 + t] = in[t] ^ in[t + 2];
        out[64 + t] = out[96 + t] = in[t];
        for (int i = 0; i < 4; i++)
            out[128 + 4 * t + i] = in[4 * t + (i ^ 1)];
        reverse(in + 2 * t, out + 256 + 2 * t, 2);
    }
}

static float as_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void put_float(uint32_t *to, float x)
{
    memcpy(to, &x, sizeof x);
}

void expect_arithmetic(const uint32_t *in, uint32_t *out)
{
    for (int t = 0; t < 64; t++) {
        uint32_t mine = t == 0 ? 0 : in[t] >> t % 32, next = in[t + 1], ones = 0, zeros = 0, first = 0;
        float a = as_float(0x3F800000 | in[t] >> 9), b = as_float(0x40000000 | in[t + 64] >> 9);
        for (uint32_t bit = 0; bit < 32; bit++) {
            ones += mine >> bit & 1;
            zeros = (mine >> bit & 1) != 0 ? 31 - bit : mine == 0 ? 32 : zeros;
            first = first == 0 && (mine >> bit & 1) != 0 ? bit + 1 : first;
        }
        out[t] = ones;
        out[64 + t] = zeros;
        out[128 + t] = first;
        put_float(&out[192 + t], fmaf(a, b, -a));
        put_float(&out[256 + t], fmaf(a, a, b));
        out[320 + t] = mine < next ? mine + 3 * next : next + 3 * mine;
        put_float(&out[384 + t], a - (a < 1.5f ? 1.5f : a));
    }
}

static void put_product(const uint32_t *d, const uint32_t *a, const uint32_t *b, int depth, uint32_t *out)
{
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            int sum = (int)(d[8 * i + j] % 33) - 16;
            for (int p = 0; p < depth; p++)
                sum += ((int)(a[depth * i + p] % 33) - 16) * ((int)(b[8 * p + j] % 33) - 16);
            put_float(&out[8 * i + j], (float)sum);
        }
}

void expect_tensor_cores(const uint32_t *in, uint32_t *out)
{
    for (int warp = 0; warp < 2; warp++, in += 1024, out += 320) {
        put_product(in, in + 128, in + 256, 8, out);
        put_product(in, in + 320, in + 576, 16, out + 128);
        uint32_t most = 0, least = UINT32_MAX;
        for (int lane = 0; lane < 32; lane++) {
            most = in[lane] > most ? in[lane] : most;
            least = in[lane] < least ? in[lane] : least;
        }
        for (int lane = 0; lane < 32; lane++) {
            out[256 + lane] = most;
            out[288 + lane] = least;
        }
    }
}

void expect_copies(const uint32_t *in, uint32_t *out)
{
    reverse(in, out, 64);
    reverse(in + 64, out + 512, 64);
    for (int t = 0; t < 64; t++) {
        memcpy(out + 64 + 2 * t, in + 2 * (63 - t), 8);
        memcpy(out + 192 + 4 * t, in + 4 * (63 - t), 16);
        memcpy(out + 576 + 2 * t, in + 128 + 2 * (63 - t), 8);
        out[448 + t] = in[4 * t] + in[4 * t + 1] + in[4 * t + 2] + in[4 * t + 3];
    }
}

void expect_pipeline(const uint32_t *in, uint32_t *out)
{
    for (int i = 0; i < 64; i++) {
        const uint32_t *from = in + i / 16 * 16 * 7 * 4;
        out[i] = 0;
        for (int tile = 0; tile < 7; tile++, from += 64)
            for (int step = 0; step < 16; step++) {
                const uint32_t *four = from + (i % 16 + step) % 16 * 4;
                out[i] = out[i] * 3 + four[0] + four[1] + four[2] + four[3];
            }
    }
}

void expect_zero_filled(const uint32_t *in, uint32_t *out)
{
    const uint32_t *last = in + RIGHT_INPUT - 40;
    memset(out, 0, 192 * sizeof *out);
    reverse(last, out + 24, 40);
    for (int pair = 0; pair < 20; pair++)
        memcpy(out + 64 + 2 * (63 - pair), last + 2 * pair, 8);
}

void expect_constants(const uint32_t *in, uint32_t *out)
{
    reverse(in, out + 24, 40);
    reverse(in + 100, out, 24);
}

void expect_language(const uint32_t *in, uint32_t *out)
{
    for (int t = 0; t < 64; t++) {
        const uint32_t *row = in + 4 * (t < 15 ? t : 15);
        out[t] = 0x01010101 + row[0] + 3 * row[1] + 5 * row[2] + 7 * row[3] + (in[t] >> 1);
        out[64 + t] = in[64 + 63 - t] + (uint32_t)nearbyint(0.5 * t + 0.5); /* halves to even */
    }
}

void expect_early(const uint32_t *in, uint32_t *out)
{
    for (int t = 0; t < 64; t++) {
        out[t] = in[t];
        for (int i = 0; i < 500; i++)
            out[t] = in[out[t] % RIGHT_INPUT] + 1;
        out[64 + 63 - t] = out[t];
    }
}

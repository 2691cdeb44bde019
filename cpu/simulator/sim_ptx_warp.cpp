#include "sim_ptx_code.h"

#include "cpu/simulator/cuda/simt_threads.h"
#include "sim_async.h"
#include "sim_mma.h"
#include "sim_wgmma.h"

extern "C" {
#include "bench/table/backend.h"
}

#include <cstdio>

namespace ptx
{
void run_barrier(machine &m, const instruction &i)
{
    const unsigned number = (unsigned)get(m, i, 0, b32);
    const unsigned threads = i.group_count > 1 ? (unsigned)get(m, i, 1, b32) : (sim_block.count + 31) / 32 * 32;
    const bool waits = strstr(i.what->name, "arrive") == nullptr;
    if (number == 0 && waits && threads >= sim_block.count)
        (void)sim_barrier(m.place, i.what->name, 0);
    else
        sim_named_barrier(m.place, number, threads, waits);
}

void run_shuffle(machine &m, const instruction &i)
{
    const unsigned own = simt::lane(), by = (unsigned)get(m, i, 2, b32) & 31;
    const unsigned how = (unsigned)get(m, i, 3, b32), segment = how >> 8 & 31, clamp = how & 31;
    const unsigned end = (own & segment) | (clamp & ~segment);
    const unsigned from = has(i, "up")     ? own - by
                          : has(i, "down") ? own + by
                          : has(i, "bfly") ? own ^ by
                                           : (own & segment) | (by & ~segment & 31);
    const bool exists = has(i, "up") ? (int)from >= (int)end : from <= end;
    const uint32_t mask = (uint32_t)get(m, i, 4, b32);
    const uint64_t value = sim_warp_shuffle(m.place, "shfl.sync", mask, get(m, i, 1, b32), exists ? from : own);
    set(m, i, 0, b32, value);
    if (width(m, i, 0) > 1)
        set(m, i, 0, predicate, exists, 1);
}

void run_vote(machine &m, const instruction &i)
{
    const uint32_t mask = (uint32_t)get(m, i, 2, b32);
    const bool own = get(m, i, 1, predicate) != 0, is_all = has(i, "all"), is_uniform = has(i, "uni");
    const uint32_t votes = simt::ballot(mask, is_all ? !own : own, "vote.sync", m.place);
    if (has(i, "ballot"))
        set(m, i, 0, b32, votes);
    else
        set(m, i, 0, predicate, is_all ? votes == 0 : is_uniform ? votes == 0 || votes == mask : votes != 0);
}

/* The lowest lane of the mask. */
void run_elect(machine &m, const instruction &i)
{
    const uint32_t mask = simt::ballot((uint32_t)get(m, i, 1, b32), 1, "elect.sync", m.place);
    const unsigned first = mask == 0 ? 0 : (unsigned)__builtin_ctz(mask);
    set(m, i, 0, b32, first);
    set(m, i, 0, predicate, first == simt::lane(), 1);
}

void run_reduce(machine &m, const instruction &i)
{
    const uint32_t mask = (uint32_t)get(m, i, 2, b32), there = simt::ballot(mask, 1, "redux.sync", m.place);
    const uint64_t *heard = sim_warp_exchange(m.place, "redux.sync", mask, get(m, i, 1, b32));
    uint64_t result = get(m, i, 1, b32);
    for (unsigned other = 0; other < SIM_WARP; other++)
        if ((there >> other & 1) != 0 && other != simt::lane())
            result = joined(m, i, result, heard[other]);
    set(m, i, 0, b32, result);
}

/* Tensor cores. Row r of matrix n, of 8 x 8 halves, is where lane 8 n + r says; of a row lane 4 r + c has columns 2 c
 * and 2 c + 1, or, transposed, of columns 2 c and 2 c + 1 row r. */
namespace
{
enum { ROW = 16 };

unsigned matrices_of(const machine &m, const instruction &i)
{
    const unsigned count = has(i, "x1") ? 1 : has(i, "x2") ? 2 : has(i, "x4") ? 4 : 0;
    if (count == 0 || type_of(i).bits != 16)
        refuse(m, i);
    return count;
}
} // namespace

void run_load_matrix(machine &m, const instruction &i)
{
    const unsigned here = simt::lane(), count = matrices_of(m, i);
    uint64_t own[2] = {0, 0}, rows[2][SIM_WARP];
    uint16_t elements[SIM_WARP][ROW / 2];
    if (here < 8 * count)
        load(m, i, reinterpret_cast<char *>(own), address_of(m, i, 1, true, ROW), ROW);
    memcpy(rows[0], sim_warp_whole(m.place, i.name, own[0]), sizeof rows[0]);
    memcpy(rows[1], sim_warp_exchange(m.place, i.name, UINT32_MAX, own[1]), sizeof rows[1]);
    for (unsigned row = 0; row < SIM_WARP; row++)
        for (unsigned half = 0; half < 2; half++)
            memcpy(&elements[row][4 * half], &rows[half][row], sizeof rows[half][row]);
    for (unsigned k = 0; k < count; k++) {
        const unsigned r = here / 4, c = here % 4 * 2;
        const bool is_turned = has(i, "trans");
        const uint32_t low = is_turned ? elements[8 * k + c][r] : elements[8 * k + r][c];
        const uint32_t high = is_turned ? elements[8 * k + c + 1][r] : elements[8 * k + r][c + 1];
        set(m, i, 0, b32, high << 16 | low, k);
    }
}

void run_store_matrix(machine &m, const instruction &i)
{
    const unsigned own = simt::lane(), count = matrices_of(m, i), r = own % 8;
    uint16_t row[ROW / 2] = {0};
    for (unsigned k = 0; k < count; k++) {
        const uint64_t *heard = sim_warp_whole(m.place, i.name, get(m, i, 1, b32, k)); /* one more follows */
        for (unsigned c = 0; c < 8 && own / 8 == k; c++) {
            const unsigned from = has(i, "trans") ? 4 * c + r / 2 : 4 * r + c / 2, half = has(i, "trans") ? r : c;
            row[c] = (uint16_t)(heard[from] >> 16 * (half % 2));
        }
    }
    if (own < 8 * count)
        store(m, i, address_of(m, i, 0, true, ROW), row, ROW);
    (void)sim_warp_exchange(m.place, i.name, UINT32_MAX, 0);
}

namespace
{
bool find_format(type factor, sim_mma_format *format)
{
    static const struct {
        char kind;
        unsigned bits;
        sim_mma_format is;
    } formats[] = {{'f', 16, SIM_MMA_FP16}, {'h', 16, SIM_MMA_BF16}, {'t', 32, SIM_MMA_TF32}, {'s', 8, SIM_MMA_S8},
                   {'u', 8, SIM_MMA_U8},    {'e', 8, SIM_MMA_E4M3},  {'m', 8, SIM_MMA_E5M2}};
    for (const auto &one : formats)
        if (one.kind == factor.kind && one.bits == factor.bits)
            return *format = one.is, true;
    return false;
}
} // namespace

/* d = a b + c: the types are those of d, a, b and c. Sums of 16 bits are two in a register. */
void run_mma(machine &m, const instruction &i)
{
    constexpr type f32 = {'f', 32, 1};
    const type to = i.types[0], factor = i.types[1], sums = type_of(i);
    const bool is_packed = to.bits == 16;
    sim_mma_format format = SIM_MMA_FP16;
    unsigned depth = 0;
    uint32_t a[4] = {0}, b[2] = {0}, d[4];
    for (unsigned w = 0; w < i.word_count; w++)
        (void)sscanf(i.words[w], "m16n8k%u", &depth);
    const unsigned bits = depth * factor.bits;
    if (i.type_count != TYPES_MAX || (bits != 128 && bits != 256) || !find_format(factor, &format) ||
        i.types[2].kind != factor.kind || i.types[2].bits != factor.bits || to.bits != sums.bits)
        refuse(m, i);
    for (unsigned k = 0; k < bits / 64; k++)
        a[k] = (uint32_t)get(m, i, 1, b32, k);
    for (unsigned k = 0; k < bits / 128; k++)
        b[k] = (uint32_t)get(m, i, 2, b32, k);
    for (unsigned k = 0; k < 4; k++)
        d[k] = (uint32_t)(is_packed ? bits_of(f32, real(sums, get(m, i, 3, b32, k / 2) >> 16 * (k % 2)))
                                    : get(m, i, 3, b32, k));
    sim_mma(m.place, format, depth, d, a, b);
    for (unsigned k = 0; k < 4 && !is_packed; k++)
        set(m, i, 0, b32, d[k], k);
    for (unsigned k = 0; k < 2 && is_packed; k++)
        set(m, i, 0, b32, bits_of(to, real(f32, d[2 * k])) | bits_of(to, real(f32, d[2 * k + 1])) << 16, k);
}

/* The sums are FP32, and lie side by side. */
void run_wgmma(machine &m, const instruction &i)
{
    unsigned columns = 0, depth = 0;
    sim_wgmma what = {};
    for (unsigned w = 0; w < i.word_count; w++)
        (void)sscanf(i.words[w], "m64n%uk%u", &columns, &depth);
    if (i.type_count != 3 || i.types[0].kind != 'f' || i.types[0].bits != 32 ||
        !find_format(i.types[1], &what.format) || depth * i.types[1].bits != 256 ||
        i.types[2].kind != i.types[1].kind || width(m, i, 0) != columns / 2)
        refuse(m, i);
    for (unsigned k = 4; k < i.group_count && k < 6; k++) /* the signs of a and b */
        if (get(m, i, k, b32) != 1)
            sim_stop(m.place, "executes %s with factors that are negated" NOT_SIMULATED, i.name);
    what.columns = columns;
    what.is_copied = width(m, i, 1) == 4;
    what.is_a_across = !what.is_copied && i.group_count > 6 && get(m, i, 6, b32) != 0;
    what.is_b_across = i.group_count > 6 && get(m, i, i.group_count - 1, b32) != 0;
    for (unsigned k = 0; k < 4 && what.is_copied; k++)
        what.copied[k] = (uint32_t)get(m, i, 1, b32, k);
    what.a_descriptor = what.is_copied ? 0 : get(m, i, 1, b64);
    what.b_descriptor = get(m, i, 2, b64);
    what.add = get(m, i, 3, predicate) != 0;
    for (unsigned k = 0; k < columns / 2; k++) {
        const operand &sum = operand_of(m, i, 0, k);
        float *at = sum.from == source::REGISTER && sum.number < m.count
                        ? static_cast<float *>(m.operands[sum.number].memory)
                        : nullptr;
        what.sums = k == 0 ? at : what.sums;
        if (!at || at != what.sums + k)
            sim_stop(m.place, "executes %s with sums that are no array" NOT_SIMULATED, i.name);
    }
    sim_wgmma_multiply(m.place, &what);
}
} // namespace ptx

/* The instructions of PTX that are simulated: the table is at the end. */
#include "sim_ptx_code.h"

#include "cpu/simulator/cuda/simt_threads.h"
#include "sim_access.h"
#include "sim_async.h"
#include "sim_copy.h"
#include "sim_early.h"
#include "sim_group.h"
#include "sim_mma.h"
#include "sim_proxy.h"
#include "sim_shared.h"
#include "sim_wgmma.h"

extern "C" {
#include "bench/base/memory.h"
#include "bench/table/backend.h"
}

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace ptx
{
[[noreturn]] void refuse(sim_place place, const char *what, size_t length)
{
    sim_stop(place, "executes %.*s%s" NOT_SIMULATED, (int)(length < 90 ? length : 90), what, length < 90 ? "" : "...");
}

namespace
{
constexpr type b32 = {'b', 32, 1}, b64 = {'b', 64, 1}, predicate = {'p', 1, 1};
constexpr uint32_t all_lanes = UINT32_MAX;
enum { VECTOR_MAX = 8 };

[[noreturn]] void refuse(const machine &m, const instruction &i)
{
    ptx::refuse(m.place, i.name, strlen(i.name));
}

const operand &operand_of(const machine &m, const instruction &i, unsigned number, size_t which)
{
    if (number >= i.group_count || which >= i.groups[number].count)
        sim_stop(m.place, "executes %s with too few operands", i.name);
    return m.program->operands[i.groups[number].first + which];
}

uint64_t value_of(const machine &m, const operand &from, type type)
{
    uint64_t bits = from.bits;
    if (from.from == source::SPECIAL)
        bits = special_value((int)from.number);
    else if (from.from == source::REAL) {
        double value;
        memcpy(&value, &bits, sizeof value);
        bits = bits_of(type, value);
    } else if (from.from == source::REGISTER && from.number >= m.count)
        bits = m.registers[from.number - m.count];
    else if (from.from == source::REGISTER) {
        bits = m.operands[from.number].value;
        if (m.operands[from.number].memory)
            memcpy(&bits, m.operands[from.number].memory, m.operands[from.number].bytes);
    }
    return from.is_negated ? bits == 0 : bits;
}

bool is_true(const machine &m, const operand &guard)
{
    return guard.from == source::NOTHING || value_of(m, guard, predicate) != 0;
}

/* An address, to be used by the processor, of so many bytes. */
char *address_of(const machine &m, const instruction &i, unsigned group, bool is_shared, size_t bytes)
{
    uint64_t at = get(m, i, group, b64);
    if (i.groups[group].offset.from != source::NOTHING)
        at += value_of(m, i.groups[group].offset, b64);
    char *memory = is_shared ? static_cast<char *>(sim_shared_memory((uint32_t)at)) : reinterpret_cast<char *>(at);
    if (reinterpret_cast<uintptr_t>(memory) % bytes != 0)
        sim_stop(m.place, "executes %s at an address that is no multiple of %zu", i.name, bytes);
    return memory;
}

bool is_in_shared(const instruction &i)
{
    return has(i, "shared") || has(i, "shared::cta") || has(i, "shared::cluster");
}

void load(const machine &m, const instruction &i, void *to, const char *from, size_t bytes)
{
    sim_access_begin(m.place, i.name, from, bytes, false);
    memcpy(to, from, bytes);
    sim_access_end();
}

void store(const machine &m, const instruction &i, char *to, const void *from, size_t bytes)
{
    sim_access_begin(m.place, i.name, to, bytes, true);
    memcpy(to, from, bytes);
    sim_access_end();
}

/* Arithmetic. */

/* Of vectors on either side the elements lie one above the other. */
void run_move(machine &m, const instruction &i)
{
    const type whole = type_of(i);
    const size_t from = width(m, i, 1), to = width(m, i, 0);
    const unsigned part_bits = whole.bits / (unsigned)(from > to ? from : to);
    const type part = from == to ? whole : type{'b', part_bits, 1};
    uint64_t bits = 0;
    for (size_t k = 0; k < from; k++)
        bits |= extended({'b', from > 1 ? part_bits : whole.bits, 1}, get(m, i, 1, part, k)) << k * part_bits % 64;
    for (size_t k = 0; k < to; k++)
        set(m, i, 0, to > 1 ? part : whole, bits >> k * part_bits % 64, k);
}

void run_convert(machine &m, const instruction &i)
{
    type to = i.types[0];
    const type from = type_of(i);
    if (i.type_count != 2 || (to.kind == 't' && !has(i, "rna")))
        refuse(m, i);
    uint64_t bits;
    if (to.lanes == 2) { /* the first one becomes the upper half */
        to.lanes = 1;
        bits = convert(i, to, from, get(m, i, 1, from)) << 16 | convert(i, to, from, get(m, i, 2, from));
        to = b32;
    } else
        bits = convert(i, to, from, get(m, i, 1, from));
    set(m, i, 0, to, bits);
}

void run_set_predicate(machine &m, const instruction &i)
{
    const type type = type_of(i);
    bool is = compare(i, type, get(m, i, 1, type), get(m, i, 2, type));
    bool is_not = !is;
    if (i.group_count > 3) {
        const bool other = get(m, i, 3, predicate) != 0;
        is = has(i, "and") ? is && other : has(i, "or") ? is || other : is != other;
        is_not = has(i, "and") ? is_not && other : has(i, "or") ? is_not || other : is_not != other;
    }
    set(m, i, 0, predicate, is);
    if (width(m, i, 0) > 1)
        set(m, i, 0, predicate, is_not, 1);
}

void run_lop3(machine &m, const instruction &i)
{
    const uint64_t a = get(m, i, 1, b32), b = get(m, i, 2, b32), c = get(m, i, 3, b32), table = get(m, i, 4, b32);
    uint64_t bits = 0;
    for (unsigned k = 0; k < 8; k++)
        if ((table >> k & 1) != 0)
            bits |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
    set(m, i, 0, b32, bits);
}

/* The fourth bit of a selector takes the sign of the byte. */
void run_permute(machine &m, const instruction &i)
{
    const uint64_t bytes = get(m, i, 1, b32) | get(m, i, 2, b32) << 32, selector = get(m, i, 3, b32);
    uint64_t bits = 0;
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t select = selector >> 4 * k, byte = bytes >> 8 * (select & 7) & 0xFF;
        bits |= ((select & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xFFu : 0u) << 8 * k;
    }
    set(m, i, 0, b32, bits);
}

void run_funnel_shift(machine &m, const instruction &i)
{
    const uint64_t both = get(m, i, 1, b32) | get(m, i, 2, b32) << 32;
    uint64_t by = get(m, i, 3, b32);
    by = has(i, "wrap") ? by & 31 : by > 32 ? 32 : by;
    set(m, i, 0, b32, has(i, "l") ? both << by >> 32 : both >> by);
}

void run_extract(machine &m, const instruction &i)
{
    const type type = type_of(i);
    const uint64_t from = extended(type, get(m, i, 1, type));
    const uint64_t at = get(m, i, 2, b32) & 0xFF, length = get(m, i, 3, b32) & 0xFF;
    const uint64_t moved = at >= 64 ? 0 : type.kind == 's' ? (uint64_t)((int64_t)from >> at) : from >> at;
    set(m, i, 0, type, length == 0 ? 0 : length >= 64 ? moved : extended({type.kind, (unsigned)length, 1}, moved));
}

void run_insert(machine &m, const instruction &i)
{
    const type type = type_of(i);
    const uint64_t at = get(m, i, 3, b32) & 0xFF, length = get(m, i, 4, b32) & 0xFF;
    const uint64_t ones = length >= 64 ? UINT64_MAX : (UINT64_C(1) << length) - 1, mask = at >= 64 ? 0 : ones << at;
    const uint64_t moved = at >= 64 ? 0 : get(m, i, 1, type) << at;
    set(m, i, 0, type, (moved & mask) | (get(m, i, 2, type) & ~mask));
}

/* Memory. */

/* ld and st, of one number or a vector of them. */
void run_move_memory(machine &m, const instruction &i)
{
    const type type = type_of(i);
    const bool stores = i.what->name[0] == 's';
    const unsigned value = stores ? 1 : 0;
    const size_t count = width(m, i, value), each = type.bits / 8, bytes = count * each;
    uint64_t bits[VECTOR_MAX] = {0};
    char all[sizeof bits];
    if (count > VECTOR_MAX)
        refuse(m, i);
    for (size_t k = 0; k < count && stores; k++) {
        bits[k] = get(m, i, value, type, k);
        memcpy(all + k * each, &bits[k], each);
    }
    char *at = address_of(m, i, 1 - value, is_in_shared(i), bytes);
    if (stores) {
        store(m, i, at, all, bytes);
        return;
    }
    load(m, i, all, at, bytes);
    for (size_t k = 0; k < count; k++) {
        memcpy(&bits[k], all + k * each, each);
        set(m, i, value, {type.kind == 's' ? 's' : 'b', type.bits, 1}, bits[k], k);
    }
}

/* By the word that is an operation: add, min, ... */
uint64_t joined(const machine &m, const instruction &i, uint64_t a, uint64_t b)
{
    const uint64_t values[] = {a, b, 0};
    const row *how = nullptr;
    for (unsigned w = 0; w < i.word_count && !how; w++)
        how = find_row(i.words[w], strlen(i.words[w]));
    if (!how || !how->whole)
        refuse(m, i);
    return compute(*how, i, type_of(i), values);
}

uint64_t changed(const machine &m, const instruction &i, unsigned first, uint64_t old)
{
    const type type = type_of(i);
    const uint64_t value = get(m, i, first, type);
    if (has(i, "exch"))
        return value;
    if (has(i, "cas"))
        return old == extended({'b', type.bits, 1}, value) ? get(m, i, first + 1, type) : old;
    if (has(i, "inc"))
        return old >= value ? 0 : old + 1;
    if (has(i, "dec"))
        return old == 0 || old > value ? value : old - 1;
    return joined(m, i, old, value);
}

/* red has no result. */
void run_atomic(machine &m, const instruction &i)
{
    const bool has_result = i.what->name[0] == 'a';
    const type type = type_of(i);
    const size_t bytes = type.bits * type.lanes / 8;
    char *at = address_of(m, i, has_result ? 1 : 0, is_in_shared(i), bytes);
    uint64_t old = 0;
    sim_atomic_begin(m.place, i.name, at, bytes);
    memcpy(&old, at, bytes);
    const uint64_t value = changed(m, i, has_result ? 2 : 1, old);
    memcpy(at, &value, bytes);
    sim_atomic_end();
    if (has_result)
        set(m, i, 0, {type.kind, type.bits * type.lanes, 1}, old);
}

/* Addresses in shared memory have 32 bits, and those of other memory are the same everywhere. */
void run_convert_address(machine &m, const instruction &i)
{
    const uint64_t at = get(m, i, 1, b64);
    const bool to = has(i, "to");
    set(m, i, 0, type_of(i),
        !is_in_shared(i) ? at
        : to             ? sim_shared_address(reinterpret_cast<void *>(at))
                         : reinterpret_cast<uintptr_t>(sim_shared_memory((uint32_t)at)));
}

void run_is_in_space(machine &m, const instruction &i)
{
    set(m, i, 0, predicate, sim_is_shared(reinterpret_cast<void *>(get(m, i, 1, b64))) == is_in_shared(i));
}

void run_copy(machine &m, const instruction &i)
{
    const size_t bytes = get(m, i, 2, b32);
    const bool has_size = i.group_count > (has(i, "L2::cache_hint") ? 4u : 3u);
    const size_t read = has_size ? get(m, i, 3, b32) & UINT32_MAX : bytes;
    if ((bytes != 16 && (has(i, "cg") || (bytes != 4 && bytes != 8))) || read > bytes)
        sim_stop(m.place, "executes %s of %zu bytes, %zu of them read", i.name, bytes, read);
    char *to = address_of(m, i, 0, true, bytes);
    const char *from = address_of(m, i, 1, false, bytes);
    const size_t unit = read == 0 ? bytes : read & (0 - read);
    for (size_t at = 0; at < bytes; at += unit)
        sim_copy_ask(m.place, to + at, at < read ? from + at : nullptr, unit);
}

/* Threads among themselves. */

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

enum { ROW = 16 };

unsigned matrices_of(const machine &m, const instruction &i)
{
    const unsigned count = has(i, "x1") ? 1 : has(i, "x2") ? 2 : has(i, "x4") ? 4 : 0;
    if (count == 0 || type_of(i).bits != 16)
        refuse(m, i);
    return count;
}

void run_load_matrix(machine &m, const instruction &i)
{
    const unsigned here = simt::lane(), count = matrices_of(m, i);
    uint64_t own[2] = {0, 0}, rows[2][SIM_WARP];
    uint16_t elements[SIM_WARP][ROW / 2];
    if (here < 8 * count)
        load(m, i, reinterpret_cast<char *>(own), address_of(m, i, 1, true, ROW), ROW);
    memcpy(rows[0], sim_warp_whole(m.place, i.name, own[0]), sizeof rows[0]);
    memcpy(rows[1], sim_warp_exchange(m.place, i.name, all_lanes, own[1]), sizeof rows[1]);
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
    (void)sim_warp_exchange(m.place, i.name, all_lanes, 0);
}

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

/* Clusters, barriers with phases, and bulk copies. */

uint64_t *mbarrier_of(const machine &m, const instruction &i, unsigned group)
{
    return reinterpret_cast<uint64_t *>(address_of(m, i, group, is_in_shared(i), sizeof(uint64_t)));
}

/* The state that an arrival returns is the parity. */
void run_mbarrier_arrive(machine &m, const instruction &i)
{
    const bool expects = has(i, "expect_tx");
    uint64_t *barrier = mbarrier_of(m, i, 1);
    const uint32_t number = i.group_count > 2 ? (uint32_t)get(m, i, 2, b32) : 1;
    set(m, i, 0, b64, sim_mbarrier_arrive(m.place, barrier, expects ? 1 : number, expects ? number : 0));
}

void run_mbarrier_test(machine &m, const instruction &i)
{
    set(m, i, 0, predicate, sim_mbarrier_test(m.place, mbarrier_of(m, i, 1), (uint32_t)get(m, i, 2, b64)));
}

/* Of this block's shared memory to an address of another's, of the same kind. */
void run_map(machine &m, const instruction &i)
{
    const uint64_t at = get(m, i, 1, b64);
    void *own =
        is_in_shared(i) && type_of(i).bits == 32 ? sim_shared_memory((uint32_t)at) : reinterpret_cast<void *>(at);
    void *there = sim_cluster_map(m.place, own, (unsigned)get(m, i, 2, b32));
    set(m, i, 0, b64, type_of(i).bits == 32 ? sim_shared_address(there) : reinterpret_cast<uint64_t>(there));
}

/* To this block, or to all whose bit is in the mask behind the barrier: at the same place, with the same barrier. */
template <typename F>
void for_receivers(const machine &m, const instruction &i, char *to, unsigned barrier, F load)
{
    uint64_t *own = mbarrier_of(m, i, barrier);
    if (!has(i, "multicast::cluster"))
        return load(to, own);
    const uint64_t mask = get(m, i, barrier + 1, {'b', 16, 1}) & 0xFFFF;
    for (unsigned rank = 0; mask >> rank != 0; rank++)
        if ((mask >> rank & 1) != 0)
            load(static_cast<char *>(sim_cluster_map(m.place, to, rank)),
                 static_cast<uint64_t *>(sim_cluster_map(m.place, own, rank)));
}

void run_bulk_copy(machine &m, const instruction &i)
{
    const size_t bytes = get(m, i, 2, b32) & UINT32_MAX;
    const bool loads = has(i, "mbarrier::complete_tx::bytes");
    char *to = address_of(m, i, 0, loads, 1), *from = address_of(m, i, 1, !loads || !has(i, "global"), 1);
    if (loads)
        for_receivers(m, i, to, 3,
                      [&](char *there, uint64_t *barrier) { sim_bulk_load(m.place, there, from, bytes, barrier); });
    else
        sim_bulk_store(m.place, to, from, bytes);
}

/* The tensor map is followed by coordinates. */
void run_tensor_copy(machine &m, const instruction &i)
{
    const bool loads = has(i, "mbarrier::complete_tx::bytes");
    const unsigned map = loads ? 1 : 0;
    const size_t rank = width(m, i, map + 1);
    const char name[] = {(char)('0' + rank), 'd', '\0'};
    int32_t at[SIM_TENSOR_RANK];
    if (rank > SIM_TENSOR_RANK || !has(i, name))
        refuse(m, i);
    for (size_t k = 0; k < rank; k++)
        at[k] = (int32_t)get(m, i, map + 1, b32, k);
    const sim_box box = sim_box_of(m.place, address_of(m, i, map, false, 1), (unsigned)rank, at);
    char *shared = address_of(m, i, loads ? 0 : 2, true, 1);
    if (loads)
        for_receivers(m, i, shared, 3,
                      [&](char *there, uint64_t *barrier) { sim_box_load(m.place, there, &box, barrier); });
    else
        sim_box_store(m.place, &box, shared);
}

/* A loop lets others run. */
void run_branch(machine &m, const instruction &i)
{
    if (i.target < m.next)
        sim_pause();
    m.next = i.target;
}

#define SPACES "global shared shared::cta shared::cluster local const param "
#define RANKS "1d 2d 3d 4d 5d "
#define SCOPES "cta cluster gpu sys "
#define CACHES                                                                                                     \
    "ca cg cs lu cv wb wt nc L1::no_allocate L1::evict_last L1::evict_first L1::evict_normal L1::evict_unchanged " \
    "L2::64B L2::128B L2::256B L2::evict_first L2::evict_last L2::evict_normal L2::cache_hint v2 v4 v8 "
#define ORDERS "volatile relaxed acquire release acq_rel weak sc noftz unified "

/* By name; the longest that fits counts. Kinds of instructions of compute capability 9.0 on have a place here, too. */
#define DO(...) [](machine &m, const instruction &i) { (void)m, (void)i, (void)(__VA_ARGS__); }
const row rows[] = {
    {"activemask", "", DO(set(m, i, 0, b32, sim_warp_active(m.place)))},
    {"atom", SPACES SCOPES CACHES ORDERS "add min max and or xor exch cas inc dec", run_atomic},
    {"bar.arrive", "aligned", run_barrier},
    {"bar.sync", "aligned", run_barrier},
    {"bar.warp.sync", "", DO(sim_warp_exchange(m.place, i.name, (uint32_t)get(m, i, 0, b32), 0))},
    {"barrier.arrive", "aligned", run_barrier},
    {"barrier.cta.arrive", "aligned", run_barrier},
    {"barrier.cta.sync", "aligned", run_barrier},
    {"barrier.sync", "aligned", run_barrier},
    {"barrier.cluster.arrive", ORDERS "aligned", DO(sim_group_arrive(m.place))},
    {"barrier.cluster.wait", ORDERS "aligned", DO(sim_group_wait(m.place, i.name))},
    {"bfe", "", run_extract},
    {"bfi", "", run_insert},
    {"bra", "uni", run_branch},
    {"brkpt", "", DO(sim_stop(m.place, "executes %s", i.name))},
    {"cp.async", SPACES CACHES, run_copy},
    {"cp.async.bulk", SPACES CACHES "mbarrier::complete_tx::bytes multicast::cluster bulk_group", run_bulk_copy},
    {"cp.async.bulk.commit_group", "", DO(sim_copy_commit(SIM_BULK))},
    {"cp.async.bulk.prefetch", SPACES CACHES RANKS "L2 tensor tile", DO(0)},
    {"cp.async.bulk.tensor", SPACES CACHES RANKS "tile mbarrier::complete_tx::bytes multicast::cluster bulk_group",
     run_tensor_copy},
    {"cp.async.bulk.wait_group", "read", DO(sim_copy_wait(SIM_BULK, (unsigned)get(m, i, 0, b32)))},
    {"cp.async.commit_group", "", DO(sim_copy_commit(SIM_ASYNC))},
    {"cp.async.wait_all", "", DO(sim_copy_commit(SIM_ASYNC), sim_copy_wait(SIM_ASYNC, 0))},
    {"cp.async.wait_group", "", DO(sim_copy_wait(SIM_ASYNC, (unsigned)get(m, i, 0, b32)))},
    {"createpolicy", SPACES CACHES "fractional range L2::evict_unchanged", DO(set(m, i, 0, b64, 0))},
    {"cvt", "rn rz rm rp rna rni rzi rmi rpi ftz sat relu", run_convert},
    {"cvta", SPACES "to", run_convert_address},
    {"discard", SPACES CACHES, DO(0)},
    {"elect.sync", "", run_elect},
    {"fence", SCOPES ORDERS, DO(0)},
    {"fence.mbarrier_init", SCOPES ORDERS, DO(sim_proxy_fence())},
    {"fence.proxy.async", SPACES, DO(sim_proxy_fence())},
    {"fence.proxy.tensormap::generic", SCOPES ORDERS, DO(0)},
    {"griddepcontrol.launch_dependents", "", DO(0)},
    {"griddepcontrol.wait", "", DO(sim_early_wait())},
    {"isspacep", SPACES, run_is_in_space},
    {"ld", SPACES SCOPES CACHES ORDERS, run_move_memory},
    {"ldmatrix.sync", SPACES "aligned m8n8 x1 x2 x4 trans", run_load_matrix},
    {"ldu", SPACES CACHES, run_move_memory},
    {"lop3", "", run_lop3},
    {"mapa", SPACES, run_map},
    {"mbarrier.arrive", SPACES SCOPES ORDERS "expect_tx", run_mbarrier_arrive},
    {"mbarrier.expect_tx", SPACES SCOPES ORDERS,
     DO(sim_mbarrier_arrive(m.place, mbarrier_of(m, i, 0), 0, (uint32_t)get(m, i, 1, b32)))},
    {"mbarrier.init", SPACES, DO(sim_mbarrier_make(m.place, mbarrier_of(m, i, 0), (uint32_t)get(m, i, 1, b32)))},
    {"mbarrier.inval", SPACES, DO(0)},
    {"mbarrier.test_wait", SPACES SCOPES ORDERS "parity", run_mbarrier_test},
    {"mbarrier.try_wait", SPACES SCOPES ORDERS "parity", run_mbarrier_test},
    {"membar", "cta gl sys", DO(0)},
    {"mma.sync", "aligned m16n8k4 m16n8k8 m16n8k16 m16n8k32 row col", run_mma},
    {"mov", "", run_move},
    {"nanosleep", "", DO(sim_pause())},
    {"prefetch", SPACES CACHES "L1 L2 tensormap", DO(0)},
    {"prefetchu", "L1", DO(0)},
    {"prmt", "", run_permute},
    {"red", SPACES SCOPES CACHES ORDERS "add min max and or xor inc dec", run_atomic},
    {"redux.sync", "add min max and or xor", run_reduce},
    {"selp", "", DO(set(m, i, 0, b64, get(m, i, get(m, i, 3, predicate) != 0 ? 1 : 2, type_of(i))))},
    {"setmaxnreg", "inc dec sync aligned", DO(0)},
    {"setp", "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz", run_set_predicate},
    {"shf", "l r wrap clamp", run_funnel_shift},
    {"shfl.sync", "up down bfly idx", run_shuffle},
    {"st", SPACES SCOPES CACHES ORDERS, run_move_memory},
    {"stmatrix.sync", SPACES "aligned m8n8 x1 x2 x4 trans", run_store_matrix},
    {"trap", "", DO(sim_stop(m.place, "executes %s", i.name))},
    {"vote.sync", "all any uni ballot", run_vote},
    {"wgmma.commit_group", "sync aligned", DO(sim_wgmma_commit())},
    {"wgmma.fence", "sync aligned", DO(sim_wgmma_fence())},
    {"wgmma.mma_async.sync", nullptr, run_wgmma},
    {"wgmma.wait_group", "sync aligned", DO(sim_wgmma_wait(m.place, (unsigned)get(m, i, 0, b32)))},
};

uint32_t lanes_below()
{
    return (UINT32_C(1) << simt::lane()) - 1;
}

uint3 cluster_shape()
{
    const uint3 shape = sim_block.launch->cluster;
    return shape.x > 0 ? shape : uint3{1, 1, 1};
}

#define SPECIAL(name, ...)                             \
    {                                                  \
        name, []() -> uint64_t { return __VA_ARGS__; } \
    }
#define OF_AXIS(axis)                                                                                              \
    SPECIAL("cluster_ctaid." #axis, blockIdx.axis % cluster_shape().axis),                                         \
        SPECIAL("cluster_nctaid." #axis, cluster_shape().axis),                                                    \
        SPECIAL("clusterid." #axis, blockIdx.axis / cluster_shape().axis),                                         \
        SPECIAL("nclusterid." #axis, gridDim.axis / cluster_shape().axis), SPECIAL("ctaid." #axis, blockIdx.axis), \
        SPECIAL("nctaid." #axis, gridDim.axis), SPECIAL("ntid." #axis, blockDim.axis),                             \
        SPECIAL("tid." #axis, threadIdx.axis)
const struct {
    const char *name;
    uint64_t (*value)();
} specials[] = {
    OF_AXIS(x),
    OF_AXIS(y),
    OF_AXIS(z),
    SPECIAL("clock", (uint32_t)clock64()),
    SPECIAL("clock64", (uint64_t)clock64()),
    SPECIAL("cluster_ctarank", sim_cluster_rank()),
    SPECIAL("cluster_nctarank", sim_cluster_size()),
    SPECIAL("dynamic_smem_size", sim_block.launch->dynamic_shared_bytes),
    SPECIAL("globaltimer", (uint64_t)clock64()),
    SPECIAL("globaltimer_lo", (uint32_t)clock64()),
    SPECIAL("gridid", 0),
    SPECIAL("laneid", simt::lane()),
    SPECIAL("lanemask_eq", lanes_below() + 1),
    SPECIAL("lanemask_ge", ~lanes_below()),
    SPECIAL("lanemask_gt", ~lanes_below() << 1 & UINT32_MAX & ~lanes_below()),
    SPECIAL("lanemask_le", lanes_below() << 1 | 1),
    SPECIAL("lanemask_lt", lanes_below()),
    SPECIAL("nsmid", (unsigned)sim_multiprocessors),
    SPECIAL("nwarpid", SIM_THREADS_MAX / SIM_WARP),
    SPECIAL("smid", blockIdx.x % (unsigned)sim_multiprocessors),
    SPECIAL("warpid", sim_block.current / SIM_WARP),
};
} // namespace

int find_special(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof specials / sizeof specials[0]; k++)
        if (strlen(specials[k].name) == length && strncmp(specials[k].name, name, length) == 0)
            return (int)k;
    return -1;
}

void run_compute(machine &m, const instruction &i)
{
    uint64_t values[3] = {0, 0, 0};
    const bool is_shift = i.what->name[0] == 's' && i.what->name[1] == 'h';
    for (unsigned k = 1; k < i.group_count && k <= 3; k++)
        values[k - 1] = get(m, i, k, type_of(i));
    if (is_shift)
        values[1] = std::min<uint64_t>((uint32_t)get(m, i, 2, b32), 255);
    set(m, i, 0, b64, compute(*i.what, i, type_of(i), values));
}

uint64_t special_value(int which)
{
    return specials[which].value();
}

const row *find_row(const char *name, size_t length)
{
    const row *found = nullptr;
    for (size_t k = 0; k < ARITHMETIC + sizeof rows / sizeof rows[0]; k++) {
        const row &one = k < ARITHMETIC ? arithmetic[k] : rows[k - ARITHMETIC];
        const size_t own = strlen(one.name);
        if (own <= length && strncmp(one.name, name, own) == 0 && (own == length || name[own] == '.') &&
            (!found || own > strlen(found->name)))
            found = &one;
    }
    return found;
}

uint64_t get(const machine &m, const instruction &i, unsigned group, type type, size_t which)
{
    return value_of(m, operand_of(m, i, group, which), type);
}

size_t width(const machine &m, const instruction &i, unsigned group)
{
    (void)operand_of(m, i, group, 0);
    return i.groups[group].count;
}

void set(machine &m, const instruction &i, unsigned group, type type, uint64_t bits, size_t which)
{
    const operand &to = operand_of(m, i, group, which);
    bits = extended({type.kind, type.bits * type.lanes, 1}, bits);
    if (to.from == source::NOTHING)
        return;
    if (to.from == source::REGISTER && to.number >= m.count)
        m.registers[to.number - m.count] = bits;
    else if (to.from == source::REGISTER && m.operands[to.number].memory)
        store(m, i, static_cast<char *>(m.operands[to.number].memory), &bits, m.operands[to.number].bytes);
    else
        sim_stop(m.place, "executes %s, which writes to what is no output", i.name);
}

namespace
{
/* What was read, by where its text lies. Code that is loaded later may have another text there. */
struct kept {
    char *text;
    const char *at;
    size_t operands;
    code *made;
    kept *next;
};
SIM_OWN kept *kept_texts[1024];

const code *find_code(sim_place place, const char *text, size_t operands)
{
    kept *&first = kept_texts[reinterpret_cast<uintptr_t>(text) / 8 % (sizeof kept_texts / sizeof kept_texts[0])];
    for (const kept *one = first; one; one = one->next)
        if (one->at == text && one->operands == operands && strcmp(one->text, text) == 0)
            return one->made;
    code *made = read(place, text, operands);
    first = new kept{memory_print("%s", text), text, operands, made, first};
    return made;
}
} // namespace
} // namespace ptx

void sim_ptx(sim_place place, const char *text, const sim_ptx_operand *operands, size_t count)
{
    const ptx::code *code = ptx::find_code(place, text, count);
    ptx::machine m;
    m.place = place;
    m.program = code;
    m.operands = operands;
    m.count = count;
    m.next = 0;
    memset(m.registers, 0, code->register_count * sizeof m.registers[0]);
    while (m.next < code->items.size()) {
        const ptx::instruction &i = code->items[m.next++];
        if (ptx::is_true(m, i.guard))
            i.what->run(m, i);
    }
}

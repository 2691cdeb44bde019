#include "sim_ptx_code.h"

#include "sim_access.h"
#include "sim_async.h"
#include "sim_copy.h"
#include "sim_group.h"
#include "sim_shared.h"

#include <cstring>

namespace ptx
{
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

uint64_t *mbarrier_of(const machine &m, const instruction &i, unsigned group)
{
    return reinterpret_cast<uint64_t *>(address_of(m, i, group, is_in_shared(i), sizeof(uint64_t)));
}

/* ld and st, of one number or a vector of them. */
void run_move_memory(machine &m, const instruction &i)
{
    const type type = type_of(i);
    const bool stores = i.what->name[0] == 's';
    const unsigned value = stores ? 1 : 0;
    const size_t count = width(m, i, value), each = type.bits / 8, bytes = count * each;
    uint64_t bits[8] = {0};
    char all[sizeof bits];
    if (count > sizeof bits / sizeof bits[0])
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

namespace
{
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
} // namespace

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

namespace
{
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
} // namespace

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
} // namespace ptx

/* The instructions of PTX that are simulated: the table is at the end. */
#include "sim_ptx_code.h"

#include "cpu/simulator/cuda/simt_threads.h"
#include "sim_async.h"
#include "sim_copy.h"
#include "sim_early.h"
#include "sim_group.h"
#include "sim_proxy.h"
#include "sim_wgmma.h"

extern "C" {
#include "bench/base/memory.h"
#include "bench/table/backend.h"
}

#include <algorithm>
#include <iterator>

namespace ptx
{
[[noreturn]] void refuse(sim_place place, std::string_view what)
{
    const bool is_long = what.size() >= 90;
    sim_stop(place, "executes %.*s%s" NOT_SIMULATED, is_long ? 90 : (int)what.size(), what.data(),
             is_long ? "..." : "");
}

[[noreturn]] void refuse(const machine &m, const instruction &i)
{
    refuse(m.place, i.name);
}

namespace
{
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

int find_special(std::string_view name)
{
    for (size_t k = 0; k < std::size(specials); k++)
        if (name == specials[k].name)
            return (int)k;
    return -1;
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
        bits = specials[from.number].value();
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
bool is_true(const machine &m, const operand &guard)
{
    return guard.from == source::NOTHING || value_of(m, guard, predicate) != 0;
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

} // namespace

const row *find_row(std::string_view name)
{
    const row *found = nullptr;
    for (size_t k = 0; k < ARITHMETIC + std::size(rows); k++) {
        const row &one = k < ARITHMETIC ? arithmetic[k] : rows[k - ARITHMETIC];
        const std::string_view own = one.name, next = name.substr(std::min(own.size(), name.size()));
        if (name.substr(0, own.size()) == own && (next.empty() || next[0] == '.') &&
            (!found || own.size() > strlen(found->name)))
            found = &one;
    }
    return found;
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
    kept *&first = kept_texts[reinterpret_cast<uintptr_t>(text) / 8 % std::size(kept_texts)];
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

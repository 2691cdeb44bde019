#include "sim_access.h"

#include "cpu/backend/guarded_memory.h"
#include "sim_arrays.h"
#include "sim_crew.h"
#include "sim_early.h"
#include "sim_fiber.h"
#include "sim_order.h"
#include "sim_proxy.h"
#include "sim_race.h"
#include "sim_shared.h"
#include "sim_thread.h"
#include "sim_warps.h"

#include <stdio.h>
#include <string.h>

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
enum { BUFFERS = 4, STATIC_SHARED_MAX = 48 << 10 };

static SIM_OWN enum { NOT_HERE, PLAINLY, WITH_NOTES } simulates; /* other threads of the host may run meanwhile */
SIM_OWN bool sim_entering;                                       /* the next function that begins is a kernel */

static SIM_OWN struct {
    struct sim_module *module; /* NULL: of no kernel yet */
    struct sim_region device;
    struct {
        const char *data;
        size_t bytes;
    } buffers[BUFFERS]; /* some that were touched */
    size_t next;        /* of them to be forgotten */
} here;

static void stop_outside(const struct sim_touch *touch, const struct sim_region *region, const struct sim_array *before)
{
    const char *verb = touch->writes ? "writes" : "reads", *kind = region == &sim_shared.region ? "shared" : "device";
    char name[128], array[192] = "dynamic shared memory";
    if (!before)
        sim_stop(sim_touch_place(touch), "%s out of bounds, in no array", verb);
    const uintptr_t end = region->start + before->offset + before->bytes, at = (uintptr_t)touch->address;
    sim_symbol_name(before->symbol, name, sizeof name);
    if (!before->is_dynamic)
        snprintf(array, sizeof array, "the %s array %s", kind, name);
    sim_stop(sim_touch_place(touch), "%s out of bounds, %zu bytes past the end of %s, of %zu bytes", verb,
             at > end ? (size_t)(at - end) : 0, array, before->bytes);
}

/* Counts what the block uses, and fills it with poison. */
static void use(struct sim_array *array, const struct sim_touch *touch)
{
    const size_t dynamic = sim_block.launch->dynamic_shared_bytes;
    sim_shared_open(array);
    if (sim_shared.static_bytes > STATIC_SHARED_MAX)
        sim_stop(sim_touch_place(touch),
                 "the block uses %zu bytes of shared memory that is no extern array, expected at most %d",
                 sim_shared.static_bytes, STATIC_SHARED_MAX);
    if (sim_shared.static_bytes + dynamic > SIM_SHARED_BYTES_MAX)
        sim_stop(sim_touch_place(touch), "the block uses %zu bytes of shared memory, expected at most %d",
                 sim_shared.static_bytes + dynamic, SIM_SHARED_BYTES_MAX);
}

/* The array that lies at the offset in the shared memory of a block. */
static struct sim_array *shared_array(const struct sim_touch *touch, size_t offset)
{
    struct sim_array *array = sim_region_find(&sim_shared.region, offset);
    if (!array || offset + touch->bytes > array->offset + array->bytes)
        stop_outside(touch, &sim_shared.region, array);
    return array;
}

static void look_at_shared(const struct sim_touch *touch)
{
    const size_t offset = (uintptr_t)touch->address - sim_shared.region.start;
    struct sim_array *array = shared_array(touch, offset);
    if (sim_shared.serial != sim_block.serial)
        sim_shared_renew(sim_block.serial);
    if (!sim_region_holds(&sim_shared.region, offset, touch->bytes))
        use(array, touch);
    if (sim_race_traces && strncmp(array->symbol, "_ZGV", 4) != 0) /* a guard of the compiler's own */
        sim_race_note(touch);
    if (sim_proxy_traces && touch->writes && !touch->is_atomic)
        sim_proxy_note(touch->address, touch->bytes);
}

static inline bool is_in(const struct sim_region *region, uintptr_t at)
{
    return at - region->start < region->bytes;
}

static inline bool is_in_buffer(uintptr_t at, size_t bytes)
{
    for (size_t i = 0; i < BUFFERS; i++) {
        const size_t offset = at - (uintptr_t)here.buffers[i].data, size = here.buffers[i].bytes;
        if (offset < size && bytes <= size - offset)
            return true;
    }
    return false;
}

static void look_at_other_block(const struct sim_touch *touch)
{
    const size_t offset = sim_image_offset(touch->address);
    if (offset == SIZE_MAX)
        sim_stop(sim_touch_place(touch), "%s shared memory of a block that has ended",
                 touch->writes ? "writes" : "reads");
    (void)shared_array(touch, offset);
}

/* Memory that the host has allocated is nobody's to write to; the rest is seen to by the processor. */
static void look_at_buffer(const struct sim_touch *touch)
{
    const char *verb = touch->writes ? "writes" : "reads", *at = touch->address, *data;
    size_t bytes;
    char where[128];
    if (!guarded_memory_around(at, &data, &bytes)) {
        if (touch->writes)
            sim_stop(sim_touch_place(touch), "writes out of bounds, in no buffer");
        return;
    }
    if (sim_early_watches)
        sim_early_note(touch);
    if (is_in_buffer((uintptr_t)at, touch->bytes))
        return;
    here.buffers[here.next].data = data;
    here.buffers[here.next].bytes = bytes;
    here.next = (here.next + 1) % BUFFERS;
    if (is_in_buffer((uintptr_t)at, touch->bytes))
        return;
    const bool begins_inside = at >= data && at < data + bytes;
    (void)guarded_memory_describe(begins_inside ? data + bytes : at, where, sizeof where);
    sim_stop(sim_touch_place(touch), "%s out of bounds, %s", verb, where);
}

static void look(const struct sim_touch *touch)
{
    const uintptr_t at = (uintptr_t)touch->address;
    if (is_in(&sim_shared.region, at))
        look_at_shared(touch);
    else if (sim_images_hold(touch->address))
        look_at_other_block(touch);
    else if (!is_in(&here.device, at))
        look_at_buffer(touch);
    else if (here.device.count > 0 && !sim_region_holds(&here.device, at - here.device.start, touch->bytes))
        stop_outside(touch, &here.device, sim_region_find(&here.device, at - here.device.start));
}

/* Whether look() would find nothing to do; most accesses are of that kind. */
static inline bool is_fine(uintptr_t at, size_t bytes)
{
    if (is_in(&sim_shared.region, at))
        return sim_region_holds(&sim_shared.region, at - sim_shared.region.start, bytes) &&
               sim_shared.serial == sim_block.serial && !sim_race_traces && !sim_proxy_traces;
    if (is_in(&here.device, at))
        return sim_region_holds(&here.device, at - here.device.start, bytes);
    return (is_in_buffer(at, bytes) && !sim_early_watches) || sim_fibers_own((const void *)at);
}

void sim_access_open(void)
{
    simulates = sim_notes == 0 ? PLAINLY : WITH_NOTES;
    here.device = (struct sim_region){.bytes = 0};
    memset(here.buffers, 0, sizeof here.buffers);
}

void sim_access_shut(void)
{
    if (here.module)
        sim_shared_end();
    here.module = NULL;
    sim_entering = false;
    simulates = NOT_HERE;
}

/* A constructor, "P::P": its name has C1 or C2 before the types (Itanium C++ ABI, "Constructors and Destructors"). */
static bool copies_an_argument(const char *symbol)
{
    return strncmp(symbol, "_ZN", 3) == 0 && (strstr(symbol, "C1E") || strstr(symbol, "C2E"));
}

/* From here on its arrays are known. */
static void enter(const void *code)
{
    if (here.module || sim_block.launch->is_runtime) {
        sim_entering = false;
        return;
    }
    here.module = sim_module_of(code);
    if (!here.module)
        return;
    const struct sim_function kernel = sim_module_function(here.module, code);
    if (kernel.symbol && copies_an_argument(kernel.symbol)) {
        here.module = NULL; /* the kernel comes next */
        return;
    }
    sim_entering = false;
    if (kernel.symbol)
        sim_symbol_name(kernel.symbol, sim_block.kernel, sizeof sim_block.kernel);
    sim_shared_begin(&here.module->shared, sim_block.launch->dynamic_shared_bytes);
    here.device = here.module->device;
    if (kernel.cluster[0] > 0)
        sim_declare_cluster((struct uint3){kernel.cluster[0], kernel.cluster[1], kernel.cluster[2]});
    sim_proxy_enter((const void *)kernel.start);
    sim_kernel_entered((const void *)kernel.start);
}

void sim_access_begin(struct sim_place place, const char *operation, const void *memory, size_t bytes, bool writes)
{
    const struct sim_touch touch = {memory, bytes, NULL, place, writes, sim_block.in_atomic};
    sim_current()->place = place;
    sim_current()->operation = operation;
    if (here.module && !is_fine((uintptr_t)memory, bytes))
        look(&touch);
    if (writes)
        sim_race_wrote(&touch);
    else if ((sim_notes & SIM_NOTES_WARPS) != 0 && is_in_buffer((uintptr_t)memory, bytes))
        sim_warps_miss();
}

void sim_access_end(void)
{
    sim_current()->operation = NULL;
}

void sim_access_touch(struct sim_place place, const char *operation, const void *memory, size_t bytes, bool writes)
{
    const volatile char *byte = memory;
    sim_access_begin(place, operation, memory, bytes, writes);
    (void)byte[0];
    (void)byte[bytes - 1];
    sim_access_end();
}

bool sim_access_looks(void)
{
    return simulates && here.module;
}

/* Its text is nobody's: the launch has another, of a block before. */
static void end_with_others(void)
{
    sim_refuse("a block before this one has failed");
}

void sim_access_wait(void)
{
    if (simulates && !sim_crew_in_order())
        end_with_others();
}

void sim_atomic_begin(struct sim_place place, const char *operation, void *memory, size_t bytes)
{
    if (!sim_block.launch)
        return;
    if (!is_in(&sim_shared.region, (uintptr_t)memory))
        sim_access_wait();
    sim_block.in_atomic = true;
    sim_access_begin(place, operation, memory, bytes, true);
}

void sim_atomic_end(void)
{
    if (!sim_block.launch)
        return;
    sim_access_end();
    sim_block.in_atomic = false;
}

static inline void look_at_code(const void *address, size_t bytes, bool writes, bool is_atomic, const void *next)
{
    if (!is_fine((uintptr_t)address, bytes))
        look(&(struct sim_touch){address, bytes, (const char *)next - 1, {"", 0}, writes, is_atomic});
}

/* Nobody asks for variables of the file. */
static void note(const struct sim_touch *touch)
{
    const bool is_shared = is_in(&sim_shared.region, (uintptr_t)touch->address);
    if (touch->writes)
        sim_race_wrote(touch);
    if ((sim_notes & SIM_NOTES_WARPS) != 0 && !touch->is_atomic &&
        (is_shared || is_in_buffer((uintptr_t)touch->address, touch->bytes)))
        sim_warps_note(touch, is_shared);
}

static inline void go_on(void)
{
    if (sim_crew_has_failed && sim_crew_ends())
        end_with_others();
    if (sim_order_interrupts())
        sim_pause();
}

/* Apart from touched(), which is most of the simulator's time. */
__attribute__((noinline)) static void touched_with_notes(const void *address, size_t bytes, bool writes,
                                                         const void *next)
{
    const struct sim_touch touch = {address, bytes, (const char *)next - 1, {"", 0}, writes, false};
    if (simulates == NOT_HERE || !here.module)
        return;
    if (!sim_fibers_own(address)) {
        look(&touch);
        note(&touch);
    }
    go_on();
}

/* By the instrumented code. Host code is instrumented, too. */
static inline void touched(const void *address, size_t bytes, bool writes, const void *next)
{
    if (simulates != PLAINLY || !here.module) {
        touched_with_notes(address, bytes, writes, next);
        return;
    }
    look_at_code(address, bytes, writes, false, next);
    go_on();
}

/* Of C++ and the compiler: std::atomic, and what kernels write with __atomic functions. */
static void touched_by_atomic(const void *address, size_t bytes, bool writes, const void *next)
{
    if (!simulates || !here.module)
        return;
    if (!is_in(&sim_shared.region, (uintptr_t)address))
        sim_access_wait();
    look_at_code(address, bytes, writes, true, next);
    if (simulates == WITH_NOTES)
        note(&(struct sim_touch){address, bytes, (const char *)next - 1, {"", 0}, writes, true});
}

/* What UndefinedBehaviorSanitizer is told. */
struct type {
    uint16_t kind, detail;
    char name[];
};

struct index_fault {
    struct sim_place place; /* a column is where that has nothing */
    const struct type *array, *index;
};

struct address_fault {
    struct sim_place place;
    const struct type *type;
    unsigned char log_alignment, check;
};

/* From here on all is called by instrumented code: the compiler knows these functions, and passes more than is asked
 * for here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define HOOK(name, bytes, writes)                                     \
    void __tsan_##name(const void *address)                           \
    {                                                                 \
        touched(address, bytes, writes, __builtin_return_address(0)); \
    }
#define HOOKS(bytes)                          \
    HOOK(read##bytes, bytes, false)           \
    HOOK(write##bytes, bytes, true)           \
    HOOK(unaligned_read##bytes, bytes, false) \
    HOOK(unaligned_write##bytes, bytes, true)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

#define RANGE_HOOK(name, writes)                                          \
    void __tsan_##name(const void *address, size_t bytes)                 \
    {                                                                     \
        if (bytes > 0)                                                    \
            touched(address, bytes, writes, __builtin_return_address(0)); \
    }
RANGE_HOOK(read_range, false)
RANGE_HOOK(write_range, true)

void __tsan_func_entry(const void *caller)
{
    if (sim_entering && simulates)
        enter(__builtin_return_address(0));
}

#define IDLE_HOOK(name, ...)        \
    void __tsan_##name(__VA_ARGS__) \
    {                               \
    }
IDLE_HOOK(init, void)
IDLE_HOOK(func_exit, void)
IDLE_HOOK(vptr_read, const void *address)
IDLE_HOOK(vptr_update, const void *address, const void *value)
IDLE_HOOK(atomic_thread_fence, int order)
IDLE_HOOK(atomic_signal_fence, int order)

#define ATOMIC_HOOKS(T, bits)                                                                    \
    T __tsan_atomic##bits##_load(const volatile T *address, int order)                           \
    {                                                                                            \
        touched_by_atomic((const void *)address, sizeof(T), false, __builtin_return_address(0)); \
        return *address;                                                                         \
    }                                                                                            \
    void __tsan_atomic##bits##_store(volatile T *address, T value, int order)                    \
    {                                                                                            \
        touched_by_atomic((const void *)address, sizeof(T), true, __builtin_return_address(0));  \
        *address = value;                                                                        \
    }                                                                                            \
    ATOMIC_CHANGE(T, bits, exchange, value)                                                      \
    ATOMIC_CHANGE(T, bits, fetch_add, (T)(old + value))                                          \
    ATOMIC_CHANGE(T, bits, fetch_sub, (T)(old - value))                                          \
    ATOMIC_CHANGE(T, bits, fetch_and, (T)(old & value))                                          \
    ATOMIC_CHANGE(T, bits, fetch_or, (T)(old | value))                                           \
    ATOMIC_CHANGE(T, bits, fetch_xor, (T)(old ^ value))                                          \
    ATOMIC_CHANGE(T, bits, fetch_nand, (T) ~(old & value))                                       \
    ATOMIC_COMPARE(T, bits, strong)                                                              \
    ATOMIC_COMPARE(T, bits, weak)
#define ATOMIC_CHANGE(T, bits, name, changed)                                                   \
    T __tsan_atomic##bits##_##name(volatile T *address, T value, int order)                     \
    {                                                                                           \
        touched_by_atomic((const void *)address, sizeof(T), true, __builtin_return_address(0)); \
        const T old = *address;                                                                 \
        *address = changed;                                                                     \
        return old;                                                                             \
    }
#define ATOMIC_COMPARE(T, bits, name)                                                                       \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile T *address, T *expected, T value, int order, \
                                                      int failed)                                           \
    {                                                                                                       \
        touched_by_atomic((const void *)address, sizeof(T), true, __builtin_return_address(0));             \
        const T old = *address;                                                                             \
        const bool is_same = old == *expected;                                                              \
        *address = is_same ? value : old;                                                                   \
        *expected = old;                                                                                    \
        return is_same;                                                                                     \
    }
ATOMIC_HOOKS(uint8_t, 8)
ATOMIC_HOOKS(uint16_t, 16)
ATOMIC_HOOKS(uint32_t, 32)
ATOMIC_HOOKS(uint64_t, 64)

void __ubsan_handle_out_of_bounds(const struct index_fault *fault, uintptr_t index)
{
    if (sim_access_looks())
        sim_stop(fault->place, "index %lld is out of bounds of %s", (long long)index, fault->array->name);
}

void __ubsan_handle_type_mismatch_v1(const struct address_fault *fault, uintptr_t address)
{
    if (sim_access_looks() && address % (1u << fault->log_alignment) != 0)
        sim_stop(fault->place, "uses an address that is no multiple of its type's alignment");
}
#pragma GCC diagnostic pop

#include "buffers.h"

#include "bench/base/host.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNED_BYTES = 16 }; /* what the widest access asks for */

size_t buffers_bytes(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    return (size_t)op_cost(op, workload).bytes + op_buffers(op, workload, specs) * 2 * BUFFERS_GUARD_BYTES;
}

/* The zones of a buffer: what is left of its pages, or what was allocated for them, where `page` is 0. */
static void find_guards(struct buffers *buffers, size_t i, size_t page)
{
    char *start = buffers->data[i].start, *end = start + buffers->data[i].bytes;
    size_t before = BUFFERS_GUARD_BYTES, behind = BUFFERS_GUARD_BYTES;
    if (page > 0) {
        const size_t left = (uintptr_t)start % page, rest = (page - (uintptr_t)end % page) % page;
        before = left < before ? left : before;
        behind = rest < behind ? rest : behind;
    }
    buffers->guard[i][0] = (struct span){start - before, before};
    buffers->guard[i][1] = (struct span){end, behind};
}

static const char *make_one(struct buffers *buffers, size_t i, size_t bytes, const struct placement *placement)
{
    size_t page = buffers->backend->guard_page ? buffers->backend->guard_page(placement->edge) : 0;
    size_t zone = page > 0 ? 0 : BUFFERS_GUARD_BYTES, shift = placement->shift[i];
    enum edge edge = placement->edge;
    assert(shift == 0 || edge == EDGE_START);
    if (zone == 0 && shift > 0 && (shift + bytes) % ALIGNED_BYTES == 0) { /* as far behind an aligned address */
        edge = EDGE_END;
        shift = 0;
    }
    TRY_CALL(buffers->backend->allocate(zone + shift + bytes + zone, edge, &buffers->block[i]));
    buffers->data[i] = (struct span){(char *)buffers->block[i] + zone + shift, bytes};
    find_guards(buffers, i, page);
    return NULL;
}

static void split(const struct buffers *buffers, const struct op *op, const struct workload *workload, size_t i)
{
    int64_t extent[OP_RANK_MAX];
    (void)op_extents(op, workload, i, extent);
    buffers->backend->split(buffers->data[i].start, buffers->data[i].bytes, extent[0]);
}

const char *buffers_make(struct buffers *buffers, const struct backend *backend, const struct op *op,
                         const struct workload *workload, const struct placement *placement, void *const outputs[])
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *memory[OP_BUFFERS_MAX];
    *buffers = (struct buffers){
        .backend = backend,
        .begins = op_beginning(op) < OP_BUFFERS_MAX,
        .beginning = op_beginning(op),
        .poison[0].kind = (enum made_kind)(entropy_bits() % MADE_POISONS),
    };
    const size_t count = op_buffers(op, workload, specs);
    for (size_t i = 0; i < count; i++) {
        const bool is_given = outputs && specs[i].is_output;
        const char *error = is_given ? NULL : make_one(buffers, i, specs[i].bytes, placement);
        if (error) {
            buffers_free(buffers);
            return error;
        }
        if (is_given)
            buffers->data[i] = (struct span){outputs[i], specs[i].bytes};
        buffers->is_output[i] = specs[i].is_output;
        buffers->count++;
        if (op->args[i].is_split && backend->split)
            split(buffers, op, workload, i);
        memory[i] = buffers->data[i].start;
    }
    op_bind(op, workload, memory, buffers->problem);
    return NULL;
}

void buffers_free(struct buffers *buffers)
{
    for (size_t i = buffers->count; i-- > 0;) /* in reverse order, which suits some backends */
        if (buffers->block[i])
            buffers->backend->release(buffers->block[i]);
    buffers->count = 0;
}

/* What the output begins as, no rung is given. */
static bool is_hidden(const struct buffers *buffers, size_t i)
{
    return buffers->begins && i == buffers->beginning;
}

const char *buffers_transfer(const struct buffers *buffers, bool outputs, void *const host[])
{
    for (size_t i = 0; i < buffers->count; i++) {
        const struct span data = buffers->data[i];
        if (buffers->is_output[i] == outputs && !is_hidden(buffers, i))
            TRY_CALL(outputs ? buffers->backend->download(host[i], data.start, data.bytes)
                             : buffers->backend->upload(data.start, host[i], data.bytes));
    }
    return outputs ? NULL : buffers_begin(buffers, host);
}

const char *buffers_begin(const struct buffers *buffers, void *const host[])
{
    if (!buffers->begins)
        return NULL;
    const struct span data = buffers->data[buffers->count - 1];
    return buffers->backend->upload(data.start, host[buffers->beginning], data.bytes);
}

bool buffers_protect(const struct buffers *buffers, bool accessible)
{
    if (!buffers->backend->protect)
        return false;
    for (size_t i = 0; i < buffers->count; i++)
        if (buffers->block[i])
            buffers->backend->protect(buffers->block[i], accessible);
    return true;
}

void buffers_freeze_inputs(const struct buffers *buffers, bool read_only)
{
    for (size_t i = 0; i < buffers->count && buffers->backend->freeze; i++)
        if (!buffers->is_output[i])
            buffers->backend->freeze(buffers->block[i], read_only);
}

static void choose_poison(struct buffers *buffers)
{
    uint64_t step = 1 + entropy_bits() % (MADE_POISONS - 1);
    enum made_kind kind = (enum made_kind)((buffers->poison[0].kind + step) % MADE_POISONS);
    if (buffers->poison_is_finite)
        kind = buffers->poison[0].kind == MADE_FLOATS ? MADE_ZEROS : MADE_FLOATS;
    for (size_t i = 0; i < buffers->count; i++)
        buffers->poison[i] = (struct made){.kind = kind, .seed = entropy_bits()};
}

void buffers_choose_nan(struct buffers *buffers)
{
    for (size_t i = 0; i < buffers->count; i++)
        buffers->poison[i].kind = MADE_ONES;
}

static const char *put_poison(const struct buffers *buffers)
{
    for (size_t i = 0; i < buffers->count; i++)
        if (buffers->is_output[i] && !buffers_begins(buffers, i))
            TRY_CALL(buffers->backend->fill(buffers->data[i].start, buffers->data[i].bytes, &buffers->poison[i]));
    return NULL;
}

static struct made guard_made(const struct buffers *buffers, size_t number)
{
    return (struct made){.kind = MADE_BITS, .seed = made_seed(buffers->guard_seed, number)};
}

static const char *put_guards(const struct buffers *buffers)
{
    for (size_t i = 0; i < 2 * buffers->count; i++) {
        const struct span zone = buffers->guard[i / 2][i % 2];
        const struct made made = guard_made(buffers, i);
        if (zone.bytes > 0)
            TRY_CALL(buffers->backend->fill(zone.start, zone.bytes, &made));
    }
    return NULL;
}

const char *buffers_poison_outputs(struct buffers *buffers)
{
    choose_poison(buffers);
    return put_poison(buffers);
}

const char *buffers_poison(struct buffers *buffers)
{
    choose_poison(buffers);
    buffers->guard_seed = entropy_bits();
    return buffers_poison_again(buffers);
}

const char *buffers_poison_again(const struct buffers *buffers)
{
    TRY_CALL(put_poison(buffers));
    return put_guards(buffers);
}

const char *buffers_download(const struct buffers *buffers, void *const host[])
{
    TRY_CALL(buffers_transfer(buffers, true, host));
    return buffers->backend->finish();
}

static bool is_made(const void *seen, size_t bytes, const struct made *made)
{
    static unsigned char expected[BUFFERS_COMPARED_BYTES];
    made_fill(expected, bytes, made, 0);
    return memcmp(seen, expected, bytes) == 0;
}

/* Compares what is in the backend's memory with `expected`, or with what is made so where that is NULL. */
static const char *compare(const struct buffers *buffers, struct span span, const char *expected,
                           const struct made *made, bool *same)
{
    static unsigned char seen[BUFFERS_COMPARED_BYTES];
    *same = true;
    if (span.bytes == 0)
        return NULL;
    TRY_CALL(buffers->backend->download(seen, span.start, span.bytes));
    TRY_CALL(buffers->backend->finish());
    *same = expected ? memcmp(seen, expected, span.bytes) == 0 : is_made(seen, span.bytes, made);
    return NULL;
}

bool buffers_poison_is_gone(const struct buffers *buffers, size_t i, const void *seen, size_t bytes)
{
    return !buffers_begins(buffers, i) && !is_made(seen, bytes, &buffers->poison[i]);
}

const char *buffers_check_guards(const struct buffers *buffers)
{
    static char text[128];
    for (size_t i = 0; i < 2 * buffers->count; i++) {
        const struct made made = guard_made(buffers, i);
        bool same;
        TRY_CALL(compare(buffers, buffers->guard[i / 2][i % 2], NULL, &made, &same));
        if (!same) {
            snprintf(text, sizeof text, "wrote outside: %s buffer %zu of the problem", i % 2 == 0 ? "before" : "after",
                     i / 2);
            return text;
        }
    }
    return NULL;
}

const char *buffers_check_inputs(const struct buffers *buffers, void *const host[])
{
    static char text[128];
    for (size_t i = 0; i < buffers->count; i++) {
        bool same;
        if (buffers->is_output[i] || is_hidden(buffers, i) || buffers->data[i].bytes > BUFFERS_COMPARED_BYTES)
            continue;
        TRY_CALL(compare(buffers, buffers->data[i], host[i], NULL, &same));
        if (!same) {
            snprintf(text, sizeof text, "wrote to its input: buffer %zu of the problem", i);
            return text;
        }
    }
    return NULL;
}

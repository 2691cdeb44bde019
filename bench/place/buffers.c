#include "buffers.h"

#include <stdio.h>
#include <string.h>

size_t buffers_bytes(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs), bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].bytes + (size_t)2 * BUFFERS_GUARD_BYTES;
    return bytes;
}

static const char *make_one(struct buffers *buffers, size_t i, const struct buffer_spec *spec, size_t shift)
{
    /* Adds the shift at both ends, since a backend may place the end of a block on purpose. */
    size_t bytes = 2 * shift + spec->bytes + 2 * buffers->guard_bytes;
    const char *error = buffers->backend->allocate(bytes, EDGE_END, &buffers->block[i]);
    if (error) {
        buffers->block[i] = NULL;
        return error;
    }
    buffers->data[i] = (struct span){(char *)buffers->block[i] + shift + buffers->guard_bytes, spec->bytes};
    buffers->is_output[i] = spec->is_output;
    return NULL;
}

const char *buffers_make(struct buffers *buffers, const struct backend *backend, const struct op *op,
                         const struct workload *workload)
{
    return buffers_make_misaligned(buffers, backend, op, workload, OP_BUFFERS_MAX);
}

const char *buffers_make_misaligned(struct buffers *buffers, const struct backend *backend, const struct op *op,
                                    const struct workload *workload, size_t misaligned)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    *buffers = (struct buffers){
        .backend = backend,
        .guard_bytes = backend->guards_memory ? 0 : BUFFERS_GUARD_BYTES,
        .count = op->buffers(workload, specs),
    };
    for (size_t i = 0; i < buffers->count; i++) {
        const char *error = make_one(buffers, i, &specs[i], i == misaligned ? op->element_bytes : 0);
        if (error) {
            buffers_free(buffers);
            return error;
        }
    }
    void *memory[OP_BUFFERS_MAX];
    for (size_t i = 0; i < buffers->count; i++)
        memory[i] = buffers->data[i].start;
    op->bind(workload, memory, buffers->problem);
    return NULL;
}

void buffers_free(struct buffers *buffers)
{
    for (size_t i = buffers->count; i-- > 0;) /* in reverse order, which suits some backends */
        if (buffers->block[i])
            buffers->backend->release(buffers->block[i]);
    buffers->count = 0;
}

const char *buffers_upload(const struct buffers *buffers, void *const host[])
{
    const char *error = NULL;
    for (size_t i = 0; i < buffers->count && !error; i++)
        if (!buffers->is_output[i])
            error = buffers->backend->upload(buffers->data[i].start, host[i], buffers->data[i].bytes);
    return error;
}

/* The guard zone before (side 0) or behind (side 1) a buffer. */
static char *guard(const struct buffers *buffers, size_t i, int side)
{
    struct span data = buffers->data[i];
    return side == 0 ? (char *)data.start - buffers->guard_bytes : (char *)data.start + data.bytes;
}

const char *buffers_poison(const struct buffers *buffers)
{
    const char *error = NULL;
    for (size_t i = 0; i < buffers->count && !error; i++) {
        if (buffers->is_output[i])
            error = buffers->backend->fill(buffers->data[i].start, OP_POISON, buffers->data[i].bytes);
        for (int side = 0; side < 2 && !error; side++)
            error = buffers->backend->fill(guard(buffers, i, side), BUFFERS_GUARD_BYTE, buffers->guard_bytes);
    }
    return error;
}

const char *buffers_download(const struct buffers *buffers, void *const host[])
{
    const char *error = NULL;
    for (size_t i = 0; i < buffers->count && !error; i++)
        if (buffers->is_output[i])
            error = buffers->backend->download(host[i], buffers->data[i].start, buffers->data[i].bytes);
    return error ? error : buffers->backend->finish();
}

const char *buffers_check_guards(const struct buffers *buffers)
{
    static char text[128];
    static unsigned char expected[BUFFERS_GUARD_BYTES], zone[BUFFERS_GUARD_BYTES];
    memset(expected, BUFFERS_GUARD_BYTE, sizeof expected);
    for (size_t i = 0; i < buffers->count; i++) {
        for (int side = 0; side < 2; side++) {
            const char *error = buffers->backend->download(zone, guard(buffers, i, side), buffers->guard_bytes);
            error = error ? error : buffers->backend->finish();
            if (error)
                return error;
            if (memcmp(zone, expected, buffers->guard_bytes) != 0) {
                snprintf(text, sizeof text, "wrote outside: %s buffer %zu of the problem",
                         side == 0 ? "before" : "behind", i);
                return text;
            }
        }
    }
    return NULL;
}

/* Downloads and compares in pieces, since inputs may be large. */
static const char *check_input(const struct buffers *buffers, size_t i, const unsigned char *host)
{
    static char text[128];
    static unsigned char seen[65536];
    struct span data = buffers->data[i];
    for (size_t from = 0; from < data.bytes; from += sizeof seen) {
        size_t bytes = data.bytes - from < sizeof seen ? data.bytes - from : sizeof seen;
        const char *error = buffers->backend->download(seen, (const char *)data.start + from, bytes);
        error = error ? error : buffers->backend->finish();
        if (error)
            return error;
        if (memcmp(seen, host + from, bytes) != 0) {
            snprintf(text, sizeof text, "wrote to its input: buffer %zu of the problem", i);
            return text;
        }
    }
    return NULL;
}

const char *buffers_check_inputs(const struct buffers *buffers, void *const host[])
{
    const char *error = NULL;
    for (size_t i = 0; i < buffers->count && !error; i++)
        if (!buffers->is_output[i])
            error = check_input(buffers, i, host[i]);
    return error;
}

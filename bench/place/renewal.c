#include "renewal.h"

#include "bench/base/entropy.h"
#include "bench/base/seeded.h"

#include <stdlib.h>
#include <string.h>

size_t renewal_bytes(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs), bytes = op->element_bytes;
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].bytes;
    return bytes;
}

/* The host's copy of an input serves where the backend's memory is the host's. */
static bool is_shared(const struct renewal *renewal, size_t i)
{
    return !renewal->host_problem->specs[i].is_output && renewal->buffers->backend->protect;
}

static const char *make_one(struct renewal *renewal, size_t i)
{
    if (is_shared(renewal, i)) {
        renewal->original[i] = renewal->host_problem->host[i];
        return NULL;
    }
    const struct backend *backend = renewal->buffers->backend;
    const struct host_problem *host_problem = renewal->host_problem;
    const void *from = host_problem->specs[i].is_output ? host_problem->verified[i] : host_problem->host[i];
    const char *error = backend->allocate(host_problem->specs[i].bytes, EDGE_ANY, &renewal->original[i]);
    if (error) {
        renewal->original[i] = NULL;
        return error;
    }
    return backend->upload(renewal->original[i], from, host_problem->specs[i].bytes);
}

static size_t largest_output(const struct host_problem *host_problem)
{
    size_t bytes = 1;
    for (size_t i = 0; i < host_problem->count; i++)
        if (host_problem->specs[i].is_output && host_problem->specs[i].bytes > bytes)
            bytes = host_problem->specs[i].bytes;
    return bytes;
}

const char *renewal_make(struct renewal *renewal, const struct buffers *buffers,
                         const struct host_problem *host_problem)
{
    const char *error = NULL;
    *renewal = (struct renewal){.buffers = buffers, .host_problem = host_problem};
    for (size_t i = 0; i < buffers->count && !error; i++)
        error = make_one(renewal, i);
    error = error ? error : buffers->backend->allocate(host_problem->op->element_bytes, EDGE_ANY, &renewal->saved);
    error = error ? error : buffers->backend->finish();
    renewal->answer = malloc(largest_output(host_problem));
    if (!error && !renewal->answer)
        error = "no memory for its answers to new inputs";
    if (error)
        renewal_free(renewal);
    return error;
}

void renewal_free(struct renewal *renewal)
{
    if (renewal->saved)
        renewal->buffers->backend->release(renewal->saved);
    for (size_t i = OP_BUFFERS_MAX; i-- > 0;) /* in reverse order, which suits some backends */
        if (renewal->original[i] && !is_shared(renewal, i))
            renewal->buffers->backend->release(renewal->original[i]);
    free(renewal->answer);
    *renewal = (struct renewal){0};
}

static void rotations_of(const struct renewal *renewal, uint64_t turn, struct rotation rotations[OP_BUFFERS_MAX])
{
    renewal->host_problem->op->rotate(renewal->host_problem->workload, turn, rotations);
}

/* Rotates the original inputs, or outputs, into the problem's buffers. */
static const char *rotate_all(const struct renewal *renewal, uint64_t turn, bool outputs)
{
    const struct buffers *buffers = renewal->buffers;
    struct rotation rotations[OP_BUFFERS_MAX];
    const char *error = NULL;
    rotations_of(renewal, turn, rotations);
    for (size_t i = 0; i < buffers->count && !error; i++)
        if (buffers->is_output[i] == outputs)
            error = buffers->backend->rotate(buffers->data[i].start, renewal->original[i], &rotations[i]);
    return error;
}

const char *renewal_turn(struct renewal *renewal, uint64_t turn)
{
    renewal->turn = turn;
    return rotate_all(renewal, turn, false);
}

/* The seed of one input. */
static uint64_t seed_of(const struct renewal *renewal, size_t input)
{
    return noise_seed(seeded_stream(renewal->noise, input), renewal->host_problem->op->noise);
}

const char *renewal_noise(struct renewal *renewal, uint64_t seed)
{
    const struct buffers *buffers = renewal->buffers;
    const char *error = NULL;
    renewal->noise = seed;
    for (size_t i = 0; i < buffers->count && !error; i++)
        if (!buffers->is_output[i])
            error = buffers->backend->noise(buffers->data[i].start, buffers->data[i].bytes, seed_of(renewal, i));
    return error;
}

void renewal_spot_check(const struct renewal *renewal, enum precision precision, void *const host[],
                        struct check *check)
{
    const struct host_problem *host_problem = renewal->host_problem;
    uint64_t seeds[OP_BUFFERS_MAX];
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++)
        seeds[i] = seed_of(renewal, i);
    host_problem->op->spot_check(host_problem->workload, seeds, precision, host, entropy_bits(), check);
}

static char *touched(const struct renewal *renewal)
{
    return (char *)renewal->buffers->data[renewal->touched].start + renewal->offset;
}

static const char *copy_element(const struct renewal *renewal, void *to, const void *from)
{
    struct rotation none = {.rows = 1, .row_bytes = renewal->host_problem->op->element_bytes};
    return renewal->buffers->backend->rotate(to, from, &none);
}

const char *renewal_choose(struct renewal *renewal)
{
    const struct buffers *buffers = renewal->buffers;
    size_t element = renewal->host_problem->op->element_bytes;
    do
        renewal->touched = (size_t)(entropy_bits() % buffers->count);
    while (buffers->is_output[renewal->touched]);
    size_t elements = buffers->data[renewal->touched].bytes / element;
    renewal->offset = (size_t)(entropy_bits() % elements) * element;
    renewal->touch = entropy_bits();
    return copy_element(renewal, renewal->saved, touched(renewal));
}

const char *renewal_touch(const struct renewal *renewal, uint64_t number)
{
    const struct op *op = renewal->host_problem->op;
    uint64_t seed = noise_seed(seeded_bits(renewal->touch, number), op->noise);
    return renewal->buffers->backend->noise(touched(renewal), op->element_bytes, seed);
}

const char *renewal_mend(const struct renewal *renewal)
{
    return copy_element(renewal, touched(renewal), renewal->saved);
}

const char *renewal_spoil(const struct renewal *renewal, uint64_t turn)
{
    return rotate_all(renewal, turn, true);
}

const char *renewal_keep(const struct renewal *renewal)
{
    const struct buffers *buffers = renewal->buffers;
    struct rotation rotations[OP_BUFFERS_MAX];
    const char *error = NULL;
    rotations_of(renewal, 0, rotations);
    for (size_t i = 0; i < buffers->count && !error; i++)
        if (buffers->is_output[i])
            error = buffers->backend->rotate(renewal->original[i], buffers->data[i].start, &rotations[i]);
    return error;
}

/* Reads them, at most the last 64 MiB, so that the host's caches are as after an upload. */
static void read_on_host(const unsigned char *bytes, size_t count)
{
    enum { LINE_BYTES = 64, CACHED_AT_MOST = 64 << 20 };
    if (count > CACHED_AT_MOST) {
        bytes += count - CACHED_AT_MOST;
        count = CACHED_AT_MOST;
    }
    for (size_t i = 0; i < count; i += LINE_BYTES)
        (void)*(const volatile unsigned char *)(bytes + i);
}

const char *renewal_to_host(const struct renewal *renewal)
{
    const struct buffers *buffers = renewal->buffers;
    const char *error = NULL;
    for (size_t i = 0; i < buffers->count && !error; i++) {
        if (buffers->is_output[i])
            continue;
        void *host = renewal->host_problem->host[i];
        error = buffers->backend->download(host, buffers->data[i].start, buffers->data[i].bytes);
        error = error ? error : buffers->backend->finish();
        read_on_host(host, buffers->data[i].bytes);
    }
    return error;
}

/* Row i of what was rotated is row (i + first_row) of the original, and its bytes are shifted likewise. */
static void turn_back(const struct rotation *rotation, char *rotated, const char *copy)
{
    size_t rows = rotation->rows, row_bytes = rotation->row_bytes, first = rotation->first_byte;
    for (size_t i = 0; i < rows; i++) {
        const char *from = copy + i * row_bytes;
        char *to = rotated + (i + rotation->first_row) % rows * row_bytes;
        memcpy(to + first, from, row_bytes - first);
        memcpy(to, from + row_bytes - first, first);
    }
}

static void turn_output_back(const struct renewal *renewal, size_t i, void *host)
{
    struct rotation rotations[OP_BUFFERS_MAX];
    rotations_of(renewal, renewal->turn, rotations);
    turn_back(&rotations[i], host, renewal->answer);
}

const char *renewal_download(const struct renewal *renewal, void *const host[])
{
    const struct buffers *buffers = renewal->buffers;
    const char *error = NULL;
    if (renewal->turn == 0)
        return buffers_download(buffers, host);
    for (size_t i = 0; i < buffers->count && !error; i++) {
        if (!buffers->is_output[i])
            continue;
        error = buffers->backend->download(renewal->answer, buffers->data[i].start, buffers->data[i].bytes);
        error = error ? error : buffers->backend->finish();
        if (!error)
            turn_output_back(renewal, i, host[i]);
    }
    return error;
}

void renewal_turn_back(const struct renewal *renewal, void *const host[])
{
    const struct buffers *buffers = renewal->buffers;
    for (size_t i = 0; i < buffers->count; i++) {
        if (!buffers->is_output[i] || renewal->turn == 0)
            continue;
        memcpy(renewal->answer, host[i], buffers->data[i].bytes);
        turn_output_back(renewal, i, host[i]);
    }
}

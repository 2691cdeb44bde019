#include "sim_tensor.h"

#include "bench/table/backend.h"
#include "sim_access.h"
#include "sim_shared.h"
#include "sim_thread.h"

#include <string.h>

enum { BOX_MAX = 256, STEP_MAX = 8, MAP_BYTES = 128, MAP_ALIGNMENT = 64, SWIZZLES = 4 };

static const uint64_t magic = UINT64_C(0x72736e65746d6973);

/* By CUtensorMapDataType; what follows are formats that a copy changes. */
static const uint8_t bytes_of_type[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
enum { TYPES = sizeof bytes_of_type };

static const char *beyond(const struct sim_tensor_form *form)
{
    return form->type >= TYPES         ? "elements that are changed or unpacked"
           : form->interleave != 0     ? "interleaved elements"
           : form->swizzle >= SWIZZLES ? "a swizzle of more than 16 bytes"
           : form->fill != 0           ? "NaN outside of the tensor"
                                       : NULL;
}

static bool is_multiple(uint64_t x)
{
    return x % SIM_TENSOR_PIECE == 0;
}

bool sim_tensor_make(void *map, const struct sim_tensor_form *form)
{
    struct sim_tensor made = {.magic = magic, .data = form->data, .beyond = beyond(form)};
    _Static_assert(sizeof made <= MAP_BYTES, "as large as in CUDA");
    if ((uintptr_t)map % MAP_ALIGNMENT != 0 || !is_multiple((uintptr_t)form->data) || form->rank < 1 ||
        form->rank > SIM_TENSOR_RANK)
        return false;
    made.rank = (uint8_t)form->rank;
    for (uint32_t i = 0; i < form->rank; i++) {
        const uint64_t stride = i > 0 ? form->strides[i - 1] : 0;
        if (form->sizes[i] < 1 || form->sizes[i] - 1 > UINT32_MAX || form->box[i] < 1 || form->box[i] > BOX_MAX ||
            form->steps[i] < 1 || form->steps[i] > STEP_MAX || !is_multiple(stride) || stride >> 40 != 0)
            return false;
        made.last[i] = (uint32_t)(form->sizes[i] - 1);
        made.box[i] = (uint16_t)form->box[i];
        if (i > 0)
            made.strides[i - 1] = stride;
        if (i > 0 && form->steps[i] > 1) /* where elements lie side by side there are no steps */
            made.beyond = "steps of elements";
    }
    if (!made.beyond) {
        made.element_bytes = bytes_of_type[form->type];
        made.swizzled = (uint8_t)(1 << form->swizzle);
        const unsigned row = made.box[0] * made.element_bytes, width = made.swizzled * SIM_TENSOR_PIECE;
        if (!is_multiple(row) || (form->swizzle > 0 && row > width))
            return false;
        if (form->swizzle > 0 && row < width)
            made.beyond = "rows that are narrower than their swizzle";
    }
    memcpy(map, &made, sizeof made);
    return true;
}

struct sim_box sim_box_of(struct sim_place place, const void *map, unsigned rank, const int32_t at[])
{
    struct sim_box box = {.of.magic = 0};
    sim_access_begin(place, "cp.async.bulk.tensor", map, MAP_BYTES, false);
    memcpy(&box.of, map, sizeof box.of);
    sim_access_end();
    if (box.of.magic != magic)
        sim_stop(place, "copies by what is no tensor map");
    if (box.of.beyond)
        sim_stop(place, "copies by a tensor map of %s" NOT_SIMULATED, box.of.beyond);
    if (box.of.rank != rank)
        sim_stop(place, "copies a box of %u dimensions of a tensor of %u", rank, box.of.rank);
    if (!is_multiple((uint64_t)at[0] * box.of.element_bytes)) /* an H100 says "illegal instruction" */
        sim_stop(place, "copies a box that begins %d elements of %u bytes into a row, no multiple of 16 bytes", at[0],
                 box.of.element_bytes);
    memcpy(box.at, at, rank * sizeof at[0]);
    return box;
}

size_t sim_box_bytes(const struct sim_box *box)
{
    size_t bytes = box->of.element_bytes;
    for (unsigned i = 0; i < box->of.rank; i++)
        bytes *= box->of.box[i];
    return bytes;
}

/* Where bits 7 and up of an address say which row it is in, pieces change their places by them. */
static char *swizzled(const struct sim_tensor *of, char *shared)
{
    const uint32_t address = sim_shared_address(shared);
    return sim_shared_memory(address ^ (address >> 7 & (of->swizzled - 1u)) << 4);
}

struct sim_piece sim_box_piece(const struct sim_box *box, char *shared, size_t number)
{
    const struct sim_tensor *of = &box->of;
    const size_t pieces = (size_t)of->box[0] * of->element_bytes / SIM_TENSOR_PIECE;
    const int64_t bytes = ((int64_t)of->last[0] + 1) * of->element_bytes;
    const int64_t begin = (int64_t)box->at[0] * of->element_bytes + (int64_t)(number % pieces) * SIM_TENSOR_PIECE;
    struct sim_piece piece = {swizzled(of, shared + number * SIM_TENSOR_PIECE), NULL, 0};
    size_t row = number / pieces;
    uint64_t offset = (uint64_t)begin;
    bool is_inside = begin >= 0 && begin < bytes;
    for (unsigned i = 1; i < of->rank; i++) {
        const int64_t index = box->at[i] + (int64_t)(row % of->box[i]);
        row /= of->box[i];
        is_inside = is_inside && index >= 0 && index <= of->last[i];
        offset += (uint64_t)index * of->strides[i - 1];
    }
    if (is_inside) {
        piece.global = of->data + offset;
        piece.bytes = (size_t)(bytes - begin < SIM_TENSOR_PIECE ? bytes - begin : SIM_TENSOR_PIECE);
    }
    return piece;
}

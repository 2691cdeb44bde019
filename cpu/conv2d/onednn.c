/* conv2d onednn: oneDNN's convolution, which the ladder is compared with.
 *
 * Technique: the library generates machine code for the sizes when they are new, and keeps it. Images and filters stay
 * in the order in which they lie (NCHW); its fastest kernels want channels in blocks, and reordering is not free.
 *
 * What bounds it: the multiply-add units, where there are many channels. */
#include "bench/table/backend.h"
#include "bench/table/conv2d.h"
#include "bench/table/rung.h"

#include <dnnl.h>

#include <stdio.h>
#include <string.h>

enum { RANK = 4, ARGUMENTS = 3 };

/* Made for sizes, and kept until others come. */
static struct plan {
    struct conv2d_problem sizes;
    dnnl_primitive_t convolution;
    dnnl_memory_t x, f, y;
} plan;

static dnnl_engine_t engine;
static dnnl_stream_t queue;

static const char *check(const char *call, dnnl_status_t status)
{
    static char text[96];
    snprintf(text, sizeof text, "conv2d onednn: %s: status %d", call, (int)status);
    return status == dnnl_success ? NULL : text;
}
#define TRY(call, ...) TRY_CALL(check(#call, call(__VA_ARGS__)))

static void free_plan(void)
{
    (void)dnnl_primitive_destroy(plan.convolution);
    (void)dnnl_memory_destroy(plan.x);
    (void)dnnl_memory_destroy(plan.f);
    (void)dnnl_memory_destroy(plan.y);
    plan = (struct plan){0};
}

static const char *make_memory(dnnl_memory_desc_t *layout, dnnl_memory_t *memory, const dnnl_dims_t sizes)
{
    TRY(dnnl_memory_desc_init_by_tag, layout, RANK, sizes, dnnl_f32, dnnl_abcd);
    TRY(dnnl_memory_create, memory, layout, engine, DNNL_MEMORY_NONE);
    return NULL;
}

static const char *make_plan(const struct conv2d_problem *p)
{
    static const dnnl_dims_t strides = {1, 1}, padding = {0, 0};
    dnnl_memory_desc_t x, f, y;
    dnnl_convolution_desc_t wanted;
    dnnl_primitive_desc_t chosen;
    free_plan();
    TRY_CALL(make_memory(&x, &plan.x, (dnnl_dims_t){p->n, p->c, p->h, p->w}));
    TRY_CALL(make_memory(&f, &plan.f, (dnnl_dims_t){p->k, p->c, p->r, p->r}));
    TRY_CALL(make_memory(&y, &plan.y, (dnnl_dims_t){p->n, p->k, p->h - p->r + 1, p->w - p->r + 1}));
    TRY(dnnl_convolution_forward_desc_init, &wanted, dnnl_forward_inference, dnnl_convolution_direct, &x, &f, NULL, &y,
        strides, padding, padding);
    TRY(dnnl_primitive_desc_create, &chosen, &wanted, NULL, engine, NULL);
    const char *error = check("dnnl_primitive_create", dnnl_primitive_create(&plan.convolution, chosen));
    (void)dnnl_primitive_desc_destroy(chosen);
    if (!error)
        plan.sizes = *p;
    return error;
}

const char *conv2d_onednn(const void *problem, void *stream)
{
    (void)stream;
    const struct conv2d_problem *p = problem;
    if (!queue) {
        TRY(dnnl_engine_create, &engine, dnnl_cpu, 0);
        TRY(dnnl_stream_create, &queue, engine, dnnl_stream_default_flags);
    }
    if (memcmp(p, &plan.sizes, offsetof(struct conv2d_problem, x)) != 0) /* its sizes come first */
        TRY_CALL(make_plan(p));
    const dnnl_exec_arg_t arguments[ARGUMENTS] = {
        {DNNL_ARG_SRC, plan.x}, {DNNL_ARG_WEIGHTS, plan.f}, {DNNL_ARG_DST, plan.y}};
    TRY(dnnl_memory_set_data_handle, plan.x, (void *)(uintptr_t)p->x);
    TRY(dnnl_memory_set_data_handle, plan.f, (void *)(uintptr_t)p->f);
    TRY(dnnl_memory_set_data_handle, plan.y, p->y);
    TRY(dnnl_primitive_execute, plan.convolution, queue, ARGUMENTS, arguments);
    TRY(dnnl_stream_wait, queue);
    return NULL;
}

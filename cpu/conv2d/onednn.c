/* conv2d onednn: oneDNN's convolution, which the ladder is compared with.
 *
 * Technique: the library generates machine code for the sizes when they are new, and keeps it. Images and filters stay
 * in the order in which they lie (NCHW); its fastest kernels want channels in blocks, and reordering is not free.
 *
 * What bounds it: the multiply-add units, where there are many channels. */
#include "bench/table/conv2d.h"
#include "bench/table/rung.h"

#include <dnnl.h>

#include <stdbool.h>
#include <stdio.h>

enum { RANK = 4, ARGUMENTS = 3 };

/* Made for sizes, and kept until others come. */
static struct plan {
    struct conv2d_problem sizes;
    dnnl_primitive_t convolution;
    dnnl_memory_t x, f, y;
} plan;

static dnnl_engine_t engine;
static dnnl_stream_t queue;

static const char *error_of(const char *call, dnnl_status_t status)
{
    static char text[96];
    snprintf(text, sizeof text, "conv2d onednn: %s: status %d", call, (int)status);
    return text;
}

static const char *make_engine(void)
{
    dnnl_status_t status = dnnl_engine_create(&engine, dnnl_cpu, 0);
    if (status != dnnl_success)
        return error_of("dnnl_engine_create", status);
    status = dnnl_stream_create(&queue, engine, dnnl_stream_default_flags);
    return status == dnnl_success ? NULL : error_of("dnnl_stream_create", status);
}

static void free_plan(void)
{
    (void)dnnl_primitive_destroy(plan.convolution);
    (void)dnnl_memory_destroy(plan.x);
    (void)dnnl_memory_destroy(plan.f);
    (void)dnnl_memory_destroy(plan.y);
    plan = (struct plan){0};
}

static dnnl_status_t make_memory(dnnl_memory_desc_t *layout, dnnl_memory_t *memory, const dnnl_dims_t sizes)
{
    dnnl_status_t status = dnnl_memory_desc_init_by_tag(layout, RANK, sizes, dnnl_f32, dnnl_abcd);
    return status == dnnl_success ? dnnl_memory_create(memory, layout, engine, DNNL_MEMORY_NONE) : status;
}

static dnnl_status_t make_convolution(const dnnl_memory_desc_t *x, const dnnl_memory_desc_t *f,
                                      const dnnl_memory_desc_t *y)
{
    static const dnnl_dims_t strides = {1, 1}, padding = {0, 0};
    dnnl_convolution_desc_t wanted;
    dnnl_primitive_desc_t chosen;
    dnnl_status_t status = dnnl_convolution_forward_desc_init(&wanted, dnnl_forward_inference, dnnl_convolution_direct,
                                                              x, f, NULL, y, strides, padding, padding);
    if (status == dnnl_success)
        status = dnnl_primitive_desc_create(&chosen, &wanted, NULL, engine, NULL);
    if (status != dnnl_success)
        return status;
    status = dnnl_primitive_create(&plan.convolution, chosen);
    (void)dnnl_primitive_desc_destroy(chosen);
    return status;
}

static const char *make_plan(const struct conv2d_problem *p)
{
    dnnl_memory_desc_t x, f, y;
    free_plan();
    dnnl_status_t status = make_memory(&x, &plan.x, (dnnl_dims_t){p->n, p->c, p->h, p->w});
    if (status == dnnl_success)
        status = make_memory(&f, &plan.f, (dnnl_dims_t){p->k, p->c, p->r, p->r});
    if (status == dnnl_success)
        status = make_memory(&y, &plan.y, (dnnl_dims_t){p->n, p->k, p->h - p->r + 1, p->w - p->r + 1});
    if (status == dnnl_success)
        status = make_convolution(&x, &f, &y);
    if (status != dnnl_success)
        return error_of("a convolution of these sizes", status);
    plan.sizes = *p;
    return NULL;
}

static bool is_planned(const struct conv2d_problem *p)
{
    const struct conv2d_problem *sizes = &plan.sizes;
    return p->n == sizes->n && p->c == sizes->c && p->k == sizes->k && p->h == sizes->h && p->w == sizes->w &&
           p->r == sizes->r;
}

static dnnl_status_t point_at(const struct conv2d_problem *p)
{
    dnnl_status_t status = dnnl_memory_set_data_handle(plan.x, (void *)(uintptr_t)p->x);
    if (status == dnnl_success)
        status = dnnl_memory_set_data_handle(plan.f, (void *)(uintptr_t)p->f);
    return status == dnnl_success ? dnnl_memory_set_data_handle(plan.y, p->y) : status;
}

const char *conv2d_onednn(const void *problem, void *stream)
{
    (void)stream;
    const struct conv2d_problem *p = problem;
    const char *error = engine ? NULL : make_engine();
    if (!error && !is_planned(p))
        error = make_plan(p);
    if (error)
        return error;
    const dnnl_exec_arg_t arguments[ARGUMENTS] = {
        {DNNL_ARG_SRC, plan.x}, {DNNL_ARG_WEIGHTS, plan.f}, {DNNL_ARG_DST, plan.y}};
    dnnl_status_t status = point_at(p);
    if (status == dnnl_success)
        status = dnnl_primitive_execute(plan.convolution, queue, ARGUMENTS, arguments);
    if (status == dnnl_success)
        status = dnnl_stream_wait(queue);
    return status == dnnl_success ? NULL : error_of("dnnl_primitive_execute", status);
}

#include "verify_graph.h"

static const char *prepare(struct buffers *buffers, void *const host[])
{
    const char *error = buffers_upload(buffers, host);
    error = error ? error : buffers_poison(buffers);
    return error ? error : buffers->backend->finish();
}

static const char *record(const struct rung *rung, const struct buffers *buffers)
{
    const struct backend *backend = buffers->backend;
    const char *error = backend->graphs->begin();
    if (error)
        return error;
    error = rung->run(buffers->problem, backend->stream());
    const char *end_error = backend->graphs->end(); /* also after an error */
    return error ? error : end_error;
}

static const char *run_graph(const struct buffers *buffers, void *const host[])
{
    const char *error = buffers->backend->graphs->queue();
    const char *failed = buffers->backend->finish();
    error = error ? error : failed;
    error = error ? error : buffers_check_guards(buffers);
    error = error ? error : buffers_check_inputs(buffers, host);
    return error ? error : buffers_download(buffers, host);
}

void verify_graph(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference,
                  struct kernel_launches *launches, struct check *check)
{
    const struct graphs *graphs = buffers->backend->graphs;
    if (!graphs)
        return;
    const char *error = prepare(buffers, host);
    if (error) {
        verify_give_up(check, "cannot prepare its buffers: ", error);
        return;
    }
    error = record(rung, buffers);
    if (error) {
        verify_fail(check,
                    "cannot be recorded in a graph, as all its work must be on the stream that it is given: ", error);
    } else {
        error = run_graph(buffers, host);
        if (error)
            verify_fail(check, "in a graph: ", error);
        else
            rung->op->check(reference, rung->precision, host, check);
        graphs->describe(launches);
    }
    graphs->drop();
}

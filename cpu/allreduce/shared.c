/* allreduce cpu_shared: all arrays lie in one memory, and each thread adds its part of them: cpu_tuned of
 * reduce_columns, of which the arrays are the rows.
 *
 * What bounds it: memory, each array read once and the sums written once. Nothing is passed on. */
#include "bench/table/allreduce.h"
#include "bench/table/reduce_columns.h"
#include "bench/table/rung.h"

const char *allreduce_cpu_shared(const void *problem, void *stream)
{
    const struct allreduce_problem *p = problem;
    const struct reduce_columns_problem columns = {p->cards, p->n, p->x, p->y};
    return rung_run_part(reduce_columns_cpu_tuned, &columns, stream);
}

#include "answer.h"

#include "bench/base/host.h"
#include "bench/base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double parallel_flops = 1e7; /* less is not worth a thread */

static int64_t sampled_rows(int64_t rows, int64_t columns)
{
    const int64_t enough = (REFERENCE_SAMPLED_ELEMENTS - 1) / columns + 1;
    return smaller(rows, enough > REFERENCE_SAMPLED_ROWS ? enough : REFERENCE_SAMPLED_ROWS);
}

/* Elements that are computed together. */
static int64_t piece_of(const struct op *op, const struct workload *workload)
{
    return op->piece ? (int64_t)op_value(op, workload, op->piece) : REFERENCE_JOB_ELEMENTS;
}

/* What is known of the answer, before anything is computed. */
static struct reference outline(const struct op *op, const struct workload *workload)
{
    struct reference r = {.op = op, .workload = *workload, .job = piece_of(op, workload)};
    int64_t extent[OP_RANK_MAX];
    r.output = op_output(op);
    r.type = op->args[r.output].type;
    r.is_sum = sums_of(op, workload, &r.sums);
    const int rank = op_extents(op, workload, r.output, extent);
    r.columns = extent[rank - 1];
    r.rows = 1;
    for (int i = 0; i < rank - 1; i++)
        r.rows *= extent[i];
    r.run = r.is_sum ? r.columns : r.rows * r.columns;
    return r;
}

/* Beside what the precision test needs. */
static bool has_bounds_too(const struct reference *r)
{
    return r->is_sum && sums_are_precise(&r->sums) && !r->sums.in_parts;
}

static bool is_sampled(const struct reference *r)
{
    return r->is_sum && sums_are_precise(&r->sums) && op_cost(r->op, &r->workload).flops > REFERENCE_FULL_FLOPS &&
           sampled_rows(r->rows, r->columns) < r->rows &&
           freivalds_bytes(&r->sums) < (size_t)(r->rows * r->columns) * 2 * sizeof(double);
}

size_t op_reference_bytes(const struct op *op, const struct workload *workload)
{
    const struct reference r = outline(op, workload);
    const size_t rows = (size_t)(is_sampled(&r) ? sampled_rows(r.rows, r.columns) : r.rows);
    const size_t of_element = op->is_exact ? element_bytes(r.type) : (2 + has_bounds_too(&r)) * sizeof(double);
    return sizeof r + rows * (size_t)r.columns * of_element + (is_sampled(&r) ? freivalds_bytes(&r.sums) : 0);
}

/* The first row, the last row, and one random row in each of the equal parts between. */
static bool sample_rows(struct reference *r)
{
    const int64_t rows = r->rows;
    const uint64_t seed = entropy_bits();
    r->rows = sampled_rows(rows, r->columns);
    r->index = malloc((size_t)r->rows * sizeof *r->index);
    for (int64_t s = 0; s < r->rows && r->index; s++) {
        const int64_t from = s * rows / r->rows, to = (s + 1) * rows / r->rows;
        r->index[s] = from + (int64_t)(made_bits(seed, (uint64_t)s) % (uint64_t)(to - from));
    }
    if (!r->index)
        return false;
    r->index[0] = 0;
    r->index[r->rows - 1] = rows - 1;
    return true;
}

/* As the output's type holds it (element_result()). Sums of integers are exact; what is rounded to 16 bits is rounded
 * once more. */
static void store(enum element_type type, struct exact *exact)
{
    if (element_is_integer(type))
        exact->bound = 0;
    if ((type != ELEMENT_HALF && type != ELEMENT_BFLOAT16) || isnan(exact->value))
        return;
    const double beyond = fabs(exact->value) - element_overflow(type);
    exact->bound += element_rounding(type, exact->value, exact->bound);
    if (!(beyond > 0))
        return;
    exact->value = copysign(element_overflow(type), exact->value);
    exact->bound = fmax(exact->bound - beyond, 0);
}

static void store_all(const struct reference *r, int64_t first, int64_t count)
{
    for (int64_t i = first; i < first + count; i++) {
        struct exact exact = {.value = r->value[i], .bound = r->scale[i]};
        store(r->type, &exact);
        r->value[i] = exact.value;
        r->scale[i] = exact.bound;
    }
}

static void make_sums(struct reference *r, int64_t first, int64_t count)
{
    struct sum sum[REFERENCE_JOB_ELEMENTS];
    sums_compute(&r->sums, r->memory, reference_place(r, first), count, sum);
    for (int64_t i = 0; i < count; i++) {
        struct exact exact = {.value = sum[i].value, .bound = r->note.exact ? 0 : sums_bound(&r->sums, &sum[i])};
        store(r->type, &exact);
        const double bound = exact.bound;
        r->value[first + i] = exact.value;
        r->scale[first + i] = sums_are_precise(&r->sums) ? sum[i].magnitude : bound;
        if (r->bound)
            r->bound[first + i] = bound;
    }
}

static bool make_exact(struct reference *r, int64_t first, int64_t count)
{
    double *value = calloc(2 * (size_t)count, sizeof *value);
    const bool ok =
        value && r->op->compute(&(struct op_piece){r->workload.size, r->inputs, first, count, value, value + count});
    for (int64_t i = 0; i < count && ok; i++)
        element_set(r->type, r->exact, first + i, value[i]);
    free(value);
    return ok;
}

static int64_t jobs_of_run(const struct reference *r)
{
    return (r->run - 1) / r->job + 1;
}

static void make_job(void *self, int64_t number)
{
    struct reference *r = self;
    const int64_t jobs = jobs_of_run(r), run = number / jobs * r->run, first = run + number % jobs * r->job;
    const int64_t count = smaller(r->job, run + r->run - first);
    bool ok = true;
    if (r->is_sum)
        make_sums(r, first, count);
    else if (r->op->is_exact)
        ok = make_exact(r, first, count);
    else
        ok = r->op->compute(
            &(struct op_piece){r->workload.size, r->inputs, first, count, r->value + first, r->scale + first});
    if (ok && !r->is_sum && !r->op->is_exact)
        store_all(r, first, count);
    if (!ok)
        r->failed = true;
}

static bool make(struct reference *r)
{
    const size_t elements = (size_t)(r->rows * r->columns);
    const int64_t jobs = (int64_t)elements / r->run * jobs_of_run(r);
    const bool has_bounds = has_bounds_too(r);
    r->exact = r->op->is_exact ? malloc(elements * element_bytes(r->type)) : NULL;
    r->value = r->op->is_exact ? NULL : malloc(elements * sizeof *r->value);
    r->scale = r->op->is_exact ? NULL : malloc(elements * sizeof *r->scale);
    r->bound = has_bounds ? malloc(elements * sizeof *r->bound) : NULL;
    if ((!r->exact && (!r->value || !r->scale)) || (has_bounds && !r->bound))
        return false;
    if (op_work(r->op, &r->workload) >= parallel_flops)
        parallel_each(jobs, make_job, r);
    else
        for (int64_t number = 0; number < jobs; number++)
            make_job(r, number);
    return !r->failed;
}

/* The inputs of sums as floats, which hold the elements of all shorter types. */
static bool convert(struct reference *r)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    (void)op_buffers(r->op, &r->workload, specs);
    for (size_t i = 0; i < r->output; i++) {
        const size_t count = specs[i].bytes / element_bytes(specs[i].type);
        if (specs[i].type == ELEMENT_FLOAT)
            continue;
        r->converted[i] = malloc(count * sizeof *r->converted[i]);
        for (size_t e = 0; e < count && r->converted[i]; e++)
            r->converted[i][e] = (float)element_value(specs[i].type, r->memory[i], (int64_t)e);
        if (!r->converted[i])
            return false;
        r->memory[i] = r->converted[i];
    }
    return true;
}

struct reference *op_reference_make(const struct op *op, const struct workload *workload, const struct input_note *note,
                                    void *const host[])
{
    struct reference *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    *r = outline(op, workload);
    r->note = *note;
    if (r->is_sum && note->terms == 0)
        r->note.terms = r->sums.terms;
    for (size_t i = 0; i < r->output; i++) {
        r->memory[i] = host[i];
        r->inputs[i] = (struct op_reader){.memory = host[i], .type = op->args[i].type};
    }
    bool ok = !r->is_sum || convert(r);
    if (ok && is_sampled(r)) {
        r->freivalds = freivalds_make(&r->sums, r->memory);
        ok = r->freivalds && sample_rows(r);
    }
    if (ok && make(r))
        return r;
    op_reference_free(r);
    return NULL;
}

void op_reference_free(struct reference *r)
{
    if (!r)
        return;
    free(r->index);
    free(r->value);
    free(r->scale);
    free(r->bound);
    free(r->exact);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++)
        free(r->converted[i]);
    freivalds_free(r->freivalds);
    free(r);
}

/* Of the piece that was computed last, further elements cost nothing. */
static bool exact_of_piece(const struct op *op, const struct workload *workload, const struct op_reader inputs[],
                           int64_t element, int64_t elements, struct exact *exact)
{
    static struct {
        const struct op *op;
        struct workload workload;
        uint64_t seed;
        int64_t first;
        double *value; /* and the bounds behind them */
    } last;
    const int64_t length = op->piece ? piece_of(op, workload) : 1;
    const int64_t first = element / length * length, count = smaller(length, elements - first);
    const uint64_t seed = inputs[0].made->seed;
    if (last.op != op || last.seed != seed || last.first != first ||
        memcmp(last.workload.size, workload->size, sizeof last.workload.size) != 0) {
        free(last.value);
        last.op = NULL;
        last.value = malloc((size_t)count * 2 * sizeof *last.value);
        for (int64_t i = 0; i < count && last.value; i++)
            last.value[count + i] = NAN; /* a bound that nobody sets */
        if (!last.value ||
            !op->compute(&(struct op_piece){workload->size, inputs, first, count, last.value, last.value + count}))
            return false;
        last.op = op;
        last.workload = *workload;
        last.seed = seed;
        last.first = first;
    }
    *exact = (struct exact){last.value[element - first], last.value[element - first + count], NAN, false};
    return true;
}

/* There was memory for what the host makes. */
static bool are_made(const struct made made[], size_t count)
{
    for (size_t i = 0; i < count && made; i++)
        if (made[i].kind == MADE_GIVEN && !made[i].rows)
            return false;
    return true;
}

bool op_element(const struct op *op, const struct workload *workload, const struct made made[OP_BUFFERS_MAX],
                int64_t element, enum precision precision, struct exact *exact)
{
    static struct reference last; /* elements come by the thousand */
    struct op_reader inputs[OP_BUFFERS_MAX];
    if (last.op != op || memcmp(last.workload.size, workload->size, sizeof workload->size) != 0)
        last = outline(op, workload);
    if (!are_made(made, last.output))
        return false;
    for (size_t i = 0; i < last.output; i++)
        inputs[i] = (struct op_reader){.made = &made[i], .type = op->args[i].type};
    if (!last.is_sum && !exact_of_piece(op, workload, inputs, element, last.rows * last.columns, exact))
        return false;
    if (last.is_sum)
        *exact = sums_exact(&last.sums, inputs, element, precision);
    if (op->is_exact)
        exact->bound = 0;
    else
        store(last.type, exact);
    return true;
}

bool op_visit_inputs(const struct op *op, const struct workload *workload, const struct made made[], int64_t first,
                     int64_t count, op_visit *visit, void *self)
{
    const struct reference r = outline(op, workload);
    struct op_reader inputs[OP_BUFFERS_MAX];
    const int64_t piece = op->piece ? r.job : 1, begin = first / piece * piece;
    if (r.is_sum) {
        sums_visit(&r.sums, first, count, visit, self);
        return true;
    }
    if (!are_made(made, r.output))
        return false;
    for (size_t i = 0; i < r.output; i++)
        inputs[i] = (struct op_reader){
            .made = made ? &made[i] : NULL, .type = op->args[i].type, .visit = visit, .self = self, .input = i};
    double *value = calloc(2 * (size_t)piece, sizeof *value);
    bool ok = value != NULL;
    for (int64_t at = begin; at < first + count && ok; at += piece)
        ok = op->compute(&(struct op_piece){workload->size, inputs, at, smaller(piece, r.rows * r.columns - at), value,
                                            value + piece});
    free(value);
    return ok;
}

static void count_read(void *self, size_t input, int64_t element)
{
    (void)input, (void)element;
    *(double *)self += 1;
}

/* Of functions the reads of the first element are counted, with its piece. */
double op_element_reads(const struct op *op, const struct workload *workload)
{
    static struct {
        const struct op *op;
        struct workload workload;
        double reads;
    } last; /* it is asked before every question */
    const struct reference r = outline(op, workload);
    if (r.is_sum)
        return (double)r.output * (double)r.sums.terms;
    if (last.op != op || memcmp(last.workload.size, workload->size, sizeof last.workload.size) != 0) {
        last.op = op;
        last.workload = *workload;
        last.reads = 0;
        (void)op_visit_inputs(op, workload, NULL, 0, 1, count_read, &last.reads);
    }
    return last.reads;
}

double op_rms_limit(const struct op *op, const struct workload *workload, enum precision precision, int64_t elements,
                    bool dense)
{
    struct sums sums;
    if (!sums_of(op, workload, &sums) || !sums_are_precise(&sums))
        return INFINITY;
    return sums_rms_limit_of_elements(&sums, precision, elements, dense);
}

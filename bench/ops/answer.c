#include "answer.h"

#include "bench/base/ceil_div.h"
#include "bench/base/host.h"
#include "bench/base/memory.h"
#include "bench/base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double parallel_flops = 5e5; /* less is not worth a thread */

static int64_t sampled_rows(int64_t rows, int64_t columns)
{
    const int64_t enough = ceil_div(REFERENCE_SAMPLED_ELEMENTS, columns);
    return smaller(rows, enough > REFERENCE_SAMPLED_ROWS ? enough : REFERENCE_SAMPLED_ROWS);
}

/* What is known of the answer, before anything is computed. */
static struct reference outline(const struct op *op, const struct workload *workload, size_t output)
{
    struct reference r = {.op = op,
                          .workload = *workload,
                          .output = output,
                          .piece = op->piece ? (int64_t)op_value(op, workload, op->piece) : 1};
    int64_t extent[OP_RANK_MAX];
    r.input_count = op_output(op);
    r.type = op->args[r.output].type;
    r.is_sum = sums_of(op, workload, &r.sums);
    r.is_precise = r.is_sum && sums_are_precise(&r.sums);
    const int rank = op_extents(op, workload, r.output, extent);
    r.columns = extent[rank - 1];
    r.rows = 1;
    for (int i = 0; i < rank - 1; i++)
        r.rows *= extent[i];
    r.job = op->piece ? r.piece : REFERENCE_JOB_ELEMENTS;
    r.run = r.is_sum ? r.columns : r.rows * r.columns;
    return r;
}

static bool is_sampled(const struct reference *r)
{
    return r->is_precise && op_cost(r->op, &r->workload).flops > REFERENCE_FULL_FLOPS &&
           sampled_rows(r->rows, r->columns) < r->rows &&
           freivalds_bytes(&r->sums) < (size_t)(r->rows * r->columns) * 2 * sizeof(double);
}

size_t op_reference_bytes(const struct op *op, const struct workload *workload)
{
    size_t bytes = 0;
    for (size_t output = op_output(op); output < op_args_end(op); output++) {
        const struct reference r = outline(op, workload, output);
        const size_t rows = (size_t)(is_sampled(&r) ? sampled_rows(r.rows, r.columns) : r.rows);
        const size_t of_element = op->is_exact ? element_bytes(r.type) : (2 + r.is_precise) * sizeof(double);
        bytes += sizeof r + rows * (size_t)r.columns * of_element + (is_sampled(&r) ? freivalds_bytes(&r.sums) : 0);
    }
    return bytes;
}

/* The first row, the last row, and one random row in each of the equal parts between. */
static void sample_rows(struct reference *r)
{
    const int64_t rows = r->rows;
    const uint64_t seed = entropy_bits();
    r->rows = sampled_rows(rows, r->columns);
    r->index = memory_get((size_t)r->rows, sizeof *r->index);
    for (int64_t s = 0; s < r->rows; s++) {
        const int64_t from = s * rows / r->rows, to = (s + 1) * rows / r->rows;
        r->index[s] = from + (int64_t)(made_bits(seed, (uint64_t)s) % (uint64_t)(to - from));
    }
    r->index[0] = 0;
    r->index[r->rows - 1] = rows - 1;
}

/* As the output's type holds it (element_result()). Sums of integers are exact; what is rounded to 16 bits is rounded
 * once more. */
static void store(const struct reference *r, struct exact *exact)
{
    const enum element_type type = r->type;
    if (r->is_sum && element_is_integer(type))
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

/* Keeps what an element should be. */
static void keep(struct reference *r, int64_t known, struct exact exact)
{
    if (r->exact) {
        element_set(r->type, r->exact, known, exact.value);
        return;
    }
    store(r, &exact);
    r->value[known] = exact.value;
    r->bound[known] = exact.bound;
    if (r->is_precise)
        r->scale[known] = exact.scale;
}

static void make_sums(struct reference *r, int64_t first, int64_t count)
{
    struct sum sum[REFERENCE_JOB_ELEMENTS];
    sums_compute(&r->sums, r->memory, reference_place(r, first), count, sum);
    for (int64_t i = 0; i < count; i++)
        keep(r, first + i,
             (struct exact){
                 .value = sum[i].value, .bound = sums_bound(&r->sums, &r->note, &sum[i]), .scale = sum[i].magnitude});
}

/* Of elements by a function: values, and bounds behind them, NAN where it sets none; free() them. NULL: no memory. */
static double *compute(const struct reference *r, const struct op_reader inputs[], int64_t first, int64_t count)
{
    double *value = malloc(2 * (size_t)count * sizeof *value);
    for (int64_t i = 0; i < count && value; i++)
        value[count + i] = NAN;
    if (value &&
        r->op->compute(&(struct op_piece){r->workload.size, inputs, r->output, first, count, value, value + count}))
        return value;
    free(value);
    return NULL;
}

static bool make_computed(struct reference *r, int64_t first, int64_t count)
{
    double *value = compute(r, r->inputs, first, count);
    for (int64_t i = 0; i < count && value; i++)
        keep(r, first + i, (struct exact){.value = value[i], .bound = value[count + i]});
    free(value);
    return value != NULL;
}

static int64_t jobs_of_run(const struct reference *r)
{
    return ceil_div(r->run, r->job);
}

static void make_job(void *self, int64_t number)
{
    struct reference *r = self;
    const int64_t jobs = jobs_of_run(r), run = number / jobs * r->run, first = run + number % jobs * r->job;
    const int64_t count = smaller(r->job, run + r->run - first);
    if (r->is_sum)
        make_sums(r, first, count);
    else if (!make_computed(r, first, count))
        r->failed = true;
}

static bool make(struct reference *r)
{
    const size_t elements = (size_t)(r->rows * r->columns);
    const int64_t jobs = (int64_t)elements / r->run * jobs_of_run(r);
    if (r->op->is_exact)
        r->exact = malloc(elements * element_bytes(r->type));
    else
        r->value = malloc((2 + r->is_precise) * elements * sizeof *r->value);
    if (!r->exact && !r->value)
        return false;
    if (r->value) {
        r->bound = r->value + elements;
        r->scale = r->bound + elements;
    }
    parallel_each_if(op_work(r->op, &r->workload) >= parallel_flops, jobs, make_job, r);
    return !r->failed;
}

/* The inputs of sums as floats, which hold the elements of all shorter types. */
static bool convert(struct reference *r)
{
    for (size_t i = 0; i < r->input_count; i++) {
        const int64_t count = op_elements_of(r->op, &r->workload, i);
        if (r->inputs[i].type == ELEMENT_FLOAT)
            continue;
        float *floats = r->converted[i] = malloc((size_t)count * sizeof *floats);
        for (int64_t e = 0; e < count && floats; e++)
            floats[e] = (float)op_read(&r->inputs[i], e);
        if (!floats)
            return false;
        r->memory[i] = floats;
    }
    return true;
}

/* Of the outputs from this one on. */
static struct reference *reference_of(const struct op *op, const struct workload *workload, size_t output,
                                      const struct input_note *note, void *const host[])
{
    struct reference *r = memory_get(1, sizeof *r);
    *r = outline(op, workload, output);
    r->note = *note;
    if (r->is_sum && note->terms == 0)
        r->note.terms = r->sums.terms;
    for (size_t i = 0; i < r->input_count; i++) {
        r->memory[i] = host[i];
        r->inputs[i] = (struct op_reader){.memory = host[i], .type = op->args[i].type};
    }
    bool ok = !r->is_sum || convert(r);
    if (ok && is_sampled(r)) {
        r->freivalds = freivalds_make(&r->sums, r->memory);
        sample_rows(r);
        ok = r->freivalds;
    }
    ok = ok && make(r);
    if (ok && output + 1 < op_args_end(op))
        ok = (r->next = reference_of(op, workload, output + 1, note, host)) != NULL;
    if (ok)
        return r;
    op_reference_free(r);
    return NULL;
}

struct reference *op_reference_make(const struct op *op, const struct workload *workload, const struct input_note *note,
                                    void *const host[])
{
    return reference_of(op, workload, op_output(op), note, host);
}

void op_reference_free(struct reference *r)
{
    if (!r)
        return;
    free(r->index);
    free(r->value);
    free(r->exact);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++)
        free(r->converted[i]);
    freivalds_free(r->freivalds);
    op_reference_free(r->next);
    free(r);
}

/* What was asked about last. Elements come by the thousand, and of a piece that is known further ones cost nothing. */
static struct {
    struct reference of; /* as far as it is outlined */
    uint64_t seed;
    int64_t first;
    double *value; /* of the piece that begins there, and bounds behind; NULL: none is known */
    double reads;  /* of an element; 0: not counted yet */
} last;

static const struct reference *recall(const struct op *op, const struct workload *workload, size_t output)
{
    if (last.of.op != op || last.of.output != output ||
        memcmp(last.of.workload.size, workload->size, sizeof workload->size) != 0) {
        free(last.value);
        last.value = NULL;
        last.reads = 0;
        last.of = outline(op, workload, output);
    }
    return &last.of;
}

static bool exact_of_piece(const struct reference *r, const struct op_reader inputs[], int64_t element,
                           struct exact *exact)
{
    const int64_t first = element / r->piece * r->piece, count = smaller(r->piece, r->rows * r->columns - first);
    const uint64_t seed = inputs[0].made->seed;
    if (!last.value || last.seed != seed || last.first != first) {
        free(last.value);
        last.value = compute(r, inputs, first, count);
        last.seed = seed;
        last.first = first;
    }
    if (last.value)
        *exact = (struct exact){last.value[element - first], last.value[element - first + count], NAN, false};
    return last.value != NULL;
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
                size_t output, int64_t element, enum precision precision, struct exact *exact)
{
    const struct reference *r = recall(op, workload, output);
    struct op_reader inputs[OP_BUFFERS_MAX];
    if (!are_made(made, r->input_count))
        return false;
    for (size_t i = 0; i < r->input_count; i++)
        inputs[i] = (struct op_reader){.made = &made[i], .type = op->args[i].type};
    if (r->is_sum)
        *exact = sums_exact(&r->sums, inputs, element, precision);
    else if (!exact_of_piece(r, inputs, element, exact))
        return false;
    if (op->is_exact)
        exact->bound = 0;
    else
        store(r, exact);
    return true;
}

bool op_visit_inputs(const struct op *op, const struct workload *workload, const struct made made[], size_t output,
                     int64_t first, int64_t count, op_visit *visit, void *self)
{
    const struct reference r = outline(op, workload, output);
    struct op_reader inputs[OP_BUFFERS_MAX];
    if (r.is_sum)
        sums_visit(&r.sums, first, count, visit, self);
    else if (!are_made(made, r.input_count))
        return false;
    for (size_t i = 0; i < r.input_count; i++)
        inputs[i] = (struct op_reader){
            .made = made ? &made[i] : NULL, .type = op->args[i].type, .visit = visit, .self = self, .input = i};
    for (int64_t at = first / r.piece * r.piece; at < first + count && !r.is_sum; at += r.piece) {
        double *value = compute(&r, inputs, at, smaller(r.piece, r.rows * r.columns - at));
        if (!value)
            return false;
        free(value);
    }
    return true;
}

static void count_read(void *self, size_t input, int64_t element)
{
    (void)input, (void)element;
    *(double *)self += 1;
}

/* The reads of the first element, with its piece: of the output that takes the most. */
double op_element_reads(const struct op *op, const struct workload *workload)
{
    const struct reference *r = recall(op, workload, op_output(op));
    const bool is_counted = last.reads > 0;
    for (size_t output = r->output; output < op_args_end(op) && !is_counted; output++) {
        double reads = 0;
        (void)op_visit_inputs(op, workload, NULL, output, 0, 1, count_read, &reads);
        last.reads = fmax(last.reads, reads);
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

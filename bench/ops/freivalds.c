#include "freivalds.h"

#include "bench/base/ceil_div.h"
#include "bench/base/host.h"
#include "bench/base/memory.h"
#include "bench/base/parallel.h"

#include <math.h>
#include <stdlib.h>

static const double lambda = 8, unit_fp32 = 0x1p-24, unit_tf32 = 0x1p-11, smallest_subnormal = 0x1p-149;

/* The bound of a block grows with sqrt(columns k). It must stay below 1/4 of 1e-3 M, the smallest error of one element
 * that has to be detected. */
static int64_t block_columns(int64_t k)
{
    const int64_t columns_times_k = 300000, most = FREIVALDS_COLUMNS_MAX;
    const int64_t columns = columns_times_k / k;
    return columns < 1 ? 1 : columns < most ? columns : most;
}

/* Takes the weighed axis out. Returns how many rows B has. */
static int64_t take_out(struct freivalds *f, const struct sums *sums)
{
    int64_t rows = 1;
    f->rest = *sums;
    f->b = 1 + sums->weighed_factor;
    f->along = sums->axis[sums->weighed];
    f->columns = block_columns(sums->terms);
    f->blocks = ceil_div(f->along.extent, f->columns);
    f->rest.elements /= f->along.extent;
    f->rest.outer--;
    f->rest.axes--;
    for (int i = sums->weighed; i < f->rest.axes; i++)
        f->rest.axis[i] = sums->axis[i + 1];
    for (int i = f->rest.axes - 1; i >= 0; i--) {
        struct axis *axis = &f->rest.axis[i];
        rows *= axis->step[f->b] > 0 ? axis->extent : 1;
        axis->step[f->b] = axis->step[f->b] > 0 ? rows / axis->extent : 0;
    }
    return rows;
}

/* How many numbers it holds. */
static size_t count_numbers(const struct freivalds *f, int64_t rows)
{
    return (size_t)(f->along.extent + FREIVALDS_PARTS * f->blocks * (rows + f->rest.elements));
}

size_t freivalds_bytes(const struct sums *sums)
{
    struct freivalds f;
    const int64_t rows = take_out(&f, sums);
    return count_numbers(&f, rows) * sizeof *f.x;
}

/* Magnitudes in [1/2, 1) and alternating signs: a swap of two neighbours always changes the sum. */
static void draw(struct freivalds *f)
{
    const uint64_t seed = entropy_bits();
    for (int64_t j = 0; j < f->along.extent; j++) {
        const double size = 0.5 + (double)(made_bits(seed, (uint64_t)j) >> 11) * 0x1p-54;
        f->x[j] = j % 2 == 0 ? size : -size;
    }
}

static void weigh_row(struct freivalds *f, const float *b, int64_t row)
{
    for (int64_t block = 0; block < f->blocks; block++) {
        const int64_t first = block * f->columns, end = first + f->columns;
        double sum = 0, squares = 0;
        for (int64_t j = first; j < end && j < f->along.extent; j++) {
            const double product = (double)b[j * f->along.step[f->b]] * f->x[j];
            sum += product;
            squares += product * product;
        }
        const double parts[FREIVALDS_PARTS] = {sum, sqrt(squares), sum * sum + squares};
        for (int part = 0; part < FREIVALDS_PARTS; part++)
            f->b_x[part][row * f->blocks + block] = parts[part];
    }
}

static void multiply_row(void *self, int64_t number)
{
    const struct freivalds *f = self;
    struct walk walk = sums_walk(&f->rest, number);
    do {
        const double a = f->a[walk.at[3 - f->b]], times[FREIVALDS_PARTS] = {a, fabs(a), a * a};
        for (int part = 0; part < FREIVALDS_PARTS; part++) {
            const double *weighed = f->b_x[part] + walk.at[f->b] * f->blocks;
            double *found = f->found[part] + number * f->blocks;
            for (int64_t block = 0; block < f->blocks; block++)
                found[block] += times[part] * weighed[block];
        }
    } while (sums_next(&f->rest, &walk));
}

struct freivalds *freivalds_make(const struct sums *sums, const void *const memory[])
{
    struct freivalds *f = memory_get(1, sizeof *f);
    const int64_t rows = take_out(f, sums);
    double *next = f->x = calloc(count_numbers(f, rows), sizeof *f->x);
    if (!f->x) {
        free(f);
        return NULL;
    }
    next += f->along.extent;
    for (int part = 0; part < FREIVALDS_PARTS; part++) {
        f->b_x[part] = next;
        f->found[part] = next + rows * f->blocks;
        next = f->found[part] + f->rest.elements * f->blocks;
    }
    struct sums of_rows = *sums;
    of_rows.axis[sums->weighed].step[f->b] = 0; /* all letters of B stand alone */
    f->a = memory[sums->input[2 - f->b]];
    draw(f);
    for (int64_t row = 0; row < rows; row++)
        weigh_row(f, (const float *)memory[sums->input[f->b - 1]] + sums_place(&of_rows, f->b, 0, sums->axes, row),
                  row);
    parallel_each(f->rest.elements, multiply_row, f);
    return f;
}

void freivalds_free(struct freivalds *f)
{
    if (f)
        free(f->x);
    free(f);
}

/* Leaves room for the errors of the sums themselves, which are computed in double. */
static const double unit_of_sums_in_double = 0x1p-44;

/* The block `place` of all rows', of the row whose first element is at `at`. Sums up the square of its error, in units
 * of roundoff. */
static bool check_block(const struct freivalds *f, enum precision precision, const struct input_note *note,
                        const float *answer, int64_t at, int64_t place, double *squares,
                        struct freivalds_finding *finding)
{
    const int64_t first = place % f->blocks * f->columns, rest = f->along.extent - first;
    const int64_t columns = rest < f->columns ? rest : f->columns;
    const double unit = note->exact ? unit_of_sums_in_double : unit_fp32, terms = (double)note->terms;
    const double lost = note->exact ? 0 : (double)columns * terms * smallest_subnormal;
    const double product = f->found[FREIVALDS_PRODUCT][place], norm = f->found[FREIVALDS_NORM][place];
    const double of_factors =
        precision == PRECISION_TF32 && !note->exact ? lambda * unit_tf32 * sqrt(f->found[FREIVALDS_FACTORS][place]) : 0;
    const double bound = lambda * sqrt(terms) * unit * norm + lost + of_factors;
    double sum = 0;
    for (int64_t j = first; j < first + columns; j++)
        sum += (double)answer[at + j * f->along.step[SUMS_OUTPUT]] * f->x[j];
    const double err = fabs(sum - product);
    *squares += norm > 0 ? pow(fmax(err - lost, 0) / (precision_unit(precision) * norm), 2) : 0;
    *finding = (struct freivalds_finding){at + first * f->along.step[SUMS_OUTPUT],
                                          at + (first + columns - 1) * f->along.step[SUMS_OUTPUT],
                                          false,
                                          sum,
                                          product,
                                          bound};
    return err <= bound;
}

bool freivalds_check(const struct freivalds *f, enum precision precision, const struct input_note *note,
                     const float *answer, struct freivalds_finding *finding)
{
    const double limit = sums_rms_limit(precision, note->terms, f->blocks, 1);
    for (int64_t row = 0; row < f->rest.elements; row++) {
        const int64_t at = sums_walk(&f->rest, row).at[SUMS_OUTPUT];
        double squares = 0;
        for (int64_t block = 0; block < f->blocks; block++)
            if (!check_block(f, precision, note, answer, at, row * f->blocks + block, &squares, finding))
                return false;
        const double rms = sqrt(squares / (double)f->blocks);
        if (note->zero_mean && !(rms <= limit)) {
            const int64_t last = at + (f->along.extent - 1) * f->along.step[SUMS_OUTPUT];
            *finding = (struct freivalds_finding){at, last, true, rms, 0, limit};
            return false;
        }
    }
    return true;
}

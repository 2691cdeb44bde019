/* y = softmax(q k^T / sqrt(d)) v: attention of one head, with m queries, n keys and values, and vectors of d elements.
 *
 * With scores s_j = sum_p q_p k_jp / sqrt(d), weights e_j = exp(s_j - max) and p_j = e_j / sum e, in u = 2^-24, to
 * first order:
 * - A score is off by (d + 3) u S_j, S_j = sum |q_p k_jp| / sqrt(d): a sum of products (N. Higham, "Accuracy and
 *   Stability of Numerical Algorithms", 2nd ed., section 3.1), a rounded root, and a product or division with it. The
 *   maximum may be off as much, but drops out of the quotient.
 * - So e_j is off by r_j = (d + 3) u S_j + |s_j - max| u + 4 u relative to itself; more exactly by exp(r_j) - 1. The
 *   last two are for the difference and the exponential (bench/ops/softmax_op.c).
 * - The sums over j add n + 1 each, and 5 each time that they are rescaled because a larger score appears; 64 times are
 *   ample. The division adds 2.
 * So y_c is off by sum p_j |v_jc| (r_j + w) + |y_c| sum p_j (r_j + w), with w = (n + 1 + 5 * 64 + 2) u; over 1 - sum
 * p_j (r_j + w) for the terms of higher order. Whatever the errors, y_c is a mean of values: never off by more than
 * twice the largest. Weights and products that underflow are off by a few of the smallest numbers, 2^-149. */
#include "bench/table/op.h"

#include <math.h>

/* The score of a key, and how far it may be off. */
static double score(const struct op_piece *piece, int64_t query, int64_t key, double *error)
{
    const int64_t d = piece->size[2];
    double sum = 0, magnitude = 0;
    for (int64_t p = 0; p < d; p++) {
        const double term = op_read(&piece->inputs[0], query * d + p) * op_read(&piece->inputs[1], key * d + p);
        sum += term;
        magnitude += fabs(term);
    }
    *error = (double)(d + 3) * 0x1p-24 * magnitude / sqrt((double)d);
    return sum / sqrt((double)d);
}

/* A row: one query. */
static bool compute(const struct op_piece *piece)
{
    const int64_t n = piece->size[1], d = piece->size[2], query = piece->first / d;
    const double w = ((double)n + 1 + 5 * 64 + 2) * 0x1p-24, tiny = (double)n * 0x1p-147;
    double largest = -INFINITY, largest_v = 0, sum = 0, off = 0, error;
    for (int64_t c = 0; c < d; c++)
        piece->value[c] = piece->bound[c] = 0;
    for (int64_t j = 0; j < n; j++)
        largest = fmax(largest, score(piece, query, j, &error));
    for (int64_t j = 0; j < n; j++) {
        const double below = score(piece, query, j, &error) - largest, weight = exp(below);
        const double relative = expm1(error + (fabs(below) + 4) * 0x1p-24) + w;
        sum += weight;
        off += weight > 0 ? weight * relative : 0;
        for (int64_t c = 0; c < d; c++) {
            const double v = op_read(&piece->inputs[2], j * d + c);
            piece->value[c] += weight * v;
            piece->bound[c] += weight * fabs(v) > 0 ? weight * fabs(v) * relative : 0;
            largest_v = fmax(largest_v, fabs(v));
        }
    }
    off /= sum;
    for (int64_t c = 0; c < d; c++) {
        piece->value[c] /= sum;
        const double first_order = piece->bound[c] / sum + fabs(piece->value[c]) * off;
        piece->bound[c] = fmin(off < 1 ? first_order / (1 - off) : INFINITY, 2 * largest_v * (1 + w));
        piece->bound[c] += tiny * (1 + largest_v);
    }
    return true;
}

static const struct workload workloads[] = {{"small", {20, 30, 16}}, {"head", {128, 128, 64}}};

/* Keys of one round of threads and of several, and vectors that no warp divides. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1}, {2, 3, 5}, {7, 33, 8}, {33, 2, 31}, {5, 128, 9}, {3, 257, 16}, {1, 65, 130},
};

const struct op rungbench_op = {
    .name = "attention",
    .sizes = "m n d",
    .args = {{"q", "m,d"}, {"k", "n,d"}, {"v", "n,d"}, {"y", "m,d", .is_output = true}},
    .compute = compute,
    .piece = "d",
    .operations = "m*n*(4*d+5)",
    OP_WORKLOADS,
};

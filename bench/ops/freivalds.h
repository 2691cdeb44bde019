/* Freivalds' check ("Probabilistic machines can use less running time", IFIP 1977) with a bound for rounding errors:
 * whether all of a large answer is right, along an axis j that only one factor has, at the cost of few of its elements.
 *
 * For blocks of j, the sum of y[..,j] x[j] with random x must be that of the other factor's products with b[..,j] x[j].
 * Each element is a sum of k products, rounded k - 1 times, each time by at most u M. If products are rounded too, all
 * of them together add no more than one such rounding, as the root of the sum of squares. The model takes each error as
 * independent of the others and equally likely to be positive or negative (Higham and Mary, see sums.h). Hoeffding's
 * inequality then bounds the sum of the errors of a block by lambda u sqrt(k) ||(M[j] x[j])_j||_2, except with
 * probability 2 exp(-lambda^2 / 2). Minkowski's inequality bounds that norm by |A| times the norms of B's rows. Sums of
 * positive numbers fit the model less well, since each partial sum is as large as its bound. Measured errors of such
 * sums were 1/10 of the bound for k up to 100000 and 1/4 for 500000.
 *
 * TF32 rounds the factors as well. A[p] is rounded once for the whole block, so its error is multiplied by (B x)[p].
 * Each B[p,j] is rounded once. Together these errors are at most
 *     lambda u_tf32 sqrt(sum_p A[p]^2 ((B x)[p]^2 + ||(B[p,j] x[j])_j||_2^2)). */
#pragma once

#include "sums.h"

enum { FREIVALDS_COLUMNS_MAX = 64 };

/* What a row of B times x gives for each block, and what a row of the answer then has, each in an array of its own. */
enum freivalds_part {
    FREIVALDS_PRODUCT, /* A (B x) */
    FREIVALDS_NORM,    /* the scale of the errors, at least ||(M[j] x[j])_j||_2 */
    FREIVALDS_FACTORS, /* further error bound of factors rounded to TF32, divided by lambda u_tf32, squared */
    FREIVALDS_PARTS,
};

struct freivalds {
    struct sums rest;  /* without the weighed axis; of B, the products with x */
    struct axis along; /* that axis */
    int b;             /* the factor that has it */
    int64_t columns;   /* of a block; the last may be narrower */
    int64_t blocks;
    double *x;                      /* of each column; the other numbers lie behind these */
    double *b_x[FREIVALDS_PARTS];   /* of each row of B and block */
    double *found[FREIVALDS_PARTS]; /* of each row of the answer and block */
    const float *a;                 /* the other factor, while the check is made */
};

/* With the inputs in memory. `sums` has a weighed axis. NULL: out of memory. */
struct freivalds *freivalds_make(const struct sums *sums, const void *const memory[]);
size_t freivalds_bytes(const struct sums *sums);
void freivalds_free(struct freivalds *freivalds);

/* What was found wrong in an answer: the elements from `first` to `last`, along the weighed axis. */
struct freivalds_finding {
    int64_t first, last;
    bool is_imprecise; /* their RMS error is `sum`, and `bound` is its limit */
    double sum, expected, bound;
};

/* False, with the first finding. `note` is what is known of the input, its terms included. */
bool freivalds_check(const struct freivalds *freivalds, enum precision precision, const struct input_note *note,
                     const float *answer, struct freivalds_finding *finding);

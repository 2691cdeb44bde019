/* Operations whose elements are sums, described by a formula: "c[i,j] = a[i,p] b[p,j]". Each letter is an axis of the
 * problem; the output's elements are sums over the letters that it lacks.
 *
 * How far a rung may be off. u is the unit roundoff: 2^-24 for FP32, 2^-11 for TF32; k counts the terms t, and M is the
 * sum of |t|. docs/verification.md has what the constants come from.
 *
 * Exact: where FP32 holds every partial sum of the input, in any order (struct input_note).
 *
 * Correct: gamma_k M with gamma_k = k u / (1 - k u), and 2^-149 for each term, which may underflow (N. Higham,
 * "Accuracy and Stability of Numerical Algorithms", 2nd ed., sections 3.5 and 4.2), in any order. Rounding errors of
 * random terms add up like their squares (N. Higham and T. Mary, "A New Approach to Probabilistic Rounding Error
 * Analysis", SIAM J. Sci. Comput. 41, 2019), so the bound is a smaller one for them where k is large:
 * - Products that tensor cores may multiply in parts (struct op): 8 sqrt(k) u M, and 12 u M for the parts. TF32 also
 *   rounds each factor once, which adds 2 u_tf32 M.
 * - Others: a partial sum is near |sum t| + sqrt(sum t^2) at most, and each addition rounds by up to u of one, so
 *   8 u sqrt(k) (|sum t| + sqrt(sum t^2)), more than ten standard deviations of what is usual.
 *
 * Precise: the root mean square of the errors of random products with mean 0, in units of u M, is at most
 * sums_rms_limit(). FP32 sums are near 0.5, so this finds factors of 22 bits where k is small, accumulators that
 * truncate, and a library that silently uses TF32. */
#pragma once

#include "bench/table/op.h"

enum { SUMS_AXES_MAX = 8, SUMS_OUTPUT = 0 };

/* So many terms of a sharp sum are large, about. */
#define SHARP_TERMS 8.0

struct axis {
    char letter;
    bool is_alone; /* somewhere: there its extent is that of the array */
    int64_t extent;
    int64_t step[3]; /* from one to the next, in elements of the output and of each factor */
};

struct sums {
    int factors;      /* 1 or 2 */
    size_t input[2];  /* their arguments */
    int64_t elements; /* of the output */
    int64_t terms;    /* of each element */
    int outer, axes;  /* the output's axes come first, in its order; then those that are summed over */
    struct axis axis[SUMS_AXES_MAX];
    /* An axis of the output that only one factor has, all of whose letters stand alone: where there is one, precision
     * can be told, and large answers are checked along it. -1: there is none. */
    int weighed, weighed_factor;
    bool has_pairs[3]; /* letters of the output, or of a factor, that do not stand alone: "j+v" */
    bool are_floats;   /* all arrays */
    bool is_wrong;     /* the formula does not say something */
    char uneven;       /* a letter that stands alone where extents differ; 0: there is none */
    bool in_parts;     /* as struct op has it */
    bool are_matrices; /* so is each of the other factor: terms have the same numbers in both */
};

/* The sums of a problem. False: its operation has no formula. */
bool sums_of(const struct op *op, const struct workload *workload, struct sums *sums);

/* Whether the precision test applies. */
static inline bool sums_are_precise(const struct sums *sums)
{
    return sums->weighed >= 0;
}

/* Goes from term to term of an element: `at` is where it lies in the output, and its terms in the factors. */
struct walk {
    int64_t at[3], index[SUMS_AXES_MAX];
};

struct walk sums_walk(const struct sums *sums, int64_t element);
bool sums_next(const struct sums *sums, struct walk *walk); /* false: that was the last term */

/* Where an element of the output or a factor lies that has that number among the axes from one up to, but without,
 * another; those that it lacks do not count. */
int64_t sums_place(const struct sums *sums, int place, int axis, int end, int64_t number);

/* A sum in double precision. {0} is the empty one. */
struct sum {
    double value, magnitude, squares; /* sum t, M, sum t^2 */
    int64_t terms;                    /* that are not zero */
};

static inline void sum_add(struct sum *sum, double term)
{
    sum->value += term;
    sum->magnitude += fabs(term);
    sum->squares += term * term;
    sum->terms += term != 0;
}

/* Computes elements of the output from inputs in memory: `count` of them, which lie in one row along its last axis. */
void sums_compute(const struct sums *sums, const void *const memory[], int64_t first, int64_t count, struct sum sum[]);

/* How far an FP32 sum of random terms that are not exact may be off, if no tensor core multiplies in parts. */
double sum_bound(const struct sum *sum);

/* The same of any sum, with what is known of its input. */
double sums_bound(const struct sums *sums, const struct input_note *note, const struct sum *sum);

/* What TF32 adds to a bound, since it rounds factors. */
double sums_rounded_factors(enum precision precision, double magnitude, double bound);

/* One element for inputs that are made, with the bound for few large terms. */
struct exact sums_exact(const struct sums *sums, const struct op_reader inputs[], int64_t element,
                        enum precision precision);

/* Visits the elements of inputs that `count` elements of the output from `first` on need. */
void sums_visit(const struct sums *sums, int64_t first, int64_t count, op_visit *visit, void *self);

/* Of the precision test: of elements that are known, with that side; of elements chosen at random. If not `dense`,
 * their factors are sharp: errors are those of few products. */
double sums_rms_limit(enum precision precision, int64_t k, int64_t elements, int64_t side);
int64_t sums_side(const struct sums *sums); /* the outer extents that a factor has, multiplied; the smaller of both */
double sums_rms_limit_of_elements(const struct sums *sums, enum precision precision, int64_t elements, bool dense);

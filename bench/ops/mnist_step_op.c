/* The operation mnist_step: one step of training a network of two layers on a batch (bench/table/mnist_step.h).
 *
 * Each number has its bound beside it from the images to the parameters (running error analysis: N. Higham, "Accuracy
 * and Stability of Numerical Algorithms", 2nd ed., section 3.3). u = 2^-24, e(x) is the bound of x.
 *
 *   a sum of products x y     sums.h, and the sum of |x| e(y) + e(x) |y| + e(x) e(y)
 *   softmax                   p_c is 1 / (1 + sum of exp(z_k - z_c) over the other classes k). The bound is how far p_c
 *                             moves when each z moves by e(z) and by the rounding of z - max z, in the directions that
 *                             move it most; and u for each of the operations, exp() being within 2 units in the last
 *                             place
 *   relu's derivative         0 or 1 where |z| <= e(z): what is multiplied by it may be off by all of itself
 *
 * Where a sum is exact, so are its bounds: a rung that takes 1 for relu's derivative at 0 fails on small integers. */
#include "bench/base/parallel.h"
#include "bench/table/mnist_step.h"
#include "bench/table/op.h"
#include "sums.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The sizes, and the inputs. */
enum { BATCH, INPUTS, HIDDEN, CLASSES };
enum { IMAGES, LABELS, PARAMETERS };

static const double unit = 0x1p-24;

/* Products of bounds with each other and with u, of all that follows. */
static const double second_order = 1.01;

/* A number, and how far an FP32 rung may be off. */
struct bounded {
    double value, bound;
};

/* A sum of products, and the share of its bound that comes from its factors. */
struct bounded_sum {
    struct sum sum;
    double quantum;  /* a power of two that all terms are multiples of; meaningless if the sum may be rounded */
    bool is_rounded; /* perhaps: FP32 may not hold each partial sum */
    double carried;
};

/* Rows of numbers, as they lie or transposed. */
struct matrix {
    const struct bounded *at;
    int64_t rows, columns, row_step, column_step;
};

/* The largest power of two that a term, not zero, is a multiple of. */
static double quantum_of(double term)
{
    int exponent;
    const int64_t digits = (int64_t)ldexp(frexp(term, &exponent), 53);
    return ldexp((double)(digits & -digits), exponent - 53);
}

static void add_product(struct bounded_sum *to, struct bounded a, struct bounded b)
{
    double carried = fabs(a.value) * b.bound + a.bound * fabs(b.value) + a.bound * b.bound;
    const double term = a.value * b.value;
    sum_add(&to->sum, term);
    to->carried += carried;
    to->is_rounded = to->is_rounded || carried > 0;
    if (term == 0 || to->is_rounded)
        return;
    to->quantum = to->sum.terms == 1 ? quantum_of(term) : fmin(to->quantum, quantum_of(term));
    to->is_rounded = to->quantum < 0x1p-149 || to->sum.magnitude > 0x1p24 * to->quantum;
}

static struct bounded total(const struct bounded_sum *of)
{
    const double bound = of->is_rounded ? sum_bound(&of->sum) : 0;
    return (struct bounded){of->sum.value, bound + second_order * of->carried};
}

static struct bounded exact(double value)
{
    return (struct bounded){value, 0};
}

struct product {
    const struct matrix *a, *b;
    struct bounded *to;
};

static void multiply_row(void *self, int64_t i)
{
    enum { COLUMNS = 64 }; /* of sums that grow together */
    const struct product *of = self;
    const struct matrix *a = of->a, *b = of->b;
    for (int64_t first = 0; first < b->columns; first += COLUMNS) {
        const int64_t columns = b->columns - first < COLUMNS ? b->columns - first : COLUMNS;
        struct bounded_sum sums[COLUMNS] = {0};
        for (int64_t p = 0; p < a->columns; p++) {
            const struct bounded x = a->at[i * a->row_step + p * a->column_step];
            for (int64_t j = 0; j < columns && (x.value != 0 || x.bound != 0); j++)
                add_product(&sums[j], x, b->at[p * b->row_step + (first + j) * b->column_step]);
        }
        for (int64_t j = 0; j < columns; j++)
            of->to[i * b->columns + first + j] = total(&sums[j]);
    }
}

static void multiply(const struct matrix *a, const struct matrix *b, struct bounded *to)
{
    enum { WORTH_IT = 1 << 20 };
    struct product product = {a, b, to};
    parallel_each_if(a->rows * a->columns * b->columns > WORTH_IT, a->rows, multiply_row, &product);
}

static struct bounded relu(struct bounded z)
{
    return (struct bounded){fmax(z.value, 0), fmin(z.bound, fmax(z.value + z.bound, 0))};
}

/* The gradient by what was put into relu, which z is. */
static struct bounded behind_relu(struct bounded z, struct bounded gradient)
{
    const struct bounded value = z.value > 0 ? gradient : exact(0);
    if (z.bound == 0 || fabs(z.value) > z.bound)
        return value;
    return (struct bounded){value.value, fabs(gradient.value) + gradient.bound};
}

/* What softmax makes of class c if z of that class moves by `sign` times its bound, and the others the other way. */
static double moved(const struct bounded *z, int64_t classes, int64_t c, double sign)
{
    double others = 0;
    for (int64_t k = 0; k < classes; k++)
        if (k != c)
            others += exp(z[k].value - z[c].value - sign * (z[k].bound + z[c].bound));
    return 1 / (1 + others);
}

static struct bounded softmax(const struct bounded *z, int64_t classes, int64_t c)
{
    const double operations = (double)classes + 12, underflow = 0x1p-120;
    double value = moved(z, classes, c, 0), high = moved(z, classes, c, 1), low = moved(z, classes, c, -1);
    return (struct bounded){value, fmax(high - value, value - low) + operations * unit * high + underflow};
}

/* Adds the rounding of z - max z to the bounds. */
static void subtract_largest(struct bounded *z, int64_t classes)
{
    double largest = z[0].value, bound = 0;
    for (int64_t c = 0; c < classes; c++) {
        largest = fmax(largest, z[c].value);
        bound = fmax(bound, z[c].bound);
    }
    for (int64_t c = 0; c < classes; c++)
        z[c].bound += unit * (largest - z[c].value + 2 * bound);
}

/* p * (the sum of y) - y, for an image. */
static void loss_gradient(const struct bounded *y, struct bounded *z, int64_t classes, struct bounded *gradient)
{
    struct bounded_sum sum = {0};
    subtract_largest(z, classes);
    for (int64_t c = 0; c < classes; c++)
        add_product(&sum, y[c], exact(1));
    for (int64_t c = 0; c < classes; c++) {
        struct bounded_sum difference = {0};
        add_product(&difference, softmax(z, classes, c), total(&sum));
        add_product(&difference, exact(-y[c].value), exact(1));
        gradient[c] = total(&difference);
    }
}

/* A parameter after the step along a gradient that is this sum over the batch. */
static struct bounded step(double parameter, struct bounded sum, int64_t batch)
{
    if (sum.value == 0 && sum.bound == 0)
        return exact(parameter);
    const double scale = (double)MNIST_STEP_RATE / (double)batch, roundings = 4, underflow = 0x1p-148;
    double value = parameter - scale * sum.value, largest = scale * (fabs(sum.value) + sum.bound);
    return (struct bounded){value, scale * sum.bound + roundings * unit * largest +
                                       unit * (fabs(value) + scale * sum.bound) + underflow};
}

/* Rows as they are, or each with a 1 behind it, which a bias is multiplied with. */
static void read_rows(const struct op_reader *from, int64_t rows, int64_t columns, int64_t ones, struct bounded *to)
{
    for (int64_t i = 0; i < rows; i++, to += columns + ones) {
        for (int64_t j = 0; j < columns; j++)
            to[j] = exact(op_read(from, i * columns + j));
        if (ones > 0)
            to[columns] = exact(1);
    }
}

/* A batch on its way. z is what is put into relu and softmax; gradients are those of an image's loss by it. Inputs and
 * hidden units have a 1 behind those of each image. */
enum { INPUT, LABEL, PARAMETER, HIDDEN_Z, HIDDEN_UNIT, HIDDEN_GRADIENT, CLASS_Z, CLASS_GRADIENT, GRADIENT, ARRAYS };

static void step_with_bounds(const struct op_piece *piece, struct bounded *const of[ARRAYS])
{
    const int64_t images = piece->size[BATCH], inputs = piece->size[INPUTS], hidden = piece->size[HIDDEN];
    const int64_t classes = piece->size[CLASSES], second = (inputs + 1) * hidden;
    const struct matrix by_hidden = {of[HIDDEN_GRADIENT], images, hidden, hidden, 1};
    const struct matrix by_classes = {of[CLASS_GRADIENT], images, classes, classes, 1};
    read_rows(&piece->inputs[IMAGES], images, inputs, 1, of[INPUT]);
    read_rows(&piece->inputs[LABELS], images, classes, 0, of[LABEL]);
    read_rows(&piece->inputs[PARAMETERS], 1, piece->count, 0, of[PARAMETER]);
    multiply(&(struct matrix){of[INPUT], images, inputs + 1, inputs + 1, 1},
             &(struct matrix){of[PARAMETER], inputs + 1, hidden, hidden, 1}, of[HIDDEN_Z]);
    for (int64_t e = 0; e < images * (hidden + 1); e++)
        of[HIDDEN_UNIT][e] = e % (hidden + 1) < hidden ? relu(of[HIDDEN_Z][e - e / (hidden + 1)]) : exact(1);
    multiply(&(struct matrix){of[HIDDEN_UNIT], images, hidden + 1, hidden + 1, 1},
             &(struct matrix){of[PARAMETER] + second, hidden + 1, classes, classes, 1}, of[CLASS_Z]);
    for (int64_t e = 0; e < images * classes; e += classes)
        loss_gradient(of[LABEL] + e, of[CLASS_Z] + e, classes, of[CLASS_GRADIENT] + e);
    multiply(&by_classes, &(struct matrix){of[PARAMETER] + second, classes, hidden, 1, classes}, of[HIDDEN_GRADIENT]);
    for (int64_t e = 0; e < images * hidden; e++)
        of[HIDDEN_GRADIENT][e] = behind_relu(of[HIDDEN_Z][e], of[HIDDEN_GRADIENT][e]);
    multiply(&(struct matrix){of[INPUT], inputs + 1, images, 1, inputs + 1}, &by_hidden, of[GRADIENT]);
    multiply(&(struct matrix){of[HIDDEN_UNIT], hidden + 1, images, 1, hidden + 1}, &by_classes, of[GRADIENT] + second);
    for (int64_t e = 0; e < piece->count; e++) {
        const struct bounded stepped = step(of[PARAMETER][e].value, of[GRADIENT][e], images);
        piece->value[e] = stepped.value;
        piece->bound[e] = stepped.bound;
    }
}

/* Each parameter moves by what the whole batch says. */
static bool compute(const struct op_piece *piece)
{
    const int64_t images = piece->size[BATCH], inputs = piece->size[INPUTS], hidden = piece->size[HIDDEN];
    const int64_t classes = piece->size[CLASSES];
    const int64_t counts[ARRAYS] = {
        [INPUT] = images * (inputs + 1),
        [LABEL] = images * classes,
        [PARAMETER] = piece->count,
        [HIDDEN_Z] = images * hidden,
        [HIDDEN_UNIT] = images * (hidden + 1),
        [HIDDEN_GRADIENT] = images * hidden,
        [CLASS_Z] = images * classes,
        [CLASS_GRADIENT] = images * classes,
        [GRADIENT] = piece->count,
    };
    int64_t all = 0;
    for (int i = 0; i < ARRAYS; i++)
        all += counts[i];
    struct bounded *memory = malloc((size_t)all * sizeof *memory), *next = memory, *of[ARRAYS];
    for (int i = 0; i < ARRAYS && memory; next += counts[i++])
        of[i] = next;
    if (memory)
        step_with_bounds(piece, of);
    free(memory);
    return memory != NULL;
}

static bool accepts(const struct workload *workload, struct error *error)
{
    const int64_t *size = workload->size;
    const struct {
        const char *what;
        int64_t elements, most;
    } limits[] = {
        {"images x inputs", size[BATCH] * size[INPUTS], MNIST_STEP_ELEMENTS_MAX},
        {"parameters", (size[INPUTS] + 1) * size[HIDDEN] + (size[HIDDEN] + 1) * size[CLASSES], MNIST_STEP_ELEMENTS_MAX},
        {"images x hidden units", size[BATCH] * size[HIDDEN], MNIST_STEP_ACTIVATIONS_MAX},
        {"images x classes", size[BATCH] * size[CLASSES], MNIST_STEP_ACTIVATIONS_MAX},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].elements > limits[i].most)
            return error_set(error, "%" PRId64 " %s, expected at most %" PRId64, limits[i].elements, limits[i].what,
                             limits[i].most);
    return true;
}

static const struct workload workloads[] = {
    {"mnist-step-8", {8, 784, 128, 10}, SUITE_NETWORK},
    {"mnist-step-64", {64, 784, 128, 10}, SUITE_NETWORK | SUITE_OWN},
    {"mnist-step-256", {256, 784, 128, 10}, SUITE_NETWORK | SUITE_SCALING},
    {"mnist-step-1024", {1024, 784, 128, 10}, SUITE_NETWORK | SUITE_SCALING},
    {"mnist-step-8192", {8192, 784, 128, 10}, SUITE_SCALING},
    {"mnist-step-16384", {16384, 784, 128, 10}, SUITE_SCALING},
    {"mnist-step-32768", {32768, 784, 128, 10}, SUITE_SCALING},
    {"mnist-step-65536", {65536, 784, 128, 10}, SUITE_SCALING},
    {"8x49x16x10", {8, 49, 16, 10}, SUITE_SMOKE | SUITE_OWN_SMALL},
};

/* Around a warp and a tile of 32, and a layer that is too large for shared memory. Few are small enough to be verified
 * at many addresses, for four buffers have many. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1, 1}, {2, 8, 8, 4}, {3, 5, 7, 6}, {9, 37, 33, 34}, {67, 32, 8, 3}, {1, 4100, 1, 1},
};

const struct op mnist_step_op = {
    OP_NAME(mnist_step),
    .sizes = "batch inputs hidden classes",
    .has_int_sizes = true,
    .args = {{"images", "batch,inputs", .is_split = true, .real = REAL_IMAGES, .fan_in = "1"},
             {"labels", "batch,classes", .is_split = true, .real = REAL_LABELS},
             {"parameters", "(inputs+1)*hidden+(hidden+1)*classes", .fan_in = "inputs"},
             {"updated", "(inputs+1)*hidden+(hidden+1)*classes", .is_output = true}},
    .compute = compute,
    .piece = "(inputs+1)*hidden+(hidden+1)*classes",
    /* Of the five products: the first layer's forward and its weights' gradient, and the second layer's three. */
    .operations = "2*batch*hidden*(2*inputs+3*classes)",
    OP_WORKLOADS,
    .accepts = accepts,
};

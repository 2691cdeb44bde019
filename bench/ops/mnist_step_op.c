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
#include "bench/data/mnist.h"
#include "bench/table/mnist_step.h"
#include "bench/table/op.h"
#include "sums.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The sizes of a struct workload, and its buffers. */
enum { BATCH, INPUTS, HIDDEN, CLASSES };
enum { IMAGES, LABELS, PARAMETERS, UPDATED, BUFFERS };

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

/* `inputs` x `outputs` weights, and as many biases as outputs behind them. */
struct layer {
    int64_t batch, inputs, outputs;
    const float *parameters;
};

/* Of a batch. z is what is put into relu and softmax; gradients are those of an image's loss by it. */
struct activations {
    struct bounded *images, *hidden_z, *hidden, *hidden_gradient, *classes_z, *classes_gradient;
    struct bounded_sum *sums;
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
    to->sum.value += term;
    to->sum.magnitude += fabs(term);
    to->sum.squares += term * term;
    to->sum.terms += term != 0;
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

static struct bounded exact(float value)
{
    return (struct bounded){value, 0};
}

/* out = in W + b */
static void forward(const struct layer *layer, const struct bounded *in, struct bounded_sum *sums, struct bounded *out)
{
    for (int64_t i = 0; i < layer->batch; i++) {
        const float *weight = layer->parameters;
        for (int64_t j = 0; j < layer->outputs; j++)
            sums[j] = (struct bounded_sum){0};
        for (int64_t p = 0; p <= layer->inputs; p++, weight += layer->outputs) {
            const struct bounded x = p < layer->inputs ? in[i * layer->inputs + p] : exact(1);
            for (int64_t j = 0; j < layer->outputs && (x.value != 0 || x.bound != 0); j++)
                add_product(&sums[j], x, exact(weight[j]));
        }
        for (int64_t j = 0; j < layer->outputs; j++)
            out[i * layer->outputs + j] = total(&sums[j]);
    }
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

/* p * (the sum of y) - y */
static void loss_gradient(const struct layer *layer, const float *labels, struct bounded *z, struct bounded *gradient)
{
    for (int64_t i = 0; i < layer->batch; i++, z += layer->outputs, gradient += layer->outputs) {
        const float *y = labels + i * layer->outputs;
        struct bounded_sum sum = {0};
        subtract_largest(z, layer->outputs);
        for (int64_t c = 0; c < layer->outputs; c++)
            add_product(&sum, exact(y[c]), exact(1));
        for (int64_t c = 0; c < layer->outputs; c++) {
            struct bounded_sum difference = {0};
            add_product(&difference, softmax(z, layer->outputs, c), total(&sum));
            add_product(&difference, exact(-y[c]), exact(1));
            gradient[c] = total(&difference);
        }
    }
}

/* The gradient by the layer's inputs, each the output of a relu that z was put into: (gradient W^T) * relu'(z). */
static void backward(const struct layer *layer, const struct bounded *gradient, const struct bounded *z,
                     struct bounded *to)
{
    for (int64_t i = 0; i < layer->batch; i++)
        for (int64_t p = 0; p < layer->inputs; p++) {
            struct bounded_sum sum = {0};
            for (int64_t j = 0; j < layer->outputs; j++)
                add_product(&sum, gradient[i * layer->outputs + j], exact(layer->parameters[p * layer->outputs + j]));
            to[i * layer->inputs + p] = behind_relu(z[i * layer->inputs + p], total(&sum));
        }
}

/* A parameter after the step along a gradient that is this sum over the batch. */
static struct bounded step(float parameter, struct bounded sum, int64_t batch)
{
    if (sum.value == 0 && sum.bound == 0)
        return exact(parameter);
    const double scale = (double)MNIST_STEP_RATE / (double)batch, roundings = 4, underflow = 0x1p-148;
    double value = parameter - scale * sum.value, largest = scale * (fabs(sum.value) + sum.bound);
    return (struct bounded){value, scale * sum.bound + roundings * unit * largest +
                                       unit * (fabs(value) + scale * sum.bound) + underflow};
}

/* parameters - rate / batch * [in 1]^T gradient */
static void update(const struct layer *layer, const struct bounded *in, const struct bounded *gradient,
                   struct bounded_sum *sums, double *value, double *bound)
{
    const float *parameter = layer->parameters;
    for (int64_t p = 0; p <= layer->inputs; p++) {
        for (int64_t j = 0; j < layer->outputs; j++)
            sums[j] = (struct bounded_sum){0};
        for (int64_t i = 0; i < layer->batch; i++) {
            const struct bounded x = p < layer->inputs ? in[i * layer->inputs + p] : exact(1);
            for (int64_t j = 0; j < layer->outputs && (x.value != 0 || x.bound != 0); j++)
                add_product(&sums[j], x, gradient[i * layer->outputs + j]);
        }
        for (int64_t j = 0; j < layer->outputs; j++) {
            const struct bounded stepped = step(*parameter++, total(&sums[j]), layer->batch);
            *value++ = stepped.value;
            *bound++ = stepped.bound;
        }
    }
}

static struct bounded relu(struct bounded z)
{
    return (struct bounded){fmax(z.value, 0), fmin(z.bound, fmax(z.value + z.bound, 0))};
}

static bool allocate(const struct mnist_step_problem *p, struct activations *of)
{
    const size_t batch = (size_t)p->batch, hidden = (size_t)p->hidden, classes = (size_t)p->classes;
    *of = (struct activations){
        .images = malloc(batch * (size_t)p->inputs * sizeof *of->images),
        .hidden_z = malloc(batch * hidden * sizeof *of->hidden_z),
        .hidden = malloc(batch * hidden * sizeof *of->hidden),
        .hidden_gradient = malloc(batch * hidden * sizeof *of->hidden_gradient),
        .classes_z = malloc(batch * classes * sizeof *of->classes_z),
        .classes_gradient = malloc(batch * classes * sizeof *of->classes_gradient),
        .sums = malloc((hidden > classes ? hidden : classes) * sizeof *of->sums),
    };
    return of->images && of->hidden_z && of->hidden && of->hidden_gradient && of->classes_z && of->classes_gradient &&
           of->sums;
}

static void release(struct activations *of)
{
    free(of->images);
    free(of->hidden_z);
    free(of->hidden);
    free(of->hidden_gradient);
    free(of->classes_z);
    free(of->classes_gradient);
    free(of->sums);
}

/* Computes the updated parameters and their bounds. False: out of memory. */
static bool step_with_bounds(const struct mnist_step_problem *p, double *value, double *bound)
{
    const int64_t second = mnist_step_second(p);
    const struct layer first_layer = {p->batch, p->inputs, p->hidden, p->parameters};
    const struct layer second_layer = {p->batch, p->hidden, p->classes, p->parameters + second};
    struct activations of;
    bool ok = allocate(p, &of);
    if (ok) {
        for (int64_t e = 0; e < (int64_t)p->batch * p->inputs; e++)
            of.images[e] = exact(p->images[e]);
        forward(&first_layer, of.images, of.sums, of.hidden_z);
        for (int64_t e = 0; e < p->batch * p->hidden; e++)
            of.hidden[e] = relu(of.hidden_z[e]);
        forward(&second_layer, of.hidden, of.sums, of.classes_z);
        loss_gradient(&second_layer, p->labels, of.classes_z, of.classes_gradient);
        backward(&second_layer, of.classes_gradient, of.hidden_z, of.hidden_gradient);
        update(&first_layer, of.images, of.hidden_gradient, of.sums, value, bound);
        update(&second_layer, of.hidden, of.classes_gradient, of.sums, value + second, bound + second);
    }
    release(&of);
    return ok;
}

static struct mnist_step_problem problem_of(const struct workload *workload)
{
    const int64_t *size = workload->size;
    return (struct mnist_step_problem){.batch = (int)size[BATCH],
                                       .inputs = (int)size[INPUTS],
                                       .hidden = (int)size[HIDDEN],
                                       .classes = (int)size[CLASSES]};
}

/* The elements of an input in memory. NULL: out of memory. */
static float *read_all(const struct op_reader *reader, int64_t elements)
{
    float *all = malloc((size_t)elements * sizeof *all);
    for (int64_t e = 0; e < elements && all; e++)
        all[e] = (float)op_read(reader, e);
    return all;
}

/* Each parameter moves by what the whole batch says. */
static bool compute(const struct op_piece *piece)
{
    const struct workload workload = {
        .size = {piece->size[BATCH], piece->size[INPUTS], piece->size[HIDDEN], piece->size[CLASSES]}};
    struct mnist_step_problem p = problem_of(&workload);
    float *images = read_all(&piece->inputs[IMAGES], p.batch * p.inputs);
    float *labels = read_all(&piece->inputs[LABELS], p.batch * p.classes);
    float *parameters = read_all(&piece->inputs[PARAMETERS], mnist_step_parameters(&p));
    p.images = images;
    p.labels = labels;
    p.parameters = parameters;
    bool ok = images && labels && parameters && step_with_bounds(&p, piece->value, piece->bound);
    free(images);
    free(labels);
    free(parameters);
    return ok;
}

/* An image has one right class: its label, or a random one. Parameters are as those of a network before it is trained:
 * uniform within 1 / sqrt(inputs). */
static void question(const struct workload *workload, const struct input_source *source,
                     struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    const struct mnist_step_problem p = problem_of(workload);
    const struct mnist *mnist = p.inputs == MNIST_PIXELS ? source->mnist : NULL;
    const bool labelled = mnist && mnist->labels && p.classes == MNIST_CLASSES;
    made[IMAGES].scale = 1;
    made[LABELS] =
        (struct made){.kind = MADE_ONE_HOT, .seed = made_seed(source->seed, LABELS), .row_length = (size_t)p.classes};
    made[PARAMETERS] = made_unit(made_seed(source->seed, PARAMETERS), 1 / sqrtf((float)p.inputs));
    if (labelled) /* permuted as images */
        made[LABELS] = made_rows(MADE_ONE_HOT, made[IMAGES].seed, mnist->labels, MNIST_CLASSES, (size_t)mnist->count);
    const size_t used = strlen(note->text);
    if (mnist && !labelled)
        snprintf(note->text + used, sizeof note->text - used, ", random labels");
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
    {"mnist-step-8", {8, 784, 128, 10}, SUITE_NETWORK},     {"mnist-step-64", {64, 784, 128, 10}, SUITE_NETWORK},
    {"mnist-step-256", {256, 784, 128, 10}, SUITE_NETWORK}, {"mnist-step-1024", {1024, 784, 128, 10}, SUITE_NETWORK},
    {"8x49x16x10", {8, 49, 16, 10}, SUITE_SMOKE},
};

/* Around a warp and a tile of 32, and a layer that is too large for shared memory. Few are small enough to be verified
 * at many addresses, for four buffers have many. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1, 1}, {2, 8, 8, 4}, {3, 5, 7, 6}, {9, 37, 33, 34}, {67, 32, 8, 3}, {1, 4100, 1, 1},
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    struct mnist_step_problem *p = problem;
    *p = problem_of(workload);
    p->images = memory[IMAGES];
    p->labels = memory[LABELS];
    p->parameters = memory[PARAMETERS];
    p->updated = memory[UPDATED];
}

const struct op mnist_step_op = {
    .name = "mnist_step",
    .sizes = "batch inputs hidden classes",
    .args = {{"images", "batch,inputs", .real = REAL_IMAGES},
             {"labels", "batch,classes"},
             {"parameters", "(inputs+1)*hidden+(hidden+1)*classes"},
             {"updated", "(inputs+1)*hidden+(hidden+1)*classes", .is_output = true}},
    .compute = compute,
    .piece = "(inputs+1)*hidden+(hidden+1)*classes",
    /* Of the five products: the first layer's forward and its weights' gradient, and the second layer's three. */
    .operations = "2*batch*hidden*(2*inputs+3*classes)",
    OP_WORKLOADS,
    .accepts = accepts,
    .bind = bind,
    .question = question,
};

#include "mnist_step_reference.h"

#include "array_sum.h"

#include <stdlib.h>

static const double unit = 0x1p-24;

/* Products of bounds with each other and with u, of all that follows. */
static const double second_order = 1.01;

/* A number, and how far an FP32 rung may be off. */
struct bounded {
    double value, bound;
};

/* A sum of products, and the share of its bound that comes from its factors. */
struct bounded_sum {
    struct array_sum sum;
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

static void add_product(struct bounded_sum *to, struct bounded a, struct bounded b)
{
    double carried = fabs(a.value) * b.bound + a.bound * fabs(b.value) + a.bound * b.bound;
    array_sum_add(&to->sum, a.value * b.value);
    to->carried += carried;
    if (carried > 0)
        to->sum.is_rounded = true;
}

static struct bounded total(const struct bounded_sum *of)
{
    return (struct bounded){of->sum.value, array_sum_bound(&of->sum) + second_order * of->carried};
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

bool mnist_step_reference(const struct mnist_step_problem *p, double *value, double *bound)
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

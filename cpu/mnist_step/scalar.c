/* mnist_step cpu_scalar: the textbook loops, image after image, on one thread.
 *
 * Technique: each image goes forward through both layers and its error back through them, and its outer products are
 * added to the gradient, which lies where the updated parameters will be. Speed-ups are divided by this rung, so it
 * stays scalar: the empty assembly keeps the compiler from vectorising or exchanging the long loops.
 *
 * What bounds it: the load, the addition and the store per product; the first layer has nearly all of them. */
#include "bench/table/mnist_step.h"
#include "bench/table/rung.h"

#include <math.h>

/* Of one image; gradients are those of its loss by what is put into relu and softmax. */
static float hidden[MNIST_STEP_ACTIVATIONS_MAX], hidden_gradient[MNIST_STEP_ACTIVATIONS_MAX];
static float classes[MNIST_STEP_ACTIVATIONS_MAX];

/* out = in W + b */
static void forward(int inputs, int outputs, const float *in, const float *parameters, float *out)
{
    for (int j = 0; j < outputs; ++j)
        out[j] = parameters[inputs * outputs + j];
    for (int i = 0; i < inputs; ++i) {
        for (int j = 0; j < outputs; ++j) {
            out[j] += in[i] * parameters[i * outputs + j];
            __asm__ volatile("");
        }
    }
}

/* Logits become the gradient. */
static void loss_gradient(int count, const float *labels, float *logits)
{
    float largest = logits[0], sum = 0, weight = 0;
    for (int c = 1; c < count; ++c)
        largest = logits[c] > largest ? logits[c] : largest;
    for (int c = 0; c < count; ++c) {
        logits[c] = expf(logits[c] - largest);
        sum += logits[c];
        weight += labels[c];
    }
    for (int c = 0; c < count; ++c)
        logits[c] = logits[c] / sum * weight - labels[c];
}

/* gradient W^T, where relu let the input through */
static void backward(int inputs, int outputs, const float *gradient, const float *parameters, const float *in,
                     float *to)
{
    for (int i = 0; i < inputs; ++i) {
        float sum = 0;
        for (int j = 0; j < outputs; ++j)
            sum += gradient[j] * parameters[i * outputs + j];
        to[i] = in[i] > 0 ? sum : 0;
    }
}

/* Adds [in 1]^T gradient. */
static void add_outer_product(int inputs, int outputs, const float *in, const float *gradient, float *to)
{
    for (int i = 0; i <= inputs; ++i) {
        const float x = i < inputs ? in[i] : 1;
        for (int j = 0; j < outputs; ++j) {
            to[i * outputs + j] += x * gradient[j];
            __asm__ volatile("");
        }
    }
}

const char *mnist_step_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct mnist_step_problem *p = problem;
    const int second = mnist_step_second(p), count = mnist_step_parameters(p);
    const float *parameters = p->parameters, rate = MNIST_STEP_RATE / (float)p->batch;
    float *updated = p->updated;
    for (int e = 0; e < count; ++e)
        updated[e] = 0;
    for (int image = 0; image < p->batch; ++image) {
        const float *in = p->images + image * p->inputs;
        forward(p->inputs, p->hidden, in, parameters, hidden);
        for (int j = 0; j < p->hidden; ++j)
            hidden[j] = hidden[j] > 0 ? hidden[j] : 0;
        forward(p->hidden, p->classes, hidden, parameters + second, classes);
        loss_gradient(p->classes, p->labels + image * p->classes, classes);
        backward(p->hidden, p->classes, classes, parameters + second, hidden, hidden_gradient);
        add_outer_product(p->inputs, p->hidden, in, hidden_gradient, updated);
        add_outer_product(p->hidden, p->classes, hidden, classes, updated + second);
    }
    for (int e = 0; e < count; ++e) {
        updated[e] = parameters[e] - rate * updated[e];
        __asm__ volatile("");
    }
    return NULL;
}

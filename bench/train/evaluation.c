#include "evaluation.h"

#include <math.h>

enum { OUTPUTS_MAX = 1024 };

/* out = in W + b */
static void forward(int inputs, int outputs, const double *in, const float *parameters, double *out)
{
    for (int j = 0; j < outputs; j++)
        out[j] = parameters[inputs * outputs + j];
    for (int i = 0; i < inputs; i++)
        for (int j = 0; j < outputs && in[i] != 0; j++)
            out[j] += in[i] * parameters[i * outputs + j];
}

struct evaluation evaluate(const struct mnist_step_problem *network, const struct mnist *mnist, int64_t first)
{
    double pixels[MNIST_PIXELS], hidden[OUTPUTS_MAX], logits[OUTPUTS_MAX];
    struct evaluation total = {0};
    for (int64_t image = first; image < mnist->count; image++) {
        for (int i = 0; i < MNIST_PIXELS; i++)
            pixels[i] = mnist_image(mnist, image)[i] / 255.0;
        forward(network->inputs, network->hidden, pixels, network->parameters, hidden);
        for (int j = 0; j < network->hidden; j++)
            hidden[j] = fmax(hidden[j], 0);
        forward(network->hidden, network->classes, hidden, network->parameters + mnist_step_second(network), logits);
        const double *right = &logits[mnist_label(mnist, image)];
        double sum = 1; /* the right one's own */
        bool is_largest = true;
        for (const double *logit = logits; logit < logits + network->classes; logit++) {
            if (logit == right)
                continue;
            sum += exp(*logit - *right);
            is_largest = is_largest && *logit < *right;
        }
        total.loss += log(sum);
        total.accuracy += is_largest;
    }
    const double images = (double)(mnist->count - first);
    return (struct evaluation){total.loss / images, total.accuracy / images};
}

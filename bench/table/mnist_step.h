/* A step of training a network of two layers. */
#pragma once

#define MNIST_STEP_RATE 0.25f /* the learning rate */

/* The most elements of the images, and of the parameters: an int holds every index. */
#define MNIST_STEP_ELEMENTS_MAX (1 << 30)

/* The most elements of batch x hidden, and of batch x classes. */
#define MNIST_STEP_ACTIVATIONS_MAX (1 << 24)

/* One step of stochastic gradient descent in FP32, with X = images, batch x inputs, and Y = labels, batch x classes:
 *
 *   H = relu(X W1 + b1)             batch x hidden; relu(z) is z where z > 0, else 0
 *   P = softmax(H W2 + b2)          batch x classes, row by row
 *   loss = the mean over the batch of -sum over classes of y log p
 *   updated = parameters - MNIST_STEP_RATE * (the gradient of the loss by the parameters)
 *
 * `parameters` and `updated` are two matrices, one behind the other: (inputs + 1) x hidden, which is W1 with b1 as its
 * last row, and (hidden + 1) x classes, which is W2 with b2. Rows of Y are weights of the classes, any numbers: a row
 * with a single 1 names the right class. The gradient of the loss of an image by its row of H W2 + b2 is
 * p * (the sum of its y) - y. The derivative of relu is 1 where z > 0, else 0. */
struct mnist_step_problem {
    int batch, inputs, hidden, classes;
    const float *images, *labels, *parameters;
    float *updated;
};

/* Where the second layer begins, and how many parameters there are. */
static inline int mnist_step_second(const struct mnist_step_problem *p)
{
    return (p->inputs + 1) * p->hidden;
}

static inline int mnist_step_parameters(const struct mnist_step_problem *p)
{
    return mnist_step_second(p) + (p->hidden + 1) * p->classes;
}

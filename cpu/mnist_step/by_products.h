/* The step as five products of matrices, and loops between them that the compiler vectorises. The gradient lies where
 * the updated parameters will be. A rung includes this with the product that it has. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/mnist_step.h"
#include "cpu/work.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ELEMENTS_PER_THREAD = 1 << 15, FLOP_PER_THREAD = 400000 }; /* at least: a thread is not woken for less */

/* C = A B, C m x n, all row-major; a transposed factor lies as A^T, k x m, or as B^T, n x k. Returns NULL or an error
 * message. */
typedef const char *product_function(bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k,
                                     const float *a, const float *b, float *c);

/* Of the batch; gradients are those of each image's loss by what is put into relu and softmax. */
static float hidden[MNIST_STEP_ACTIVATIONS_MAX], hidden_gradient[MNIST_STEP_ACTIVATIONS_MAX];
static float classes[MNIST_STEP_ACTIVATIONS_MAX];

/* z becomes relu(z + b), row by row. */
static void add_bias_and_relu(int rows, int columns, const float *bias, float *z)
{
    const int threads = work_threads(rows * columns, ELEMENTS_PER_THREAD);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            const float sum = z[i * columns + j] + bias[j];
            z[i * columns + j] = sum > 0 ? sum : 0;
        }
    }
}

/* Each row of z becomes softmax(z + b) * (the sum of y) - y. */
static void softmax_gradient(int rows, int columns, const float *bias, const float *labels, float *z)
{
    for (int i = 0; i < rows; ++i, z += columns, labels += columns) {
        float largest = -INFINITY, sum = 0, weight = 0;
        for (int c = 0; c < columns; ++c) {
            z[c] += bias[c];
            largest = z[c] > largest ? z[c] : largest;
        }
        for (int c = 0; c < columns; ++c) {
            z[c] = expf(z[c] - largest);
            sum += z[c];
            weight += labels[c];
        }
        for (int c = 0; c < columns; ++c)
            z[c] = z[c] / sum * weight - labels[c];
    }
}

static void back_through_relu(int count, const float *restrict output, float *restrict gradient)
{
    const int threads = work_threads(count, ELEMENTS_PER_THREAD);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int e = 0; e < count; ++e)
        gradient[e] = output[e] > 0 ? gradient[e] : 0;
}

static void sum_rows(int rows, int columns, const float *restrict from, float *restrict sum)
{
    memset(sum, 0, (size_t)columns * sizeof *sum);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            sum[j] += from[i * columns + j];
}

static void update(int count, float rate, const float *restrict parameters, float *restrict updated)
{
    const int threads = work_threads(count, ELEMENTS_PER_THREAD);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int e = 0; e < count; ++e)
        updated[e] = parameters[e] - rate * updated[e];
}

static const char *take_step(product_function *product, const struct mnist_step_problem *p)
{
    const int batch = p->batch, bias1 = p->inputs * p->hidden, second = mnist_step_second(p);
    const int bias2 = second + p->hidden * p->classes;
    const float *parameters = p->parameters;
    float *gradient = p->updated;
    TRY_CALL(product(false, false, batch, p->hidden, p->inputs, p->images, parameters, hidden));
    add_bias_and_relu(batch, p->hidden, parameters + bias1, hidden);
    TRY_CALL(product(false, false, batch, p->classes, p->hidden, hidden, parameters + second, classes));
    softmax_gradient(batch, p->classes, parameters + bias2, p->labels, classes);
    sum_rows(batch, p->classes, classes, gradient + bias2);
    TRY_CALL(product(true, false, p->hidden, p->classes, batch, hidden, classes, gradient + second));
    TRY_CALL(product(false, true, batch, p->hidden, p->classes, classes, parameters + second, hidden_gradient));
    back_through_relu(batch * p->hidden, hidden, hidden_gradient);
    sum_rows(batch, p->hidden, hidden_gradient, gradient + bias1);
    TRY_CALL(product(true, false, p->inputs, p->hidden, batch, p->images, hidden_gradient, gradient));
    update(mnist_step_parameters(p), MNIST_STEP_RATE / (float)batch, parameters, gradient);
    return NULL;
}

/* All parts that share their work at all have as many threads as the largest one. */
static const char *step_by_products(product_function *product, const struct mnist_step_problem *p)
{
    work_team = work_threads(2.0 * p->batch * p->inputs * p->hidden, FLOP_PER_THREAD);
    const char *error = take_step(product, p);
    work_team = 0;
    return error;
}

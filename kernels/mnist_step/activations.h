/* What a step keeps of its batch in the GPU's memory. Gradients are those of each image's loss by what is put into relu
 * and softmax. */
#pragma once

#include "bench/table/mnist_step.h"

#include <cuda_runtime.h>

static __device__ float hidden[MNIST_STEP_ACTIVATIONS_MAX], hidden_gradient[MNIST_STEP_ACTIVATIONS_MAX];
static __device__ float class_gradient[MNIST_STEP_ACTIVATIONS_MAX];

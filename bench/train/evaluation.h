/* How good a network is on images that it was not trained on. */
#pragma once

#include "bench/ops/mnist.h"
#include "bench/table/mnist_step.h"

struct evaluation {
    double loss;     /* the mean of -log p of the right class */
    double accuracy; /* the share of images whose most likely class is the right one */
};

/* Of images `first` to the last, with the parameters and the layers' sizes of `network`. */
struct evaluation evaluate(const struct mnist_step_problem *network, const struct mnist *mnist, int64_t first);

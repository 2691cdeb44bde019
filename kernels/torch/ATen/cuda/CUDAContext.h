#include "kernels/torch/tensor.h"

#pragma once

#include "kernels/torch/tensor.h"

#include "cpu/simulator/cuda/cub/cub.cuh"

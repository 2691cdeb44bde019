#include "cpu/simulator/cuda/simt_cub_warp.h"

#include "cpu/simulator/cuda/simt_cub_block.h"

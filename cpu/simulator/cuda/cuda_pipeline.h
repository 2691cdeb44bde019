/* As CUDA has it, the primitives under another name. */
#pragma once

#include "cuda_pipeline_primitives.h"

/* The types of the driver's functions that are asked for by name. */
#pragma once

#include "cuda.h"

typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled_v12000, PFN_cuTensorMapEncodeTiled;
typedef decltype(&cuGetProcAddress) PFN_cuGetProcAddress_v12000, PFN_cuGetProcAddress;

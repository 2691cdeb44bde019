#pragma once

#include "bench/table/backend.h"

extern const struct toolchain sim_toolchain;

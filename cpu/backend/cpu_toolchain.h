#pragma once

#include "bench/table/toolchain.h"

extern const struct toolchain cpu_toolchain;

/* The result of a row before it is measured. */
#pragma once

#include "bench/report/result.h"
#include "bench/select/selection.h"

/* A result with the identity of the row; everything measured is unknown. `device` may be NULL. */
struct result row_result(const struct row *row, const struct run_facts *facts, const struct device_info *device);

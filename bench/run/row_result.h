/* The result of a row before anything is known of how it went. */
#ifndef RUNGBENCH_ROW_RESULT_H
#define RUNGBENCH_ROW_RESULT_H

#include "bench/report/result.h"
#include "bench/select/selection.h"

/* Says what the row is; everything measured is unknown. `device` may be NULL. */
struct result row_result(const struct row *row, const struct run_facts *facts, const struct device_info *device);

#endif

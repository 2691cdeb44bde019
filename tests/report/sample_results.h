/* Results of each kind for the tests of what is written of them, and golden files to compare with. */
#pragma once

#include "bench/report/result.h"

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_MAX = 1 << 16, SAMPLE_RESULTS = 32 };

extern const struct run_facts sample_facts;
extern const struct device_info sample_cpu, sample_gpu;

/* A row that nothing is known of yet but its name; variants that start with "cu" are the GPU's. */
struct result row(const char *op, const char *workload, const char *variant, const char *mode);

/* Nine samples, one per cent apart. */
struct result timed(struct result r, double median_s);

/* In round `round` of ten. */
struct result in_round(struct result r, int round);

struct result skipped(struct result r, const char *reason);
struct result failed(struct result r, const char *reason);
struct result wrong(struct result r, const char *reason);

/* One row of each kind; their number. */
size_t make_results(struct result results[SAMPLE_RESULTS]);

/* RUNGBENCH_UPDATE_GOLDEN=1 writes the file anew. */
void assert_is_golden(const char *name, const char *text);

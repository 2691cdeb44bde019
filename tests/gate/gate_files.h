/* Two files for tests of what the gate compares, and their comparison. */
#ifndef RUNGBENCH_GATE_FILES_H
#define RUNGBENCH_GATE_FILES_H

#include "bench/gate/comparison.h"
#include "gate_rows.h"

/* What a test puts into base.csv and new.csv, and the comparison once it is made. */
extern struct gate_rows base_rows, new_rows;
extern struct comparison_settings compare_settings;
extern struct comparison compared;

/* For each test: files without rows and the rule's settings; and what is to be freed. */
int gate_files_start(void **state);
int gate_files_end(void **state);

/* Adds rounds 0 to 9 of a row to both; each of the new file takes `ratio` as long. */
void gate_add_to_both(const char *name, double ratio);

/* The new file is of another run, so that rounds are not paired. */
void gate_unpair(void);

/* Compares the files, which it expects to succeed, or to be refused with that line. */
void gate_compare(void);
void gate_assert_refused(const char *expected);

/* The row of that name. */
const struct compared_row *gate_compared(const char *name);

#endif

/* Two files and their comparison, for tests of the gate. */
#pragma once

#include "bench/gate/comparison.h"
#include "gate_rows.h"

/* The rows of base.csv and new.csv, and their comparison after gate_compare(). */
extern struct gate_rows base_rows, new_rows;
extern struct comparison_settings compare_settings;
extern struct comparison compared;

/* Set-up and tear-down of each test: empty files and default settings; frees the comparison. */
int gate_files_start(void **state);
int gate_files_end(void **state);

/* Adds rounds 0 to 9 of a row to both files; times in the new file are multiplied by `ratio`. */
void gate_add_to_both(const char *name, double ratio);

/* Makes the new file one of another session, so that rounds are not paired. */
void gate_unpair(void);

/* Compare the files and expect success, or this error. */
void gate_compare(void);
void gate_assert_refused(const char *expected);

/* Decides the rows that gate_compare() has left open. */
void gate_decide(double level, bool other_device);

/* The row with this name. */
const struct compared_row *gate_compared(const char *name);

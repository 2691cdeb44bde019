/* Helpers for tests of output files. */
#pragma once

#include "bench/base/output.h"

/* Files that a test may create; clean_up() removes all of them. `partial` is where `path` is written until commit. */
extern const char path[], partial[];
extern const char other[], other_partial[];
extern const char folder[], device[];
int clean_up(void **state);

int exists(const char *name);
void assert_file_holds(const char *name, const char *text);

/* These fail the test if the call fails. */
void open_output(struct output *output, const char *name);
void write_record(struct output *output, const char *text);
void commit(struct output *output);

/* The error is one line and contains both texts. */
void assert_names(const struct error *error, const char *name, const char *reason);

/* Output files, for tests of how they come about. */
#ifndef RUNGBENCH_OUTPUT_FILES_H
#define RUNGBENCH_OUTPUT_FILES_H

#include "bench/base/output.h"

/* What a test may make; clean_up() removes all of it. */
extern const char path[], partial[]; /* the latter is the former's until it is committed */
extern const char other[], other_partial[];
extern const char folder[], device[];
int clean_up(void **state);

int exists(const char *name);
void write_file(const char *name, const char *text);
void assert_file_holds(const char *name, const char *text);

/* These must succeed. */
void open_output(struct output *output, const char *name);
void write_record(struct output *output, const char *text);
void commit(struct output *output);

/* One line, which says both. */
void assert_names(const struct error *error, const char *name, const char *reason);

#endif

/* Where the gate's report goes: stdout, and the files that were asked for. */
#ifndef RUNGBENCH_GATE_OUTPUTS_H
#define RUNGBENCH_GATE_OUTPUTS_H

#include "bench/base/output.h"
#include "gate_options.h"
#include "gate_report.h"

enum { GATE_FILES = 4 };

struct gate_outputs {
    struct output files[GATE_FILES];
    gate_writer *writers[GATE_FILES];
    size_t count;
};

/* Opens the files, before anything is measured. False: one cannot be written; none is left open. */
bool gate_outputs_open(const struct gate_options *options, struct gate_outputs *outputs, struct error *error);

/* Writes the report everywhere: to stdout, to the files, and appended to the file that $GITHUB_STEP_SUMMARY names, if
 * it is set and not empty. Closes the files. */
bool gate_outputs_write(struct gate_outputs *outputs, const struct gate_report *report, struct error *error);

/* Closes the files without having written them; what was there before stays. */
void gate_outputs_discard(struct gate_outputs *outputs);

#endif

/* Outputs of the gate's report: stdout and the files named by flags. */
#pragma once

#include "bench/base/output.h"
#include "gate_options.h"
#include "gate_report.h"

enum { GATE_FILES = 4 };

struct gate_outputs {
    struct output files[GATE_FILES];
    gate_writer *writers[GATE_FILES];
    size_t count;
};

/* Opens the files, before anything is measured. False: one cannot be written, and none stays open. */
bool gate_outputs_open(const struct gate_options *options, struct gate_outputs *outputs, struct error *error);

/* Writes the report to stdout and to the files, and closes them. Appends it to the file named by $GITHUB_STEP_SUMMARY
 * if that is set and not empty. */
bool gate_outputs_write(struct gate_outputs *outputs, const struct gate_report *report, struct error *error);

/* Writes the report of a comparison that could not be made to the files alone, in the same way. */
bool gate_outputs_refuse(struct gate_outputs *outputs, const struct gate_report *report, struct error *error);

/* Closes the files without a report; files that existed before stay as they were. */
void gate_outputs_discard(struct gate_outputs *outputs);

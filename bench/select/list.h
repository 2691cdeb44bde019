/* --list: the selected rows by name. */
#ifndef RUNGBENCH_LIST_H
#define RUNGBENCH_LIST_H

#include "selection.h"

#include <stdio.h>

/* One name a line to `to`; to `remarks`, which kernels the simulator cannot run, and why. */
void list_print(const struct selection *selection, FILE *to, FILE *remarks);

#endif

/* --list: the selected rows by name. */
#pragma once

#include "selection.h"
#include "suite.h"

#include <stdio.h>

/* One name per line to `to`. To `remarks`: how many there are and of which suite, and which rungs the simulator cannot
 * run. */
void list_print(const struct selection *selection, const struct suite *suite, FILE *to, FILE *remarks);

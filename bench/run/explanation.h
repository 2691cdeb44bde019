/* --explain: after the table, why each measured row is not faster, with what a profiler counts where there is one. */
#pragma once

#include "bench/report/result.h"
#include "bench/select/selection.h"
#include "ncu.h"

#include <stdbool.h>
#include <stdio.h>

struct explanation {
    const struct selection *selection; /* in whose order rows are explained, rounds merged */
    FILE *to;
    struct ncu ncu; /* but for its paths */
};

/* False, with the reason: it cannot be written. After an interruption the rest is left out. */
bool explanation_print(struct explanation *explanation, const struct result_list *results, struct error *error);

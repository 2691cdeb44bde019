#include "sample_selection.h"

#include <stdio.h>
#include <string.h>

void select_samples(const char *const *names, size_t count, struct sample_selection *made)
{
    made->selection = (struct selection){made->rows, count};
    for (size_t i = 0; i < count; i++) {
        snprintf(made->words[i], sizeof made->words[i], "%s", names[i]);
        char *rest, *op = strtok_r(made->words[i], "/", &rest), *workload = strtok_r(NULL, "/", &rest);
        made->ops[i] = (struct op){.name = op};
        snprintf(made->workloads[i].name, sizeof made->workloads[i].name, "%s", workload);
        made->rungs[i] = (struct rung){.variant = strtok_r(NULL, "/", &rest), .op = &made->ops[i]};
        made->rows[i] = (struct row){
            .workload = &made->workloads[i], .rung = &made->rungs[i], .mode = mode_find(rest, strlen(rest))};
    }
}

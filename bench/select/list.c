#include "list.h"

void list_print(const struct selection *selection, FILE *to, FILE *remarks)
{
    for (size_t i = 0; i < selection->count; i++) {
        const struct rung *rung = selection->rows[i].rung;
        char name[160];
        row_name(&selection->rows[i], name, sizeof name);
        fprintf(to, "%s\n", name);
        if (rung->backend->simulates && !rung->run)
            fprintf(remarks, "rungbench: %s: %s\n", name, rung->unavailable);
    }
}

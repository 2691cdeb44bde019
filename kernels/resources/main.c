/* Writes a CSV of the resources that each kernel needs per architecture: rungbench_resources REPORT...
 *
 * A report is the file that kernels/resources/report.sh keeps when it compiles a rung; its path ends in the path of the
 * rung, as in kernels/matmul/tiled.cu.o.report. Runs no kernel and needs no GPU. Exit status 2 on any error. */
#include "bench/base/csv_text.h"
#include "bench/base/memory.h"
#include "kernels/backend/kernel_name.h"
#include "launches.h"
#include "occupancy.h"
#include "ptxas_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All rungs of the table. Only CUDA rungs are linked; the others have no function here. */
#define OP(name) extern const struct op name##_op;
#define RUNG(op, variant, backend, requires, precision, traits, summary) \
    rung_function op##_##variant __attribute__((weak));
#include "bench/table/rungs.def"

static const struct linked_rung {
    const char *name;
    const struct op *op;
    rung_function *run;
} rungs[] = {
#define RUNG(op, variant, backend, requires, precision, traits, summary) {#op "/" #variant, &op##_op, op##_##variant},
#include "bench/table/rungs.def"
};

/* Whether `path` is .../OP/FILE.cu..., and the rung is OP/FILE or OP/cuda_FILE. */
static bool is_report_of(const struct linked_rung *rung, const char *path)
{
    const char *file = strrchr(path, '/'), *variant = strchr(rung->name, '/');
    size_t op_length = (size_t)(variant - rung->name);
    if (!file || (size_t)(file - path) < op_length || strncmp(file - op_length, rung->name, op_length) != 0)
        return false;
    size_t length = strcspn(++file, ".");
    variant += strncmp(variant, "/cuda_", 6) == 0 ? 6 : 1;
    return strlen(variant) == length && strncmp(variant, file, length) == 0;
}

static const struct linked_rung *find_rung(const char *path)
{
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++)
        if (rungs[i].run && is_report_of(&rungs[i], path))
            return &rungs[i];
    return NULL;
}

/* With the first launch of the kernel that has the lowest occupancy, if it is launched. */
static bool print_row(const struct linked_rung *rung, const struct ptxas_kernel *kernel, const char *compiler,
                      const struct launches *launches, struct error *error)
{
    char launched[64] = ",", occupancy[16] = "", *name = memory_have(kernel_name(kernel->symbol));
    double pct, worst_pct = INFINITY;
    for (size_t i = 0; i < launches->count; i++) {
        const struct launch *launch = &launches->all[i];
        const unsigned *block = launch->block;
        if (strcmp(launch->symbol, kernel->symbol) != 0)
            continue;
        if (!occupancy_pct(kernel, block[0] * block[1] * block[2], launch->dynamic_shared_bytes, &pct, error))
            return false;
        if (pct >= worst_pct)
            continue;
        worst_pct = pct;
        snprintf(launched, sizeof launched, "%ux%ux%u,%zu", block[0], block[1], block[2], launch->dynamic_shared_bytes);
        snprintf(occupancy, sizeof occupancy, "%.1f", pct);
    }
    printf("%s,", rung->name);
    csv_put_text(stdout, name);
    free(name);
    printf(",%s,%s,%d,%zu,%zu,%zu,%zu,%s,%s\n", kernel->arch, launched, kernel->registers, kernel->static_shared_bytes,
           kernel->stack_bytes, kernel->spill_store_bytes, kernel->spill_load_bytes, occupancy, compiler);
    return true;
}

static bool print_report(const char *path, struct error *error)
{
    const struct linked_rung *rung = find_rung(path);
    if (!rung)
        return error_set(
            error, "%s: named after no rung that is linked; expected, say, kernels/matmul/tiled.cu.o.report", path);
    struct ptxas_report report;
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(error, "%s: cannot be read", path);
    bool right = ptxas_report_read(file, path, &report, error);
    fclose(file);
    if (!right)
        return false;
    struct launches launches = launches_of(rung->op, rung->run);
    if (launches.error)
        fprintf(stderr, "rungbench_resources: %s: a launch is not known: %s\n", rung->name, launches.error);
    for (size_t i = 0; i < report.count && right; i++)
        right = print_row(rung, &report.kernels[i], report.compiler, &launches, error);
    ptxas_report_free(&report);
    return right;
}

int main(int argc, char **argv)
{
    struct error error = {.text = "expected the reports of rungs: rungbench_resources REPORT..."};
    /* No device, so that a rung that asks for one gets the same answer on every machine. */
    bool right = argc > 1 && setenv("CUDA_VISIBLE_DEVICES", "", 1) == 0;
    if (right)
        puts("rung,kernel,arch,block,dynamic_shared_bytes,registers,static_shared_bytes,stack_bytes,spill_store_bytes,"
             "spill_load_bytes,occupancy_pct,compiler");
    for (int i = 1; i < argc && right; i++)
        right = print_report(argv[i], &error);
    if (right && (fflush(stdout) != 0 || ferror(stdout)))
        right = error_set(&error, "stdout: cannot be written");
    if (!right)
        fprintf(stderr, "rungbench_resources: %s\n", error.text);
    return right ? 0 : 2;
}

#include "ptxas_report.h"

#include "bench/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct ptxas_report *report;
    bool properties;        /* the line before named a function, so this line has its stack and spills */
    bool registers, spills; /* known of the last kernel */
};

static bool last_is_whole(const struct reader *reader, const char *name, struct error *error)
{
    const size_t count = reader->report->count;
    if (count == 0 || (reader->registers && reader->spills))
        return true;
    const struct ptxas_kernel *kernel = &reader->report->kernels[count - 1];
    return error_set(error, "%s: %s for %s: its %s are missing; expected the whole report of nvcc -Xptxas -v", name,
                     kernel->symbol, kernel->arch, reader->registers ? "spills" : "registers");
}

/* What follows "Used": 43 registers, used 1 barriers, 8192 bytes smem, 408 bytes cmem[0]. Only the first is always
 * there.
 */
static bool read_used(struct ptxas_kernel *kernel, const char *used)
{
    for (const char *part = strchr(used, ','); part; part = strchr(part + 1, ',')) {
        size_t bytes;
        int end = 0;
        sscanf(part, ", used %d barriers", &kernel->barriers);
        if (sscanf(part, ", %zu bytes smem%n", &bytes, &end) == 1 && end > 0)
            kernel->static_shared_bytes = bytes;
    }
    return sscanf(used, " %d registers", &kernel->registers) == 1;
}

static bool read_line(struct reader *reader, const char *line, const char *name, struct error *error)
{
    struct ptxas_report *report = reader->report;
    struct ptxas_kernel *kernel = report->count > 0 ? &report->kernels[report->count - 1] : NULL,
                        begun = {.registers = 0};
    size_t stack, stores, loads;
    int symbol = 0, end = 0, used = 0;
    bool has_arch = sscanf(line, "ptxas info : Compiling entry function '%n%*[^']%n' for '%15[^']'", &symbol, &end,
                           begun.arch) == 1;
    if (end > 0 && !has_arch)
        return error_set(error, "%s: kernel %.*s is for no architecture; expected one such as sm_90a", name,
                         end - symbol, line + symbol);
    if (end > 0) {
        if (!last_is_whole(reader, name, error))
            return false;
        report->kernels = memory_grow(report->kernels, report->count, sizeof begun);
        begun.symbol = memory_have(strndup(line + symbol, (size_t)(end - symbol)));
        report->kernels[report->count++] = begun;
        reader->registers = reader->spills = false;
        return true;
    }
    if (reader->properties && kernel &&
        sscanf(line, " %zu bytes stack frame, %zu bytes spill stores, %zu bytes spill loads", &stack, &stores,
               &loads) == 3) {
        kernel->stack_bytes += stack;
        kernel->spill_store_bytes += stores;
        kernel->spill_load_bytes += loads;
        reader->spills = true;
    }
    reader->properties = strstr(line, ": Function properties for ") != NULL;
    sscanf(line, "ptxas info : Used%n", &used);
    if (kernel && used > 0)
        reader->registers = read_used(kernel, line + used);
    sscanf(line, "Cuda compilation tools, release %*[^V]V%31[0-9.]", report->compiler);
    return true;
}

bool ptxas_report_read(FILE *file, const char *name, struct ptxas_report *report, struct error *error)
{
    struct reader reader = {.report = report};
    char *line = NULL;
    size_t room = 0;
    bool right = true;
    *report = (struct ptxas_report){.count = 0};
    while (right && getline(&line, &room, file) >= 0)
        right = read_line(&reader, line, name, error);
    free(line);
    if (right && report->compiler[0] == '\0')
        right = error_set(error, "%s: does not say whose it is; expected nvcc's version before its report", name);
    if (right && report->count == 0)
        right = error_set(error, "%s: names no kernel; expected the report of nvcc -Xptxas -v", name);
    right = right && last_is_whole(&reader, name, error);
    if (!right)
        ptxas_report_free(report);
    return right;
}

void ptxas_report_free(struct ptxas_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        free(report->kernels[i].symbol);
    free(report->kernels);
    *report = (struct ptxas_report){.count = 0};
}

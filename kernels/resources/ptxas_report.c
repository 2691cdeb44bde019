#include "ptxas_report.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = -1 }; /* registers, until ptxas has said how many */

struct reader {
    struct ptxas_report *report;
    bool properties; /* the line before named a function, so this line has its stack and spills */
    bool spills;     /* known of the last kernel */
};

static struct ptxas_kernel *last_kernel(const struct reader *reader)
{
    return reader->report->count == 0 ? NULL : &reader->report->kernels[reader->report->count - 1];
}

static bool last_is_whole(const struct reader *reader, const char *name, struct error *error)
{
    const struct ptxas_kernel *kernel = last_kernel(reader);
    if (!kernel || (kernel->registers != UNKNOWN && reader->spills))
        return true;
    return error_set(error, "%s: %s for %s: its %s are missing; expected the whole report of nvcc -Xptxas -v", name,
                     kernel->symbol, kernel->arch, kernel->registers == UNKNOWN ? "registers" : "spills");
}

/* `entry` is 'SYMBOL' for 'ARCH'. */
static bool begin_kernel(struct reader *reader, const char *entry, const char *name, struct error *error)
{
    struct ptxas_report *report = reader->report;
    struct ptxas_kernel kernel = {.registers = UNKNOWN};
    size_t length = strcspn(entry, "'");
    if (sscanf(entry + length, "' for '%15[^']'", kernel.arch) != 1)
        return error_set(error, "%s: kernel %.*s is for no architecture; expected one such as sm_90a", name,
                         (int)length, entry);
    struct ptxas_kernel *more = realloc(report->kernels, (report->count + 1) * sizeof *more);
    if (more)
        report->kernels = more;
    kernel.symbol = more ? strndup(entry, length) : NULL;
    if (!kernel.symbol)
        return error_set(error, "%s: out of memory for %zu kernels", name, report->count + 1);
    report->kernels[report->count++] = kernel;
    reader->spills = false;
    return true;
}

/* What follows "Used": 43 registers, used 1 barriers, 8192 bytes smem, 408 bytes cmem[0]. Only the first is always
 * there.
 */
static void read_used(struct ptxas_kernel *kernel, const char *used)
{
    sscanf(used, " %d registers", &kernel->registers);
    for (const char *part = strchr(used, ','); part; part = strchr(part + 1, ',')) {
        size_t bytes;
        char what[8];
        sscanf(part, ", used %d barriers", &kernel->barriers);
        if (sscanf(part, ", %zu bytes %7[a-z]", &bytes, what) == 2 && strcmp(what, "smem") == 0)
            kernel->static_shared_bytes = bytes;
    }
}

static bool read_line(struct reader *reader, const char *line, const char *name, struct error *error)
{
    struct ptxas_kernel *kernel = last_kernel(reader);
    size_t stack, stores, loads;
    int entry = 0, used = 0;
    sscanf(line, "ptxas info : Compiling entry function '%n", &entry);
    if (entry > 0)
        return last_is_whole(reader, name, error) && begin_kernel(reader, line + entry, name, error);
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
        read_used(kernel, line + used);
    sscanf(line, "Cuda compilation tools, release %*[^V]V%31[0-9.]", reader->report->compiler);
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
    if (right && ferror(file))
        right = error_set(error, "%s: cannot be read", name);
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

#include "info.h"

#include "bench/base/host.h"
#include "bench/base/plain_text.h"
#include "ceilings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes for bandwidth: in a near cache, in the last-level cache, and larger than all caches. */
static const double sizes[] = {256e3, 16e6, 256e6};
enum { SIZES = sizeof sizes / sizeof sizes[0], LINK_BYTES = 256 << 20 };
static const double link_s = 0.1;

static void print_text(FILE *to, const char *label, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(to, "  %-18s", label);
    plain_text_put(to, text);
    fputc('\n', to);
}

static void print_number(FILE *to, const char *label, double number, const char *unit)
{
    if (!isnan(number))
        fprintf(to, "  %-18s%.5g %s\n", label, number, unit);
}

static void print_device(const struct device_info *info, FILE *to)
{
    print_text(to, "device", info->name);
    print_text(to, "uuid", info->uuid);
    print_text(to, "driver", info->driver_version);
    print_text(to, "CUDA", info->cuda_version);
    print_text(to, "BLAS", info->blas_version);
    if (info->threads > 0)
        fprintf(to, "  %-18s%" PRId64 "\n", "threads", info->threads);
    print_text(to, "may run on CPUs", info->affinity);
    print_text(to, "governor", info->governor);
    print_number(to, "power limit", info->power_limit_w, "W");
    print_number(to, "SM clock set to", info->sm_clock_set_mhz, "MHz");
}

static void print_state(const struct backend *backend, FILE *to)
{
    struct device_state state;
    if (!backend->read_state)
        return;
    backend->read_state(&state, true);
    print_number(to, "SM clock", state.sm_clock_mhz, "MHz");
    print_number(to, "memory clock", state.memory_clock_mhz, "MHz");
    print_text(to, "throttled", state.throttled);
    print_number(to, "temperature", state.temperature_c, "C");
    print_number(to, "power", state.power_w, "W");
}

static void print_bandwidth(struct ceilings *ceilings, const struct device *device, const struct mode *mode,
                            enum ceiling_kind kind, const char *label, FILE *to)
{
    bool any = false;
    for (size_t i = 0; i < SIZES; i++) {
        double rate = ceilings_rate(ceilings, device->entry->name, mode, kind, sizes[i]);
        if (isnan(rate))
            continue;
        if (!any)
            fprintf(to, "  %-5s %-12s", label, mode->name);
        fprintf(to, "%s%.1f GB/s (%g MB)", any ? ", " : "", rate * 1e-9, sizes[i] * 1e-6);
        any = true;
    }
    if (any)
        fputc('\n', to);
}

static void print_ceilings(struct ceilings *ceilings, const struct device *device, FILE *to)
{
    for (size_t m = 0; m < MODE_COUNT; m++)
        if (mode_supports(modes[m], device->entry))
            print_number(to, modes[m]->name, 1e6 * ceilings_empty_kernel(ceilings, device->entry->name, modes[m]),
                         "us");
    print_bandwidth(ceilings, device, &mode_cold, CEILING_READ, "read", to);
    print_bandwidth(ceilings, device, &mode_hot, CEILING_READ, "read", to);
    print_bandwidth(ceilings, device, &mode_cold, CEILING_COPY, "copy", to);
    print_bandwidth(ceilings, device, &mode_hot, CEILING_COPY, "copy", to);
    static const struct {
        enum ceiling_kind kind;
        const char *label;
    } arithmetic[] = {{CEILING_FMA, "FP32 FMA"}, {CEILING_TF32, "TF32 products"}, {CEILING_FP16, "FP16 products"}};
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++)
        print_number(to, arithmetic[i].label,
                     1e-9 * ceilings_rate(ceilings, device->entry->name, &mode_hot, arithmetic[i].kind, 0), "GFLOP/s");
}

static void print_link(struct bench bench, FILE *to)
{
    const struct backend *backend = bench.device->entry->backend;
    const struct spin_problem nothing = {backend, BACKEND_NO_SPIN};
    void *host = host_allocate_pages(LINK_BYTES), *memory;
    if (host && !backend->allocate(LINK_BYTES, EDGE_ANY, &memory)) {
        memset(host, 1, LINK_BYTES);
        if (!backend->pin(host, LINK_BYTES)) {
            const struct span both = {memory, LINK_BYTES};
            const struct buffers buffers = {.count = 2, .data = {both, both}, .is_output = {false, true}};
            struct measurement measured;
            bench.buffers = &buffers;
            bench.host = (void *const[]){host, host};
            bench.min_time_s = link_s;
            if (!bench_measure(&bench, &mode_e2e, calibration_spin, &nothing, sizeof nothing, &measured)) {
                print_number(to, "pinned upload", LINK_BYTES / measured.upload_s * 1e-9, "GB/s");
                print_number(to, "pinned download", LINK_BYTES / measured.download_s * 1e-9, "GB/s");
            }
            measurement_free(&measured);
            backend->unpin(host);
        }
        backend->release(memory);
    }
    free(host);
}

void info_print(const struct devices *devices, const struct host_clock *clock, FILE *to)
{
    struct bench bench = {.clock = clock};
    struct ceilings ceilings = {.time = ceiling_time, .self = &bench};
    for (size_t i = 0; i < devices->count; i++) {
        const struct device *device = bench.device = &devices->items[i];
        if (device->entry->simulates)
            continue;
        fprintf(to, "%s\n", device->entry->label);
        if (!device->usable) {
            fprintf(to, "  %s\n", device->reason);
            continue;
        }
        print_device(&device->info, to);
        print_state(device->entry->backend, to);
        fprintf(to, "  %-18s%.0f ns\n", "timer tick", device->info.tick_s * 1e9);
        for (int n = 0; n < device->info.note_count; n++)
            fprintf(to, "  %-18s%s\n", "note", device->info.notes[n].text);
        fputs(" empty kernel\n", to);
        print_ceilings(&ceilings, device, to);
        if (device->entry->separate_memory)
            print_link(bench, to);
    }
    ceilings_free(&ceilings);
}

#include "explain.h"

#include "bench/base/plain_text.h"
#include "bench/measure/ceilings.h"
#include "report_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* From where on a fact is worth advice. */
static const double near_ceiling_pct = 80, launches_much = 0.3, most = 0.5, few_threads_pct = 25, tail_is_long = 0.2;
static const double much_more = 1.5;
static const double register_bytes =
    255 * 4; /* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" */
/* Below it a launch is not worth a word on a CPU, where it is a call. */
static const double launch_is_some = 0.05;

bool explain_can(const struct result *row)
{
    const bool is_simulated = strcmp(row->unfair, "simulated") == 0;
    return row->status == STATUS_OK && (is_simulated ? row->warps.count > 0 : row->statistics.count > 0);
}

enum bound explain_bound(const struct result *row)
{
    const struct arithmetic *arithmetic = arithmetic_find(row->ceiling);
    if (!arithmetic)
        return BOUND_MEMORY;
    return arithmetic->kind == CEILING_FMA ? BOUND_FMA : BOUND_TENSOR_CORES;
}

bool explain_is_of_kernel(const struct result *row)
{
    return row->transfer[0] == '\0';
}

static void say_share(const struct result *row, FILE *to)
{
    static const char *const work[] = {"moving its bytes", "so many multiply-adds", "so many products on tensor cores"};
    if (row->runs_as[0] != '\0')
        fprintf(to, "The rung is not made for this shape and ran the kernel of %s. ", row->runs_as);
    fprintf(to, "It takes %s", time_text(row->statistics.median).text);
    if (isnan(row->floor_s))
        fputs("; no ceiling is known that it could be compared with. ", to);
    else
        fprintf(to, "; %s would take %s at best, so it is at %s %% of the ceiling. ",
                explain_is_of_kernel(row) ? work[explain_bound(row)] : "copying alone", time_text(row->floor_s).text,
                percent_text(row->ceiling_pct).text);
}

/* The roofline: operations per byte, of the row, and of the device in the same time. */
static void say_balance(const struct result *row, FILE *to)
{
    double device = row->flops / row->floor_flops_s / (row->bytes / row->floor_bytes_s);
    if (!(row->bytes > 0))
        return;
    fprintf(to, "A call moves at least %s", bytes_text(row->bytes).text);
    if (row->flops > 0)
        fprintf(to, " and does %s, %s flop per byte", flops_text(row->flops).text,
                number_text(row->flops / row->bytes).text);
    if (isfinite(device) && explain_is_of_kernel(row)) {
        bool by_memory = row->floor_bytes_s >= row->floor_flops_s;
        fprintf(to, "; this device does %s in the time of a byte, so %s, and %s alone would take %s",
                number_text(device).text, by_memory ? "memory is the limit" : "arithmetic is the limit",
                by_memory ? "arithmetic" : "memory",
                time_text(by_memory ? row->floor_flops_s : row->floor_bytes_s).text);
    }
    fputs(". ", to);
}

static void say_clock(const struct result *row, FILE *to)
{
    const struct conditions *is = &row->conditions;
    if (row->is_host && row->device && row->device->threads > 0)
        fprintf(to, "It may use %" PRId64 " CPU thread%s. ", row->device->threads,
                row->device->threads == 1 ? "" : "s");
    if (!isnan(is->cpu_clock_mhz) && row->is_host)
        fprintf(to, "The CPU's clock was %.0f MHz. ", is->cpu_clock_mhz);
    if (row->is_host && is->preemptions > 0)
        fprintf(to, "It lost a CPU to others %.0f time%s. ", is->preemptions, is->preemptions == 1 ? "" : "s");
    if (isnan(is->sm_clock_mhz) || row->is_host)
        return;
    fprintf(to, "The multiprocessors' clock was %.0f MHz", is->sm_clock_mhz);
    if (is->throttled[0] != '\0' && strcmp(is->throttled, "no") != 0)
        fprintf(to, ", lowered by the driver (%s)", is->throttled);
    fputs(". ", to);
}

static double part(const struct result *row, double seconds)
{
    return seconds / row->statistics.median;
}

static void say_copies(const struct result *row, FILE *to)
{
    if (!isnan(row->kernel_s))
        fprintf(to, "Of its time the upload has %.0f %%, the kernel %.0f %%, and the download %.0f %%. ",
                100 * part(row, row->upload_s), 100 * part(row, row->kernel_s), 100 * part(row, row->download_s));
}

static void say_launch(const struct result *row, FILE *to)
{
    double launch = part(row, row->empty_kernel_s);
    if (launch >= (row->is_host ? launch_is_some : 0))
        fprintf(to, "An empty kernel takes %s in this mode, %s %% of the time. ", time_text(row->empty_kernel_s).text,
                percent_text(fmin(100 * launch, 100)).text);
    if (row->launch_bound)
        fputs("The host queued launches too slowly, so part of the time is the host's. ", to);
}

static void say_kernel(const struct kernel_launches *is, FILE *to)
{
    if (is->kernels == 1)
        fprintf(to, "A call launches the kernel %s:", is->kernel);
    else
        fprintf(to, "A call launches %" PRId64 " kernels, the largest of them %s:", is->kernels, is->kernel);
    fprintf(to, " %" PRId64 " blocks of %" PRId64 " threads", is->blocks, is->block_threads);
    if (is->registers > 0)
        fprintf(to, ", %" PRId64 " registers per thread", is->registers);
    if (is->shared_bytes > 0)
        fprintf(to, ", %s of shared memory per block", bytes_text(is->shared_bytes).text);
    if (is->local_bytes > 0)
        fprintf(to, ", %.0f bytes of local memory per thread (spilled registers, or arrays)", is->local_bytes);
    else if (!isnan(is->local_bytes))
        fputs(", nothing spilled", to);
    fputs(". ", to);
}

static void say_occupancy(const struct kernel_launches *is, FILE *to)
{
    if (isnan(is->occupancy_pct))
        return;
    fprintf(to, "That allows an occupancy of %.0f %%", is->occupancy_pct);
    if (is->occupancy_pct < 100 && is->occupancy_limit[0] != '\0')
        fprintf(to, ", limited by %s", is->occupancy_limit);
    fputs(". ", to);
}

/* So many times all blocks that the GPU holds at once; NAN: unknown. */
static double waves_of(const struct kernel_launches *is)
{
    return is->blocks_at_once > 0 ? (double)is->blocks / (double)is->blocks_at_once : (double)NAN;
}

static void say_waves(const struct kernel_launches *is, FILE *to)
{
    if (!isnan(waves_of(is)))
        fprintf(to, "The GPU holds %" PRId64 " such blocks at once, so they come in %.1f waves. ", is->blocks_at_once,
                waves_of(is));
}

/* What remains when nothing that was measured stands out. */
static const char *advise_on_rest(const struct result *row)
{
    if (row->is_host)
        return "Nothing that was measured explains the rest; `perf stat` counts cache misses and instructions.";
#define REMAINS "Nothing that was measured explains the rest. What remains is "
    static const char *const by_bound[] = {
        REMAINS
        "how memory is read: by neighbouring threads at neighbouring addresses, 16 bytes at a time, with enough "
        "loads under way.",
        REMAINS "what each multiply-add costs besides itself: loads, barriers, the arithmetic of "
                "indexes.",
        REMAINS "how tensor cores are fed: tiles that are copied ahead, and as few barriers as possible."};
    return by_bound[explain_bound(row)];
}

static const char *advise_on_copies(const struct result *row)
{
    if (part(row, row->kernel_s) >= most)
        return "Most of the time is the kernel's: --modes=cold explains it.";
    if (!(part(row, row->upload_s + row->download_s) >= most))
        return "What the host does for each call counts, so more work per call would help.";
    if (strcmp(row->transfer, "pageable") == 0)
        return "Most of the time is copies: pinned memory is copied faster (mode e2e); fewer bytes, or data that stay "
               "on the GPU, change most.";
    return "Most of the time is copies: only fewer bytes, or data that stay on the GPU, would change much.";
}

static const char *advise(const struct result *row)
{
    const struct kernel_launches *is = &row->launches;
    if (!explain_is_of_kernel(row))
        return advise_on_copies(row);
    if (row->ceiling_pct >= near_ceiling_pct)
        return "Little is left to gain: only fewer bytes or fewer operations would be much faster.";
    if (row->launch_bound || part(row, row->empty_kernel_s) >= launches_much)
        return "Launches stand out: more work per launch would help, or many launches in a graph (mode graph).";
    if (is->local_bytes > 0)
        return "Local memory stands out: it is traffic that no floor counts. Fewer values per thread would help, or a "
               "limit of registers that is not as low.";
    if (is->blocks < is->blocks_at_once)
        return "The few blocks stand out: smaller tiles would make more of them, or sums that several blocks share.";
    if (1 - waves_of(is) / ceil(waves_of(is)) >=
        tail_is_long) /* of the time of all waves, what the last leaves unused */
        return "The last wave stands out: tiles of another size would fill it.";
    if (is->occupancy_pct < few_threads_pct)
        return "The few threads stand out: unless each has several loads under way, they wait for memory.";
    return advise_on_rest(row);
}

double explain_loads(const struct result *row)
{
    return row->warps.count > 0 ? row->warps.loaded_bytes / (row->bytes - row->bytes_written) : (double)NAN;
}

static void say_loads(const struct result *row, char *text, size_t size)
{
    const struct warp_accesses *warps = &row->warps;
    const char *joint = ", at";
    snprintf(text, size, "each byte of the input is loaded %s times", number_text(explain_loads(row)).text);
    for (int i = 0; i < warps->count; i++)
        if (!warps->lines[i].is_shared && !warps->lines[i].writes) {
            text_append(text, size, "%s %s", joint, warps->lines[i].place);
            joint = ",";
        }
}

bool explain_count(const struct result *row, int number, char *text, size_t size)
{
    const struct warp_accesses *warps = &row->warps;
    const struct warp_line *line = number > 0 && number <= warps->count ? &warps->lines[number - 1] : NULL;
    text[0] = '\0';
    if (number == EXPLAIN_LOADS && !isnan(explain_loads(row)))
        say_loads(row, text, size);
    else if (line && line->taken > much_more * line->needed)
        snprintf(text, size, "at %s a warp %s %s memory in %.1f %s each time, where %.1f would do", line->place,
                 line->writes ? "writes" : "reads", line->is_shared ? "shared" : "global", line->taken / line->times,
                 line->is_shared ? "turns at its banks (wavefronts)" : "sectors of 32 bytes",
                 line->needed / line->times);
    else if (number == warps->count + 1 && warps->thread_bytes > register_bytes)
        snprintf(text, size,
                 "at %s a thread has about %.0f bytes of variables, and 255 registers hold %.0f: the rest spills to "
                 "local memory",
                 warps->thread_place, warps->thread_bytes, register_bytes);
    return number <= warps->count + 1;
}

static void say_warps(const struct result *row, FILE *to)
{
    const char *joint = "";
    char text[512];
    fputs("By the simulator's count, ", to);
    for (int number = 0; explain_count(row, number, text, sizeof text); number++)
        if (text[0]) {
            fprintf(to, "%s%s", joint, text);
            joint = "; ";
        }
    fprintf(to, "%s. ", joint[0] ? "" : "no line takes much more than it needs");
}

void explain_row(const struct result *row, FILE *to)
{
    if (row->warps.count > 0) {
        say_warps(row, to);
        return;
    }
    say_share(row, to);
    say_balance(row, to);
    say_clock(row, to);
    say_copies(row, to);
    say_launch(row, to);
    if (row->launches.kernels > 0 && explain_is_of_kernel(row)) {
        say_kernel(&row->launches, to);
        say_occupancy(&row->launches, to);
        say_waves(&row->launches, to);
    }
    fprintf(to, "%s ", advise(row));
}

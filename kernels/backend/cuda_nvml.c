#include "cuda_nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The few types and values that are needed, from the NVML API Reference Guide. */
enum { /* Device Enums: nvmlReturn_t */
       NVML_SUCCESS = 0,
       NVML_ERROR_INSUFFICIENT_SIZE = 7,
};
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 }; /* nvmlClockType_t */
enum { NVML_TEMPERATURE_GPU = 0 };              /* nvmlTemperatureSensors_t */
enum { NVML_ENABLED = 1 };                      /* nvmlEnableState_t, and the MIG modes */

/* NvmlClocksEventReasons, the worst first: a full text leaves out the rest. An idle GPU and an application clock are no
 * throttling (harmless_reasons). */
static const struct {
    unsigned long long bit;
    const char *word;
} reasons[] = {
    {0x08, "hw-slowdown"}, {0x40, "hw-thermal"}, {0x80, "hw-power-brake"}, {0x20, "sw-thermal"},
    {0x04, "power-cap"},   {0x10, "sync-boost"}, {0x100, "display-clock"},
};
static const unsigned long long harmless_reasons = 0x01 | 0x02;

static struct {
    void *handle;
    void *device; /* NULL: everything is unknown */
    int (*shutdown)(void);
} nvml;

const char cuda_nvml_library[] = "libnvidia-ml.so.1";

static char error_text[256];

/* Writes a function to `function`, the address of a pointer. False: the library lacks it. */
static bool find(void *function, const char *name)
{
    void *symbol = nvml.handle ? dlsym(nvml.handle, name) : NULL;
    memcpy(function, &symbol, sizeof symbol); /* POSIX: they have one size */
    return symbol != NULL;
}

static const char *give_up(const char *call, int status)
{
    const char *(*error_string)(int status);
    if (find(&error_string, "nvmlErrorString"))
        snprintf(error_text, sizeof error_text, "%s: %s", call, error_string(status));
    else
        snprintf(error_text, sizeof error_text, "%s: error %d", call, status);
    cuda_nvml_close();
    return error_text;
}

const char *cuda_nvml_open(const char *library, const char *pci_bus_id)
{
    static const char initialize[] = "nvmlInit_v2", by_bus[] = "nvmlDeviceGetHandleByPciBusId_v2";
    int (*init)(void), (*shutdown)(void), (*get_handle)(const char *id, void **device);
    memset(&nvml, 0, sizeof nvml);
    nvml.handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!nvml.handle) {
        snprintf(error_text, sizeof error_text, "%s", dlerror());
        return error_text;
    }
    const char *lacking = !find(&init, initialize)           ? initialize
                          : !find(&shutdown, "nvmlShutdown") ? "nvmlShutdown"
                          : !find(&get_handle, by_bus)       ? by_bus
                                                             : NULL;
    if (lacking) {
        snprintf(error_text, sizeof error_text, "%s: it lacks %s", library, lacking);
        cuda_nvml_close();
        return error_text;
    }
    int status = init();
    if (status != NVML_SUCCESS)
        return give_up(initialize, status);
    nvml.shutdown = shutdown;
    status = get_handle(pci_bus_id, &nvml.device);
    return status == NVML_SUCCESS ? NULL : give_up(by_bus, status);
}

void cuda_nvml_close(void)
{
    if (nvml.shutdown)
        (void)nvml.shutdown();
    if (nvml.handle)
        (void)dlclose(nvml.handle);
    memset(&nvml, 0, sizeof nvml);
}

static double number(const char *name)
{
    int (*get)(void *device, unsigned *number);
    unsigned value;
    return find(&get, name) && get(nvml.device, &value) == NVML_SUCCESS ? (double)value : NAN;
}

static double number_of(const char *name, int which)
{
    int (*get)(void *device, int which, unsigned *number);
    unsigned value;
    return find(&get, name) && get(nvml.device, which, &value) == NVML_SUCCESS ? (double)value : NAN;
}

static int mode(const char *name)
{
    int (*get)(void *device, unsigned *now, unsigned *after_reboot);
    unsigned now, after_reboot;
    if (!find(&get, name) || get(nvml.device, &now, &after_reboot) != NVML_SUCCESS)
        return -1;
    return now == NVML_ENABLED;
}

/* Without room for a list of processes the call returns their number. */
static int count(const char *name)
{
    int (*get)(void *device, unsigned *count, void *processes);
    unsigned number_of_them = 0;
    if (!find(&get, name))
        return -1;
    int status = get(nvml.device, &number_of_them, NULL);
    return status == NVML_SUCCESS || status == NVML_ERROR_INSUFFICIENT_SIZE ? (int)number_of_them : -1;
}

struct cuda_nvml_facts cuda_nvml_facts(void)
{
    int (*get_version)(char *text, unsigned size);
    double application_mhz = number_of("nvmlDeviceGetApplicationsClock", NVML_CLOCK_SM);
    struct cuda_nvml_facts facts = {
        .power_limit_w = number("nvmlDeviceGetEnforcedPowerLimit") * 1e-3,
        .power_limit_default_w = number("nvmlDeviceGetPowerManagementDefaultLimit") * 1e-3,
        .sm_clock_set_mhz =
            isnan(application_mhz) ? number_of("nvmlDeviceGetMaxClockInfo", NVML_CLOCK_SM) : application_mhz,
        .mig = mode("nvmlDeviceGetMigMode"),
        .ecc = mode("nvmlDeviceGetEccMode"),
    };
    if (find(&get_version, "nvmlSystemGetDriverVersion"))
        (void)get_version(facts.driver_version, sizeof facts.driver_version);
    return facts;
}

static void add_word(char *text, size_t size, const char *word)
{
    size_t length = strlen(text);
    if (length + 1 + strlen(word) < size)
        snprintf(text + length, size - length, "%s%s", length > 0 ? "+" : "", word);
}

static void write_reasons(unsigned long long bits, char *text, size_t size)
{
    text[0] = '\0';
    bits &= ~harmless_reasons;
    if (bits == 0)
        add_word(text, size, "no");
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (bits & reasons[i].bit)
            add_word(text, size, reasons[i].word);
        bits &= ~reasons[i].bit;
    }
    if (bits != 0)
        add_word(text, size, "other");
}

void cuda_nvml_read(struct device_state *state, bool brief)
{
    state->sm_clock_mhz = number_of("nvmlDeviceGetClockInfo", NVML_CLOCK_SM);
    state->memory_clock_mhz = number_of("nvmlDeviceGetClockInfo", NVML_CLOCK_MEM);
    state->temperature_c = number_of("nvmlDeviceGetTemperature", NVML_TEMPERATURE_GPU);
    state->power_w =
        number("nvmlDeviceGetPowerUsage") * 1e-3; /* the mean of the last second, on most GPUs since Ampere */
    unsigned long long value;
    int (*get)(void *device, unsigned long long *number);
    state->throttled[0] = '\0';
    if (find(&get, "nvmlDeviceGetCurrentClocksEventReasons") && get(nvml.device, &value) == NVML_SUCCESS)
        write_reasons(value, state->throttled, sizeof state->throttled);
    state->energy_j = NAN;
    if (!brief && find(&get, "nvmlDeviceGetTotalEnergyConsumption") && get(nvml.device, &value) == NVML_SUCCESS)
        state->energy_j = (double)value * 1e-3; /* NVML counts millijoules since the driver was loaded */
}

struct cuda_nvml_processes cuda_nvml_processes(void)
{
    return (struct cuda_nvml_processes){.compute = count("nvmlDeviceGetComputeRunningProcesses_v3"),
                                        .mps = count("nvmlDeviceGetMPSComputeRunningProcesses_v3")};
}

/* At most one: a process that came at the same moment is another one. */
static int own_share(int before, int after)
{
    return before >= 0 && after > before;
}

struct cuda_nvml_processes cuda_nvml_own(struct cuda_nvml_processes before, struct cuda_nvml_processes after)
{
    return (struct cuda_nvml_processes){.compute = own_share(before.compute, after.compute),
                                        .mps = own_share(before.mps, after.mps)};
}

int cuda_nvml_others(struct cuda_nvml_processes now, struct cuda_nvml_processes own)
{
    int others = now.mps > 0 ? now.mps - own.mps : now.compute - own.compute;
    return now.compute < 0 && now.mps <= 0 ? -1 : others > 0 ? others : 0;
}

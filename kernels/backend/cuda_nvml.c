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
struct nvml_temperature {
    unsigned version;
    int sensor, value;
}; /* nvmlTemperature_v1_t */

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

typedef int get_number(void *device, unsigned *number);
typedef int get_number_of(void *device, int which, unsigned *number);
typedef int get_long(void *device, unsigned long long *number);
typedef int get_mode(void *device, unsigned *now, unsigned *after_reboot);
typedef int get_processes(void *device, unsigned *count, void *processes);

static struct {
    void *handle;
    void *device; /* NULL: everything is unknown */
    int (*init)(void);
    int (*shutdown)(void);
    const char *(*error_string)(int status);
    int (*handle_by_pci_bus_id)(const char *id, void **device);
    get_number *power, *power_limit, *power_limit_default;
    get_number_of *clock, *application_clock, *max_clock, *temperature_before_v;
    int (*temperature)(void *device, struct nvml_temperature *temperature);
    get_long *energy, *event_reasons;
    get_mode *ecc, *mig;
    get_processes *compute_processes, *mps_processes;
} nvml;

/* The names of each function, newest first. */
static const struct {
    void *place;
    const char *names[3];
} symbols[] = {
    {&nvml.init, {"nvmlInit_v2", "nvmlInit"}},
    {&nvml.shutdown, {"nvmlShutdown"}},
    {&nvml.error_string, {"nvmlErrorString"}},
    {&nvml.handle_by_pci_bus_id, {"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"}},
    {&nvml.power, {"nvmlDeviceGetPowerUsage"}},
    {&nvml.power_limit, {"nvmlDeviceGetEnforcedPowerLimit"}},
    {&nvml.power_limit_default, {"nvmlDeviceGetPowerManagementDefaultLimit"}},
    {&nvml.clock, {"nvmlDeviceGetClockInfo"}},
    {&nvml.application_clock, {"nvmlDeviceGetApplicationsClock"}},
    {&nvml.max_clock, {"nvmlDeviceGetMaxClockInfo"}},
    {&nvml.temperature, {"nvmlDeviceGetTemperatureV"}},
    {&nvml.temperature_before_v, {"nvmlDeviceGetTemperature"}},
    {&nvml.energy, {"nvmlDeviceGetTotalEnergyConsumption"}},
    {&nvml.event_reasons, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}},
    {&nvml.ecc, {"nvmlDeviceGetEccMode"}},
    {&nvml.mig, {"nvmlDeviceGetMigMode"}},
    {&nvml.compute_processes,
     {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
      "nvmlDeviceGetComputeRunningProcesses"}},
    {&nvml.mps_processes,
     {"nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2",
      "nvmlDeviceGetMPSComputeRunningProcesses"}},
};

const char cuda_nvml_library[] = "libnvidia-ml.so.1";

static char error_text[256];

static void look_up_symbols(void)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = NULL;
        for (size_t n = 0; n < 3 && !symbol && symbols[i].names[n]; n++)
            symbol = dlsym(nvml.handle, symbols[i].names[n]);
        memcpy(symbols[i].place, &symbol, sizeof symbol); /* POSIX: they have one size */
    }
}

static const char *give_up(const char *call, int status)
{
    if (nvml.error_string)
        snprintf(error_text, sizeof error_text, "%s: %s", call, nvml.error_string(status));
    else
        snprintf(error_text, sizeof error_text, "%s: error %d", call, status);
    cuda_nvml_close();
    return error_text;
}

const char *cuda_nvml_open(const char *library, const char *pci_bus_id)
{
    memset(&nvml, 0, sizeof nvml);
    nvml.handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (!nvml.handle) {
        snprintf(error_text, sizeof error_text, "%s", dlerror());
        return error_text;
    }
    look_up_symbols();
    if (!nvml.init || !nvml.shutdown || !nvml.handle_by_pci_bus_id) {
        snprintf(error_text, sizeof error_text, "%s: it lacks %s", library,
                 !nvml.init       ? "nvmlInit"
                 : !nvml.shutdown ? "nvmlShutdown"
                                  : "nvmlDeviceGetHandleByPciBusId");
        nvml.shutdown = NULL;
        cuda_nvml_close();
        return error_text;
    }
    int status = nvml.init();
    if (status != NVML_SUCCESS) {
        nvml.shutdown = NULL;
        return give_up("nvmlInit", status);
    }
    void *device = NULL;
    status = nvml.handle_by_pci_bus_id(pci_bus_id, &device);
    if (status != NVML_SUCCESS)
        return give_up("nvmlDeviceGetHandleByPciBusId", status);
    nvml.device = device;
    return NULL;
}

void cuda_nvml_close(void)
{
    if (nvml.shutdown)
        (void)nvml.shutdown();
    if (nvml.handle)
        (void)dlclose(nvml.handle);
    memset(&nvml, 0, sizeof nvml);
}

static double number(get_number *get)
{
    unsigned value;
    return nvml.device && get && get(nvml.device, &value) == NVML_SUCCESS ? (double)value : NAN;
}

static double number_of(get_number_of *get, int which)
{
    unsigned value;
    return nvml.device && get && get(nvml.device, which, &value) == NVML_SUCCESS ? (double)value : NAN;
}

static int mode(get_mode *get)
{
    unsigned now, after_reboot;
    if (!nvml.device || !get || get(nvml.device, &now, &after_reboot) != NVML_SUCCESS)
        return -1;
    return now == NVML_ENABLED;
}

/* Without room for a list of processes the call returns their number. */
static int count(get_processes *get)
{
    unsigned number_of_them = 0;
    if (!nvml.device || !get)
        return -1;
    int status = get(nvml.device, &number_of_them, NULL);
    return status == NVML_SUCCESS || status == NVML_ERROR_INSUFFICIENT_SIZE ? (int)number_of_them : -1;
}

struct cuda_nvml_facts cuda_nvml_facts(void)
{
    double application_mhz = number_of(nvml.application_clock, NVML_CLOCK_SM);
    return (struct cuda_nvml_facts){
        .power_limit_w = number(nvml.power_limit) * 1e-3,
        .power_limit_default_w = number(nvml.power_limit_default) * 1e-3,
        .sm_clock_set_mhz = isnan(application_mhz) ? number_of(nvml.max_clock, NVML_CLOCK_SM) : application_mhz,
        .mig = mode(nvml.mig),
        .ecc = mode(nvml.ecc),
    };
}

static double temperature_c(void)
{
    struct nvml_temperature temperature = {
        .version = (unsigned)sizeof temperature | 1u << 24, /* as NVML_STRUCT_VERSION makes it */
        .sensor = NVML_TEMPERATURE_GPU,
    };
    if (nvml.device && nvml.temperature && nvml.temperature(nvml.device, &temperature) == NVML_SUCCESS)
        return temperature.value;
    return number_of(nvml.temperature_before_v, NVML_TEMPERATURE_GPU);
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
    state->sm_clock_mhz = number_of(nvml.clock, NVML_CLOCK_SM);
    state->memory_clock_mhz = number_of(nvml.clock, NVML_CLOCK_MEM);
    state->temperature_c = temperature_c();
    state->power_w = number(nvml.power) * 1e-3; /* the mean of the last second, on most GPUs since Ampere */
    unsigned long long value;
    state->throttled[0] = '\0';
    if (nvml.device && nvml.event_reasons && nvml.event_reasons(nvml.device, &value) == NVML_SUCCESS)
        write_reasons(value, state->throttled, sizeof state->throttled);
    state->energy_j = NAN;
    if (!brief && nvml.device && nvml.energy && nvml.energy(nvml.device, &value) == NVML_SUCCESS)
        state->energy_j = (double)value * 1e-3; /* NVML counts millijoules since the driver was loaded */
}

struct cuda_nvml_processes cuda_nvml_processes(void)
{
    return (struct cuda_nvml_processes){.compute = count(nvml.compute_processes), .mps = count(nvml.mps_processes)};
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

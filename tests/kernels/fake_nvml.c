/* What NVML's functions are like is in the NVML API Reference Guide. */
#include "fake_nvml.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };

extern struct fake_nvml fake_nvml;
struct fake_nvml fake_nvml;

static int the_device;

static int begin(const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    if (!strstr(fake_nvml.used, word) && strlen(fake_nvml.used) + strlen(word) < sizeof fake_nvml.used)
        strcat(fake_nvml.used, word);
    return fake_nvml.failing && strcmp(name, fake_nvml.failing) == 0 ? fake_nvml.failure : SUCCESS;
}

static bool wrong(const void *device)
{
    return fake_nvml.open != 1 || device != &the_device;
}

/* Every function: notes the call, fails if it is to, and writes one value. */
#define FUNCTION(name, parameters, bad, action) \
    int name parameters;                        \
    int name parameters                         \
    {                                           \
        int status = begin(#name);              \
        if (status != SUCCESS)                  \
            return status;                      \
        if (bad)                                \
            return INVALID_ARGUMENT;            \
        action;                                 \
        return SUCCESS;                         \
    }

FUNCTION(nvmlInit_v2, (void), false, fake_nvml.open++)
FUNCTION(nvmlShutdown, (void), fake_nvml.open != 1, fake_nvml.open--)

const char *nvmlErrorString(int status);
const char *nvmlErrorString(int status)
{
    return status == 9 ? "Driver Not Loaded" : status == NOT_FOUND ? "Not Found" : "Something Else";
}

static int handle(const char *id, void **device)
{
    if (strcmp(id, fake_nvml.bus_id) != 0)
        return NOT_FOUND;
    *device = &the_device;
    return SUCCESS;
}

#define HANDLE(name)                                 \
    int name(const char *id, void **device);         \
    int name(const char *id, void **device)          \
    {                                                \
        int status = begin(#name);                   \
        return status ? status : handle(id, device); \
    }
HANDLE(nvmlDeviceGetHandleByPciBusId_v2)

#define NUMBER(name, value) FUNCTION(name, (void *device, unsigned *number), wrong(device), *number = (value))
NUMBER(nvmlDeviceGetPowerUsage, fake_nvml.power_mw)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, fake_nvml.enforced_mw)
NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, fake_nvml.default_mw)

/* Clocks: 1 is the multiprocessors', 2 the memory's. Sensor 0 is the only one. */
#define NUMBER_OF(name, largest, value) \
    FUNCTION(name, (void *device, int which, unsigned *number), wrong(device) || which > (largest), *number = (value))
NUMBER_OF(nvmlDeviceGetClockInfo, 2, which == 1 ? fake_nvml.sm_clock : which == 2 ? fake_nvml.memory_clock : 1)
NUMBER_OF(nvmlDeviceGetApplicationsClock, 2, which == 1 ? fake_nvml.application_clock : 1)
NUMBER_OF(nvmlDeviceGetMaxClockInfo, 2, which == 1 ? fake_nvml.max_clock : 1)
NUMBER_OF(nvmlDeviceGetTemperature, 0, fake_nvml.temperature)

FUNCTION(nvmlSystemGetDriverVersion, (char *text, unsigned size), fake_nvml.open != 1 || size < 16,
         (void)snprintf(text, size, "580.95.05"))

#define LONG(name, value) FUNCTION(name, (void *device, unsigned long long *number), wrong(device), *number = (value))
LONG(nvmlDeviceGetTotalEnergyConsumption, fake_nvml.energy_mj)
LONG(nvmlDeviceGetCurrentClocksEventReasons, fake_nvml.reasons)

/* The second is what will be after the next start: the opposite. */
#define MODE(name, value)                                                                         \
    FUNCTION(name, (void *device, unsigned *now, unsigned *next), wrong(device) || !now || !next, \
             (*now = (value), *next = !(value)))
MODE(nvmlDeviceGetEccMode, fake_nvml.ecc)
MODE(nvmlDeviceGetMigMode, fake_nvml.mig)

static int processes(const void *device, unsigned *count, const void *infos, unsigned there)
{
    if (wrong(device) || *count != 0 || infos)
        return INVALID_ARGUMENT;
    *count = there;
    return there > 0 ? INSUFFICIENT_SIZE : SUCCESS;
}

#define PROCESSES(name, there)                                           \
    int name(void *device, unsigned *count, void *infos);                \
    int name(void *device, unsigned *count, void *infos)                 \
    {                                                                    \
        int status = begin(#name);                                       \
        return status ? status : processes(device, count, infos, there); \
    }
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3, fake_nvml.compute)
PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v3, fake_nvml.mps)

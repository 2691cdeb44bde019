/* What NVML says, through a library that stands in for it and is opened as NVML is. */
#include "fake_nvml.h"
#include "kernels/backend/cuda_nvml.h"
#include "tests/unit.h"

#include <dlfcn.h>

static const char bus_id[] = "0000:65:00.0";

/* What the library says; prepare_without() resets it. */
static struct fake_nvml *fake;
static void *fake_handle;

/* Functions that it lacks, for who looks for them. */
static const char *const *lacking;
static int lacking_count;

void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name)
{
    for (int i = 0; i < lacking_count; i++)
        if (strcmp(name, lacking[i]) == 0)
            return NULL;
    return __real_dlsym(handle, name);
}

/* The fake lacks these functions, and else has everything in order. */
static void prepare_without(const char *const *names, int count)
{
    lacking = names;
    lacking_count = count;
    fake_handle = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(fake_handle);
    fake = dlsym(fake_handle, "fake_nvml");
    assert_non_null(fake);
    *fake = (struct fake_nvml){
        .failure = 3, /* NVML_ERROR_NOT_SUPPORTED */
        .bus_id = bus_id,
        .sm_clock = 1755,
        .memory_clock = 3201,
        .application_clock = 1830,
        .max_clock = 1980,
        .temperature = 41,
        .power_mw = 123456,
        .enforced_mw = 700000,
        .default_mw = 700000,
        .energy_mj = 9876543210987,
        .reasons = 0,
        .ecc = 1,
        .mig = 0,
        .compute = 3,
        .mps = 2,
    };
}

static int close_all(void **state)
{
    cuda_nvml_close();
    if (fake_handle) {
        assert_int_equal(fake->open, 0);
        dlclose(fake_handle);
    }
    fake_handle = NULL;
    lacking_count = 0;
    return 0;
}

static void open_without(const char *const *names, int count)
{
    prepare_without(names, count);
    assert_null(cuda_nvml_open(FAKE_NVML, bus_id));
}

/* Whether the function of that name was called. */
static bool used(const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(fake->used, word) != NULL;
}

enum value {
    SM_CLOCK = 1 << 0,
    MEMORY_CLOCK = 1 << 1,
    TEMPERATURE = 1 << 2,
    POWER = 1 << 3,
    THROTTLED = 1 << 4,
    ENERGY = 1 << 5,
    COMPUTE = 1 << 6,
    MPS = 1 << 7,
    LIMIT = 1 << 8,
    LIMIT_DEFAULT = 1 << 9,
    ECC = 1 << 10,
    MIG = 1 << 11,
    MAX_CLOCK = 1 << 12, /* stands for the application clock */
    CLOCK_SET = 1 << 13,
    DRIVER = 1 << 14,
    EVERYTHING = (1 << 15) - 1 - MAX_CLOCK,
};

static void check_number(double got, double expected, bool unknown)
{
    if (unknown)
        assert_true(isnan(got));
    else
        assert_true(fabs(got - expected) <= 1e-12 * expected);
}

/* All values are there but the unknown ones. */
static void check_values(int unknown)
{
    struct device_state state = {.lost_s = 5, .other_processes = 7, .cycles = 11};
    memset(state.throttled, 'x', sizeof state.throttled);
    cuda_nvml_read(&state, true);
    assert_true(isnan(state.energy_j));
    cuda_nvml_read(&state, false);
    check_number(state.sm_clock_mhz, 1755, unknown & SM_CLOCK);
    check_number(state.memory_clock_mhz, 3201, unknown & MEMORY_CLOCK);
    check_number(state.temperature_c, 41, unknown & TEMPERATURE);
    check_number(state.power_w, 123.456, unknown & POWER);
    check_number(state.energy_j, 9876543210.987, unknown & ENERGY);
    assert_string_equal(state.throttled, unknown & THROTTLED ? "" : "no");
    assert_true(state.lost_s == 5 && state.other_processes == 7 && state.cycles == 11);

    struct cuda_nvml_facts facts = cuda_nvml_facts();
    check_number(facts.power_limit_w, 700, unknown & LIMIT);
    check_number(facts.power_limit_default_w, 700, unknown & LIMIT_DEFAULT);
    check_number(facts.sm_clock_set_mhz, unknown & MAX_CLOCK ? 1980 : 1830, unknown & CLOCK_SET);
    assert_int_equal(facts.ecc, unknown & ECC ? -1 : 1);
    assert_int_equal(facts.mig, unknown & MIG ? -1 : 0);
    assert_string_equal(facts.driver_version, unknown & DRIVER ? "" : "580.95.05");

    struct cuda_nvml_processes processes = cuda_nvml_processes();
    assert_int_equal(processes.compute, unknown & COMPUTE ? -1 : 3);
    assert_int_equal(processes.mps, unknown & MPS ? -1 : 2);
}

TEST(every_value_is_read_until_it_is_closed)
{
    open_without(NULL, 0);
    check_values(0);
    fake->ecc = 0;
    fake->mig = 1;
    fake->compute = fake->mps = 0;
    assert_int_equal(cuda_nvml_facts().ecc, 0);
    assert_int_equal(cuda_nvml_facts().mig, 1);
    assert_int_equal(cuda_nvml_processes().compute, 0);
    assert_int_equal(cuda_nvml_processes().mps, 0);
    assert_int_equal(fake->open, 1);
    for (int times = 0; times < 2; times++) {
        cuda_nvml_close();
        assert_int_equal(fake->open, 0);
        check_values(EVERYTHING);
    }
}

/* What is lost when none of these can be had. */
static const struct {
    const char *names[2];
    int lost;
} calls[] = {
    {{"nvmlDeviceGetPowerUsage"}, POWER},
    {{"nvmlDeviceGetEnforcedPowerLimit"}, LIMIT},
    {{"nvmlDeviceGetPowerManagementDefaultLimit"}, LIMIT_DEFAULT},
    {{"nvmlDeviceGetClockInfo"}, SM_CLOCK | MEMORY_CLOCK},
    {{"nvmlDeviceGetApplicationsClock"}, MAX_CLOCK},
    {{"nvmlDeviceGetApplicationsClock", "nvmlDeviceGetMaxClockInfo"}, CLOCK_SET},
    {{"nvmlDeviceGetTemperature"}, TEMPERATURE},
    {{"nvmlDeviceGetTotalEnergyConsumption"}, ENERGY},
    {{"nvmlDeviceGetCurrentClocksEventReasons"}, THROTTLED},
    {{"nvmlDeviceGetEccMode"}, ECC},
    {{"nvmlDeviceGetMigMode"}, MIG},
    {{"nvmlSystemGetDriverVersion"}, DRIVER},
    {{"nvmlDeviceGetComputeRunningProcesses_v3"}, COMPUTE},
    {{"nvmlDeviceGetMPSComputeRunningProcesses_v3"}, MPS},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* Where there are two names, the value has a second way: one is lacking, and the other is lacking or fails. */
TEST(a_missing_function_and_a_failing_call_cost_their_value_alone)
{
    for (int i = 0; i < CALLS; i++) {
        const int names = calls[i].names[1] ? 2 : 1;
        open_without(calls[i].names, names);
        check_values(calls[i].lost);
        close_all(state);
        open_without(calls[i].names, names - 1);
        fake->failing = calls[i].names[names - 1];
        check_values(calls[i].lost);
        assert_true(used(fake->failing));
        close_all(state);
    }
}

TEST(reasons_are_words)
{
    static const struct {
        unsigned long long bits;
        const char *words;
    } cases[] = {
        {0x000, "no"},
        {0x001, "no"}, /* idle */
        {0x002, "no"}, /* the application clock that was asked for */
        {0x003, "no"},
        {0x004, "power-cap"},
        {0x005, "power-cap"},
        {0x008, "hw-slowdown"},
        {0x010, "sync-boost"},
        {0x020, "sw-thermal"},
        {0x040, "hw-thermal"},
        {0x080, "hw-power-brake"},
        {0x100, "display-clock"},
        {0x200, "other"},
        {1ull << 40, "other"},
        {0x804, "power-cap+other"},
        {0x04c, "hw-slowdown+hw-thermal+power-cap"},
        {0x024, "sw-thermal+power-cap"},
        {0x114, "power-cap+sync-boost+display-clock"},
        /* What has no room is left out whole. */
        {0x0ec, "hw-slowdown+hw-thermal+hw-power-brake+sw-thermal+power-cap"},
        {~0ull, "hw-slowdown+hw-thermal+hw-power-brake+sw-thermal+power-cap"},
    };
    open_without(NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct device_state read;
        fake->reasons = cases[i].bits;
        cuda_nvml_read(&read, false);
        assert_string_equal(read.throttled, cases[i].words);
    }
}

static int others(int before, int after, int now, int mps_before, int mps_after, int mps_now)
{
    struct cuda_nvml_processes own =
        cuda_nvml_own((struct cuda_nvml_processes){before, mps_before}, (struct cuda_nvml_processes){after, mps_after});
    return cuda_nvml_others((struct cuda_nvml_processes){now, mps_now}, own);
}

TEST(other_processes_are_those_beside_this_one)
{
    assert_int_equal(others(0, 1, 1, 0, 0, 0), 0); /* alone */
    assert_int_equal(others(2, 3, 3, 0, 0, 0), 2);
    assert_int_equal(others(0, 1, 2, 0, 0, 0), 1); /* came later */
    assert_int_equal(others(1, 2, 1, 0, 0, 0), 0); /* went */
    assert_int_equal(others(0, 2, 2, 0, 0, 0), 1); /* came at the same moment */
    assert_int_equal(others(0, 0, 0, 0, 0, 0), 0); /* a container that shows none */
    assert_int_equal(others(0, 0, 1, 0, 0, 0), 1); /* a container that shows others alone */
    assert_int_equal(others(1, 0, 0, 0, 0, 0), 0);
    assert_int_equal(others(0, 1, 0, 0, 0, 0), 0);
    assert_int_equal(others(-1, -1, -1, -1, -1, -1), -1);
    assert_int_equal(others(0, 1, 3, -1, -1, -1), 2); /* a GPU without MPS */
    assert_int_equal(others(-1, 1, 1, 0, 0, 0), 1);   /* whose was it? */
    assert_int_equal(others(0, 1, 1, 0, 1, 1), 0);    /* alone on MPS, whose server came with us */
    assert_int_equal(others(1, 1, 1, 0, 1, 1), 0);    /* or was there before */
    assert_int_equal(others(1, 1, 1, 2, 3, 3), 2);    /* three on MPS */
    assert_int_equal(others(-1, -1, -1, 0, 1, 2), 1);
    assert_int_equal(others(-1, -1, -1, 0, 0, 0), -1);
}

TEST(without_what_opens_it_the_library_is_of_no_use)
{
    static const char *const cases[] = {"nvmlInit_v2", "nvmlShutdown", "nvmlDeviceGetHandleByPciBusId_v2"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prepare_without(&cases[i], 1);
        const char *error = cuda_nvml_open(FAKE_NVML, bus_id);
        assert_non_null(error);
        assert_non_null(strstr(error, "it lacks "));
        assert_non_null(strstr(error, cases[i]));
        assert_non_null(strstr(error, FAKE_NVML));
        assert_string_equal(fake->used, "");
        check_values(EVERYTHING);
        close_all(state);
    }
}

TEST(failures_to_open_are_named)
{
    prepare_without(NULL, 0);
    fake->failing = "nvmlInit_v2";
    fake->failure = 9;
    assert_string_equal(cuda_nvml_open(FAKE_NVML, bus_id), "nvmlInit_v2: Driver Not Loaded");
    assert_false(used("nvmlShutdown"));
    check_values(EVERYTHING);
    fake->failing = NULL;
    assert_string_equal(cuda_nvml_open(FAKE_NVML, "0000:66:00.0"), "nvmlDeviceGetHandleByPciBusId_v2: Not Found");
    assert_int_equal(fake->open, 0);
    check_values(EVERYTHING);
    assert_null(cuda_nvml_open(FAKE_NVML, bus_id));
    check_values(0);
    close_all(state);
    static const char *const words = "nvmlErrorString";
    prepare_without(&words, 1);
    fake->failing = "nvmlInit_v2";
    fake->failure = 9;
    assert_string_equal(cuda_nvml_open(FAKE_NVML, bus_id), "nvmlInit_v2: error 9");
}

TEST(without_the_library_everything_is_unknown)
{
    check_values(EVERYTHING); /* never opened */
    const char *error = cuda_nvml_open("./libno-such-library.so.1", bus_id);
    assert_non_null(error);
    assert_non_null(strstr(error, "libno-such-library.so.1"));
    assert_null(strstr(error, "lacks")); /* it is not there, rather than there and too old */
    check_values(EVERYTHING);
}

AROUND_EACH_TEST(NULL, close_all)

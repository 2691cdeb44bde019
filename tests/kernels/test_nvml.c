/* What NVML says, through a library that stands in for it. */
#include "opened_nvml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

static void every_value_is_read(void **state)
{
    (void)state;
    open_well(FAKE_NVML);
    check_values(0);
    fake->ecc = 0;
    fake->mig = 1;
    fake->compute = fake->mps = 0;
    assert_int_equal(cuda_nvml_facts().ecc, 0);
    assert_int_equal(cuda_nvml_facts().mig, 1);
    assert_int_equal(cuda_nvml_processes().compute, 0);
    assert_int_equal(cuda_nvml_processes().mps, 0);
}

/* What is lost when none of these can be had, and that the one named last serves where the others cannot. */
static const struct {
    const char *names[3];
    int lost;
} calls[] = {
    {{"nvmlDeviceGetPowerUsage"}, POWER},
    {{"nvmlDeviceGetEnforcedPowerLimit"}, LIMIT},
    {{"nvmlDeviceGetPowerManagementDefaultLimit"}, LIMIT_DEFAULT},
    {{"nvmlDeviceGetClockInfo"}, SM_CLOCK | MEMORY_CLOCK},
    {{"nvmlDeviceGetApplicationsClock"}, MAX_CLOCK},
    {{"nvmlDeviceGetApplicationsClock", "nvmlDeviceGetMaxClockInfo"}, CLOCK_SET},
    {{"nvmlDeviceGetTemperatureV", "nvmlDeviceGetTemperature"}, TEMPERATURE},
    {{"nvmlDeviceGetTotalEnergyConsumption"}, ENERGY},
    {{"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}, THROTTLED},
    {{"nvmlDeviceGetEccMode"}, ECC},
    {{"nvmlDeviceGetMigMode"}, MIG},
    {{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
      "nvmlDeviceGetComputeRunningProcesses"},
     COMPUTE},
    {{"nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2",
      "nvmlDeviceGetMPSComputeRunningProcesses"},
     MPS},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static int names_of(const char *const *names)
{
    int count = 0;
    while (count < 3 && names[count])
        count++;
    return count;
}

static void a_missing_function_costs_its_value_alone(void **state)
{
    for (int i = 0; i < CALLS; i++) {
        const char *library = copy_without(calls[i].names, names_of(calls[i].names));
        open_well(library);
        check_values(calls[i].lost);
        close_all(state);
        unlink(library);
    }
}

/* The application clock and the temperature have a second way; of the others only the newest name is ever called. */
static void a_failing_call_costs_its_value_alone(void **state)
{
    for (int i = 0; i < CALLS; i++) {
        open_well(FAKE_NVML);
        fake->failing = calls[i].names[0];
        bool second_way = strcmp(fake->failing, "nvmlDeviceGetTemperatureV") == 0;
        check_values(calls[i].lost == CLOCK_SET ? MAX_CLOCK : second_way ? 0 : calls[i].lost);
        assert_true(used(fake->failing));
        close_all(state);
    }
}

static void failing_all_the_way_costs_the_value(void **state)
{
    (void)state;
    const char *without[] = {"nvmlDeviceGetTemperatureV", "nvmlDeviceGetApplicationsClock"};
    const char *library = copy_without(without, 2);
    open_well(library);
    fake->failing = "nvmlDeviceGetTemperature";
    check_values(TEMPERATURE | MAX_CLOCK);
    fake->failing = "nvmlDeviceGetMaxClockInfo";
    check_values(CLOCK_SET);
    unlink(library);
}

static void the_newest_name_there_is_serves(void **state)
{
    for (int i = 0; i < CALLS; i++) {
        if (calls[i].lost == CLOCK_SET)
            continue; /* two things, not two names */
        int count = names_of(calls[i].names);
        for (int gone = 0; gone < count; gone++) {
            const char *library = copy_without(calls[i].names, gone);
            open_well(library);
            check_values(0);
            for (int n = 0; n < count; n++)
                assert_int_equal(used(calls[i].names[n]), n == gone);
            close_all(state);
            unlink(library);
        }
    }
}

static void reasons_are_words(void **state)
{
    (void)state;
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
    open_well(FAKE_NVML);
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

static void other_processes_are_those_beside_this_one(void **state)
{
    (void)state;
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

int main(void)
{
#define NVML_TEST(test) cmocka_unit_test_teardown(test, close_all)
    const struct CMUnitTest tests[] = {
        NVML_TEST(every_value_is_read),
        NVML_TEST(a_missing_function_costs_its_value_alone),
        NVML_TEST(a_failing_call_costs_its_value_alone),
        NVML_TEST(failing_all_the_way_costs_the_value),
        NVML_TEST(the_newest_name_there_is_serves),
        NVML_TEST(reasons_are_words),
        cmocka_unit_test(other_processes_are_those_beside_this_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

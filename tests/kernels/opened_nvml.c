#include "opened_nvml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bus_id[] = "0000:65:00.0";

struct fake_nvml *fake;
static void *fake_handle;

void prepare(const char *library)
{
    fake_handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
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

int close_all(void **state)
{
    (void)state;
    cuda_nvml_close();
    if (fake_handle) {
        assert_int_equal(fake->open, 0);
        dlclose(fake_handle);
    }
    fake_handle = NULL;
    return 0;
}

void open_well(const char *library)
{
    prepare(library);
    assert_null(cuda_nvml_open(library, bus_id));
}

bool used(const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(fake->used, word) != NULL;
}

static void check_number(double got, double expected, bool unknown)
{
    if (unknown)
        assert_true(isnan(got));
    else
        assert_true(fabs(got - expected) <= 1e-12 * expected);
}

void check_values(int unknown)
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

    struct cuda_nvml_processes processes = cuda_nvml_processes();
    assert_int_equal(processes.compute, unknown & COMPUTE ? -1 : 3);
    assert_int_equal(processes.mps, unknown & MPS ? -1 : 2);
}

const char *copy_without(const char *const *names, int count)
{
    static char path[64];
    static int copies;
    FILE *file = fopen(FAKE_NVML, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    for (int n = 0; n < count; n++) {
        size_t length = strlen(names[n]) + 1; /* with the NUL, and one before it: not in a longer name */
        int found = 0;
        for (size_t i = 1; i + length <= size; i++) {
            if (bytes[i - 1] == '\0' && memcmp(bytes + i, names[n], length) == 0) {
                bytes[i] = 'x';
                found++;
            }
        }
        assert_true(found > 0);
    }
    snprintf(path, sizeof path, "./fake_nvml_%d.so", copies++);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
    return path;
}

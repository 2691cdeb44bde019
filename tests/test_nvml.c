/* What NVML says, through a library that stands in for it, and the notes made of that. */
#include "cuda_notes.h"
#include "cuda_nvml.h"
#include "fake_nvml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char bus_id[] = "0000:65:00.0";

static struct fake_nvml *fake;
static void *fake_handle;

/* Makes `library` what the fake is, with everything in order. */
static void prepare(const char *library)
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

static int close_all(void **state)
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

static void open_well(const char *library)
{
    prepare(library);
    assert_null(cuda_nvml_open(library, bus_id));
}

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
    EVERYTHING = (1 << 14) - 1 - MAX_CLOCK,
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
    cuda_nvml_read(&state);
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

/* Writes a copy of the fake that lacks the first `count` of the functions: a symbol of another name is not found.
 * Returns its path. */
static const char *copy_without(const char *const *names, int count)
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

static void old_names_open_the_library(void **state)
{
    (void)state;
    open_well(FAKE_NVML);
    assert_true(used("nvmlInit_v2") && used("nvmlDeviceGetHandleByPciBusId_v2"));
    assert_false(used("nvmlInit") || used("nvmlDeviceGetHandleByPciBusId"));
    close_all(state);
    const char *new_names[] = {"nvmlInit_v2", "nvmlDeviceGetHandleByPciBusId_v2"};
    const char *library = copy_without(new_names, 2);
    open_well(library);
    assert_true(used("nvmlInit") && used("nvmlDeviceGetHandleByPciBusId"));
    check_values(0);
    unlink(library);
}

static void without_what_opens_it_the_library_is_of_no_use(void **state)
{
    static const struct {
        const char *names[2];
        int count;
        const char *lacks;
    } cases[] = {
        {{"nvmlInit_v2", "nvmlInit"}, 2, "it lacks nvmlInit"},
        {{"nvmlShutdown"}, 1, "it lacks nvmlShutdown"},
        {{"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"},
         2,
         "it lacks nvmlDeviceGetHandleByPciBusId"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *library = copy_without(cases[i].names, cases[i].count);
        prepare(library);
        const char *trouble = cuda_nvml_open(library, bus_id);
        assert_non_null(trouble);
        assert_non_null(strstr(trouble, cases[i].lacks));
        assert_non_null(strstr(trouble, library));
        assert_string_equal(fake->used, "");
        check_values(EVERYTHING);
        close_all(state);
        unlink(library);
    }
}

static void failures_to_open_are_named(void **state)
{
    (void)state;
    prepare(FAKE_NVML);
    fake->failing = "nvmlInit_v2";
    fake->failure = 9;
    assert_string_equal(cuda_nvml_open(FAKE_NVML, bus_id), "nvmlInit: Driver Not Loaded");
    assert_false(used("nvmlShutdown"));
    check_values(EVERYTHING);
    fake->failing = NULL;
    assert_string_equal(cuda_nvml_open(FAKE_NVML, "0000:66:00.0"), "nvmlDeviceGetHandleByPciBusId: Not Found");
    assert_int_equal(fake->open, 0);
    check_values(EVERYTHING);
    assert_null(cuda_nvml_open(FAKE_NVML, bus_id));
    check_values(0);
}

static void a_failure_without_words_has_a_number(void **state)
{
    (void)state;
    const char *words = "nvmlErrorString";
    const char *library = copy_without(&words, 1);
    prepare(library);
    fake->failing = "nvmlInit_v2";
    fake->failure = 9;
    assert_string_equal(cuda_nvml_open(library, bus_id), "nvmlInit: error 9");
    unlink(library);
}

static void without_the_library_everything_is_unknown(void **state)
{
    (void)state;
    check_values(EVERYTHING); /* never opened */
    const char *trouble = cuda_nvml_open("./libno-such-library.so.1", bus_id);
    assert_non_null(trouble);
    assert_non_null(strstr(trouble, "libno-such-library.so.1"));
    assert_null(strstr(trouble, "lacks")); /* it is not there, rather than there and too old */
    check_values(EVERYTHING);
}

static void closing_forgets(void **state)
{
    (void)state;
    open_well(FAKE_NVML);
    assert_int_equal(fake->open, 1);
    cuda_nvml_close();
    assert_int_equal(fake->open, 0);
    check_values(EVERYTHING);
    cuda_nvml_close();
    assert_int_equal(fake->open, 0);
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
        cuda_nvml_read(&read);
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

static const struct cuda_nvml_facts usual = {700, 700, 1980, 0, 1};

static const struct device_note *note(const struct device_info *info, const char *mark)
{
    for (int i = 0; i < info->note_count; i++)
        if (strcmp(info->notes[i].mark, mark) == 0)
            return &info->notes[i];
    return NULL;
}

/* No MPS daemon, and no setting of CUDA's. */
static int plain_environment(void **state)
{
    (void)state;
    assert_int_equal(setenv("CUDA_MPS_PIPE_DIRECTORY", "./no-such-folder", 1), 0);
    unsetenv("CUDA_LAUNCH_BLOCKING");
    return 0;
}

static struct device_info notes_of(const char *trouble, struct cuda_nvml_facts facts, int mps, int other_processes)
{
    struct device_info info = {.note_count = 0};
    cuda_add_notes(&info, trouble, &facts, mps, other_processes);
    for (int i = 0; i < info.note_count; i++) {
        size_t length = strlen(info.notes[i].text);
        assert_true(length > 20 && length < sizeof info.notes[i].text - 1); /* not cut off */
        assert_true(info.notes[i].text[length - 1] != '.');
    }
    return info;
}

static void check_one_note(struct device_info info, const char *mark, const char *part_of_text)
{
    assert_int_equal(info.note_count, 1);
    assert_string_equal(info.notes[0].mark, mark);
    assert_non_null(strstr(info.notes[0].text, part_of_text));
}

static struct cuda_nvml_facts with(double limit_w, double default_w, int mig, int ecc)
{
    return (struct cuda_nvml_facts){limit_w, default_w, 1980, mig, ecc};
}

static void nothing_unusual_is_not_worth_a_note(void **state)
{
    (void)state;
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    assert_int_equal(notes_of(NULL, with(NAN, NAN, -1, -1), -1, -1).note_count, 0); /* unknown */
    assert_int_equal(notes_of(NULL, with(NAN, 700, 0, 1), 0, 0).note_count, 0);
    assert_int_equal(notes_of(NULL, with(600, NAN, 0, 1), 0, 0).note_count, 0);
    assert_int_equal(notes_of(NULL, with(750, 700, 0, 1), 0, 0).note_count, 0); /* raised */
}

static void what_is_unusual_is_noted(void **state)
{
    (void)state;
    check_one_note(notes_of(NULL, with(700, 700, 1, 1), 0, 0), "mig", "MIG");
    check_one_note(notes_of(NULL, with(700, 700, 0, 0), 0, 0), "ecc-off", "ECC is off");
    check_one_note(notes_of(NULL, with(350.5, 700, 0, 1), 0, 0), "power-limit",
                   "is 350.5 W instead of the default 700 W");
    check_one_note(notes_of(NULL, usual, 1, 0), "mps", "MPS");
    check_one_note(notes_of(NULL, usual, 0, 1), "other-work", "1 other process uses the GPU");
    check_one_note(notes_of(NULL, usual, 0, 2), "other-work", "2 other processes use the GPU");
}

static void no_nvml_is_said_but_marks_no_row(void **state)
{
    (void)state;
    check_one_note(notes_of("libnvidia-ml.so.1: no such file", with(NAN, NAN, -1, -1), -1, -1), "",
                   "NVML cannot be opened (libnvidia-ml.so.1: no such file), so clocks, throttling, temperature and "
                   "power are unknown");
    char long_trouble[400];
    memset(long_trouble, 'y', sizeof long_trouble - 1);
    long_trouble[sizeof long_trouble - 1] = '\0';
    check_one_note(notes_of(long_trouble, with(NAN, NAN, -1, -1), -1, -1), "", "power are unknown");
}

static void a_daemon_of_mps_is_noticed(void **state)
{
    (void)state;
    unlink("mps/control");
    mkdir("mps", 0777);
    setenv("CUDA_MPS_PIPE_DIRECTORY", "mps", 1);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    FILE *file = fopen("mps/control", "w"); /* something else of that name */
    assert_non_null(file);
    fclose(file);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    unlink("mps/control");
    assert_int_equal(mkfifo("mps/control", 0666), 0);
    check_one_note(notes_of(NULL, usual, 0, 0), "mps", "MPS");
    check_one_note(notes_of(NULL, usual, -1, -1), "mps", "MPS");
    unlink("mps/control");
}

static void launches_that_wait_are_noted(void **state)
{
    (void)state;
    setenv("CUDA_LAUNCH_BLOCKING", "0", 1);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    setenv("CUDA_LAUNCH_BLOCKING", "", 1);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    check_one_note(notes_of(NULL, usual, 0, 0), "launch-blocking", "CUDA_LAUNCH_BLOCKING");
}

static void notes_stand_beside_each_other_and_there_is_room(void **state)
{
    (void)state;
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    static const char *const marks[] = {"", "mig", "mps", "ecc-off", "power-limit", "other-work", "launch-blocking"};
    struct device_info info = notes_of("gone", with(300, 700, 1, 0), 2, 1);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        assert_non_null(note(&info, marks[i]));
    assert_int_equal(info.note_count, sizeof marks / sizeof marks[0]);

    info.note_count = DEVICE_NOTES_MAX; /* full: nothing more, and nothing overwritten */
    strcpy(info.notes[DEVICE_NOTES_MAX - 1].mark, "last");
    cuda_add_notes(&info, "gone", &usual, 2, 1);
    assert_int_equal(info.note_count, DEVICE_NOTES_MAX);
    assert_string_equal(info.notes[DEVICE_NOTES_MAX - 1].mark, "last");
}

int main(void)
{
#define NVML_TEST(test) cmocka_unit_test_teardown(test, close_all)
#define NOTE_TEST(test) cmocka_unit_test_setup(test, plain_environment)
    const struct CMUnitTest tests[] = {
        NVML_TEST(without_the_library_everything_is_unknown),
        NVML_TEST(every_value_is_read),
        NVML_TEST(a_missing_function_costs_its_value_alone),
        NVML_TEST(a_failing_call_costs_its_value_alone),
        NVML_TEST(failing_all_the_way_costs_the_value),
        NVML_TEST(the_newest_name_there_is_serves),
        NVML_TEST(old_names_open_the_library),
        NVML_TEST(without_what_opens_it_the_library_is_of_no_use),
        NVML_TEST(failures_to_open_are_named),
        NVML_TEST(a_failure_without_words_has_a_number),
        NVML_TEST(closing_forgets),
        NVML_TEST(reasons_are_words),
        cmocka_unit_test(other_processes_are_those_beside_this_one),
        NOTE_TEST(nothing_unusual_is_not_worth_a_note),
        NOTE_TEST(what_is_unusual_is_noted),
        NOTE_TEST(no_nvml_is_said_but_marks_no_row),
        NOTE_TEST(a_daemon_of_mps_is_noticed),
        NOTE_TEST(launches_that_wait_are_noted),
        NOTE_TEST(notes_stand_beside_each_other_and_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

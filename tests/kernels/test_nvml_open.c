/* Opening NVML and closing it: libraries that are old, lack something, or are not there. */
#include "opened_nvml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

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
        const char *error = cuda_nvml_open(library, bus_id);
        assert_non_null(error);
        assert_non_null(strstr(error, cases[i].lacks));
        assert_non_null(strstr(error, library));
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
    const char *error = cuda_nvml_open("./libno-such-library.so.1", bus_id);
    assert_non_null(error);
    assert_non_null(strstr(error, "libno-such-library.so.1"));
    assert_null(strstr(error, "lacks")); /* it is not there, rather than there and too old */
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

int main(void)
{
#define NVML_TEST(test) cmocka_unit_test_teardown(test, close_all)
    const struct CMUnitTest tests[] = {
        NVML_TEST(without_the_library_everything_is_unknown),      NVML_TEST(old_names_open_the_library),
        NVML_TEST(without_what_opens_it_the_library_is_of_no_use), NVML_TEST(failures_to_open_are_named),
        NVML_TEST(a_failure_without_words_has_a_number),           NVML_TEST(closing_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

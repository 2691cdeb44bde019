/* Which kernels of OpenBLAS suit a processor, which settings the program starts itself anew for, and when it does not.
 * execv() is our own, and so is what OpenBLAS says of itself. */
#include "cpu/backend/cpu_parts.h"

#include "bench/table/rung.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const settings[] = {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY", "OPENBLAS_CORETYPE", "RUNGBENCH_RESTARTED"};

static char arguments[][16] = {"rungbench", "--threads=2"};
static char *argv[] = {arguments[0], arguments[1], NULL};

/* What the restarted program would have found. */
static struct {
    int count;
    char program[4096], spin_count[32], core[32], restarted[32];
    bool has_core, has_restarted, same_arguments;
} started;

static bool keep(const char *name, char *to, size_t size)
{
    const char *value = getenv(name);
    snprintf(to, size, "%s", value ? value : "");
    return value != NULL;
}

int __wrap_execv(const char *program, char *const given[]);
int __wrap_execv(const char *program, char *const given[])
{
    started.count++;
    snprintf(started.program, sizeof started.program, "%s", program);
    started.same_arguments = given == argv;
    keep("GOMP_SPINCOUNT", started.spin_count, sizeof started.spin_count);
    started.has_core = keep("OPENBLAS_CORETYPE", started.core, sizeof started.core);
    started.has_restarted = keep("RUNGBENCH_RESTARTED", started.restarted, sizeof started.restarted);
    return -1;
}

static const char *core; /* NULL: what the library says */

char *__real_openblas_get_corename(void);
char *__wrap_openblas_get_corename(void);
#if HAVE_openblas
char *__wrap_openblas_get_corename(void)
{
    static char name[32];
    if (!core)
        return __real_openblas_get_corename();
    snprintf(name, sizeof name, "%s", core);
    return name;
}
#endif

/* A library that suits the processor; nothing is set. */
static int forget(void **state)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        unsetenv(settings[i]);
    memset(&started, 0, sizeof started);
    core = "SkylakeX";
    return 0;
}

static void the_spin_count_is_set(void **state)
{
    char self[4096] = "";
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    cpu_restart(argv);
    assert_int_equal(started.count, 1);
    assert_string_equal(started.program, self);
    assert_true(started.same_arguments);
    assert_string_equal(started.spin_count, "10000");
    assert_false(started.has_core);
    assert_true(started.has_restarted);
    assert_string_equal(started.restarted, "");
}

static void what_the_user_set_is_kept(void **state)
{
    setenv("GOMP_SPINCOUNT", "5", 1);
    cpu_restart(argv);
    assert_int_equal(started.count, 0);
    assert_string_equal(getenv("GOMP_SPINCOUNT"), "5");
    unsetenv("GOMP_SPINCOUNT");
    setenv("OMP_WAIT_POLICY", "active", 1);
    cpu_restart(argv);
    assert_int_equal(started.count, 0);
    assert_null(getenv("GOMP_SPINCOUNT"));
}

static void it_starts_anew_only_once(void **state)
{
    setenv("RUNGBENCH_RESTARTED", "", 1);
    core = "Prescott";
    cpu_restart(argv);
    assert_int_equal(started.count, 0);
    assert_null(getenv("GOMP_SPINCOUNT"));
    assert_null(getenv("OPENBLAS_CORETYPE"));
}

static void where_it_cannot_be_started_it_goes_on(void **state)
{
    cpu_restart(argv);
    assert_int_equal(started.count, 1);
    assert_null(getenv("RUNGBENCH_RESTARTED"));
}

static bool has_all(const char *name)
{
    (void)name;
    return true;
}

static bool has_haswell(const char *name)
{
    return strcmp(name, "Haswell") == 0;
}

static bool has_none(const char *name)
{
    (void)name;
    return false;
}

/* Instruction sets are those of cpu_isa.h: 0 is none of these, 1 is AVX2, 2 is AVX-512. */
static void the_best_core_that_the_processor_and_the_library_have(void **state)
{
    static const struct {
        const char *name;
        int isa;
        bool (*library_has)(const char *name);
        bool is_old;
        const char *better; /* NULL: none */
    } cases[] = {
        {"Prescott", 2, has_all, true, "SkylakeX"},
        {"Prescott", 1, has_all, true, "Haswell"},
        {"Prescott", 0, has_all, false, NULL},
        {"Haswell", 2, has_all, true, "SkylakeX"},
        {"Zen", 2, has_all, true, "SkylakeX"},
        {"Prescott", 2, has_haswell, true, "Haswell"},
        {"Haswell", 2, has_haswell, true, NULL},
        {"Prescott", 2, has_none, true, NULL},
        {"Zen", 1, has_all, false, NULL},
        {"Haswell", 1, has_all, false, NULL},
        {"SkylakeX", 2, has_all, false, NULL},
        {"Cooperlake", 2, has_all, false, NULL},
        {"a core of next year", 2, has_all, false, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *better = cpu_core_better(cases[i].name, cases[i].isa, cases[i].library_has);
        assert_int_equal(cpu_core_is_old(cases[i].name, cases[i].isa), cases[i].is_old);
        assert_string_equal(better ? better : "none", cases[i].better ? cases[i].better : "none");
    }
}

#if HAVE_openblas
/* Starts anew because of an old core; returns the better one. */
static const char *replace_old_core(void)
{
    core = "Prescott";
    cpu_restart(argv);
    if (!started.has_core)
        skip(); /* an old processor, or a library for one processor alone */
    assert_int_equal(started.count, 1);
    assert_string_equal(started.restarted, started.core);
    return started.core;
}

static void old_kernels_are_replaced_together_with_the_spin_count(void **state)
{
    (void)replace_old_core();
    assert_string_equal(started.spin_count, "10000");
}

static void old_kernels_are_reason_enough(void **state)
{
    setenv("GOMP_SPINCOUNT", "5", 1);
    (void)replace_old_core();
    assert_string_equal(started.spin_count, "5");
}

static void the_users_kernels_are_kept(void **state)
{
    core = "Prescott";
    setenv("OPENBLAS_CORETYPE", "Prescott", 1);
    cpu_restart(argv);
    assert_int_equal(started.count, 1);
    assert_string_equal(started.core, "Prescott");
    assert_string_equal(started.restarted, "");
}

static struct device_info described(void)
{
    struct device_info info = {0};
    cpu_blas_describe(&info);
    return info;
}

static void what_was_chosen_is_said(void **state)
{
    const char *better = replace_old_core();
    char expected[64];
    core = better;
    setenv("RUNGBENCH_RESTARTED", better, 1);
    struct device_info info = described();
    snprintf(expected, sizeof expected, " %s (chosen by rungbench)", better);
    assert_non_null(strstr(info.blas_version, expected));
    assert_ptr_equal(strstr(info.blas_version, "OpenBLAS 0."), info.blas_version);
    assert_int_equal(info.note_count, 1);
    assert_string_equal(info.notes[0].mark, "");
    assert_non_null(strstr(info.notes[0].text, better));
}

static void old_kernels_mark_the_librarys_rows_alone(void **state)
{
    const char *better = replace_old_core();
    unsetenv("OPENBLAS_CORETYPE"); /* here nothing was restarted */
    struct device_info info = described();
    assert_non_null(strstr(info.blas_version, "Prescott"));
    assert_int_equal(info.note_count, 1);
    assert_string_equal(info.notes[0].mark, "openblas-old");
    assert_int_equal(info.notes[0].traits, RUNG_LIBRARY);
    assert_non_null(strstr(info.notes[0].text, better));
}

static void kernels_that_suit_the_processor_need_no_word(void **state)
{
    assert_int_equal(described().note_count, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_core_that_the_processor_and_the_library_have),
        cmocka_unit_test_setup(the_spin_count_is_set, forget),
        cmocka_unit_test_setup(what_the_user_set_is_kept, forget),
        cmocka_unit_test_setup(it_starts_anew_only_once, forget),
        cmocka_unit_test_setup(where_it_cannot_be_started_it_goes_on, forget),
#if HAVE_openblas
        cmocka_unit_test_setup(old_kernels_are_replaced_together_with_the_spin_count, forget),
        cmocka_unit_test_setup(old_kernels_are_reason_enough, forget),
        cmocka_unit_test_setup(the_users_kernels_are_kept, forget),
        cmocka_unit_test_setup(what_was_chosen_is_said, forget),
        cmocka_unit_test_setup(old_kernels_mark_the_librarys_rows_alone, forget),
        cmocka_unit_test_setup(kernels_that_suit_the_processor_need_no_word, forget),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

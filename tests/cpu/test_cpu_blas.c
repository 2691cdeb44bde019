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
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static char *argv[] = {NULL}; /* test_restart.sh has what is started */

/* What the restarted program would have found; without a value, a setting is "-". */
static struct {
    int count;
    char spin_count[32], core[32], restarted[32];
} started;

static void keep(const char *name, char to[32])
{
    const char *value = getenv(name);
    snprintf(to, 32, "%s", value ? value : "-");
}

int __wrap_execv(const char *program, char *const given[]);
int __wrap_execv(const char *program, char *const given[])
{
    started.count++;
    (void)program, (void)given;
    keep("GOMP_SPINCOUNT", started.spin_count);
    keep("OPENBLAS_CORETYPE", started.core);
    keep("RUNGBENCH_RESTARTED", started.restarted);
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
    for (size_t i = 0; i < SETTINGS; i++)
        unsetenv(settings[i]);
    memset(&started, 0, sizeof started);
    core = "SkylakeX";
    return 0;
}

/* BETTER: a core that is newer than Prescott, which an old processor has not, nor a library for one processor alone. */
TEST(what_the_user_set_is_kept_and_the_rest_is_set_once)
{
    static const char BETTER[] = "better";
    static const struct {
        const char *core, *name, *value; /* of what the user set */
        const char *spin_count;          /* NULL: it does not start anew */
        const char *chosen;
    } cases[] = {
        {"SkylakeX", "A", "", "10000", "-"},
        {"SkylakeX", "GOMP_SPINCOUNT", "5", NULL, NULL},
        {"SkylakeX", "OMP_WAIT_POLICY", "active", NULL, NULL},
        {"Prescott", "RUNGBENCH_RESTARTED", "", NULL, NULL},
        {"Prescott", "A", "", "10000", BETTER},
        {"Prescott", "GOMP_SPINCOUNT", "5", "5", BETTER},
        {"Prescott", "OPENBLAS_CORETYPE", "Prescott", "10000", "Prescott"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        forget(state);
        core = cases[i].core;
        setenv(cases[i].name, cases[i].value, 1);
        cpu_restart(argv);
        if (cases[i].chosen == BETTER && (!HAVE_openblas || strcmp(started.core, "-") == 0))
            continue;
        assert_int_equal(started.count, cases[i].spin_count != NULL);
        for (size_t other = 0; other < SETTINGS && !cases[i].spin_count; other++)
            if (strcmp(settings[other], cases[i].name) != 0)
                assert_null(getenv(settings[other]));
        assert_string_equal(getenv(cases[i].name), cases[i].value);
        if (!cases[i].spin_count)
            continue;
        assert_string_equal(started.spin_count, cases[i].spin_count);
        if (cases[i].chosen == BETTER)
            assert_string_not_equal(started.core, cases[i].core);
        else
            assert_string_equal(started.core, cases[i].chosen);
        assert_string_equal(started.restarted, "");
    }
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
TEST(the_best_core_that_the_processor_and_the_library_have)
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
    if (strcmp(started.core, "-") == 0)
        skip(); /* an old processor, or a library for one processor alone */
    return started.core;
}

static struct device_info described(void)
{
    struct device_info info = {0};
    cpu_blas_describe(&info);
    return info;
}

TEST(old_kernels_mark_the_librarys_rows_alone)
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

TEST(kernels_that_suit_the_processor_need_no_word)
{
    assert_int_equal(described().note_count, 0);
}
#endif

AROUND_EACH_TEST(forget, NULL)

/* Which kernels of OpenBLAS suit a processor, and what is set for players. What OpenBLAS says of itself is our own. */
#include "cpu/backend/cpu_parts.h"

#include "bench/table/rung.h"
#include "tests/unit.h"

static const char *const settings[] = {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY", "OPENBLAS_CORETYPE"};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

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
    core = "SkylakeX";
    return 0;
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "-";
}

/* BETTER: a core that is newer than Prescott, which an old processor has not, nor a library for one processor alone. */
TEST(what_the_user_set_is_kept_and_the_rest_is_set)
{
    static const char BETTER[] = "better";
    static const struct {
        const char *core, *name, *value; /* of what the user set */
        const char *spin_count, *chosen;
    } cases[] = {
        {"SkylakeX", "A", "", "10000", "-"},
        {"SkylakeX", "GOMP_SPINCOUNT", "5", "5", "-"},
        {"SkylakeX", "OMP_WAIT_POLICY", "active", "-", "-"},
        {"Prescott", "A", "", "10000", BETTER},
        {"Prescott", "GOMP_SPINCOUNT", "5", "5", BETTER},
        {"Prescott", "OPENBLAS_CORETYPE", "Prescott", "10000", "Prescott"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        forget(state);
        core = cases[i].core;
        setenv(cases[i].name, cases[i].value, 1);
        cpu_set_for_players();
        const char *chosen = setting("OPENBLAS_CORETYPE");
        assert_string_equal(setting("GOMP_SPINCOUNT"), cases[i].spin_count);
        if (cases[i].chosen == BETTER)
            assert_true(strcmp(chosen, "Haswell") == 0 || strcmp(chosen, "SkylakeX") == 0 || strcmp(chosen, "-") == 0);
        else
            assert_string_equal(chosen, cases[i].chosen);
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
/* Where the core is an old one; returns the better one. */
static const char *replace_old_core(void)
{
    core = "Prescott";
    cpu_set_for_players();
    if (strcmp(setting("OPENBLAS_CORETYPE"), "-") == 0)
        skip(); /* an old processor, or a library for one processor alone */
    return setting("OPENBLAS_CORETYPE");
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
    struct device_info info = described();
    assert_non_null(strstr(info.blas_version, "Prescott"));
    assert_int_equal(info.note_count, 1);
    assert_string_equal(info.notes[0].mark, "openblas-old");
    assert_int_equal(info.notes[0].traits, RUNG_OPENBLAS);
    assert_non_null(strstr(info.notes[0].text, better));
}

TEST(kernels_that_suit_the_processor_need_no_word)
{
    assert_int_equal(described().note_count, 0);
}
#endif

AROUND_EACH_TEST(forget, NULL)

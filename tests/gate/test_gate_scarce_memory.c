/* The gate when one allocation fails, tested for each allocation: it reports an error, and frees everything. The linker
 * redirects all allocations to the functions here. */
#include "bench/gate/gate_report.h"
#include "gate_files.h"

#include "tests/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long allocations_left;
static bool is_scarce;

static bool runs_out(void)
{
    bool runs = is_scarce && allocations_left-- == 0;
    if (runs)
        errno = ENOMEM;
    return runs;
}

void *__real_malloc(size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return runs_out() ? NULL : __real_malloc(bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return runs_out() ? NULL : __real_realloc(memory, bytes);
}

static const char base_file[] = "base.csv", new_file[] = "new.csv";

/* Makes two rows of ten rounds, of one session or of two. */
static void write_files(bool paired)
{
    static struct gate_rows rows;
    for (int side = 0; side < 2; side++) {
        rows.count = 0;
        gate_rounds(&rows, GATE_GPU_ROW, 1e-5, 0.01);
        gate_rounds(&rows, GATE_CPU_ROW, 1e-5, 0.01);
        if (side && !paired)
            gate_set_all(&rows, "sitting", "tuesday");
        char *text = gate_text(&rows);
        gate_put(side ? new_file : base_file, text);
        free(text);
    }
}

static int remove_files(void **state)
{
    (void)state;
    is_scarce = false;
    remove(base_file);
    remove(new_file);
    return 0;
}

static bool is_written(const struct comparison *comparison)
{
    struct gate_report report = {.comparison = comparison, .base_name = "", .new_name = ""};
    FILE *to = fopen("/dev/null", "w");
    bool ok = !to || gate_write_console(&report, to);
    if (to)
        fclose(to);
    return ok && to;
}

/* Everything that the gate does with two files. False: out of memory. */
static bool compare_files(struct error *error)
{
    static const struct exceptions none;
    static const struct gate_options options = {.threshold = NAN};
    struct recording base = {0}, other = {0};
    struct comparison comparison = {0};
    bool ok = recording_read(base_file, &base, error) && recording_read(new_file, &other, error) &&
              comparison_make(&base, &other, &options, &none, &comparison, error);
    assert_true(ok || !comparison.rows);
    ok = ok && comparison_decide(&comparison, error) && (is_written(&comparison) || error_set(error, "no memory"));
    comparison_free(&comparison);
    recording_free(&other);
    recording_free(&base);
    return ok;
}

static long allocations_of(bool *ok, long which, struct error *error)
{
    allocations_left = which;
    is_scarce = true;
    *ok = compare_files(error);
    is_scarce = false;
    return which - allocations_left;
}

AROUND_EACH_TEST(remove_files, remove_files)

TEST(each_allocation_may_fail)
{
    for (int paired = 0; paired < 2; paired++) {
        struct error error = {""};
        bool ok;
        write_files(paired);
        long needed = allocations_of(&ok, 1000000, &error);
        assert_true(ok && needed > 10);
        for (long which = 0; which < needed; which++) {
            error.text[0] = '\0';
            allocations_of(&ok, which, &error);
            assert_false(ok);
            if (!strstr(error.text, "no memory") && !strstr(error.text, "Cannot allocate memory"))
                fail_msg("without allocation %ld of %ld: '%s'", which, needed, error.text);
        }
    }
}

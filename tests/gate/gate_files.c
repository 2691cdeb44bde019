#include "gate_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

struct gate_rows base_rows, new_rows;
struct comparison_settings compare_settings;
struct comparison compared;
static struct recording base, other;

int gate_files_end(void **state)
{
    (void)state;
    comparison_free(&compared);
    recording_free(&base);
    recording_free(&other);
    return 0;
}

int gate_files_start(void **state)
{
    base_rows = new_rows = (struct gate_rows){0};
    static const struct exceptions none;
    compare_settings = (struct comparison_settings){.threshold = NAN, .exceptions = &none};
    return gate_files_end(state);
}

void gate_add_to_both(const char *name, double ratio)
{
    gate_rounds(&base_rows, name, 1e-5, 0.02);
    gate_rounds(&new_rows, name, 1e-5 * ratio, 0.02);
}

void gate_unpair(void)
{
    gate_set_all(&new_rows, "sitting", "tuesday");
}

static bool compare(struct error *error)
{
    gate_files_end(NULL);
    if (!gate_record(&base_rows, "base.csv", &base, error) || !gate_record(&new_rows, "new.csv", &other, error))
        fail_msg("%s", error->text);
    memset(&compared, 1, sizeof compared); /* after an error there must be nothing to free */
    return comparison_make(&base, &other, &compare_settings, &compared, error);
}

void gate_compare(void)
{
    struct error error = {""};
    if (!compare(&error))
        fail_msg("%s", error.text);
}

void gate_decide(double level, bool other_device)
{
    struct error error = {""};
    if (!comparison_decide(&compared, level, other_device, &error))
        fail_msg("%s", error.text);
}

void gate_assert_refused(const char *expected)
{
    struct error error = {""};
    assert_false(compare(&error));
    assert_string_equal(error.text, expected);
    assert_null(compared.rows);
}

const struct compared_row *gate_compared(const char *name)
{
    for (size_t i = 0; i < compared.count; i++)
        if (strcmp(compared.rows[i].name, name) == 0)
            return &compared.rows[i];
    fail_msg("no row %s", name);
    return NULL;
}

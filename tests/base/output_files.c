#include "output_files.h"
#include "tests/unit.h"

const char path[] = "results.csv", partial[] = "results.csv.partial";
const char other[] = "other.csv", other_partial[] = "other.csv.partial";
const char folder[] = "folder", device[] = "device";

int clean_up(void **state)
{
    const char *const files[] = {path, partial, other, other_partial, folder, device, ".partial", "device.partial"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(files[i]);
    return 0;
}

int exists(const char *name)
{
    struct stat status;
    return lstat(name, &status) == 0;
}

void assert_file_holds(const char *name, const char *text)
{
    char buffer[4096];
    assert_true(exists(name));
    file_get(name, buffer, sizeof buffer);
    assert_string_equal(buffer, text);
}

void open_output(struct output *output, const char *name)
{
    MUST(output_open(output, name, &error));
}

void write_record(struct output *output, const char *text)
{
    MUST(output_write(output, text, strlen(text), &error));
}

void commit(struct output *output)
{
    MUST(output_commit(output, &error));
}

void assert_names(const struct error *error, const char *name, const char *reason)
{
    assert_null(strchr(error->text, '\n'));
    if (!strstr(error->text, name) || !strstr(error->text, reason))
        fail_msg("'%s' does not say '%s' and '%s'", error->text, name, reason);
}

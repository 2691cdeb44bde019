#include "written_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

const char table_file[] = "table.txt";

int remove_files(void **state)
{
    (void)state;
    remove(table_file);
    return 0;
}

void write_table(const struct result *results, size_t count, bool color, char text[TEXT_MAX])
{
    struct error error = {""};
    FILE *to = fopen(table_file, "w");
    assert_non_null(to);
    const struct result_list rows = {(struct result *)results, count, count};
    assert_true(report_console(&rows, to, color, &error));
    fclose(to);
    read_file(table_file, text);
}

const char *line_of(const char *text, const char *variant, const char *mode)
{
    static char line[512];
    for (const char *start = text; *start; start += strcspn(start, "\n") + 1) {
        char its_variant[64] = "", its_mode[16] = "";
        snprintf(line, sizeof line, "%.*s", (int)strcspn(start, "\n"), start);
        if (line[0] == ' ' && sscanf(line, "%63s %15s", its_variant, its_mode) == 2 &&
            strcmp(its_variant, variant) == 0 && strcmp(its_mode, mode) == 0)
            return line;
        if (start[strcspn(start, "\n")] == '\0')
            break;
    }
    fail_msg("no line for %s %s in\n%s", variant, mode, text);
    return NULL;
}

bool ends_with(const char *line, const char *end)
{
    return strlen(line) >= strlen(end) && strcmp(line + strlen(line) - strlen(end), end) == 0;
}

bool has_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *start = strstr(text, line); start; start = strstr(start + 1, line))
        if ((start == text || start[-1] == '\n') && (start[length] == '\n' || start[length] == ','))
            return true;
    return false;
}

bool is_marked(const char *text, const char *variant, const char *mode)
{
    char line[128];
    snprintf(line, sizeof line, "* %s: %s", mode, variant);
    return has_line(text, line);
}

const char *column_of(const char *text, const char *variant, const char *mode, size_t column)
{
    static char value[32];
    const char *at = line_of(text, variant, mode);
    for (size_t i = 0; i <= column; i++) {
        at += strspn(at, " ");
        snprintf(value, sizeof value, "%.*s", (int)strcspn(at, " "), at);
        at += strlen(value);
    }
    return value;
}

void assert_speedups(const char *text, const char *variant, const char *mode, const char *over_baseline,
                     const char *over_cpu)
{
    assert_string_equal(column_of(text, variant, mode, COLUMN_OVER_BASELINE), over_baseline);
    assert_string_equal(column_of(text, variant, mode, COLUMN_OVER_CPU), over_cpu);
}

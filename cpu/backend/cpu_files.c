#include "cpu_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

FILE *cpu_file_open(const char *root, const char *path)
{
    char whole[CPU_PATH_MAX];
    int length = snprintf(whole, sizeof whole, "%s%s", root, path);
    return length > 0 && (size_t)length < sizeof whole ? fopen(whole, "r") : NULL;
}

void cpu_file_text(const char *root, const char *path, char *text, size_t size)
{
    FILE *file = cpu_file_open(root, path);
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

double cpu_file_number(const char *root, const char *path, const char *key, double absent)
{
    char text[8192];
    cpu_file_text(root, path, text, sizeof text);
    const char *found = strstr(text, key);
    if (found == NULL)
        return absent;
    char *end;
    double number = strtod(found + strlen(key), &end);
    return end != found + strlen(key) && isfinite(number) ? number : absent;
}

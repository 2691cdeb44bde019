#include "exceptions.h"

#include "bench/base/number_text.h"
#include "bench/base/regular_file.h"
#include "bench/base/row_regex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

static const char expected[] =
    "expected accept-slower, accept-missing, ignore or threshold=PERCENT, then REGEX and REASON";
static const char blanks[] = " \t\r";
static const double most_pct = 1000;

static bool set_kind(const char *word, struct exception *exception)
{
    static const char *const words[] = {"accept-slower", "accept-missing", "ignore"};
    static const char prefix[] = "threshold=";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            exception->kind = (enum exception_kind)i;
            return true;
        }
    }
    if (strncmp(word, prefix, sizeof prefix - 1) != 0)
        return false;
    double percent;
    if (!number_read_positive(word + sizeof prefix - 1, NULL, most_pct, &percent))
        return false;
    exception->kind = THRESHOLD;
    exception->threshold = percent / 100;
    return true;
}

/* The next word of the line, cut off from it; NULL: there is none. */
static char *take_word(char **line)
{
    char *word = *line + strspn(*line, blanks);
    *line = word + strcspn(word, blanks);
    if (**line != '\0')
        *(*line)++ = '\0';
    return *word ? word : NULL;
}

/* True also for a line that does not count, which leaves `reason` NULL. */
static bool parse(char *line, struct exception *exception)
{
    char *kind = take_word(&line);
    exception->reason = NULL;
    if (!kind || kind[0] == '#')
        return true;
    char *pattern = take_word(&line);
    char *reason = line + strspn(line, blanks);
    struct error unused;
    if (!pattern || !*reason || !set_kind(kind, exception) ||
        !row_regex_compile_whole(pattern, &exception->regex, &unused))
        return false;
    reason[strcspn(reason, "\r")] = '\0';
    exception->reason = reason;
    return true;
}

static bool parse_lines(const char *path, struct exceptions *exceptions, struct error *error)
{
    size_t number = 0, lines = 1;
    for (const char *at = exceptions->text; *at; at++)
        lines += *at == '\n';
    exceptions->items = malloc(lines * sizeof *exceptions->items);
    if (!exceptions->items)
        return error_set(error, "%s: no memory for the exceptions", path);
    for (char *line = exceptions->text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        if (!parse(line, &exceptions->items[exceptions->count]))
            return error_set(error, "%s: line %zu is no exception: %s", path, number, expected);
        exceptions->count += exceptions->items[exceptions->count].reason != NULL;
    }
    return true;
}

static char *read_text(const char *path, struct error *error)
{
    FILE *file = regular_file_stream(path, path, error);
    if (!file)
        return NULL;
    char *text = calloc(1, FILE_MAX + 1);
    size_t bytes = text ? fread(text, 1, FILE_MAX, file) : 0;
    bool whole = text && !ferror(file) && feof(file) && strlen(text) == bytes;
    fclose(file);
    if (whole)
        return text;
    error_set(error, "%s: cannot be read: expected a text of at most %d bytes", path, FILE_MAX);
    free(text);
    return NULL;
}

bool exceptions_read(const char *path, struct exceptions *exceptions, struct error *error)
{
    *exceptions = (struct exceptions){.text = read_text(path, error)};
    if (exceptions->text && parse_lines(path, exceptions, error))
        return true;
    exceptions_free(exceptions);
    return false;
}

void exceptions_free(struct exceptions *exceptions)
{
    for (size_t i = 0; i < exceptions->count; i++)
        regfree(&exceptions->items[i].regex);
    free(exceptions->items);
    free(exceptions->text);
    *exceptions = (struct exceptions){0};
}

const struct exception *exceptions_find(const struct exceptions *exceptions, enum exception_kind kind, const char *row)
{
    for (size_t i = 0; i < exceptions->count; i++)
        if (exceptions->items[i].kind == kind && row_regex_matches(&exceptions->items[i].regex, row))
            return &exceptions->items[i];
    return NULL;
}

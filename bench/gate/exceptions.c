#define _GNU_SOURCE /* strsep() */
#include "exceptions.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 24 };

static const char blanks[] = " \t\r";
static const double most_pct = 1000;

static bool set_kind(const char *word, struct exception *exception)
{
    static const char *const words[] = {"accept-slower", "accept-missing", "ignore", "threshold="};
    double percent = 0;
    while (exception->kind < THRESHOLD && strcmp(word, words[exception->kind]) != 0)
        exception->kind++;
    if (exception->kind < THRESHOLD)
        return true;
    size_t length = strlen(words[THRESHOLD]);
    bool ok =
        strncmp(word, words[THRESHOLD], length) == 0 && number_read_positive(word + length, NULL, most_pct, &percent);
    exception->threshold = percent / 100;
    return ok;
}

/* The next word of the line, taken from it; NULL: there is none. */
static char *take_word(char **line)
{
    char *word = *line + strspn(*line, blanks);
    *line = word + strcspn(word, blanks);
    if (**line != '\0')
        *(*line)++ = '\0';
    return *word ? word : NULL;
}

/* Adds what the line says. NULL: it is of a file; else of a commit, which may accept only, and ends the reason. */
static bool add(struct exceptions *exceptions, char *line, const char *commit, struct error *error)
{
    struct exception added = {0};
    char *kind = take_word(&line), *regex = take_word(&line), *reason = line + strspn(line, blanks);
    reason[strcspn(reason, "\r")] = '\0';
    if (!regex || !*reason || !set_kind(kind, &added) || (commit && added.kind > ACCEPT_MISSING))
        return error_set(error, "expected accept-slower%s, then REGEX and REASON",
                         commit ? " or accept-missing" : ", accept-missing, ignore or threshold=PERCENT");
    struct error why;
    added.pattern = pattern_make(regex, strlen(regex), PATTERN_WHOLE, &why);
    if (!added.pattern)
        return error_set(error, "expected a POSIX extended regular expression of rows (%s)", why.text);
    added.reason = memory_print("%s%s%s%s", reason, commit ? " (" : "", commit ? commit : "", commit ? ")" : "");
    exceptions->items = memory_grow(exceptions->items, exceptions->count, sizeof added);
    exceptions->items[exceptions->count++] = added;
    return true;
}

bool exceptions_read(const char *path, struct exceptions *exceptions, struct error *error)
{
    char *text = regular_file_read_text(path, path, FILE_MAX, error), *rest = text;
    bool ok = text;
    struct error why;
    size_t number = 1;
    for (char *line; ok && (line = strsep(&rest, "\n")); number++) {
        const char *first = line + strspn(line, blanks);
        ok = !*first || *first == '#' || add(exceptions, line, NULL, &why) ||
             error_set(error, "%s: line %zu is no exception: %s", path, number, why.text);
    }
    free(text);
    return ok;
}

/* "Gate: accept-slower ...". */
static void add_trailer(struct exceptions *exceptions, char *line, const char *commit)
{
    struct error shown, why;
    char *colon = strchr(line, ':');
    error_set(&shown, "commit %s: '%s'", commit, line);
    if (colon && colon[1 + strspn(colon + 1, blanks)] && !add(exceptions, colon + 1, commit, &why))
        fprintf(stderr, "rungbench-gate: %s does not count: %s\n", shown.text, why.text);
}

bool exceptions_read_trailers(const char *path, struct exceptions *exceptions, struct error *error)
{
    static const char commit_is[] = "commit ";
    const char *commit = "";
    char *text = regular_file_read_text(path, path, FILE_MAX, error), *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (strncmp(line, commit_is, sizeof commit_is - 1) == 0)
            commit = line + sizeof commit_is - 1;
        else
            add_trailer(exceptions, line, commit);
    free(text);
    return text != NULL;
}

void exceptions_free(struct exceptions *exceptions)
{
    for (size_t i = 0; i < exceptions->count; i++) {
        pattern_free(exceptions->items[i].pattern);
        free(exceptions->items[i].reason);
    }
    free(exceptions->items);
    *exceptions = (struct exceptions){0};
}

const struct exception *exceptions_find(const struct exceptions *exceptions, enum exception_kind kind, const char *row)
{
    for (size_t i = 0; i < exceptions->count; i++)
        if (exceptions->items[i].kind == kind && pattern_matches(exceptions->items[i].pattern, row))
            return &exceptions->items[i];
    return NULL;
}

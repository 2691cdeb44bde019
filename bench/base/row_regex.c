#include "row_regex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a walk along the pattern adds up: the parts that regcomp() makes of it, per open parenthesis. */
struct walk {
    const char *at;
    size_t parts[ROW_REGEX_DEPTH_MAX + 1];
    size_t depth, last, copies; /* last: of what a repetition would repeat */
};

static void add(struct walk *walk, size_t parts)
{
    walk->last = parts;
    walk->parts[walk->depth] += parts;
}

/* Behind a bracket expression; `at` is behind its [. A ] that comes first is one of its characters. */
static const char *skip_brackets(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']') {
        char kind = at[0] == '[' && at[1] && strchr(".:=", at[1]) ? at[1] : '\0';
        const char *end = kind ? strchr(at + 2, kind) : NULL;
        at = end && end[1] == ']' ? end + 2 : at + 1;
    }
    return at + (*at == ']');
}

/* How often {N}, {N,} or {N,M} copies what it repeats; `at` is behind its {. */
static size_t bound_of(const char *at)
{
    char *end;
    unsigned long least = strtoul(at, &end, 10), most = *end == ',' ? strtoul(end + 1, &end, 10) : 0;
    unsigned long bound = least > most ? least : most;
    return bound < ROW_REGEX_COPIES_MAX ? bound + 1 : ROW_REGEX_COPIES_MAX;
}

static void repeat(struct walk *walk, size_t times)
{
    size_t more = walk->last * (times - 1);
    walk->copies += more;
    walk->parts[walk->depth] += more;
    walk->last *= times;
}

static const char *step(struct walk *walk)
{
    char c = *walk->at++;
    if (c == '\\' && *walk->at >= '1' && *walk->at <= '9')
        return "a back-reference, which POSIX extended ones do not have";
    if (c == '(' && walk->depth == ROW_REGEX_DEPTH_MAX)
        return "more than 100 parentheses in each other";
    if (c == '(') {
        walk->parts[++walk->depth] = 0;
    } else if (c == ')' && walk->depth > 0) {
        walk->depth--;
        add(walk, walk->parts[walk->depth + 1] + 1);
    } else if (c == '{') {
        repeat(walk, bound_of(walk->at));
        walk->at += strcspn(walk->at, "}"); /* the } is no part */
        walk->at += *walk->at == '}';
    } else if (c == '+') {
        repeat(walk, 2);
    } else {
        walk->at = c == '[' ? skip_brackets(walk->at) : walk->at + (c == '\\' && *walk->at);
        add(walk, 1);
    }
    return walk->copies > ROW_REGEX_COPIES_MAX ? "repetitions that make more than 10000 copies" : NULL;
}

/* What is too much for regcomp(); NULL: nothing. */
static const char *excess(const char *pattern)
{
    struct walk walk = {.at = pattern};
    const char *what = NULL;
    while (*walk.at && !what)
        what = step(&walk);
    return what;
}

bool row_regex_compile(const char *pattern, size_t bytes, regex_t *regex, struct error *reason)
{
    if (bytes > ROW_REGEX_BYTES_MAX)
        return error_set(reason, "%zu bytes, expected %d at most", bytes, ROW_REGEX_BYTES_MAX);
    char *copy = strndup(pattern, bytes);
    const char *what = copy ? excess(copy) : "no memory";
    if (what) {
        free(copy);
        return error_set(reason, "%s", what);
    }
    int status = regcomp(regex, copy, REG_EXTENDED | REG_NOSUB);
    if (status != 0)
        regerror(status, regex, reason->text, sizeof reason->text);
    free(copy);
    return status == 0;
}

bool row_regex_compile_whole(const char *pattern, regex_t *regex, struct error *reason)
{
    size_t bytes = strlen(pattern);
    if (!row_regex_compile(pattern, bytes, regex, reason))
        return false;
    regfree(regex); /* right by itself: no bracket of it closes ours */
    char *whole = malloc(bytes + sizeof "^()$");
    if (!whole)
        return error_set(reason, "no memory");
    int length = sprintf(whole, "^(%s)$", pattern);
    bool ok = row_regex_compile(whole, (size_t)length, regex, reason);
    free(whole);
    return ok;
}

bool row_regex_matches(const regex_t *regex, const char *name)
{
    return regexec(regex, name, 0, NULL, 0) == 0;
}

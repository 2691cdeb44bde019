#define _GNU_SOURCE /* program_invocation_short_name */
#include "command_line.h"

#include "memory.h"
#include "plain_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool flag_bad_value(struct error *error, const struct given_flag *given, const char *expected)
{
    return error_set(error, "--%s=%s: expected %s", given->name, given->value, expected);
}

static bool set_seconds(const struct given_flag *given, double *seconds, struct error *error)
{
    char expected[64];
    if (number_read_positive(given->value, "s", (double)given->flag->most, seconds))
        return true;
    snprintf(expected, sizeof expected, "a number of seconds above 0, %" PRIu64 " at most", given->flag->most);
    return flag_bad_value(error, given, expected);
}

static bool set_number(const struct given_flag *given, uint64_t *number, struct error *error)
{
    char expected[64];
    uint64_t least = given->flag->least, most = given->flag->most;
    if (number_read_integer(given->value, least, most, number))
        return true;
    snprintf(expected, sizeof expected,
             most == UINT64_MAX ? "an integer from %" PRIu64 " to 2^64 - 1" : "an integer from %" PRIu64 " to %" PRIu64,
             least, most);
    return flag_bad_value(error, given, expected);
}

static bool set_word(const struct given_flag *given, int *place, struct error *error)
{
    const char *word = given->flag->syntax + (given->flag->syntax[0] == '[');
    for (*place = 0; given->value; ++*place) {
        size_t length = strcspn(word, "|]");
        if (strlen(given->value) == length && strncmp(word, given->value, length) == 0)
            return true;
        if (word[length] != '|')
            return flag_bad_value(error, given, given->flag->syntax);
        word += length + 1;
    }
    return true;
}

static bool set(const struct given_flag *given, void *options, struct error *error)
{
    void *at = (char *)options + given->flag->at;
    const char *value = given->value;
    uint64_t number;
    switch (given->flag->kind) {
    case FLAG_ALWAYS:
        return !value || strcmp(value, "true") == 0 || flag_bad_value(error, given, "true, as it always is here");
    case FLAG_SWITCH:
        *(bool *)at = !value || strcmp(value, "true") == 0;
        return *(bool *)at || strcmp(value, "false") == 0 || flag_bad_value(error, given, "true or false");
    case FLAG_TEXT: *(const char **)at = value; return true;
    case FLAG_FILE: *(const char **)at = value; return *value || flag_bad_value(error, given, "a file name");
    case FLAG_SECONDS: return set_seconds(given, at, error);
    case FLAG_INTEGER:
        if (!set_number(given, &number, error))
            return false;
        *(int *)at = (int)number;
        return true;
    case FLAG_NUMBER: return set_number(given, at, error);
    case FLAG_WORD: return set_word(given, at, error);
    case FLAG_OWN: return given->flag->set(options, given, error);
    }
    return false;
}

void flag_note(char notes[FLAG_NOTES_BYTES], const char *format, ...)
{
    char line[sizeof(struct error)];
    snprintf(line, sizeof line, "%s: note: ", program_invocation_short_name);
    const size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - length, format, arguments);
    va_end(arguments);
    plain_text_make(line);
    if (!strstr(notes, line) && strlen(notes) + strlen(line) + 1 < FLAG_NOTES_BYTES)
        text_append(notes, FLAG_NOTES_BYTES, "%s\n", line);
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && strncmp(name, text, length) == 0;
}

/* Takes apart "--NAME", "--NAME=VALUE", "-N" or "-NVALUE". False: there is no such flag. */
static bool find_flag(const struct command_line *line, const char *text, struct given_flag *given)
{
    const bool is_long = text[1] == '-';
    const size_t length = is_long ? strcspn(text + 2, "=") : 0;
    for (const struct flag *flag = line->flags; flag < line->flags + line->count; flag++) {
        const bool is_ours = is_long ? is_name(flag->name, text + 2, length) : flag->letter && flag->letter == text[1];
        if (!is_ours && !(is_long && is_name(flag->google_name, text + 2, length)))
            continue;
        const char *end = text + 2 + length, *value = *end && is_long ? end + 1 : end;
        *given = (struct given_flag){flag, is_ours ? flag->name : flag->google_name, *end ? value : NULL};
        return true;
    }
    return false;
}

/* Takes the argument at `*at`, and the next if that is its value. */
static bool take_flag(const struct command_line *line, char *const *argv, int *at, void *options,
                      struct given_flag *given, struct error *error)
{
    const char *text = argv[(*at)++];
    if (!find_flag(line, text, given))
        return error_set(error, "unknown flag %s; --help lists all", text);
    const struct flag *flag = given->flag;
    const bool is_switch = !flag->syntax, is_google = given->name == flag->google_name;
    if (given->value && is_switch && !is_google) /* whose switches have =true and =false */
        return error_set(error, "%s: --%s takes no value", text, given->name);
    if (!given->value && !is_switch && flag->syntax[0] != '[') {
        if (!argv[*at])
            return error_set(error, "%s: expected a value, as in %s=...", text, text);
        given->value = argv[(*at)++];
    }
    if (flag->file != FILE_NONE)
        named_files_add(line->files, given->name, given->value, flag->file);
    return set(given, options, error);
}

/* `last` is the value of the flag before. */
static void note_replaced(const struct command_line *line, const struct given_flag *given, const char **last)
{
    const struct flag *flag = given->flag;
    const char *name = flag->name ? flag->name : flag->google_name, *value = given->value ? given->value : "true";
    if (*last && strcmp(*last, value) != 0 && !flag->adds)
        flag_note(line->notes, "--%s=%s has no effect: --%s=%s comes after it", name, *last, name, value);
    *last = value;
}

static bool take_argument(const struct command_line *line, void *options, const char *text, struct error *error)
{
    return line->argument ? line->argument(options, text, error)
                          : error_set(error, "unexpected argument '%s'; flags start with --", text);
}

int command_line_parse(const struct command_line *line, int argc, char **argv, void *options, struct error *error)
{
    const char **last = memory_get(line->count, sizeof *last);
    char **shared = line->shared;
    bool ok = true;
    int at = 1;
    while (ok && at < argc && strcmp(argv[at], "--") != 0) {
        struct given_flag given;
        const int first = at;
        if (argv[at][0] != '-' || argv[at][1] == '\0') {
            ok = take_argument(line, options, argv[at++], error);
            continue;
        }
        ok = take_flag(line, argv, &at, options, &given, error);
        if (!ok)
            continue;
        note_replaced(line, &given, &last[given.flag - line->flags]);
        if (line->given)
            line->given(options, &given);
        for (int i = first; shared && i < at && !given.flag->for_one_process && given.flag->file != FILE_WRITTEN; i++)
            *shared++ = argv[i];
    }
    free(last);
    if (shared)
        *shared = NULL;
    return !ok ? 0 : at < argc ? at + 1 : argc;
}

void command_line_print_flags(const struct flag *flags, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++) {
        const struct flag *flag = &flags[i];
        char left[80];
        if (!flag->help)
            continue;
        const bool is_optional = flag->syntax && flag->syntax[0] == '[';
        snprintf(left, sizeof left, "--%s%s%s", flag->name,
                 is_optional    ? "[="
                 : flag->syntax ? "="
                                : "",
                 flag->syntax ? flag->syntax + is_optional : "");
        fprintf(to, strlen(left) < 28 ? "  %-28s" : "  %s\n%30s", left, "");
        for (const char *c = flag->help; *c; c++)
            if (*c == '\n')
                fprintf(to, "\n%30s", "");
            else
                fputc(*c, to);
        fputc('\n', to);
    }
}

#include "command_line.h"

#include "plain_text.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

enum { FIRST_VALUE = 256, NAMES_MAX = 400 };

/* The last value of a flag, and another before it; NULL: there is none. */
struct values {
    const char *last, *before;
};

/* getopt's table: our names and Google's; `val` leads back to the flag. */
struct names {
    struct option options[NAMES_MAX + 1]; /* ended by zeros */
    const struct flag *flags[NAMES_MAX];
    int count, help, include;        /* the places of the flags that have a letter, -h and -I */
    struct values values[NAMES_MAX]; /* of each flag */
};

bool flag_bad_value(struct error *error, const struct given_flag *given, const char *expected)
{
    return error_set(error, "--%s=%s: expected %s", given->name, given->value, expected);
}

void flags_note_replaced(const char *program, const struct replaced_flags *replaced)
{
    for (size_t i = 0; i < replaced->count && i < REPLACED_FLAGS_MAX; i++)
        fprintf(stderr, "%s: note: %s\n", program, replaced->notes[i].text);
    if (replaced->count > REPLACED_FLAGS_MAX)
        fprintf(stderr, "%s: note: %zu further values have no effect, as others come after them\n", program,
                replaced->count - REPLACED_FLAGS_MAX);
}

static bool set_seconds(const struct given_flag *given, double *seconds, struct error *error)
{
    char expected[96];
    const char *value = given->value;
    bool is_count = value[0] && value[strlen(value) - 1] == 'x'; /* Google Benchmark takes 100x for 100 calls */
    if (number_read_positive(value, "s", (double)given->flag->most, seconds))
        return true;
    snprintf(expected, sizeof expected, "a number of seconds above 0, %" PRIu64 " at most%s", given->flag->most,
             is_count ? "; a number of calls is not taken" : "");
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

/* "auto|on|off" as "auto, on or off". */
static bool refuse_word(const struct given_flag *given, struct error *error)
{
    char expected[96] = "";
    for (const char *c = given->flag->syntax; *c; c++)
        if (*c == '|')
            text_append(expected, sizeof expected, "%s", strchr(c + 1, '|') ? ", " : " or ");
        else
            text_append(expected, sizeof expected, "%c", *c);
    return flag_bad_value(error, given, expected);
}

static bool set_word(const struct given_flag *given, int *place, struct error *error)
{
    const char *word = given->flag->syntax;
    for (*place = 0;; ++*place) {
        size_t length = strcspn(word, "|");
        if (strlen(given->value) == length && strncmp(word, given->value, length) == 0)
            return true;
        if (word[length] == '\0')
            return refuse_word(given, error);
        word += length + 1;
    }
}

static bool set(const struct given_flag *given, void *options, struct error *error)
{
    void *at = (char *)options + given->flag->at;
    const char *value = given->value;
    uint64_t number;
    switch (given->flag->kind) {
    case FLAG_IGNORED: return true;
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

static void add_name(struct names *names, const char *name, int argument, const struct flag *flag)
{
    if (!name)
        return;
    assert(names->count < NAMES_MAX);
    if (strcmp(name, "help") == 0)
        names->help = names->count;
    if (strcmp(name, "include") == 0)
        names->include = names->count;
    names->options[names->count] = (struct option){name, argument, NULL, FIRST_VALUE + names->count};
    names->flags[names->count++] = flag;
}

/* getopt_long() takes unique beginnings of a flag too, which would change their meaning with the next flag that we add.
 */
static bool is_spelt_out(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, "--", 2) == 0 && strncmp(argument + 2, name, length) == 0 &&
           (argument[2 + length] == '\0' || argument[2 + length] == '=');
}

static bool take_argument(const struct command_line *line, void *options, const char *text, struct error *error)
{
    return line->argument ? line->argument(options, text, error)
                          : error_set(error, "unexpected argument '%s'; flags start with --", text);
}

/* Without a value it is that of a switch. */
static void keep_value(struct values *values, const char *value)
{
    if (values->last && strcmp(values->last, value) != 0)
        values->before = values->last;
    values->last = value;
}

static bool take_flag(const struct command_line *line, struct names *names, int name, void *options,
                      struct error *error)
{
    const struct given_flag given = {names->flags[name], names->options[name].name, optarg};
    if (given.flag->file != FILE_NONE)
        named_files_add(line->files, given.name, optarg, given.flag->file);
    if (!set(&given, options, error))
        return false;
    keep_value(&names->values[given.flag - line->flags], optarg ? optarg : "true");
    if (line->given)
        line->given(options, &given);
    return true;
}

/* What getopt_long() found and did not take, or took for the beginning of another. */
static bool refuse(const struct command_line *line, const struct names *names, int found, void *options,
                   const char *text, struct error *error)
{
    if (found == ':')
        return error_set(error, "%s: expected a value, as in %s=...", text, text);
    if (found == '?' && optopt >= FIRST_VALUE && optopt - FIRST_VALUE < names->count)
        return error_set(error, "%s: --%s takes no value", text, names->options[optopt - FIRST_VALUE].name);
    if (line->unknown && line->unknown(options, text, error))
        return false;
    return error_set(error, "unknown flag %s; --help lists all", text);
}

static void keep_replaced(const struct command_line *line, const struct names *names)
{
    for (size_t i = 0; i < line->count; i++) {
        const struct flag *flag = &line->flags[i];
        const struct values *values = &names->values[i];
        if (!values->before || flag->adds || flag->kind == FLAG_IGNORED)
            continue;
        const char *name = flag->name ? flag->name : flag->google_name;
        size_t at = line->replaced->count++;
        if (at < REPLACED_FLAGS_MAX)
            error_set(&line->replaced->notes[at], "--%s=%s has no effect: --%s=%s comes after it", name, values->before,
                      name, values->last);
    }
}

static int parse(const struct command_line *line, struct names *names, int argc, char **argv, void *options,
                 struct error *error)
{
    size_t shared = 0;
    opterr = 0;
    optind = 0; /* glibc: start anew, for the tests */
    /* '-': arguments come in their places, as values of the option 1. */
    for (int at = 1, found; (found = getopt_long(argc, argv, "-:hI:", names->options, NULL)) != -1; at = optind) {
        const bool is_letter = found == 'h' || (found == 'I' && names->include > 0);
        int name = found == 'h' ? names->help : is_letter ? names->include : found - FIRST_VALUE;
        bool is_flag = name >= 0 && (is_letter || is_spelt_out(argv[at], names->options[name].name));
        bool ok = found == 1 ? take_argument(line, options, optarg, error)
                  : is_flag  ? take_flag(line, names, name, options, error)
                             : refuse(line, names, found, options, argv[at], error);
        if (!ok)
            return 0;
        bool is_shared =
            line->shared && is_flag && !names->flags[name]->for_one_process && names->flags[name]->file != FILE_WRITTEN;
        for (int i = at; i < optind && is_shared; i++)
            line->shared[shared++] = argv[i];
    }
    if (line->shared)
        line->shared[shared] = NULL;
    return optind;
}

int command_line_parse(const struct command_line *line, int argc, char **argv, void *options, struct error *error)
{
    struct names names = {.count = 0};
    for (const struct flag *flag = line->flags; flag < line->flags + line->count; flag++) {
        const bool is_optional = flag->syntax && flag->syntax[0] == '[';
        add_name(&names, flag->name,
                 is_optional    ? optional_argument
                 : flag->syntax ? required_argument
                                : no_argument,
                 flag);
        add_name(&names, flag->google_name, flag->syntax ? required_argument : optional_argument, flag);
    }
    int rest = parse(line, &names, argc, argv, options, error);
    keep_replaced(line, &names);
    return rest;
}

void command_line_print_flags(const struct flag *flags, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++) {
        const struct flag *flag = &flags[i];
        char left[80];
        if (!flag->help)
            continue;
        snprintf(left, sizeof left, "--%s%s%s", flag->name,
                 !flag->syntax            ? ""
                 : flag->syntax[0] == '[' ? "[="
                                          : "=",
                 !flag->syntax ? "" : flag->syntax + (flag->syntax[0] == '['));
        fprintf(to, strlen(left) < 28 ? "  %-28s" : "  %s\n%30s", left, "");
        for (const char *c = flag->help; *c; c++)
            if (*c == '\n')
                fprintf(to, "\n%30s", "");
            else
                fputc(*c, to);
        fputc('\n', to);
    }
}

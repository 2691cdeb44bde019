/* A command line, as a table of flags says it: the parser, the help text and the kinds of values that both programs
 * share. GNU's getopt_long() does the splitting; every flag must be spelt out. */
#pragma once

#include "error.h"
#include "named_files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum flag_kind {
    FLAG_IGNORED, /* accepted, means nothing here: given() may say so */
    FLAG_SWITCH,  /* bool; takes no value (Google Benchmark's name for it may have =true or =false) */
    FLAG_TEXT,    /* const char * */
    FLAG_FILE,    /* const char *, not empty */
    FLAG_SECONDS, /* double above 0, up to `most`; an `s` may follow */
    FLAG_INTEGER, /* int from `least` to `most` */
    FLAG_NUMBER,  /* uint64_t from `least` to `most` */
    FLAG_WORD,    /* int: the place of the value among the words of `syntax`, "auto|on|off" */
    FLAG_OWN,     /* whatever set() makes of it */
};

/* What "auto|on|off" becomes. */
enum choice { CHOICE_AUTO, CHOICE_ON, CHOICE_OFF };

struct flag {
    const char *name;        /* NULL: only Google Benchmark has such a flag */
    const char *google_name; /* NULL: Google Benchmark has none */
    const char *syntax;      /* of the value; NULL: takes none */
    const char *help;        /* NULL: not in the help text; further lines after \n */
    enum flag_kind kind;
    size_t at; /* offsetof() in the options: where the value goes */
    uint64_t least, most;
    /* FLAG_OWN: `options` are those of command_line_parse(), `name` is the name that the user wrote. */
    bool (*set)(void *options, const struct flag *flag, const char *name, const char *value, struct error *error);
    const void *context;  /* for set() */
    bool for_one_process; /* of several that measure rounds of one run, none gets it */
    enum file_use file;   /* what its value is the path of */
    int scope;            /* of the program's own: for given() */
    bool adds;            /* given again, both values count; of other flags the last does */
};

/* Of two values of a flag only the last counts. */
struct replaced_flag {
    const char *name, *before, *last;
};

struct command_line {
    const struct flag *flags;
    size_t count;
    /* Takes what is no flag; NULL: everything must be one. */
    bool (*argument)(void *options, const char *text, struct error *error);
    /* Sees each flag that was taken, under the name that the user wrote; NULL: nobody does. */
    void (*given)(void *options, const struct flag *flag, const char *name);
    /* After all of them: hears of each flag that was given another value before its last; NULL: nobody does. */
    void (*replaced)(void *options, const struct replaced_flag *flag);
    /* Gets the arguments that are flags without for_one_process, and a NULL; room for argc. NULL: nowhere. */
    char **shared;
    char **harmless;           /* the same, for those of them that write no file */
    struct named_files *files; /* gets those that flags name */
};

/* Reads argv into `options`. The index of what follows `--` (argc: nothing), or 0 after an error. */
int command_line_parse(const struct command_line *line, int argc, char **argv, void *options, struct error *error);

/* A line per flag, or more. */
void command_line_print_flags(const struct flag *flags, size_t count, FILE *to);

/* "--name=value: expected ..."; returns false. */
bool flag_bad_value(struct error *error, const char *name, const char *value, const char *expected);

/* Says so on stderr. */
void flag_note_replaced(const char *program, const struct replaced_flag *flag);

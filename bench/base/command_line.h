/* A command line, as a table of flags says it: the parser, the help text and the kinds of values that both programs
 * share. Every flag must be spelt out: what is short for one today could be for two tomorrow. */
#pragma once

#include "error.h"
#include "files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum flag_kind {
    FLAG_ALWAYS,  /* a switch of Google Benchmark's that is always on here: cannot be false */
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

/* As the user wrote it. */
struct given_flag {
    const struct flag *flag;
    const char *name, *value; /* without a value: NULL */
};

struct flag {
    const char *name;        /* NULL: only Google Benchmark has such a flag */
    const char *google_name; /* NULL: Google Benchmark has none */
    const char *syntax;      /* of the value; NULL: takes none */
    const char *help;        /* NULL: not in the help text; further lines after \n */
    enum flag_kind kind;
    size_t at; /* offsetof() in the options: where the value goes */
    uint64_t least, most;
    bool (*set)(void *options, const struct given_flag *given, struct error *error); /* FLAG_OWN */
    const void *context;                                                             /* for set() */
    bool for_one_process; /* those that this one starts do not get it */
    enum file_use file;   /* what its value is the path of */
    int scope;            /* of the program's own: for given() */
    bool adds;            /* given again, both values count; of other flags the last does */
    char letter;          /* "-h" is this flag, too; 0: none is */
};

enum { FLAG_NOTES_BYTES = 2048 };

/* Adds the line "PROGRAM: note: ..." to notes, unless they have it; what they have no room for is cut off. */
__attribute__((format(printf, 2, 3))) void flag_note(char notes[FLAG_NOTES_BYTES], const char *format, ...);

struct command_line {
    const struct flag *flags;
    size_t count;
    /* Takes what is no flag; NULL: everything must be one. `options` are those of command_line_parse(). */
    bool (*argument)(void *options, const char *text, struct error *error);
    void (*given)(void *options, const struct given_flag *given); /* sees each flag that was taken; NULL: nobody does */
    /* Gets the arguments that are flags of other processes too and write no file, and a NULL; room for argc. NULL:
     * nowhere. */
    char **shared;
    char *notes;               /* gets those on values that have no effect, as others come after them */
    struct named_files *files; /* gets those that flags name */
};

/* Reads argv into `options`. The index of what follows `--` (argc: nothing), or 0 after an error. */
int command_line_parse(const struct command_line *line, int argc, char **argv, void *options, struct error *error);

/* A line per flag, or more. */
void command_line_print_flags(const struct flag *flags, size_t count, FILE *to);

/* "--name=value: expected ..."; returns false. */
bool flag_bad_value(struct error *error, const struct given_flag *given, const char *expected);

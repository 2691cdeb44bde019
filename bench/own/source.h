/* A source file of the user's own, read as far as its functions. What cannot be read is passed over; the compiler says
 * what is wrong with it. */
#pragma once

#include "bench/base/pattern.h"

enum parameter_kind {
    PARAMETER_POINTER,
    PARAMETER_INTEGER,
    PARAMETER_REAL,
    PARAMETER_TENSOR, /* torch::Tensor */
    PARAMETER_STREAM, /* cudaStream_t */
    PARAMETER_OTHER,
};

enum { NAME_BYTES = 64 };

struct parameter {
    struct part text, name, type; /* the type as one word: of "const float *__restrict__ a" it is "float" */
    char plain[NAME_BYTES];       /* part_plain() of the name; of a pointer array_plain() */
    enum parameter_kind kind;
    bool is_const;
};

enum { PARAMETERS_MAX = 32, LAUNCH_PARTS = 4, NAMESPACES_MAX = 8 };

/* A definition. */
struct function {
    struct part head, name, body; /* of the head all before the name; the body with its braces */
    struct parameter parameters[PARAMETERS_MAX];
    size_t count;
    bool is_kernel, is_template;
    bool is_of_type; /* template <typename T>, and a parameter is of that type */
};

struct source {
    char *code; /* the text as blanked_make() leaves it, without directives */
    struct function *functions;
    size_t count;
    struct part namespaces[NAMESPACES_MAX]; /* that functions are in */
    size_t namespace_count;
};

struct source source_read(const char *text);
void source_free(struct source *source);

/* Its parameter of that name; SIZE_MAX: there is none. */
size_t function_parameter(const struct function *function, struct part name);

/* The function of that name; NULL: there is none. */
const struct function *source_find(const struct source *source, struct part name);

/* A launch, kernel<<<grid, block, shared bytes, stream>>>(arguments). */
struct launch {
    struct part kernel, name; /* with the arguments of its template, and without */
    struct part how[LAUNCH_PARTS];
    size_t how_count;
    struct part passed; /* between the parentheses */
    struct part arguments[PARAMETERS_MAX];
    size_t count;    /* PARAMETERS_MAX + 1: more than that */
    const char *end; /* the closing parenthesis */
};

/* The one whose <<< stands at `mark` of the text. False: it cannot be read before the next <<<. */
bool launch_read(struct part text, const char *mark, struct launch *launch);

/* The next one in `in`, which then begins behind it. False: there is none. */
bool launch_next(struct part *in, struct launch *launch);

/* The next directive that includes a file named in quotes; NULL: there is none. */
const char *include_next(const char *text, struct part *name);

/* Source as code alone: makes a space of each character of a comment, a string or a character constant; lines and
 * places stay. */
void blanked_make(char *source);

/* As a pattern, up to three deep. */
#define IN_PARENTHESES "\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)"

/* The next name in `in`, which then begins behind it; numbers are none. False: there is none. */
bool part_next_name(struct part *in, struct part *name);

/* The next place of the name in `in` where the pattern matches what follows; `in` then begins behind the name, and
 * `found` gets what pattern_find() finds there. False: there is none. */
bool part_next_before(struct part *in, struct part name, const char *pattern, struct part found[], size_t count);

/* What stands between commas outside of brackets. Returns how many parts there are, or `most` + 1: more than that. */
size_t part_split(struct part whole, struct part *parts, size_t most);

struct part part_of(const char *text);
struct part part_trim(struct part part);

/* What follows from `at` on, and what stands before it. */
struct part part_from(struct part part, const char *at);
struct part part_before(struct part part, const char *at);
bool part_is(struct part part, const char *text);
bool part_same(struct part one, struct part other);

/* The number of the part among others; SIZE_MAX: it is none. */
size_t part_among(const struct part *parts, size_t count, struct part part);

/* What stands before the mark, or all of it; and between the bracket that it begins with and the one that closes it. */
struct part part_up_to(struct part part, char mark);
struct part part_in_brackets(struct part part);

/* "numARows", "num_a_rows": numarows */
void part_plain(struct part name, char plain[NAME_BYTES]);
/* The same of an array, without what says where it lies: d_A, A_d, dev_a, matrixA, input_a are "a". */
void array_plain(struct part name, char plain[NAME_BYTES]);

/* The number of the word among words with a space between, in small letters or large ones; -1: it is none. */
int part_find(const char *words, struct part word);

/* Whether the name is among the words of code. */
bool part_has_word(struct part part, const char *word);

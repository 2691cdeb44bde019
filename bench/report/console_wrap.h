/* Words in lines of at most 80 columns. Control characters become '?'. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct wrap {
    FILE *to;
    int at, indent; /* the column, and where further lines begin */
    bool has_word;
};

void wrap_words(struct wrap *wrap, const char *words); /* separated by spaces */
void wrap_glue(struct wrap *wrap, char c);             /* what follows a word without a space */

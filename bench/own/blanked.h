/* C and CUDA source as code alone. */
#pragma once

#include <stdbool.h>

/* Makes a space of each character of a comment, a string or a character constant; lines and places stay. */
void blanked_make(char *source);

/* Whether it is part of names and numbers. */
bool blanked_is_word(char c);

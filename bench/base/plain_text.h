/* Text from outside (file names, cells of a CSV, what a driver says) as text: no terminal obeys it, and a line of it is
 * one line. Every control character becomes '?', and so does a mark that would turn the text after it round. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* The bytes of the control character or mark at `text`; 0: it is another. Terminals know U+0080 to U+009F, too. */
size_t plain_text_control(const char *text);

void plain_text_make(char *text);

void plain_text_put(FILE *to, const char *text);

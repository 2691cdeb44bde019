#include "console_wrap.h"

#include "bench/base/plain_text.h"

#include <string.h>

enum { WIDTH = 80 };

/* Text may come from outside: a file's name, a driver's message. */
static void put_plain(FILE *to, const char *word, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t control = plain_text_control(word + i);
        fputc(control ? '?' : word[i], to);
        i += control ? control : 1;
    }
}

void wrap_words(struct wrap *wrap, const char *words)
{
    for (const char *word = words + strspn(words, " "); *word; word += strspn(word, " ")) {
        int length = (int)strcspn(word, " ");
        bool breaks = wrap->has_word && wrap->at + 1 + length >= WIDTH;
        if (breaks)
            fprintf(wrap->to, "\n%*s", wrap->indent, "");
        else if (wrap->has_word)
            fputc(' ', wrap->to);
        put_plain(wrap->to, word, (size_t)length);
        wrap->at = (breaks ? wrap->indent : wrap->at + wrap->has_word) + length;
        wrap->has_word = true;
        word += length;
    }
}

void wrap_glue(struct wrap *wrap, char c)
{
    fputc(c, wrap->to);
    wrap->at += 1;
}

#define _GNU_SOURCE /* vasprintf() */
#include "report_text.h"

#include "bench/base/memory.h"
#include "bench/base/plain_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct figure figure_of(const char *format, double value)
{
    struct figure figure;
    snprintf(figure.text, sizeof figure.text, format, value);
    return figure;
}

/* 4 significant digits with the prefix, from the first to the last, that leaves 1 to 4 digits before the point. */
static struct figure scaled(double value, int first, int last, const char *unit)
{
    static const char *const prefixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    struct figure figure;
    while (first < last && value >= 999.95) {
        value /= 1000;
        first++;
    }
    int decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
    snprintf(figure.text, sizeof figure.text, "%.*f %s%s", decimals, value, prefixes[first], unit);
    return figure;
}

enum { NANO, ONE = 3, EXA = 9 };

struct figure time_text(double seconds)
{
    return scaled(seconds * 1e9, NANO, ONE, "s");
}

struct figure bytes_text(double bytes)
{
    return scaled(bytes, ONE, EXA, "B");
}

struct figure flops_text(double flops)
{
    return scaled(flops, ONE, EXA, "flop");
}

/* In scientific notation "6.4e-4", for which printf() has a letter more. */
static struct figure tiny_text(const char *format, double value)
{
    struct figure figure = figure_of(format, value);
    char *zero = strstr(figure.text, "e-0");
    if (zero)
        memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
    return figure;
}

/* At least 2 significant digits, and no more than 3 unless they stand before the point; 6 letters where that can be. */
struct figure number_text(double value)
{
    if (isnan(value))
        return (struct figure){"-"};
    if (value > 0 && value < 0.000995)
        return tiny_text("%.1e", value);
    return figure_of(value < 0.0995 ? "%.2g" : value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
}

/* "~2.4": no digit more than is known, and no letter more than other numbers have. */
struct figure ratio_text(struct ratio of)
{
    if (!of.is_approximate || isnan(of.value))
        return number_text(of.value);
    return tiny_text(of.value < 0.0995 ? "~%.0e" : of.value < 99.5 ? "~%.2g" : "~%.0f", of.value);
}

struct figure percent_text(double value)
{
    if (isnan(value))
        return (struct figure){"-"};
    return figure_of(value < 9.95 ? "%.1f" : "%.0f", value);
}

struct figure spread_text(const struct statistics *s)
{
    double percent = 50 * (s->ci_high - s->ci_low) / s->median;
    if (isnan(s->ci_high))
        return (struct figure){"?"};
    return figure_of(percent < 99.95 ? "%.1f%%" : "%.0f%%", percent);
}

enum { WIDTH = 80 };

void wrap_print(FILE *to, int indent, int further, const char *format, ...)
{
    char *words;
    int at = 0, margin = indent;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&words, format, arguments);
    va_end(arguments);
    memory_have(length < 0 ? NULL : words);
    plain_text_make(words); /* it may come from outside: a file's name, a driver's message */
    for (const char *word = words + strspn(words, " "); *word; word += strspn(word, " ")) {
        length = (int)strcspn(word, " ");
        if (at > 0 && at + 1 + length >= WIDTH) {
            fputc('\n', to);
            at = 0;
            margin = further;
        }
        at += fprintf(to, "%*s%.*s", at > 0 ? 1 : margin, "", length, word);
        word += length;
    }
    fputc('\n', to);
    free(words);
}

void sentences_print(FILE *to, const char *heading, json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        fprintf(to, "%s%s%s  %s\n", i == 0 ? "\n" : "", i == 0 ? heading : "", i == 0 ? "\n" : "",
                json_string_value(json_object_get(json_array_get(list, i), "text")));
    json_decref(list);
}

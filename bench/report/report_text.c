#include "report_text.h"

#include "bench/base/plain_text.h"

#include <math.h>
#include <string.h>

/* 4 significant digits in the unit that leaves 1 to 4 digits before the point. */
static const char *scaled(double value, const char *const units[], size_t count, char text[FIGURE_MAX])
{
    size_t unit = 0;
    while (unit + 1 < count && value >= 999.95) {
        value /= 1000;
        unit++;
    }
    int decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
    snprintf(text, FIGURE_MAX, "%.*f %s", decimals, value, units[unit]);
    return text;
}

const char *time_text(double seconds, char text[FIGURE_MAX])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return scaled(seconds * 1e9, units, 4, text);
}

const char *bytes_text(double bytes, char text[FIGURE_MAX])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    return scaled(bytes, units, 7, text);
}

const char *flops_text(double flops, char text[FIGURE_MAX])
{
    static const char *const units[] = {"flop", "kflop", "Mflop", "Gflop", "Tflop", "Pflop", "Eflop"};
    return scaled(flops, units, 7, text);
}

/* In scientific notation "6.4e-4", for which printf() has a letter more. */
static const char *tiny_text(const char *format, double value, char text[FIGURE_MAX])
{
    snprintf(text, FIGURE_MAX, format, value);
    char *zero = strstr(text, "e-0");
    if (zero)
        memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
    return text;
}

/* At least 2 significant digits, and no more than 3 unless they stand before the point; 6 letters where that can be. */
const char *number_text(double value, char text[FIGURE_MAX])
{
    if (isnan(value))
        return "-";
    if (value > 0 && value < 0.000995)
        return tiny_text("%.1e", value, text);
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    if (value < 0.0995)
        snprintf(text, FIGURE_MAX, "%.2g", value);
    else
        snprintf(text, FIGURE_MAX, "%.*f", decimals, value);
    return text;
}

/* "~2.4": no digit more than is known, and no letter more than other numbers have. */
const char *ratio_text(const struct ratio *ratio, char text[FIGURE_MAX])
{
    const double value = ratio->value;
    if (!ratio->is_approximate || isnan(value))
        return number_text(value, text);
    return tiny_text(value < 0.0995 ? "~%.0e" : value < 99.5 ? "~%.2g" : "~%.0f", value, text);
}

const char *percent_text(double percent, char text[FIGURE_MAX])
{
    if (isnan(percent))
        return "-";
    snprintf(text, FIGURE_MAX, percent < 9.95 ? "%.1f" : "%.0f", percent);
    return text;
}

const char *spread_text(const struct statistics *s, char text[FIGURE_MAX])
{
    if (isnan(s->ci_high))
        return "?";
    double percent = 50 * (s->ci_high - s->ci_low) / s->median;
    snprintf(text, FIGURE_MAX, percent < 99.95 ? "%.1f%%" : "%.0f%%", percent);
    return text;
}

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

void wrap_print(FILE *to, int indent, const char *words)
{
    struct wrap wrap = {to, indent, indent, false};
    fprintf(to, "%*s", indent, "");
    wrap_words(&wrap, words);
    fputc('\n', to);
}

#include "progress.h"

#include "error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct progress {
    bool enabled;
    bool rewrites;                      /* terminal: one line, overwritten; otherwise one line per step */
    double start_s, printed_s, every_s; /* a line at most */
    size_t total;
    size_t width;   /* characters of the line on the terminal */
    char last[192]; /* `what` of the last line printed */
} progress;

void progress_begin(enum choice wanted, size_t total, bool is_logged, double now_s)
{
    bool is_terminal = isatty(STDERR_FILENO);
    progress =
        (struct progress){.enabled = wanted == CHOICE_ON || (wanted == CHOICE_AUTO && (is_terminal || is_logged)),
                          .rewrites = is_terminal,
                          .start_s = now_s,
                          .printed_s = now_s,
                          .every_s = wanted == CHOICE_AUTO && !is_terminal ? 60 : 0,
                          .total = total};
}

/* ", about 2 min left", extrapolated from the finished rows; empty before a twentieth of them, since the first wait for
 * what all need, and many may be skipped at once. */
static void format_remaining(size_t done, double now_s, char *text, size_t size)
{
    text[0] = '\0';
    if (done == 0 || 20 * done < progress.total || done >= progress.total)
        return;
    double left_s = (now_s - progress.start_s) / (double)done * (double)(progress.total - done);
    if (left_s < 90)
        snprintf(text, size, ", about %.0f s left", left_s);
    else
        snprintf(text, size, ", about %.0f min left", left_s / 60);
}

void progress_step(size_t done, const char *what, double now_s)
{
    if (!progress.enabled || now_s - progress.printed_s < progress.every_s)
        return;
    progress.printed_s = now_s;
    char left[48], line[256];
    format_remaining(done, now_s, left, sizeof left);
    snprintf(line, sizeof line, "[%zu/%zu] %s%s", done + 1, progress.total, what, left);
    if (progress.rewrites) {
        const size_t width = strlen(line);
        size_t pad = progress.width > width ? progress.width - width : 0;
        fprintf(stderr, "\r%s%*s", line, (int)pad, "");
        progress.width = width;
    } else if (strcmp(progress.last, what) != 0) {
        fprintf(stderr, "%s\n", line);
        snprintf(progress.last, sizeof progress.last, "%s", what);
    }
    fflush(stderr);
}

void progress_clear(void)
{
    if (progress.enabled && progress.rewrites && progress.width > 0) {
        fprintf(stderr, "\r%*s\r", (int)progress.width, "");
        fflush(stderr);
        progress.width = 0;
    }
}

void progress_note(const char *line)
{
    progress_clear();
    error_say("note: %s", line);
}

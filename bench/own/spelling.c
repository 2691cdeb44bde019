#include "spelling.h"

#include "source.h"

#include "bench/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The source, and its code: the same with blank comments and literals. Parts are of the code, and lie where they do in
 * the source. */
struct spelling {
    const char *source, *stream;
    char *code;
    const char *end;
    const char *done;  /* written up to here */
    const char *first; /* where the next kernel's name begins at the earliest */
    size_t lines;      /* ends of lines in what put() has written */
    FILE *to;
};

static const char *source_at(const struct spelling *self, const char *at)
{
    return self->source + (at - self->code);
}

static struct part up_to(const char *at, const char *end)
{
    return (struct part){at, (size_t)(end - at)};
}

static void copy_up_to(struct spelling *self, const char *end)
{
    fwrite(source_at(self, self->done), 1, (size_t)(end - self->done), self->to);
    self->done = end;
}

static size_t count_lines(const struct spelling *self, struct part part)
{
    const char *source = source_at(self, part.at);
    size_t lines = 0;
    for (size_t i = 0; i < part.length; i++)
        lines += source[i] == '\n';
    return lines;
}

static void put(struct spelling *self, struct part part)
{
    fwrite(source_at(self, part.at), 1, part.length, self->to);
    self->lines += count_lines(self, part);
}

/* The ends of lines that are missing in what was put in the place of `whole`; those of a macro go on. */
static void put_missing_lines(struct spelling *self, struct part whole)
{
    struct part found;
    const bool is_macros = pattern_find("\\\\\n", (struct part){source_at(self, whole.at), whole.length}, &found, 1);
    for (size_t lines = count_lines(self, whole); lines > self->lines; lines--)
        fputs(is_macros ? "\\\n" : "\n", self->to);
    self->lines = 0;
}

static void put_argument(struct spelling *self, struct part part, const char *otherwise)
{
    fputs(", ", self->to);
    if (part.length > 0)
        put(self, part);
    else
        fputs(otherwise, self->to);
}

/* The launch whose <<< stands at `mark`, unless it cannot be read. */
static void change_launch(struct spelling *self, const char *mark)
{
    struct launch launch;
    const bool is_read = launch_read(up_to(self->first, self->end), mark, &launch);
    self->first = mark + 3;
    if (!is_read)
        return;
    const bool is_template = launch.kernel.at[launch.kernel.length - 1] == '>';
    copy_up_to(self, launch.kernel.at);
    fputs(is_template ? "LAUNCH((" : "LAUNCH(", self->to);
    put(self, launch.kernel);
    fputs(is_template ? ")" : "", self->to);
    put_argument(self, launch.how[0], "");
    put_argument(self, launch.how[1], "");
    put_argument(self, launch.how[2], "0");
    put_argument(self, launch.how[3], self->stream);
    if (launch.passed.length > 0)
        put_argument(self, launch.passed, "");
    put_missing_lines(self, up_to(launch.kernel.at, launch.end));
    self->done = self->first = launch.end; /* the closing parenthesis serves LAUNCH */
}

char *spelling_change(const char *source, const char *stream)
{
    char *changed;
    size_t size;
    struct spelling self = {.source = source, .stream = stream, .code = memory_have(strdup(source))};
    self.to = memory_stream(&changed, &size);
    blanked_make(self.code);
    self.done = self.first = self.code;
    self.end = self.code + strlen(source);
    struct part rest = part_of(self.code), found;
    while (pattern_find("<<<", rest, &found, 1)) {
        change_launch(&self, found.at);
        rest = up_to(self.done > found.at ? self.done : found.at + 1, self.end);
    }
    copy_up_to(&self, self.end);
    memory_stream_end(self.to);
    free(self.code);
    return changed;
}

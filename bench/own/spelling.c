#include "spelling.h"

#include "source.h"

#include "bench/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECLARED_MAX = 8 };

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

/* "float As[16][16]" is a type, a name and sizes. */
struct declared {
    struct part type, name, sizes; /* the first one's type is that of the others */
};

static bool read_declared(struct part part, struct declared *declared)
{
    struct part found[4];
    if (!pattern_find("^([^[=]*?)(\\w+)\\s*((?:\\[[^][]*\\]\\s*)*)$", part, found, 4))
        return false;
    *declared = (struct declared){part_trim(found[1]), found[2], found[3]};
    return true;
}

/* "[16][17]" as ", 16, 17". */
static void put_sizes(struct spelling *self, struct part sizes)
{
    for (struct part size[2]; pattern_find("\\[([^][]*)\\]", sizes, size, 2);
         sizes = part_from(sizes, size[0].at + size[0].length))
        put_argument(self, part_trim(size[1]), "");
}

/* On one line, and without comments. */
static void put_again(struct spelling *self, struct part part)
{
    for (size_t i = 0; i < part.length; i++)
        fputc(strchr("\r\n\\", part.at[i]) ? ' ' : part.at[i], self->to);
}

static void put_declared(struct spelling *self, const struct declared *declared, struct part type, bool is_dynamic)
{
    const bool is_scalar = declared->sizes.length == 0;
    fputs(is_dynamic ? "DYNAMIC_SHARED(" : "SHARED_ARRAY(", self->to);
    if (declared->type.length > 0)
        put(self, type);
    else
        put_again(self, type);
    put_argument(self, declared->name, "");
    if (!is_dynamic && is_scalar)
        fputs("_array, 1", self->to);
    else if (!is_dynamic)
        put_sizes(self, declared->sizes);
    fputs("); ", self->to);
    if (is_dynamic || !is_scalar)
        return;
    const int length = (int)declared->name.length;
    put_again(self, type);
    fprintf(self->to, " &%.*s = %.*s_array[0]; ", length, declared->name.at, length, declared->name.at);
}

/* Behind the alignment, if any. False: it cannot be read. */
static bool skip_alignment(struct part *rest)
{
    struct part found[2];
    if (!pattern_find("^\\s*(?:__align__|alignas)\\b\\s*(\\((?:[^()]|\\([^()]*\\))*\\))?", *rest, found, 2))
        return true;
    *rest = part_from(*rest, found[0].at + found[0].length);
    return found[1].length > 0;
}

/* The declaration that begins with __shared__, or with extern, unless it is another or cannot be read. What follows up
 * to the next one is looked at, so that no place is looked at again and again. */
static void change_shared(struct spelling *self, struct part begin, bool is_dynamic)
{
    struct part parts[DECLARED_MAX], found[2];
    struct declared declared[DECLARED_MAX];
    const struct part rest = up_to(begin.at + begin.length, self->end);
    if (!pattern_find("^((?s:.*?))(?:;|\\b__shared__\\b)", rest, found, 2) || *(found[1].at + found[1].length) != ';')
        return;
    const char *end = found[1].at + found[1].length;
    if (!skip_alignment(&found[1]))
        return;
    const size_t count = part_split(found[1], parts, DECLARED_MAX);
    bool is_readable = count > 0 && count <= DECLARED_MAX;
    for (size_t i = 0; i < count && is_readable; i++)
        is_readable = read_declared(parts[i], &declared[i]) && (declared[i].type.length > 0) == (i == 0);
    if (!is_readable)
        return;
    copy_up_to(self, begin.at);
    for (size_t i = 0; i < count; i++)
        put_declared(self, &declared[i], declared[0].type, is_dynamic);
    put_missing_lines(self, up_to(begin.at, end));
    self->done = self->first = end + 1;
}

char *spelling_change(const char *source, const char *stream, bool shared)
{
    char *changed;
    size_t size;
    struct spelling self = {.source = source, .stream = stream, .code = memory_have(strdup(source))};
    self.to = memory_stream(&changed, &size);
    blanked_make(self.code);
    self.done = self.first = self.code;
    self.end = self.code + strlen(source);
    struct part rest = part_of(self.code), found[2];
    while (pattern_find("<<<|\\b(extern\\s+)?__shared__\\b", rest, found, 2)) {
        if (found[0].at[0] == '<')
            change_launch(&self, found[0].at);
        else if (shared)
            change_shared(&self, found[0], found[1].length > 0);
        rest = up_to(self.done > found[0].at ? self.done : found[0].at + 1, self.end);
    }
    copy_up_to(&self, self.end);
    memory_stream_end(self.to);
    free(self.code);
    return changed;
}

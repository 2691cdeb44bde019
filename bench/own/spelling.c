#include "spelling.h"

#include "source.h"

#include "bench/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char asm_words[] = "\\b(?:asm|__asm|__asm__)\\b";

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
    if (part_trim((struct part){source_at(self, launch.passed.at), launch.passed.length}).length > 0)
        put_argument(self, launch.passed, "");
    put_missing_lines(self, up_to(launch.kernel.at, launch.end));
    self->done = self->first = launch.end; /* the closing parenthesis serves LAUNCH */
}

/* Of what is left out the ends of lines stay, and what continues them. */
static void put_lines(struct spelling *self, struct part part)
{
    for (size_t i = 0; i < part.length; i++)
        if (part.at[i] == '\n' || part.at[i] == '\\')
            fputc(part.at[i], self->to);
}

/* Each "=r"(x) becomes a call of the function for x; commas between them may be missing. False: these are no operands
 * as PTX has them. */
static bool put_operands(struct spelling *self, struct part rest, const char *function)
{
    struct part found;
    for (;;) {
        const struct part before = part_up_to(rest, '('), literal = {source_at(self, before.at), before.length};
        put_lines(self, before);
        rest = part_from(rest, before.at + before.length);
        if (rest.length == 0)
            return pattern_find("^[\\s\\\\,]*$", before, &found, 1);
        const struct part inside = part_in_brackets(rest);
        rest = part_from(rest, inside.at + inside.length);
        if (rest.length == 0 || !pattern_find("^[\\s\\\\,\\w]*$", before, &found, 1) ||
            !pattern_find("\"[=+&]*[hrlfdn]?\"[\\s\\\\\\w]*$", literal, &found, 1))
            return false;
        fprintf(self->to, ", %s(", function);
        fwrite(source_at(self, inside.at), 1, inside.length, self->to);
        fputc(')', self->to);
        rest = part_from(rest, rest.at + 1);
    }
}

/* What stands before the next colon outside of brackets, which `in` then begins behind. */
static struct part take_section(struct part *in)
{
    const char *at = in->at, *end = in->at + in->length;
    for (int depth = 0; at < end && (*at != ':' || depth > 0); at++)
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
    const struct part taken = part_before(*in, at);
    *in = part_from(*in, at < end ? at + 1 : end);
    return taken;
}

/* The asm that stands at `mark`, unless it cannot be read. */
static void change_asm(struct spelling *self, const char *mark)
{
    struct part rest = up_to(mark, self->end), found[3], next;
    rest = pattern_find(asm_words, part_from(rest, mark + 3), &next, 1) ? part_before(rest, next.at) : rest;
    if (!pattern_find("^\\w+((?:[\\s\\\\]|(?:__)?volatile(?:__)?)*)(\\()", rest, found, 3))
        return;
    struct part sections = part_in_brackets(part_from(rest, found[2].at));
    const char *end = sections.at + sections.length;
    if (end == rest.at + rest.length)
        return;
    const struct part text = take_section(&sections);
    FILE *const to = self->to;
    char *changed;
    size_t size;
    self->to = memory_stream(&changed, &size);
    fputs("SIMT_ASM", self->to);
    put_lines(self, found[1]);
    fputc('(', self->to);
    fwrite(source_at(self, text.at), 1, text.length, self->to);
    const bool is_read = put_operands(self, take_section(&sections), "simt::out") &&
                         put_operands(self, take_section(&sections), "simt::in");
    put_lines(self, sections);
    memory_stream_end(self->to);
    self->to = to;
    if (is_read) {
        copy_up_to(self, mark);
        fputs(changed, self->to);
        self->done = self->first = end;
    }
    free(changed);
}

char *spelling_change(const char *source, const char *stream, bool changes_asm)
{
    char *changed;
    size_t size;
    struct spelling self = {.source = source, .stream = stream, .code = memory_have(strdup(source))};
    self.to = memory_stream(&changed, &size);
    blanked_make(self.code);
    self.done = self.first = self.code;
    self.end = self.code + strlen(source);
    struct part rest = part_of(self.code), found[2];
    while (pattern_find(changes_asm ? "<<<|(\\b(?:asm|__asm|__asm__)\\b)" : "<<<", rest, found, 2)) {
        (found[1].length > 0 ? change_asm : change_launch)(&self, found[0].at);
        rest = up_to(self.done > found[0].at ? self.done : found[0].at + 1, self.end);
    }
    copy_up_to(&self, self.end);
    memory_stream_end(self.to);
    free(self.code);
    return changed;
}

#include "spelling.h"

#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECLARED_MAX = 8 };

/* The source, and its code: the same with blank comments and literals. Parts are of the code, and lie where they do in
 * the source. */
struct spelling {
    const char *source, *stream;
    char *code;
    bool shared;
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

static bool is_word_at(const struct spelling *self, const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !blanked_is_word(at[length]) &&
           (at == self->code || !blanked_is_word(at[-1]));
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

/* The ends of lines that are missing in what was put in the place of `whole`. */
static void put_missing_lines(struct spelling *self, struct part whole)
{
    for (size_t lines = count_lines(self, whole); lines > self->lines; lines--)
        fputc('\n', self->to);
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

/* What follows the bracket that `part` begins with. False: it begins with none, or it is not closed. */
static bool skip_brackets(struct part *part)
{
    if (part->length == 0 || !strchr("[(", part->at[0]))
        return false;
    const struct part inside = part_in_brackets(*part);
    if (inside.length + 1 >= part->length)
        return false;
    *part = part_trim(up_to(inside.at + inside.length + 1, part->at + part->length));
    return true;
}

static bool read_declared(struct part part, struct declared *declared)
{
    const char *end = part.at + part.length, *sizes = part.at;
    while (sizes < end && *sizes != '[' && *sizes != '=')
        sizes++;
    const struct part head = part_trim(up_to(part.at, sizes));
    const char *name = head.at + head.length;
    while (name > head.at && blanked_is_word(name[-1]))
        name--;
    declared->type = part_trim(up_to(head.at, name));
    declared->name = up_to(name, head.at + head.length);
    declared->sizes = part_trim(up_to(sizes, end));
    struct part rest = declared->sizes;
    while (skip_brackets(&rest))
        ;
    return declared->name.length > 0 && rest.length == 0;
}

/* "[16][17]" as ", 16, 17". */
static void put_sizes(struct spelling *self, struct part sizes)
{
    for (struct part size = sizes; skip_brackets(&sizes); size = sizes)
        put_argument(self, part_trim(part_in_brackets(size)), "");
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
    struct part name, behind = *rest;
    *rest = part_trim(*rest);
    if (!part_next_name(&behind, &name) || name.at != rest->at ||
        (!part_is(name, "__align__") && !part_is(name, "alignas")))
        return true;
    *rest = part_trim(behind);
    return skip_brackets(rest);
}

/* What follows up to the next declaration in shared memory, so that no place is looked at again and again. */
static struct part up_to_next(const struct spelling *self, const char *at)
{
    struct part rest = up_to(at, self->end), name;
    while (part_next_name(&rest, &name))
        if (part_is(name, "__shared__"))
            return up_to(at, name.at);
    return up_to(at, self->end);
}

/* The declaration that begins at `at` with __shared__, or with extern, unless it is another or cannot be read. */
static void change_shared(struct spelling *self, const char *at)
{
    static const char word[] = "__shared__";
    struct part parts[DECLARED_MAX];
    struct declared declared[DECLARED_MAX];
    const bool is_dynamic = is_word_at(self, at, "extern");
    const char *start = is_dynamic ? at + strlen("extern") + strspn(at + strlen("extern"), " \t\r\n") : at;
    if (!is_word_at(self, start, word))
        return;
    const struct part rest = up_to_next(self, start + strlen(word)), statement = part_up_to(rest, ';');
    struct part whole = statement;
    if (statement.length == rest.length || !skip_alignment(&whole))
        return;
    const size_t count = part_split(whole, parts, DECLARED_MAX);
    bool is_readable = count > 0 && count <= DECLARED_MAX;
    for (size_t i = 0; i < count && is_readable; i++)
        is_readable = read_declared(parts[i], &declared[i]) && (declared[i].type.length > 0) == (i == 0);
    if (!is_readable)
        return;
    const char *end = statement.at + statement.length;
    copy_up_to(self, at);
    for (size_t i = 0; i < count; i++)
        put_declared(self, &declared[i], declared[0].type, is_dynamic);
    put_missing_lines(self, up_to(at, end));
    self->done = self->first = end + 1;
}

char *spelling_change(const char *source, const char *stream, bool shared)
{
    char *changed = NULL;
    size_t size;
    struct spelling self = {.source = source, .stream = stream, .code = strdup(source), .shared = shared};
    self.to = self.code ? open_memstream(&changed, &size) : NULL;
    if (self.to) {
        blanked_make(self.code);
        self.done = self.first = self.code;
        self.end = self.code + strlen(source);
        for (const char *at = self.code; at<self.end; at = self.done> at + 1 ? self.done : at + 1) {
            if (strncmp(at, "<<<", 3) == 0)
                change_launch(&self, at);
            else if (self.shared && (is_word_at(&self, at, "__shared__") || is_word_at(&self, at, "extern")))
                change_shared(&self, at);
        }
        copy_up_to(&self, self.end);
        if (fclose(self.to) != 0) {
            free(changed);
            changed = NULL;
        }
    }
    free(self.code);
    return changed;
}

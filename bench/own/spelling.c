#include "spelling.h"

#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 8 };

/* The source, and its code: the same with blank comments and literals. Places are indexes of both. */
struct spelling {
    const char *source, *stream;
    char *code;
    bool shared;
    size_t size;
    size_t done;   /* written up to here */
    size_t launch; /* behind the <<< that was looked at last */
    size_t lines;  /* ends of lines in what put() has written */
    FILE *to;
};

/* From `start` to before `end`. */
struct range {
    size_t start, end;
};

static bool is_word_at(const struct spelling *self, size_t at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(self->code + at, word, length) == 0 && !blanked_is_word(self->code[at + length]) &&
           (at == 0 || !blanked_is_word(self->code[at - 1]));
}

static size_t skip_space(const struct spelling *self, size_t at)
{
    return at + strspn(self->code + at, " \t\r\n");
}

static bool is_launch_at(const struct spelling *self, size_t at)
{
    return strncmp(self->code + at, "<<<", 3) == 0;
}

static bool is_shared_at(const struct spelling *self, size_t at)
{
    return self->shared && is_word_at(self, at, "__shared__");
}

/* The place of `mark` outside of brackets; 0: there is none before the next launch or declaration. So no place is
 * looked at again and again, however many of them cannot be read. */
static size_t find_outside(const struct spelling *self, struct range in, const char *mark)
{
    size_t length = strlen(mark);
    int depth = 0;
    for (size_t at = in.start; at < in.end && depth >= 0; at++) {
        if (depth == 0 && strncmp(self->code + at, mark, length) == 0)
            return at;
        if (is_launch_at(self, at) || is_shared_at(self, at))
            return 0;
        depth += strchr("([{", self->code[at]) != NULL;
        depth -= strchr(")]}", self->code[at]) != NULL;
    }
    return 0;
}

static size_t find_further(const struct spelling *self, size_t at, const char *mark)
{
    return find_outside(self, (struct range){at, self->size}, mark);
}

static struct range trim(const struct spelling *self, struct range part)
{
    part.start = skip_space(self, part.start);
    while (part.end > part.start && isspace((unsigned char)self->code[part.end - 1]))
        part.end--;
    return part;
}

/* What stands between commas; 0: too many. */
static size_t split(const struct spelling *self, struct range whole, struct range parts[PARTS_MAX])
{
    for (size_t count = 0; count < PARTS_MAX; count++) {
        size_t comma = find_outside(self, whole, ",");
        bool is_last = comma == 0;
        parts[count] = trim(self, (struct range){whole.start, is_last ? whole.end : comma});
        if (is_last)
            return count + 1;
        whole.start = comma + 1;
    }
    return 0;
}

static void copy_up_to(struct spelling *self, size_t end)
{
    fwrite(self->source + self->done, 1, end - self->done, self->to);
    self->done = end;
}

static size_t count_lines(const char *text, struct range part)
{
    size_t lines = 0;
    for (size_t i = part.start; i < part.end; i++)
        lines += text[i] == '\n';
    return lines;
}

static void put(struct spelling *self, struct range part)
{
    fwrite(self->source + part.start, 1, part.end - part.start, self->to);
    self->lines += count_lines(self->source, part);
}

/* The ends of lines that are missing in what was put in the place of `whole`. */
static void put_missing_lines(struct spelling *self, struct range whole)
{
    for (size_t lines = count_lines(self->source, whole); lines > self->lines; lines--)
        fputc('\n', self->to);
    self->lines = 0;
}

/* The kernel's name before `end`, with the arguments of its template; empty: there is none. */
static struct range name_before(const struct spelling *self, size_t end)
{
    size_t at = end, first = self->done > self->launch ? self->done : self->launch;
    while (at > first && isspace((unsigned char)self->code[at - 1]))
        at--;
    struct range name = {at, at};
    for (int depth = at > first && self->code[at - 1] == '>'; depth > 0 && at > first;) {
        at--;
        depth += at > first && self->code[at - 1] == '>';
        depth -= at > first && self->code[at - 1] == '<';
        if (depth == 0)
            at--;
    }
    while (at > first && (blanked_is_word(self->code[at - 1]) || self->code[at - 1] == ':'))
        at--;
    name.start = at;
    return name;
}

static void put_argument(struct spelling *self, struct range part, const char *otherwise)
{
    fputs(", ", self->to);
    if (part.start < part.end)
        put(self, part);
    else
        fputs(otherwise, self->to);
}

/* The launch whose <<< stands at `at`, unless it cannot be read. */
static void change_launch(struct spelling *self, size_t at)
{
    struct range name = name_before(self, at), how[PARTS_MAX] = {{0}};
    self->launch = at + 3;
    size_t closed = find_further(self, at + 3, ">>>");
    size_t open = closed > 0 ? skip_space(self, closed + 3) : 0;
    size_t end = open > 0 && self->code[open] == '(' ? find_further(self, open + 1, ")") : 0;
    size_t count = end > 0 ? split(self, (struct range){at + 3, closed}, how) : 0;
    if (count < 2 || count > 4 || name.start == name.end)
        return;
    bool is_template = self->code[name.end - 1] == '>';
    struct range arguments = trim(self, (struct range){open + 1, end});
    copy_up_to(self, name.start);
    fputs(is_template ? "LAUNCH((" : "LAUNCH(", self->to);
    put(self, name);
    fputs(is_template ? ")" : "", self->to);
    put_argument(self, how[0], "");
    put_argument(self, how[1], "");
    put_argument(self, how[2], "0");
    put_argument(self, how[3], self->stream);
    if (arguments.start < arguments.end)
        put_argument(self, arguments, "");
    put_missing_lines(self, (struct range){name.start, end});
    self->done = end; /* the closing parenthesis serves LAUNCH */
}

/* "float As[16][16]" is a type, a name and sizes. */
struct declared {
    struct range type, name, sizes; /* the first one's type is that of the others */
};

static bool read_declared(const struct spelling *self, struct range part, struct declared *declared)
{
    size_t end = part.start;
    while (end < part.end && self->code[end] != '[' && self->code[end] != '=')
        end++;
    struct range head = trim(self, (struct range){part.start, end});
    size_t start = head.end;
    while (start > head.start && blanked_is_word(self->code[start - 1]))
        start--;
    declared->type = trim(self, (struct range){head.start, start});
    declared->name = (struct range){start, head.end};
    declared->sizes = trim(self, (struct range){head.end, part.end});
    return start < head.end &&
           (declared->sizes.start == declared->sizes.end || self->code[declared->sizes.start] == '[');
}

/* "[16][17]" as ", 16, 17". */
static void put_sizes(struct spelling *self, struct range sizes)
{
    for (size_t close; sizes.start < sizes.end; sizes.start = skip_space(self, close + 1)) {
        close = find_outside(self, (struct range){sizes.start + 1, sizes.end}, "]");
        if (close == 0)
            return;
        put_argument(self, trim(self, (struct range){sizes.start + 1, close}), "");
    }
}

/* On one line, and without comments. */
static void put_again(struct spelling *self, struct range part)
{
    for (size_t i = part.start; i < part.end; i++)
        fputc(strchr("\r\n\\", self->code[i]) ? ' ' : self->code[i], self->to);
}

static void put_declared(struct spelling *self, const struct declared *declared, struct range type, bool is_dynamic)
{
    bool is_scalar = declared->sizes.start == declared->sizes.end;
    fputs(is_dynamic ? "DYNAMIC_SHARED(" : "SHARED_ARRAY(", self->to);
    if (declared->type.start < declared->type.end)
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
    int length = (int)(declared->name.end - declared->name.start);
    const char *name = self->source + declared->name.start;
    put_again(self, type);
    fprintf(self->to, " &%.*s = %.*s_array[0]; ", length, name, length, name);
}

/* Behind the alignment, if any; 0: it cannot be read. */
static size_t skip_alignment(const struct spelling *self, size_t at)
{
    bool is_ours = is_word_at(self, at, "__align__");
    if (!is_ours && !is_word_at(self, at, "alignas"))
        return at;
    size_t open = skip_space(self, at + strlen(is_ours ? "__align__" : "alignas"));
    size_t closed = self->code[open] == '(' ? find_further(self, open + 1, ")") : 0;
    return closed > 0 ? closed + 1 : 0;
}

/* The declaration that begins at `at` with __shared__, or with extern, unless it is another or cannot be read. */
static void change_shared(struct spelling *self, size_t at)
{
    struct range parts[PARTS_MAX];
    struct declared declared[PARTS_MAX];
    bool is_dynamic = is_word_at(self, at, "extern");
    size_t start = is_dynamic ? skip_space(self, at + strlen("extern")) : at;
    if (!is_shared_at(self, start))
        return;
    start = skip_alignment(self, skip_space(self, start + strlen("__shared__")));
    size_t end = start > 0 ? find_further(self, start, ";") : 0;
    size_t count = end > 0 ? split(self, (struct range){start, end}, parts) : 0;
    bool is_readable = count > 0;
    for (size_t i = 0; i < count; i++)
        is_readable = read_declared(self, parts[i], &declared[i]) &&
                      (declared[i].type.start < declared[i].type.end) == (i == 0) && is_readable;
    if (!is_readable)
        return;
    copy_up_to(self, at);
    for (size_t i = 0; i < count; i++)
        put_declared(self, &declared[i], declared[0].type, is_dynamic);
    put_missing_lines(self, (struct range){at, end});
    self->done = end + 1;
}

char *spelling_change(const char *source, const char *stream, bool shared)
{
    char *changed = NULL;
    size_t size;
    struct spelling self = {
        .source = source, .stream = stream, .code = strdup(source), .shared = shared, .size = strlen(source)};
    self.to = self.code ? open_memstream(&changed, &size) : NULL;
    if (self.to) {
        blanked_make(self.code);
        for (size_t at = 0; self.code[at]; at = self.done > at + 1 ? self.done : at + 1) {
            if (is_launch_at(&self, at))
                change_launch(&self, at);
            else if (is_shared_at(&self, at) || is_word_at(&self, at, "extern"))
                change_shared(&self, at);
        }
        copy_up_to(&self, self.size);
        if (fclose(self.to) != 0) {
            free(changed);
            changed = NULL;
        }
    }
    free(self.code);
    return changed;
}

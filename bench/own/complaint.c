#include "complaint.h"

#include "bench/base/home.h"
#include "bench/base/plain_text.h"
#include "made_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct complaint {
    const char *path, *folder;
    struct part file, line; /* of the user's own */
    struct part header;     /* what that line includes, if it does */
};

static bool begins_with(struct part text, const char *beginning)
{
    const size_t length = strlen(beginning);
    return text.length >= length && memcmp(text.at, beginning, length) == 0;
}

static bool is_at_home(struct part file, const char *below)
{
    const size_t length = strlen(home_folder());
    return begins_with(file, home_folder()) &&
           begins_with((struct part){file.at + length, file.length - length}, below);
}

/* The files of ours that a user's kernel is called with. */
static bool is_ours(struct part file)
{
    return is_at_home(file, "/kernels/") || file.at[0] == '<' || part_is(file, made_source_of_call);
}

/* Names of the system's files and of ours are absolute. */
static bool is_users(const struct complaint *self, struct part file)
{
    const bool is_other = is_at_home(file, "/cpu/simulator/") || is_ours(file);
    return part_is(file, self->path) || (!is_other && (file.at[0] != '/' || begins_with(file, self->folder)));
}

/* The last line of the user's in what stands before an error. */
static void find_line(struct complaint *self, struct part text)
{
    struct part at[3], before = {NULL, 0};
    while (pattern_find("(?m)^(?:In file included from | +from )?([^:\n]+):([0-9]+)[:,]", text, at, 3)) {
        text = part_from(text, at[0].at + at[0].length);
        if (is_users(self, at[1])) {
            self->file = at[1];
            self->line = at[2];
            self->header = begins_with(at[0], " ") ? before : (struct part){NULL, 0};
        }
        before = at[1];
    }
}

/* Whether nothing is wrong but that a name is not there, and it looks like one of those. */
static bool is_missing(struct part text, const char *names)
{
    struct part found;
    return pattern_find("was not declared|has not been declared|does not name|is not a |has no member|"
                        "no (?:type|class template) named|no arguments to|No such file",
                        text, &found, 1) &&
           pattern_find(names, part_up_to(text, ';'), &found, 1);
}

/* Whether what the compiler notes of an error is about a stand-in that was called. */
static bool is_of_call(struct part text, struct part notes)
{
    struct part found[3];
    if (!pattern_find("^(?:no match|cannot convert|could not convert|invalid conversion|too |call of overloaded)", text,
                      found, 1))
        return false;
    while (pattern_find("(?m)^([^:\n]+):[0-9]+:[0-9]+: (?:(note)|error): ", notes, found, 3) && found[2].length > 0) {
        if (is_at_home(found[1], "/cpu/simulator/"))
            return true;
        notes = part_from(notes, found[1].at + found[1].length);
    }
    return false;
}

bool complaint_read(const char *said, const char *names, const char *path, const char *folder, struct error *error)
{
    struct complaint self = {.path = path, .folder = folder};
    struct part rest = part_of(said), at[4], ignored;
    do { /* another error has the reason */
        if (!pattern_find("(?m)^([^ :\n][^:\n]*):([0-9]+):[0-9]+: (?:fatal )?error: (.*)", rest, at, 4))
            return false;
        rest = part_from(rest, at[0].at + at[0].length);
    } while (pattern_find("^variable or field .* declared void", at[3], &ignored, 1));
    const bool is_here = is_users(&self, at[1]), is_header = !is_here && !is_at_home(at[1], "/cpu/simulator/");
    if (!is_here && !is_ours(at[1]))
        find_line(&self, part_before(part_of(said), at[0].at));
    const struct part file = is_here ? at[1] : self.file, line = is_here ? at[2] : self.line;
    const struct part text = at[3], header = self.header.length > 0 ? self.header : at[1];
    const char *what = NULL;
    if (is_header)
        what = "take ";
    else if (is_missing(text, names))
        what = "have this";
    else if (!is_here || is_of_call(text, rest))
        what = "take this";
    if (what && file.length > 0)
        error_set(error, "%.*s:%.*s: the simulator does not %s%.*s: %.*s", (int)file.length, file.at, (int)line.length,
                  line.at, what, is_header ? (int)header.length : 0, header.at, (int)text.length, text.at);
    else
        plain_text_tell(at[0].at, strlen(at[0].at), 3); /* and the line of source, and a mark below it */
    return true;
}

extern "C" {
#include "pattern.h"
}

#include <re2/re2.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <string>

/* In bytes: enough for a list of all rows. */
enum { PATTERN_BYTES_MAX = 64 << 10 };

static RE2::Options options()
{
    RE2::Options options(RE2::Latin1);
    options.set_posix_syntax(true);
    options.set_perl_classes(true); /* \w, \s and \b, as GNU's */
    options.set_word_boundary(true);
    options.set_one_line(true);
    options.set_never_capture(true);
    options.set_log_errors(false);
    return options;
}

struct pattern {
    RE2 made;
    enum pattern_extent extent;

    pattern(const std::string &text, enum pattern_extent of) : made(text, options()), extent(of)
    {
    }
};

/* GNU's, and POSIX's collating elements: RE2 would take them for something else. NULL: there is none. */
static const char *find_foreign(const std::string &text)
{
    for (size_t at = 0; at + 1 < text.size(); at++) {
        if (text[at] == '\\' && (text[++at] == '<' || text[at] == '>'))
            return text[at] == '<' ? "\\<" : "\\>";
        if (text.compare(at, 3, "[[.") == 0 || text.compare(at, 3, "[[=") == 0)
            return text[at + 2] == '.' ? "[." : "[=";
    }
    return nullptr;
}

struct pattern *pattern_make(const char *text, size_t bytes, enum pattern_extent extent, struct error *reason)
try {
    const std::string copy(text, bytes);
    const char *foreign = find_foreign(copy);
    if (foreign || bytes > PATTERN_BYTES_MAX) {
        foreign ? error_set(reason, "'%s' is not known here", foreign)
                : error_set(reason, "%zu bytes, expected %d at most", bytes, PATTERN_BYTES_MAX);
        return nullptr;
    }
    auto made = std::make_unique<struct pattern>(copy, extent);
    if (made->made.ok())
        return made.release();
    error_set(reason, "%.80s", made->made.error().c_str());
    return nullptr;
} catch (const std::exception &) {
    error_set(reason, "no memory");
    return nullptr;
}

void pattern_free(struct pattern *pattern)
{
    delete pattern;
}

static void end_without_memory()
{
    fputs("no memory to match text with a pattern\n", stderr);
    exit(EXIT_USAGE);
}

bool pattern_matches(const struct pattern *pattern, const char *name)
try {
    return pattern->extent == PATTERN_WHOLE ? RE2::FullMatch(name, pattern->made)
                                            : RE2::PartialMatch(name, pattern->made);
} catch (const std::exception &) {
    end_without_memory();
    return false;
}

bool pattern_find(const char *pattern, struct part in, struct part found[], size_t count)
try {
    enum { GROUPS_MAX = 8 };
    static std::map<const char *, RE2> made; /* by where they stand */
    re2::StringPiece pieces[GROUPS_MAX];
    const RE2 &known = made.try_emplace(pattern, pattern, RE2::Latin1).first->second;
    const re2::StringPiece text(in.at, in.length);
    if (!known.Match(text, 0, in.length, RE2::UNANCHORED, pieces, (int)count))
        return false;
    for (size_t i = 0; i < count; i++)
        found[i] = {pieces[i].data(), pieces[i].size()};
    return true;
} catch (const std::exception &) {
    end_without_memory();
    return false;
}

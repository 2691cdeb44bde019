extern "C" {
#include "pattern.h"
}

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <string>

/* In bytes. RE2 writes repetitions out before it looks at their memory, goes into a program's parts by recursion, and
 * takes the square of their number. With these limits the worst patterns that are known take half a second. A list of
 * names has none of this, and may be longer. */
struct limits {
    size_t text, program, states;
};
constexpr struct limits limits = {8 << 10, 128 << 10, 2 << 20}, limits_of_a_list = {64 << 10, 2 << 20, 32 << 20};

/* A set of one: where memory is short, RE2 by itself falls back to an automaton that takes a hundred times as long. */
struct pattern {
    RE2::Set set;
    bool negates;
};

static RE2::Options options(int64_t memory)
{
    RE2::Options options(RE2::Latin1);
    options.set_posix_syntax(true);
    options.set_perl_classes(true); /* \w, \s and \b, as GNU's */
    options.set_word_boundary(true);
    options.set_one_line(true);
    options.set_never_capture(true);
    options.set_log_errors(false);
    options.set_max_mem(memory);
    return options;
}

/* As "^(one|two)$". */
static bool is_list(const std::string &text)
{
    return text.find_first_of("*+?{") == std::string::npos && std::count(text.begin(), text.end(), '(') <= 1;
}

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

static bool check(const std::string &text, struct limits most, struct error *reason)
{
    const char *foreign = find_foreign(text);
    if (foreign)
        return error_set(reason, "'%s' is not known here", foreign);
    if (text.size() > most.text)
        return error_set(reason, "%zu bytes, expected %zu at most", text.size(), most.text);
    const RE2 checked(text, options((int64_t)most.program));
    if (checked.error_code() == RE2::ErrorPatternTooLarge)
        return error_set(reason, "pattern too large: compiled, it takes more than %zu bytes", most.program);
    return checked.ok() || error_set(reason, "%.80s", checked.error().c_str());
}

struct pattern *pattern_make(const char *text, size_t bytes, enum pattern_extent extent, struct error *reason)
try {
    const bool negates = extent == PATTERN_FILTER && bytes > 0 && text[0] == '-';
    const std::string copy(text + negates, bytes - negates);
    const struct limits most = is_list(copy) ? limits_of_a_list : limits;
    if (!check(copy, most, reason))
        return nullptr;
    const RE2::Anchor anchor = extent == PATTERN_WHOLE ? RE2::ANCHOR_BOTH : RE2::UNANCHORED;
    auto made = std::make_unique<struct pattern>(pattern{RE2::Set(options((int64_t)most.states), anchor), negates});
    if (made->set.Add(copy, nullptr) == 0 && made->set.Compile())
        return made.release();
    error_set(reason, "pattern too large");
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
    return pattern->set.Match(name, nullptr) != pattern->negates;
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

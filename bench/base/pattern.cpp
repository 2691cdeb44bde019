extern "C" {
#include "pattern.h"

#include "exit_status.h"
}

#include <re2/re2.h>
#include <re2/set.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

/* RE2 writes repetitions out before it looks at their memory, and then takes the square of a program's length. With
 * these the worst patterns that are known take half a second. */
constexpr size_t text_most = 8 << 10, program_most = 128 << 10, states_most = 2 << 20; /* bytes */

/* A set of one: where memory is short, RE2 by itself falls back to an automaton that takes a hundred times as long. */
struct pattern {
    RE2::Set set;
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

static bool check(const std::string &text, struct error *reason)
{
    if (text.size() > text_most)
        return error_set(reason, "%zu bytes, expected %zu at most", text.size(), text_most);
    const RE2 checked(text, options(program_most));
    if (checked.error_code() == RE2::ErrorPatternTooLarge)
        return error_set(reason, "pattern too large: compiled, it takes more than %zu bytes", program_most);
    return checked.ok() || error_set(reason, "%.80s", checked.error().c_str());
}

struct pattern *pattern_make(const char *text, size_t bytes, enum pattern_extent extent, struct error *reason)
try {
    const std::string copy(text, bytes);
    if (!check(copy, reason))
        return nullptr;
    const RE2::Anchor anchor = extent == PATTERN_WHOLE ? RE2::ANCHOR_BOTH : RE2::UNANCHORED;
    auto made = std::make_unique<struct pattern>(pattern{RE2::Set(options(states_most), anchor)});
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

bool pattern_matches(const struct pattern *pattern, const char *name)
try {
    return pattern->set.Match(name, nullptr);
} catch (const std::exception &) {
    fputs("no memory to match names with a pattern\n", stderr);
    exit(EXIT_USAGE);
}

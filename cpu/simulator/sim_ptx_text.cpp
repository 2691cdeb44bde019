#include "sim_ptx_code.h"

#include "sim_thread.h"

extern "C" {
#include "bench/base/memory.h"
}

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ptx
{
namespace
{
/* A register, "r<4>", which is r0 to r3, or a label. */
struct declared {
    std::string_view name;
    size_t first; /* its number; of a label that of an instruction */
    unsigned count;
    bool is_many, is_label;
};

struct reader {
    sim_place place;
    const char *at;
    code *made;
    unsigned operands, registers;
    std::vector<declared> names;
};

[[noreturn]] void refuse_rest(const reader &in)
{
    refuse(in.place, {in.at, strcspn(in.at, ";\n")});
}

void skip(reader &in)
{
    for (;;) {
        if (isspace((unsigned char)*in.at))
            in.at++;
        else if (strncmp(in.at, "//", 2) == 0)
            in.at += strcspn(in.at, "\n");
        else if (strncmp(in.at, "/*", 2) == 0) {
            const char *end = strstr(in.at + 2, "*/");
            in.at = end ? end + 2 : in.at + strlen(in.at);
        } else
            return;
    }
}

bool take(reader &in, char mark)
{
    skip(in);
    if (*in.at != mark)
        return false;
    in.at++;
    skip(in);
    return true;
}

/* Letters, digits, _ $ . and, unless it is plain, "::" */
std::string_view take_name(reader &in, bool is_plain)
{
    const char *start = in.at;
    for (;;) {
        if (isalnum((unsigned char)*in.at) || *in.at == '_' || *in.at == '$' || (!is_plain && *in.at == '.'))
            in.at++;
        else if (!is_plain && strncmp(in.at, "::", 2) == 0)
            in.at += 2;
        else
            return {start, (size_t)(in.at - start)};
    }
}

/* ".reg .b32 a, b<3>;" */
void declare(reader &in)
{
    do {
        while (take(in, '.'))
            (void)take_name(in, true);
        declared one = {{}, in.operands + in.registers, 1, false, false};
        while (take(in, '%'))
            ;
        one.name = take_name(in, true);
        one.is_many = take(in, '<');
        if (one.is_many) {
            one.count = (unsigned)strtoul(in.at, const_cast<char **>(&in.at), 10);
            (void)take(in, '>');
        }
        in.registers += one.count;
        if (one.name.empty() || one.count > REGISTERS_MAX || in.registers > REGISTERS_MAX)
            refuse_rest(in);
        in.names.push_back(one);
    } while (take(in, ','));
}

/* The last declaration counts: it is the innermost one. */
bool find_name(const reader &in, std::string_view wanted, bool is_label, size_t *number)
{
    for (size_t i = in.names.size(); i-- > 0;) {
        const declared &one = in.names[i];
        const std::string_view name = one.is_many ? wanted.substr(0, one.name.size()) : wanted;
        const std::string digits(wanted.substr(name.size()));
        if (one.is_label != is_label || one.name != name ||
            (one.is_many && (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)))
            continue;
        const size_t which = one.is_many ? strtoul(digits.c_str(), nullptr, 10) : 0;
        *number = one.first + which;
        return which < one.count;
    }
    return false;
}

/* "0f3F800000", "0x10", "-1", "0.5" */
operand read_number(reader &in)
{
    operand read = {source::NUMBER, false, 0, 0};
    char *end;
    const bool is_bits = in.at[0] == '0' && strchr("fFdD", in.at[1]) && in.at[1];
    const bool is_real = !is_bits && strncmp(in.at, "0x", 2) != 0 && strchr(".eE", in.at[strspn(in.at, "-0123456789")]);
    if (is_bits)
        read.bits = strtoull(in.at + 2, &end, 16);
    else if (is_real && in.at[strspn(in.at, "-0123456789")]) {
        const double value = strtod(in.at, &end);
        memcpy(&read.bits, &value, sizeof value);
        read.from = source::REAL;
    } else
        read.bits = strtoull(in.at, &end, 0);
    if (end == in.at)
        refuse_rest(in);
    in.at = end + (*end == 'U' || *end == 'u');
    return read;
}

operand read_operand(reader &in)
{
    operand read = {source::REGISTER, false, 0, 0};
    skip(in);
    read.is_negated = take(in, '!');
    if (isdigit((unsigned char)*in.at) || *in.at == '-')
        return read_number(in);
    const char *start = in.at;
    const size_t percents = strspn(in.at, "%");
    in.at += percents;
    if (percents == 1 && isdigit((unsigned char)*in.at)) {
        const unsigned long number = strtoul(in.at, const_cast<char **>(&in.at), 10);
        if (number < in.operands) {
            read.number = number;
            return read;
        }
    }
    std::string_view whole = take_name(in, true);
    if (percents == 0 && whole == "_")
        return {source::NOTHING, false, 0, 0};
    if (find_name(in, whole, false, &read.number))
        return read;
    in.at -= whole.size();
    whole = take_name(in, false);
    const int special = percents > 0 ? find_special(whole) : -1;
    if (special < 0 || percents > 2)
        refuse(in.place, {start, (size_t)(in.at - start) + (in.at == start)});
    return {source::SPECIAL, false, (size_t)special, 0};
}

void read_group(reader &in, instruction &to);

/* What else stands in the brackets of an address, coordinates, are groups of their own. */
void read_address(reader &in, instruction &to, group &made)
{
    in.made->operands.push_back(read_operand(in));
    made.count = 1;
    if (take(in, '+'))
        made.offset = read_operand(in);
    else if (*in.at == '-')
        made.offset = read_number(in);
    while (take(in, ','))
        read_group(in, to);
    if (!take(in, ']'))
        refuse_rest(in);
}

void read_group(reader &in, instruction &to)
{
    if (to.group_count == GROUPS_MAX)
        refuse_rest(in);
    group &made = to.groups[to.group_count++];
    made = {in.made->operands.size(), 0, {source::NOTHING, false, 0, 0}};
    if (take(in, '[')) {
        read_address(in, to, made);
        return;
    }
    const bool is_vector = take(in, '{');
    do
        in.made->operands.push_back(read_operand(in));
    while (take(in, is_vector ? ',' : '|'));
    made.count = in.made->operands.size() - made.first;
    if (is_vector && !take(in, '}'))
        refuse_rest(in);
    skip(in);
}

bool read_type(const char *word, type &to)
{
    static const struct {
        const char *name;
        type is;
    } others[] = {{"bf16", {'h', 16, 1}},  {"bf16x2", {'h', 16, 2}}, {"e4m3", {'e', 8, 1}}, {"e5m2", {'m', 8, 1}},
                  {"f16x2", {'f', 16, 2}}, {"tf32", {'t', 32, 1}},   {"pred", {'p', 1, 1}}};
    for (const auto &one : others)
        if (strcmp(word, one.name) == 0)
            return to = one.is, true;
    char *end;
    to = {word[0], word[0] ? (unsigned)strtoul(word + 1, &end, 10) : 0, 1};
    return word[0] && strchr("usbf", word[0]) && *end == '\0' && (to.bits >= 16 || word[0] != 'f') &&
           (to.bits == 8 || to.bits == 16 || to.bits == 32 || to.bits == 64);
}

bool is_listed(const char *list, const char *word)
{
    if (!list)
        return true;
    const size_t length = strlen(word);
    for (const char *at = list; length > 0 && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The words of the name behind those of the row. */
bool read_words(instruction &to)
{
    char *words = memory_print("%s", to.name + strlen(to.what->name));
    for (char *rest = words, *word; (word = strsep(&rest, "."));) {
        type type;
        if (word == words) /* before the first dot */
            continue;
        const bool is_type = read_type(word, type);
        if ((!is_type && !is_listed(to.what->words, word)) || to.word_count == WORDS_MAX - 1 ||
            to.type_count == TYPES_MAX)
            return false;
        if (is_type)
            to.types[to.type_count++] = type;
        else
            to.words[to.word_count++] = word;
    }
    return true;
}

void read_statement(reader &in)
{
    instruction made = {};
    code &to = *in.made;
    if (take(in, '@'))
        made.guard = read_operand(in);
    skip(in);
    const std::string_view name = take_name(in, false);
    if (made.guard.from == source::NOTHING && take(in, ':')) {
        in.names.push_back({name, to.items.size(), 1, false, true});
        return;
    }
    made.what = find_row(name);
    made.name = memory_print("%.*s", (int)name.size(), name.data());
    if (name.empty())
        refuse_rest(in);
    if (!made.what || !read_words(made))
        refuse(in.place, name);
    skip(in);
    if (strcmp(made.what->name, "bra") == 0) {
        const std::string_view label = take_name(in, true);
        made.words[made.word_count++] = memory_print("%.*s", (int)label.size(), label.data());
    } else if (*in.at != ';' && *in.at != '\0') {
        do
            read_group(in, made);
        while (take(in, ','));
    }
    skip(in);
    if (*in.at != ';' && *in.at != '}' && *in.at != '\0')
        refuse_rest(in);
    to.items.push_back(made);
}

void find_targets(const reader &in)
{
    for (instruction &one : in.made->items) {
        const char *label = one.word_count > 0 ? one.words[one.word_count - 1] : "";
        if (strcmp(one.what->name, "bra") == 0 && !find_name(in, label, true, &one.target))
            refuse(in.place, label);
    }
}
} // namespace

code *read(sim_place place, const char *text, size_t operands)
{
    code *made = new code{};
    reader in = {place, text, made, (unsigned)operands, 0, {}};
    for (skip(in); *in.at; skip(in)) {
        if (*in.at == '{' || *in.at == '}' || *in.at == ';')
            in.at++;
        else if (strncmp(in.at, ".reg", 4) == 0)
            declare(in);
        else
            read_statement(in);
    }
    find_targets(in);
    made->register_count = in.registers;
    return made;
}

bool has(const instruction &i, const char *word)
{
    for (unsigned w = 0; w < i.word_count; w++)
        if (strcmp(i.words[w], word) == 0)
            return true;
    return false;
}

type type_of(const instruction &i)
{
    return i.type_count > 0 ? i.types[i.type_count - 1] : type{'b', 32, 1};
}
} // namespace ptx

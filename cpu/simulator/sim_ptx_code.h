/* The text of an asm statement, read. */
#pragma once

#include "sim_ptx.h"

#include <vector>

namespace ptx
{
enum { WORDS_MAX = 20, TYPES_MAX = 4, GROUPS_MAX = 16, REGISTERS_MAX = 256 };

/* ".f16x2" has two lanes of 16 bits. Kinds: u, s, b; f, h (bf16), t (tf32), e (e4m3), m (e5m2): floating point; p:
 * predicate. */
struct type {
    char kind;
    unsigned bits, lanes;
};

enum class source { NOTHING, REGISTER, NUMBER, REAL, SPECIAL };

struct operand {
    source from;
    bool is_negated;
    size_t number; /* of a register: operands of the statement, then those that it declares; of a special one */
    uint64_t bits; /* of a double: REAL */
};

/* "{a, b}", "a|b", "[a + 16]", or one alone. */
struct group {
    size_t first, count; /* of the code's operands */
    operand offset;      /* to be added to an address */
};

struct row;

struct instruction {
    const row *what;
    const char *name; /* "ld.global.v4.f32" */
    const char *words[WORDS_MAX];
    unsigned word_count;
    type types[TYPES_MAX];
    unsigned type_count;
    operand guard;
    group groups[GROUPS_MAX];
    unsigned group_count;
    size_t target; /* of a branch: the number of an instruction */
};

struct code {
    std::vector<instruction> items;
    std::vector<operand> operands;
    size_t register_count;
};

/* What the thread that runs works on. */
struct machine {
    sim_place place;
    const code *program;
    const sim_ptx_operand *operands;
    size_t count;
    uint64_t registers[REGISTERS_MAX];
    size_t next; /* instruction */
};

typedef void handler(machine &m, const instruction &i);

/* An instruction that is simulated: the dotted words that its name begins with, and those that may follow, besides
 * types (NULL: any); and what it makes of three numbers. */
struct row {
    const char *name, *words;
    handler *run;
    uint64_t (*whole)(const instruction &i, type type, uint64_t a, uint64_t b, uint64_t c) = nullptr;
    double (*real)(const instruction &i, type type, double a, double b, double c) = nullptr;
};
enum { ARITHMETIC = 28 };
extern const row arithmetic[ARITHMETIC];
const row *find_row(const char *name, size_t length); /* NULL: there is none */

/* %laneid is a special register. */
int find_special(const char *name, size_t length); /* -1: there is none */
uint64_t special_value(int which);

/* Ends the launch: it is not simulated. */
[[noreturn]] void refuse(sim_place place, const char *what, size_t length);

/* `operands` %0 and on are known. */
code *read(sim_place place, const char *text, size_t operands);

bool has(const instruction &i, const char *word);
type type_of(const instruction &i); /* the last one */

uint64_t get(const machine &m, const instruction &i, unsigned group, type type, size_t which = 0);
void set(machine &m, const instruction &i, unsigned group, type type, uint64_t bits, size_t which = 0);
size_t width(const machine &m, const instruction &i, unsigned group); /* how many operands it has */

handler run_compute;
uint64_t compute(const row &how, const instruction &i, type type, const uint64_t values[3]);
uint64_t convert(const instruction &i, type to, type from, uint64_t bits);
bool compare(const instruction &i, type type, uint64_t a, uint64_t b);
double real(type type, uint64_t bits);
uint64_t bits_of(type type, double x);
uint64_t extended(type type, uint64_t bits); /* to 64 bits, by its sign if it has one */
} // namespace ptx

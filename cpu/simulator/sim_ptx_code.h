/* The text of an asm statement, read. */
#pragma once

#include "sim_ptx.h"

#include <string_view>
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
const row *find_row(std::string_view name); /* NULL: there is none */

/* %laneid is a special register. */
int find_special(std::string_view name); /* -1: there is none */

/* End the launch: it is not simulated. */
[[noreturn]] void refuse(sim_place place, std::string_view what);
[[noreturn]] void refuse(const machine &m, const instruction &i);

/* `operands` %0 and on are known. */
code *read(sim_place place, const char *text, size_t operands);

bool has(const instruction &i, const char *word);
type type_of(const instruction &i); /* the last one */

constexpr type b32 = {'b', 32, 1}, b64 = {'b', 64, 1}, predicate = {'p', 1, 1};
const operand &operand_of(const machine &m, const instruction &i, unsigned group, size_t which);
uint64_t value_of(const machine &m, const operand &from, type type);
uint64_t get(const machine &m, const instruction &i, unsigned group, type type, size_t which = 0);
void set(machine &m, const instruction &i, unsigned group, type type, uint64_t bits, size_t which = 0);
size_t width(const machine &m, const instruction &i, unsigned group); /* how many operands it has */

/* Of sim_ptx_values.cpp. */
double real(type type, uint64_t bits);
uint64_t bits_of(type type, double x);
uint64_t extended(type type, uint64_t bits); /* to 64 bits, by its sign if it has one */
/* By the word that is an operation: add, min, ... */
uint64_t joined(const machine &m, const instruction &i, uint64_t a, uint64_t b);
handler run_compute, run_move, run_convert, run_set_predicate, run_lop3, run_permute, run_funnel_shift, run_extract,
    run_insert;

/* Of sim_ptx_memory.cpp. */
bool is_in_shared(const instruction &i);
/* An address, to be used by the processor, of so many bytes. */
char *address_of(const machine &m, const instruction &i, unsigned group, bool is_shared, size_t bytes);
uint64_t *mbarrier_of(const machine &m, const instruction &i, unsigned group);
void load(const machine &m, const instruction &i, void *to, const char *from, size_t bytes);
void store(const machine &m, const instruction &i, char *to, const void *from, size_t bytes);
handler run_move_memory, run_atomic, run_convert_address, run_is_in_space, run_copy, run_mbarrier_arrive,
    run_mbarrier_test, run_map, run_bulk_copy, run_tensor_copy;

/* Of sim_ptx_warp.cpp: threads among themselves, and tensor cores. */
handler run_barrier, run_shuffle, run_vote, run_elect, run_reduce, run_load_matrix, run_store_matrix, run_mma,
    run_wgmma;
} // namespace ptx

#include "mix.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/process.h"
#include "bench/base/symbol_name.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const double limit_s = 120;
static const char *const places[] = {"cuobjdump", "$CUDA_HOME/bin/cuobjdump", "/usr/local/cuda/bin/cuobjdump", NULL};

const char *const instruction_names[INSTRUCTIONS] = {
    [MIX_ARITHMETIC] = "arithmetic",
    [MIX_LOADS] = "global loads",
    [MIX_WIDE_LOADS] = "global loads of 8 or 16 bytes",
    [MIX_READ_ONLY] = "read-only loads",
    [MIX_STORES] = "global stores",
    [MIX_COPIES] = "asynchronous copies",
    [MIX_SHARED_LOADS] = "shared loads",
    [MIX_SHARED_STORES] = "shared stores",
    [MIX_LOCAL] = "loads and stores of local memory",
    [MIX_BARRIERS] = "barriers",
    [MIX_ALL] = "instructions",
};

/* By the part of the opcode before its first point. */
static const struct {
    const char *opcodes;
    enum instruction is;
} classes[] = {
    {" FFMA FADD FMUL FFMA2 FADD2 FMUL2 DFMA DADD DMUL HFMA2 HADD2 HMUL2 ", MIX_ARITHMETIC},
    {" HMMA IMMA DMMA QMMA HGMMA IGMMA QGMMA UTCHMMA UTCQMMA UTCIMMA ", MIX_ARITHMETIC},
    {" LDG LD ", MIX_LOADS},
    {" STG ST ", MIX_STORES},
    {" LDGSTS UTMALDG UBLKCP ", MIX_COPIES},
    {" LDS LDSM ", MIX_SHARED_LOADS},
    {" STS STSM ", MIX_SHARED_STORES},
    {" LDL STL ", MIX_LOCAL},
    {" BAR WARPSYNC ", MIX_BARRIERS},
};

struct instruction_at {
    size_t address, target; /* of a branch backwards, else SIZE_MAX */
    const char *opcode;     /* up to a blank or ';' */
};

/* Whether it is there before one of the characters that end a part of the line. */
static bool has(const char *line, const char *ends, const char *what)
{
    const char *at = strstr(line, what);
    return at && at < line + strcspn(line, ends);
}

/* "HFMA2.MMA R61, -RZ, RZ, 0, 0" */
static bool loads_constant(const char *opcode)
{
    return strncmp(opcode, "HFMA2", 5) == 0 && has(opcode, ";", "-RZ, RZ");
}

static void count(const struct instruction_at *at, size_t of[INSTRUCTIONS])
{
    char base[16];
    of[MIX_ALL]++;
    snprintf(base, sizeof base, " %.*s ", (int)strcspn(at->opcode, ". ;\n"), at->opcode);
    if (loads_constant(at->opcode))
        return;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        of[classes[i].is] += strstr(classes[i].opcodes, base) != NULL;
    if (strcmp(base, " LDG ") == 0) {
        of[MIX_WIDE_LOADS] += has(at->opcode, " ;", ".128") || has(at->opcode, " ;", ".64");
        of[MIX_READ_ONLY] += has(at->opcode, " ;", ".CONSTANT");
    }
}

/* One line: the address in a comment, then "@P0 BRA 0x1c0 ;". False: no instruction, or one that never is executed. */
static bool read_line(const char *line, struct instruction_at *at)
{
    int length = 0;
    line += strspn(line, " \t");
    if (sscanf(line, "/*%zx*/ %n", &at->address, &length) != 1 || length == 0)
        return false;
    line += length;
    if (strncmp(line, "@!PT ", 5) == 0)
        return false;
    line += *line == '@' ? strcspn(line, " ") : 0;
    line += strspn(line, " ");
    at->opcode = line;
    at->target = SIZE_MAX;
    if (strncmp(line, "BRA", 3) == 0 && has(line, ";", "0x")) {
        size_t target = strtoul(strstr(line, "0x"), NULL, 16);
        at->target = target < at->address ? target : SIZE_MAX;
    }
    return true;
}

/* The end of the innermost loop that the instruction is in; `instructions`: it is in none. */
static size_t loop_of(const struct instruction_at *code, size_t instructions, size_t at)
{
    size_t end = at;
    while (end < instructions && code[end].target > code[at].address)
        end++;
    return end;
}

static void count_loops(const struct instruction_at *code, size_t instructions, struct mix *mix)
{
    size_t(*of)[INSTRUCTIONS] = memory_get(instructions + 1, sizeof *of), most = instructions, least = 0;
    for (size_t at = 0; at < instructions; at++) {
        count(&code[at], of[loop_of(code, instructions, at)]);
        mix->loops += code[at].target != SIZE_MAX;
    }
    for (size_t end = 0; end < instructions; end++) {
        size_t work = of[end][MIX_ARITHMETIC] + of[end][MIX_LOADS] + of[end][MIX_COPIES];
        most = work > least ? end : most;
        least = work > least ? work : least;
    }
    memcpy(mix->loop, of[most], sizeof of[most]);
    free(of);
}

bool mix_read(const char *sass, struct mix *mix)
{
    struct instruction_at *code = NULL;
    size_t instructions = 0;
    *mix = (struct mix){0};
    for (const char *line = sass; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        struct instruction_at at;
        if (strncmp(line + strspn(line, " \t"), "Function : ", 11) == 0) {
            *mix = (struct mix){0};
            instructions = 0;
        }
        if (!read_line(line, &at))
            continue;
        code = memory_grow(code, instructions, sizeof *code);
        code[instructions++] = at;
        count(&at, mix->all);
    }
    count_loops(code, instructions, mix);
    free(code);
    return instructions > 0;
}

/* What cuobjdump prints; free() it. NULL, with the reason: it was not found, or has failed. */
static char *dump(const char *const arguments[5], const struct host_clock *clock, struct error *error)
{
    char path[PATH_MAX];
    struct process_end end;
    if (!program_path_find(places, path)) {
        error_set(error, "there is no cuobjdump on the PATH, $CUDA_HOME/bin or /usr/local/cuda/bin");
        return NULL;
    }
    char *const argv[] = {path, (char *)arguments[0], (char *)arguments[1], (char *)arguments[2], (char *)arguments[3],
                          NULL};
    const struct process process = {
        .program = path, .argv = argv, .interrupted = clock->interrupted, .limit_s = limit_s, .now = clock->now};
    if (!process_run(&process, &end, error))
        return NULL;
    char *text = end.status == 0 && end.text[PROCESS_OUT] ? memory_print("%s", end.text[PROCESS_OUT]) : NULL;
    if (!text) {
        char line[200];
        process_last_line(end.text[PROCESS_ERR] ? end.text[PROCESS_ERR] : "", line, sizeof line);
        error_set(error, "cuobjdump %s: %s", end.how, line);
    }
    process_end_free(&end);
    return text;
}

static bool is_kernel(const char *symbol, const char *kernel)
{
    char *name = symbol_function(symbol);
    const bool is = strcmp(name, kernel) == 0;
    free(name);
    return is;
}

/* The symbol of a kernel in what -res-usage prints, " Function _Z5scalePf:"; free() it. NULL: it has none. */
static char *symbol_of(const char *usage, const char *kernel)
{
    static const char mark[] = " Function ";
    for (const char *at = usage; (at = strstr(at, mark));) {
        at += sizeof mark - 1;
        char *symbol = memory_print("%.*s", (int)strcspn(at, ":\n"), at);
        if (is_kernel(symbol, kernel))
            return symbol;
        free(symbol);
    }
    return NULL;
}

bool mix_of_kernel(const char *program, const char *kernel, const struct host_clock *clock, struct mix *mix,
                   struct error *error)
{
    char *usage = dump((const char *const[5]){"-res-usage", program}, clock, error);
    char *symbol = usage ? symbol_of(usage, kernel) : NULL;
    if (usage && !symbol)
        error_set(error, "cuobjdump knows no kernel %.200s in %.200s", kernel, program);
    char *sass = symbol ? dump((const char *const[5]){"-sass", "-fun", symbol, program}, clock, error) : NULL;
    bool ok = sass && (mix_read(sass, mix) || error_set(error, "cuobjdump printed no instruction of %.200s", kernel));
    free(sass);
    free(symbol);
    free(usage);
    return ok;
}

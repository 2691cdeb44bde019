/* Why a row is slower or faster: the cause that is named for each difference, and that none is named without one.
 * Scripts stand in for cuobjdump and ncu. */
#include "bench/gate/mix.h"
#include "bench/gate/why.h"
#include "gate_files.h"
#include "tests/unit.h"

static double fake_now(void)
{
    return 0;
}

static int is_interrupted;
static int interrupted(void)
{
    return is_interrupted;
}

static struct why why;

static void write_text(const char *path, const char *text, mode_t mode)
{
    file_put(path, text);
    assert_int_equal(chmod(path, mode), 0);
}

static int start(void **state)
{
    static char suite[] = "--suite=gate", *flags[] = {suite, NULL};
    char path[8192];
    is_interrupted = 0;
    why = (struct why){.programs = {"./base", "./new"}, .clock = {fake_now, interrupted}};
    why.flags = flags;
    write_text("cuobjdump",
               "#!/bin/sh\ncase $1 in -res-usage) echo ' Function _Z5scaleILi4EEvPf:' ;; *) cat \"$4.sass\" ;; esac\n",
               0700);
    write_text("ncu", "#!/bin/sh\nfor a; do case $a in ./base | ./new) cat \"$a.ncu\" ;; esac; done\n", 0700);
    remove("base.ncu");
    remove("new.ncu");
    if (strncmp(getenv("PATH"), ".:", 2) != 0) {
        snprintf(path, sizeof path, ".:%s", getenv("PATH"));
        setenv("PATH", path, 1);
    }
    return gate_files_start(state);
}

AROUND_EACH_TEST(start, gate_files_end)

/* A kernel as cuobjdump prints it: the instructions before a loop, in it, and after it. */
static void write_sass(const char *path, const char *before, const char *loop, const char *after)
{
    const char *const parts[] = {before, loop, after};
    size_t address = 0, target = 0;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("\tcode for sm_90a\n\t\tFunction : _Z5scaleILi4EEvPf\n\t.headerflags\t@\"EF_CUDA_SM90\"\n", file);
    for (int i = 0; i < 3; i++) {
        target = i == 1 ? address : target;
        for (const char *at = parts[i]; *at; at += strcspn(at, ";"), at += *at == ';')
            fprintf(
                file,
                "        /*%04zx*/                   %.*s ;   /* 0x00000a00ff017b82 */\n%80s/* 0x000fe20000000800 */\n",
                16 * address++, (int)strcspn(at, ";"), at, "");
        if (i == 1)
            fprintf(file, "        /*%04zx*/               @P0 BRA 0x%zx ;\n", 16 * address++, 16 * target);
    }
    fprintf(file, "        /*%04zx*/                   BRA 0x%zx;\n", 16 * address, 16 * address);
    assert_int_equal(fclose(file), 0);
}

#define LOAD "LDG.E.CONSTANT R4, desc[UR4][R2.64];"
#define PLAIN_LOAD "LDG.E R4, desc[UR4][R2.64];"
#define COPY "@P3 LDGSTS.E [R5], desc[UR4][R2.64];"
#define FMA "FFMA R0, R1, R2, R3;"
#define FMA4 FMA FMA FMA FMA
#define SHARED_LOAD "LDS.128 R4, [R9];"
#define LOOP SHARED_LOAD FMA4 FMA4

/* One launch of two kernels, of which the second takes longer. */
static void write_ncu(const char *path, const char *sectors, const char *conflicts, const char *turns,
                      const char *reads)
{
    char page[2000];
    snprintf(page, sizeof page,
             "==PROF== Connected\n\"Kernel Name\",\"gpu__time_duration.sum\","
             "\"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio\","
             "\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum\","
             "\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\",\"lts__t_sectors_op_read.sum\","
             "\"dram__bytes_read.sum\"\n\"\",\"ns\","
             "\"\",\"\",\"\",\"\",\"\"\n"
             "\"a\",\"10\",\"1\",\"1\",\"1\",\"1\",\"1\"\n\"b\",\"1,000\",\"%s\",\"%s\",\"%s\",\"%s\",\"%s\"\n",
             sectors, conflicts, turns, reads, reads);
    write_text(path, page, 0600);
}

/* Sets columns of both sides: "registers:64:128;local_bytes:0:64". */
static void set_cells(const char *list)
{
    char cells[3][40];
    for (; *list; list += *list == ';') {
        for (int i = 0; i < 3; i++) {
            const size_t length = strcspn(list, ":;");
            snprintf(cells[i], sizeof cells[i], "%.*s", (int)length, list);
            list += length + (list[length] == ':');
        }
        gate_set_all(&base_rows, cells[0], cells[1]);
        gate_set_all(&new_rows, cells[0], cells[2]);
    }
}

/* A row that takes so many times as long, with these columns the same, and other code. */
static void make_rows(double ratio)
{
    gate_files_start(NULL);
    gate_add_to_both(GATE_GPU_ROW, ratio);
    set_cells(
        "code:feed:beef;kernel:scale<4>:scale<4>;kernels:1:1;blocks:1024:1024;block_threads:256:256;registers:64:64;"
        "shared_bytes:65536:65536;local_bytes:0:0;occupancy_pct:75:75;occupancy_limit:registers:registers;"
        "sm_clock_mhz:1980:1980;power_w:300:300;throttled:no:no");
    write_sass("base.sass", LOAD LOAD COPY, LOOP, "STG.E [R2], R0;");
    write_sass("new.sass", LOAD LOAD COPY, LOOP, "STG.E [R2], R0;");
    remove("./base.ncu");
    remove("./new.ncu");
}

/* What is said of the row. */
static const char *explain(void)
{
    gate_compare();
    gate_decide(0.05, false);
    why_find(&compared, &why);
    return compared.rows[0].why ? compared.rows[0].why : "";
}

static void assert_said(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        fail_msg("'%s' is not in: %s", expected, text);
}

static void assert_first(const char *text, const char *expected)
{
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("'%s' is not the first of: %s", expected, text);
}

/* Columns and code that differ, and the sentence. */
TEST(each_cause_is_named)
{
    static const struct {
        double ratio;
        const char *differences, *sentence;
        const char *before, *loop; /* of the new side; NULL: as in the base */
    } cases[] = {
        {1.2, "shared_bytes:65536:32768",
         "Fewer stages of asynchronous copies: shared memory per block 65.54 kB, now 32.77 kB, ", NULL, NULL},
        {0.8, "shared_bytes:65536:98304", "More stages of asynchronous copies: ", NULL, NULL},
        {1.2, "shared_bytes:65536:32768", "No single cause", NULL, SHARED_LOAD FMA4}, /* shorter steps */
        {1.2, "shared_bytes:65536:32768", "No single cause", NULL, SHARED_LOAD LOOP},
        {1.2, "shared_bytes:65536:32768", "No single cause", LOAD LOAD, NULL},
        {1.2, "shared_bytes:65536:98304", "No single cause", NULL, NULL},
        {1.2, "shared_bytes:65536:60000", "No single cause", NULL, NULL}, /* padding */
        {1.2, "",
         "Fewer loads of what the compiler knows that nobody writes (const with __restrict__, or __ldg()): 2 of 2 "
         "global loads, now 0 of 2.",
         PLAIN_LOAD PLAIN_LOAD COPY, NULL},
        {1.2, "", "Only the machine code", COPY COPY COPY, NULL}, /* loads that became copies */
        {0.8, "", "Only the machine code", PLAIN_LOAD PLAIN_LOAD COPY, NULL},
        {1.2, "", "Less unrolling: the busiest loop has 8 instructions that compute, now 2.", NULL,
         SHARED_LOAD FMA FMA},
        {0.8, "", "More unrolling: the busiest loop has 8 instructions that compute, now 16.", NULL, LOOP LOOP},
        {1.2, "block_threads:256:128", "Other blocks: as many as before, of 256 threads, now 128.", NULL,
         SHARED_LOAD FMA FMA},
        {1.2, "blocks:1024:256;registers:64:128;occupancy_pct:75:25;local_bytes:0:64",
         "Larger tiles: 1024 blocks, now 256, so each has 4.00 times as much of the work. Or: Lower occupancy by "
         "registers: 75 %, now 25 %; registers per thread 64, now 128.\n",
         NULL, LOOP LOOP},
        {1.4, "blocks:64:32;local_bytes:0:4096;kernel::",
         "Larger tiles: 64 blocks, now 32, so each has 2.00 times as much of the work. Or: More local memory: spilled "
         "registers, or arrays, take 0 bytes of each thread, now 4096.\n",
         NULL, NULL},
        {1.2, "blocks:1024:2048", "Smaller tiles: ", NULL, NULL},
        {1.2, "blocks:1024:1000", "No single cause", NULL, NULL},
        {1.2, "local_bytes:0:176;registers:64:32",
         "More local memory: spilled registers, or arrays, take 0 bytes of each thread, now 176.",
         "STL [R1], R4;" LOAD LOAD COPY, "LDL R4, [R1];" LOOP},
        {1.2, "local_bytes:0:8", "No single cause", "STL [R1], R4;" LOAD LOAD COPY, NULL},
        {0.8, "local_bytes:176:0;kernel::", "Less local memory: ", NULL, NULL},
        {1.2, "local_bytes:176:0", "No single cause", NULL, NULL},
        {1.2, "occupancy_pct:75:37.5;registers:64:128",
         "Lower occupancy by registers: 75 %, now 38 %; registers per thread 64, now 128.", NULL, NULL},
        {1.2, "occupancy_pct:75:25;occupancy_limit:registers:shared memory;shared_bytes:65536:98304",
         "Lower occupancy by shared memory: 75 %, now 25 %; shared memory per block in bytes 65536, now 98304.", NULL,
         NULL},
        {1.2, "occupancy_pct:75:25;occupancy_limit:registers:threads", "No single cause", NULL, NULL},
        {1.2, "sm_clock_mhz:1980:1650;throttled:no:sw_power_cap",
         "The clock is lower: 1980 MHz, now 1650 MHz; in cycles it takes 1.000 times as long as before.", NULL, NULL},
        {1.2, "sm_clock_mhz:1980:1800", "No single cause", NULL, NULL}, /* which is not all */
        {1.1, "sm_clock_mhz:1980:1485", "No single cause", NULL, NULL},
        {1.1, "sm_clock_mhz:1980:1485;code:feed:feed;blas_version:13.0.0:12.8.4",
         "The clock is lower: 1980 MHz, now 1485 MHz; in cycles it takes 0.825 times as long as before. Or: Another "
         "version of BLAS: 13.0.0, now 12.8.4.\n",
         NULL, NULL},
        {0.8, "sm_clock_mhz:1584:1980", "The clock is higher: ", NULL, NULL},
        {1.2, "sm_clock_mhz:1980:1650;blas_version:13.0.0:12.8.4;code:feed:feed",
         "The clock is lower: 1980 MHz, now 1650 MHz; in cycles it takes 1.000 times as long as before.\n", NULL, NULL},
        {1.2, "blas_version:13.0.0:12.8.4;code:feed:feed", "Another version of BLAS: 13.0.0, now 12.8.4.\n", NULL,
         NULL},
        {1.2, "blas_version:13.0.0:12.8.4;cuda_version:13.0:12.8;code:feed:feed",
         "Another version of BLAS: 13.0.0, now 12.8.4; another version of CUDA: 13.0, now 12.8.", NULL, NULL},
        {1.2, "blas_version:13.0.0:12.8.4", "No single cause", NULL, NULL},
        {1.2, "kernels:1:2", "A call launches another number of kernels: 1, now 2.", NULL, NULL},
        {1.2, "kernel:scale<4>:other<4>", "It runs another kernel: scale<4>, now other<4>.", NULL, NULL},
        {1.2, "slowdown_pct::20", "It was slowed on purpose.", NULL, NULL},
        {1.2, "code:feed:feed",
         "Nothing that is known differs, so the machine is the suspect.\nThe machine code is the same.\n", NULL, NULL},
        {1.2, "code:feed:feed;power_w:300:350", "Nothing that is known differs, so the machine is the suspect.", NULL,
         NULL},
        {1.2, "code::", "Nothing that is known differs, but the machine code is not known.", NULL, NULL},
        {1.2, "",
         "Only the machine code is known to differ.\nThe machine code is another.\nIn the code: as many instructions "
         "of each kind.",
         NULL, NULL},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        make_rows(cases[i].ratio);
        set_cells(cases[i].differences);
        write_sass("new.sass", cases[i].before ? cases[i].before : LOAD LOAD COPY, cases[i].loop ? cases[i].loop : LOOP,
                   "STG.E [R2], R0;");
        assert_first(explain(), cases[i].sentence);
    }
}

TEST(ncu_tells_causes_that_the_code_does_not)
{
    static const struct {
        const char *base[4], *other[4], *sentence, *line;
    } cases[] = {
        {{"4", "0", "100", "1,000"},
         {"32", "0", "100", "1,310"},
         "Less coalesced global loads: a warp's takes 4.00 sectors of 32 bytes, now 32.0.",
         "\nncu: L2 reads +31 %, 1000, now 1310: more is read, or less is found in L1.\nncu: DRAM reads +31 %, 1000, "
         "now 1310: more is read, or less is found in L2."},
        {{"4", "0", "100", "1,000"},
         {"4", "700", "800", "1,000"},
         "More bank conflicts: loads of shared memory have 0, now 700.",
         "\nncu: bank conflicts of shared loads, 0, now 700: the lanes of a warp meet in the same banks."},
        {{"4", "10", "100", "1,000"}, {"4", "20", "105", "1,000"}, "Only the machine code", "now 20"},
        {{"4", "0", "100", "1,000"}, {"4", "0", "100", "1,090"}, "Only the machine code", ""},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        make_rows(1.2);
        write_ncu("./base.ncu", cases[i].base[0], cases[i].base[1], cases[i].base[2], cases[i].base[3]);
        write_ncu("./new.ncu", cases[i].other[0], cases[i].other[1], cases[i].other[2], cases[i].other[3]);
        const char *text = explain();
        assert_first(text, cases[i].sentence);
        assert_said(text, cases[i].line);
        assert_int_equal(strstr(text, "ncu: L2") != NULL, i == 0);
    }
    /* A load of 16 bytes has more sectors. */
    make_rows(1.2);
    write_ncu("./base.ncu", "4", "0", "1", "1");
    write_ncu("./new.ncu", "16", "0", "1", "1");
    write_sass("new.sass", "LDG.E.128.CONSTANT R4, desc[UR4][R2.64];" LOAD COPY, LOOP, "STG.E [R2], R0;");
    assert_first(explain(), "Only the machine code");
    write_sass("new.sass", LOAD LOAD LOAD COPY, LOOP, "STG.E [R2], R0;");
    assert_first(explain(), "Only the machine code");
}

TEST(what_cannot_be_read_is_left_out_with_a_line)
{
    static const char *const lines[] = {
        "\nThe mix of instructions is left out: cuobjdump knows no kernel scale in ./base.",
        "\nThe mix of instructions is left out: cuobjdump ended with exit status 3: no such thing.",
        "\nncu counts nothing here: it saw no kernel.",
        "\nncu counts nothing here: ERR_NVGPUCTRPERM - The user does not have permission.",
    };
    for (int i = 0; i < 4; i++) {
        make_rows(1.2);
        if (i == 0) {
            gate_set_all(&base_rows, "kernel", "scale");
            gate_set_all(&new_rows, "kernel", "scale");
        } else if (i == 1) {
            write_text("cuobjdump", "#!/bin/sh\necho no such thing >&2\nexit 3\n", 0700);
        } else if (i == 3) {
            write_text("ncu", "#!/bin/sh\necho '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission.'\n",
                       0700);
        }
        assert_said(explain(), lines[i]);
    }
    char path[8192];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", ".", 1);
    setenv("CUDA_HOME", ".", 1);
    remove("ncu");
    remove("cuobjdump");
    if (access("/usr/local/cuda/bin/ncu", X_OK) != 0)
        assert_said(explain(), "\nncu counts nothing here: there is none on the PATH, ");
    if (access("/usr/local/cuda/bin/cuobjdump", X_OK) != 0)
        assert_said(explain(), "\nThe mix of instructions is left out: there is no cuobjdump on the PATH, ");
    setenv("PATH", path, 1);
    why.flags = NULL;
    assert_null(strstr(explain(), "ncu"));
    why.programs[0] = NULL;
    assert_null(strstr(explain(), "left out"));
}

TEST(figures_of_both_sides_are_said)
{
    make_rows(1.2);
    gate_set_all(&new_rows, "registers", "80");
    gate_set_all(&new_rows, "power_w", "310"); /* which varies */
    gate_set(&new_rows, "throttled", "hw_slowdown");
    write_sass("new.sass", LOAD COPY, LOOP LOOP "@!PT LDS.128 R4, [R9];HFMA2.MMA R61, -RZ, RZ, 0, 0;",
               "STG.E [R2], R0;");
    const char *text = explain();
    assert_said(text, "\nDifferent: registers per thread 64, now 80; lowered clocks 'no', now 'hw_slowdown'.\n");
    assert_said(
        text,
        "\nIn the code: arithmetic 8, now 16; global loads 2, now 1; read-only loads 2, now 1; shared loads 1, now 2; "
        "instructions 15, now 24.\n");
    assert_said(
        text, "\nThe same: kernels of a call 1; blocks 1024; threads per block 256; shared memory per block in bytes "
              "65536; stack per thread in bytes (spilled registers, arrays) 0; theoretical occupancy in % 75; clock of "
              "the multiprocessors in MHz 1980; power in W 310.");
}

TEST(commits_that_touched_the_rung_are_named)
{
    make_rows(1.2);
    why.commits = "commits";
    write_text("commits",
               "matmul/cuda_tiled2\t0000000 no (x)\nmatmul/cuda_tiled\t1a2b3c4 Pad As (kernels/a.cu)\n"
               "conv2d/cuda_tiled\t1111111 no (y)\nmatmul/cuda_tiled\t2b3c4d5 Last (b.h)",
               0600);
    const char *text = explain();
    assert_said(text, "\nCommit 1a2b3c4 Pad As (kernels/a.cu)\nCommit 2b3c4d5 Last (b.h)");
    assert_null(strstr(text, "0000000"));
    assert_null(strstr(text, "1111111"));
    write_text("commits", "", 0600);
    assert_said(explain(), "\nNo commit between the two touched a file of this rung.");
    gate_set_all(&new_rows, "code", "feed");
    assert_null(strstr(explain(), "ommit"));
    gate_files_start(state);
    gate_add_to_both("odd", 1.2);
    assert_null(strstr(explain(), "ommit"));
}

static bool is_explained(void)
{
    why_find(&compared, &why);
    const bool is = compared.rows[0].why;
    free(compared.rows[0].why);
    compared.rows[0].why = NULL;
    return is;
}

TEST(only_what_is_slower_or_faster_is_explained)
{
    make_rows(1);
    assert_string_equal(explain(), "");
    make_rows(1.2);
    is_interrupted = 1;
    assert_string_equal(explain(), "");
    is_interrupted = 0;
    gate_compare();
    gate_decide(0.05, false);
    for (enum verdict verdict = 0; verdict < VERDICTS; verdict++) {
        compared.rows[0].verdict = verdict;
        assert_int_equal(is_explained(), verdict == VERDICT_SLOWER || verdict == VERDICT_FASTER ||
                                             verdict == VERDICT_SUSPECTED || verdict == VERDICT_LAYOUT ||
                                             verdict == VERDICT_ACCEPTED);
    }
    compared.rows[0].verdict = VERDICT_SLOWER;
    compared.rows[0].foreign = true;
    assert_false(is_explained());
    compared.rows[0].foreign = false;
    compared.rows[0].has_evidence = false;
    assert_false(is_explained());
}

/* What is in an inner loop is not in the outer one; without loops all counts. */
TEST(the_busiest_loop_is_found)
{
    static const char nested[] =
        "Function : f\n/*0000*/ FADD R0 ;\n/*0010*/ LDG.E R1 ;\n/*0020*/ FFMA R0 ;\n"
        "/*0030*/ FFMA R0 ;\n/*0040*/ @P1 BRA 0x20 ;\n/*0050*/ FADD R0 ;\n/*0060*/ FADD R0 ;\n"
        "/*0070*/ FADD R0 ;\n/*0080*/ BRA 0x10 ;\n/*0090*/ LDG.E.64 R0 ;\n/*00a0*/ BRA 0x90 ;\n";
    struct mix mix;
    assert_true(mix_read(nested, &mix));
    assert_int_equal(mix.all[MIX_ARITHMETIC], 6);
    assert_int_equal(mix.all[MIX_ALL], 11);
    assert_int_equal(mix.all[MIX_LOADS], 2);
    assert_int_equal(mix.all[MIX_WIDE_LOADS], 1);
    assert_int_equal(mix.loop[MIX_ARITHMETIC], 3);
    assert_int_equal(mix.loop[MIX_LOADS], 1);
    assert_int_equal(mix.loop[MIX_ALL], 5);
    assert_int_equal(mix.loops, 3);
    assert_true(mix_read(
        "Function : f\n/*0000*/ FADD R0 ;\nFunction : g\n/*0000*/ HGMMA.64x8x8.F32.TF32 R0 ;\n/*0010*/ BRA 0x10;\n",
        &mix));
    assert_int_equal(mix.all[MIX_ARITHMETIC], 1);
    assert_int_equal(mix.loop[MIX_ALL], 2);
    assert_int_equal(mix.loops, 0);
    assert_false(mix_read("", &mix));
    assert_false(mix_read("Function : f\n", &mix));
}

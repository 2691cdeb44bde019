/* Plain CUDA in the words of kernels/device.h. */
#include "bench/own/spelling.h"
#include "tests/base/long_text.h"
#include "tests/unit.h"

static void assert_spelt(const char *source, const char *expected)
{
    char *changed = spelling_change(source, "S", true);
    assert_non_null(changed);
    assert_string_equal(changed, expected);
    free(changed);
}

TEST(test_launches_name_all_that_a_launch_has)
{
    assert_spelt("k<<<g, b>>>(x, y);", "LAUNCH(k, g, b, 0, S, x, y);");
    assert_spelt("k<<<g, b, 64>>>(x);", "LAUNCH(k, g, b, 64, S, x);");
    assert_spelt("k<<<g, b, 64, mine>>>(x);", "LAUNCH(k, g, b, 64, mine, x);");
    assert_spelt("k <<< 1, 1 >>> ();", "LAUNCH(k, 1, 1, 0, S);");
    assert_spelt("k << <g, b >> >(x);", "LAUNCH(k, g, b, 0, S, x);");
    assert_spelt("k<<<dim3(a, b), f(c, d)>>>(x);", "LAUNCH(k, dim3(a, b), f(c, d), 0, S, x);");
    assert_spelt("k<<<dim3{a, b}, (c > d) ? c : d>>>(x[1, 2]);",
                 "LAUNCH(k, dim3{a, b}, (c > d) ? c : d, 0, S, x[1, 2]);");
    assert_spelt("my::k<16, true><<<g, b>>>(x);", "LAUNCH((my::k<16, true>), g, b, 0, S, x);");
    assert_spelt("c = '\"'; k<<<g, b>>>(x);", "c = '\"'; LAUNCH(k, g, b, 0, S, x);");
    assert_spelt("k<<<g, b>>>(x == 'a'); k<<<g, b>>>( \"(\" , y);",
                 "LAUNCH(k, g, b, 0, S, x == 'a'); LAUNCH(k, g, b, 0, S,  \"(\" , y);");
    assert_spelt("k<(2 > 1)><<<g, b>>>(x);", "LAUNCH((k<(2 > 1)>), g, b, 0, S, x);");
    assert_spelt("a->k<<<g, b>>>(x);", "LAUNCH(a->k, g, b, 0, S, x);");
    assert_spelt("#define RUN(n) n##_k \\\n<<<g, b>>>( \\\nx); y",
                 "#define RUN(n) LAUNCH(n##_k, g, b, 0, S,  \\\nx\\\n); y");
    assert_spelt("if (a) k<<<g, b>>>(x); else l<<<g, b>>>(y);",
                 "if (a) LAUNCH(k, g, b, 0, S, x); else LAUNCH(l, g, b, 0, S, y);");
}

TEST(test_every_line_stays_where_it_was)
{
    assert_spelt("k<<<g,\n    b>>>(x,\n    y);\nz", "LAUNCH(k, g, b, 0, S, x,\n    y\n);\nz");
}

TEST(test_asm_becomes_a_call)
{
    assert_spelt("asm(\"trap;\");", "SIMT_ASM(\"trap;\");");
    assert_spelt("asm volatile (\"a\" : \"=r\"(x), \"+f\" (y[1]) : \"n\"(2), \"l\"(f(p, q)) : \"memory\", \"cc\");",
                 "SIMT_ASM(\"a\" , simt::out(x), simt::out(y[1]), simt::in(2), simt::in(f(p, q)));");
    assert_spelt("asm(\"a\" :: \"r\"(x)\n\"r\"(y));", "SIMT_ASM(\"a\" , simt::in(x)\n, simt::in(y));");
    assert_spelt("__asm__ __volatile__(\"a: b\"::\"r\"(a ? b : c::d)); z",
                 "SIMT_ASM(\"a: b\", simt::in(a ? b : c::d)); z");
    assert_spelt("asm(\n\"a\" // :\n\"b\"\n#if X\n\"c\"\n#endif\n: \"=r\"(x), // (\n\"=h\"(y)\n:: \"memory\"\n);",
                 "SIMT_ASM(\n\"a\" // :\n\"b\"\n#if X\n\"c\"\n#endif\n, simt::out(x)\n, simt::out(y)\n\n);");
    assert_spelt("#define A(x) \\\n  asm \\\n(\"a\" \\\n : \"=\" C(x))\nz",
                 "#define A(x) \\\n  SIMT_ASM\\\n(\"a\" \\\n , simt::out(x))\nz");
    assert_spelt("asm(R\"({ \" (: })\" : \"=d\"(x)); k<<<g, b>>>();",
                 "SIMT_ASM(R\"({ \" (: })\" , simt::out(x)); LAUNCH(k, g, b, 0, S);");
}

TEST(test_other_code_stays)
{
    static const char *const others[] = {
        "x = 1 << 3; y = a >> 2; std::vector<std::vector<int>> z;",
        "// k<<<g, b>>>(x);\n",
        "// continued \\\nk<<<g, b>>>(x);\n",
        "/* __shared__ float a[2]; */",
        "puts(\"k<<<g, b>>>(x); \\\" __shared__ float a[2];\");",
        "extern \"C\" void f(); extern int x; my__shared__ y; __shared__x z;",
        "c = '\"'; d = 1'000; e = '\\'';",
        "#define LAUNCHES k<<<",
        "k<<<g>>>(x);",
        "k<<<g, b>>>",
        "<<<g, b>>>(x);",
        "k<<<g, b>>>(x",
        "__shared__ float a[2], b;",
        "extern __shared__ float a[];",
        "k<<<",
        "asm(\"rdtsc\" : \"=a\"(x));",
        "asm(\"a\" : x);",
        "asm(\"a\" : \"=r\"(x) y);",
        "asm goto(\"a\" : : : : label);",
        "asm(\"a\" : \"=r\"(x",
        "asm(\"a\"",
        "asm(\"a\" : +\"=r\"(x));",
        "int asm_x; x_asm(\"a\"); \"asm(\"",
        "",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_spelt(others[i], others[i]);
}

static void assert_is_read(const char *source)
{
    char *changed = spelling_change(source, "S", true);
    assert_non_null(changed);
    free(changed);
}

TEST(test_the_time_grows_as_the_length_does)
{
    static const char *const pieces[] = {
        "k<<<", "k<<<a, b>>>();",       "k<<<a, b>>>(",          ">>>x<<<a, b>>>()",
        "asm(", "asm(\"a\"::\"r\"(x),", "asm(\"a\":\"=r\"(x));", "R\"(",
    };
    check_long_texts(pieces, sizeof pieces / sizeof pieces[0], assert_is_read);
}

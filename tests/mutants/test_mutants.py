#!/usr/bin/env -S python3 -B
"""What mutants are made of small texts, and that the runner tells right from wrong, on a build made of scripts."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from mutants import emptied, generate
from run import chosen

RUN = Path(__file__).with_name("run.py")


def made(body, operator=None, head="static __global__ void f(int m, int n, int row, int column)", before=""):
    """The mutants of a function with that body, as 'original -> replacement'."""
    mutants = generate("f.cu", f"{before}\n{head}\n{{\n{body}\n}}\n")
    return [mutant.change() for mutant in mutants if operator in (None, mutant.operator)]


class Generator(unittest.TestCase):
    def test_comments_strings_directives_asserts_and_constants_are_left_alone(self):
        body = ("/* if (row < m) __syncthreads(); */ // x[row * m + 1]\n#define G(a) if (a < m) a[row + 1]\n"
                "say(\"if (row < m) a[row + m]\", '<');\nstatic_assert(BM < 3, \"\");\nconstexpr int BN = BM + 1;")
        self.assertEqual(made(body, before="constexpr int BM = 2;\nint g = 1 + 2;"), [])

    def test_declarations_of_arrays_are_left_alone(self):
        body = ("__shared__ float As[BM][BK + 1], Bs[BK][BN];\n"
                "DYNAMIC_SHARED(float, tile);\nfloat sums[TM + 1][TN] = {};")
        self.assertEqual(made(body, before="constexpr int BM = 1, BN = 2, TM = 3, TN = 4;"), [])

    def test_positions_and_lines(self):
        text = "void f(int m)\n{\n    /* a */ if (a < m && b < m)\n        c[0] = 1;\n}\n"
        mutants = [m for m in generate("f.cu", text) if m.operator == "guard-removed"]
        self.assertEqual([str(m) for m in mutants], ["f.cu:3 guard-removed: a < m -> true",
                                                     "f.cu:3 guard-removed: b < m -> true"])
        self.assertEqual(mutants[1].apply(text), text.replace("b < m", "true"))

    def test_keys_are_the_line_wherever_it_stands(self):
        text = "void f(int m)\n{\n    if (a < m && b < m)\n        g();\n    if (a < m && b < m)\n        h();\n}"
        keys = [m.key() for m in generate("f.cu", text) if m.operator == "guard-removed"]
        line = "if (a < m && b < m)"
        self.assertEqual(keys, [("f.cu", line, "if (true && b < m)", 1), ("f.cu", line, "if (a < m && true)", 1),
                                ("f.cu", line, "if (true && b < m)", 2), ("f.cu", line, "if (a < m && true)", 2)])
        moved = text.replace("    if", "  if").replace("{\n", "{\n    // a comment, and a line\n    p();\n")
        self.assertEqual(*([m.key() for m in generate("f.cu", t)] for t in (text, moved)))

    def test_keys_of_changes_over_several_lines(self):
        mutants = generate("f.cu", "void f(int m)\n{\n    return row <\n        m &&\n        b;\n}\n")
        self.assertIn(("f.cu", "return row < m &&", "return true &&", 1), [m.key() for m in mutants])

    def test_each_operator_makes_these_mutants_of_these_bodies(self):
        waits = "__syncthreads();\n__syncwarp(0xF);\ncopy_async_commit();\ncopy_async_wait(1);"
        wide = "void f(int64_t m, int64_t n, int width)"
        for operator, body, expected, *head in (
                ("barrier-removed", waits, ["__syncthreads(); -> ;", "__syncwarp(0xF); -> ;"]),
                ("barrier-narrowed", waits, ["__syncthreads() -> __syncwarp()"]),
                ("commit-removed", waits, ["copy_async_commit(); -> ;"]),
                ("wait-removed", waits, ["copy_async_wait(1); -> ;"]),
                ("wait-off-by-one", waits.replace("(", " (\n"), ["1 -> 1 + 1"]),
                ("wait-off-by-one", "copy_async_wait(STAGES - 2);", ["STAGES - 2 -> (STAGES - 2) + 1"]),
                *(("barrier-removed", f"int c = {vote}(a(0) || b) + {vote}(d);", [f"{vote}(a(0) || b) -> (a(0) || b)", f"{vote}(d) -> (d)"])
                  for vote in ("__syncthreads_count", "__syncthreads_or", "__syncthreads_and")),
                ("guard-removed", "if (row < m && !(column >= n)) g();", ["row < m -> true", "column >= n -> false"]),
                ("guard-removed", "if (row >= m || column == n)\n return;", ["row >= m -> false", "column == n -> false"]),
                ("guard-removed", "if (error) {\n return error;\n}", ["error -> false"]),
                ("guard-removed", "if (fits<uint4>(p))\n return launch<uint4>(p);", ["fits<uint4>(p) -> true"]),
                ("guard-removed", "if (row < m) continue;\nif (row < m) g();", ["row < m -> false", "row < m -> true"]),
                ("guard-removed", "a[row] = row < m && column < n ? b[0] : 0.0f;", ["row < m -> true", "column < n -> true"]),
                ("guard-removed", "a[row] = row >= m ? 0.0f : b[0];", ["row >= m -> false"]),
                ("guard-removed", "g(inside ? 1 : 0);", ["inside -> true"]),
                ("guard-removed", "return row < m &&\n column % 4 == 0;", ["row < m -> true", "column % 4 == 0 -> true"]),
                ("guard-removed", "bool inside = row < m;", ["row < m -> true"]),
                ("guard-removed", "copy_async_or_zero(&a, &b, row < m);", ["row < m -> true"]),
                ("guard-removed", "for (int i = 0; i < 4 && a + i < m; i++) g();", ["i < 4 -> true", "a + i < m -> true"]),
                ("guard-off-by-one", "if (row < 1 || row <= 2 || row > 3 || row >= 4 || row == 5) g();",
                 ["row < 1 -> row <= 1", "row <= 2 -> row < 2", "row > 3 -> row >= 3", "row >= 4 -> row > 4"]),
                (None, "for (int i = 0; i < m; i++) g();", ["i < m -> i <= m", "i < m -> i < m - 1", "m -> n"]),
                ("loop-bound", "for (int i = 9; i >= a + b; i--) g();",
                 ["i >= a + b -> i > a + b", "i >= a + b -> i >= (a + b) + 1"]),
                (None, "while (i < 2) g();", ["i < 2 -> i <= 2", "i < 2 -> i < 2 - 1"]),
                ("swapped", "int x = threadIdx.x, row = p->m + row;", ["x -> y", "m -> n", "row -> column"]),
                ("swapped", "g(red.x, p->width);\nh(row);", ["width -> height"], "void f(int row)"),
                ("swapped", "dim3 block(BN, BM);", ["BN -> BM", "BM -> BN"], "constexpr int BM = 64, BN = BM / 2;\nvoid f()"),
                ("swapped", "dim3 block(BN, BM);", [], "constexpr int BM = 64, BN = BM;\nvoid f()"),
                ("swapped", "g(&As[1], Bs[2]);", ["As -> Bs", "Bs -> As"]),
                ("narrowed", "int64_t row = 0;\na[row * n + width * 4] = b[m + 1];", ["row * n -> (int)(row * n)"], wide),
                ("narrowed", "int64_t first = (int64_t)blockIdx.x * n + 3;",
                 ["(int64_t)blockIdx.x * n -> (int)((int64_t)blockIdx.x * n)", "(int64_t)blockIdx.x * n -> blockIdx.x * n"], wide),
                ("narrowed", "int64_t first = (int64_t)blockIdx.x * BM + tile * Tile::BN + 3;", [], wide),
                ("narrowed", "int64_t plane = p->height * p->width;",
                 ["p->height * p->width -> (int)(p->height * p->width)"], wide),
                (None, "a[i * k + p] = 0;", ["i * k -> k", "i * k -> i", "i * k + p -> p", "i * k + p -> i * k"]),
                ("index-term-dropped", "int64_t i = (int64_t)(a / b) * C - d;",
                 ["(int64_t)(a / b) * C -> C", "(int64_t)(a / b) * C -> (int64_t)(a / b)",
                  "(int64_t)(a / b) * C - d -> (int64_t)(a / b) * C", "a / b -> a"]),
                (None, "const float *p = a + b;", ["a + b -> b", "a + b -> a"]),
                (None, "i = ceil_div(a + b, 2);\ni += 2 * c;", ["a + b -> b", "a + b -> a", "2 * c -> c", "2 * c -> 2"]),
                (None, "LAUNCH(kernel, blocks, 256, A * 4, stream, (const T *)p->a);", ["A * 4 -> 4", "A * 4 -> A"]),
                # Values are no indexes; what an integer function returns is one.
                (None, "float s = a * b;\ns = s + t;\nc[0] = a + b;\nc[1] = fmaf(a * b, c, d);\n"
                 "gray |= y << 3;\nfloat4 v = *(const float4 *)&a[0];", []),
                ("index-term-dropped", "return a ? i * 4 : 0;",
                 ["i * 4 -> 4", "i * 4 -> i"], "template <int N> static int f(int i)"),
                (None, "return i * 4;", [], "static float f(int i)"),
                # No two are the same, and none is the original.
                (None, "i = j + j;", ["j + j -> j"]),
                ("index-term-dropped", "for (int i = 0; a[i + 1] < m; i++) ;", ["i + 1 -> 1", "i + 1 -> i"])):
            with self.subTest(body):
                self.assertEqual(made(body, operator, *head), expected)
        self.assertEqual(len(made(waits)), 6)

    def test_what_changes_no_answer_is_left_alone(self):
        tiles, each = (f"for (int p0 = 0; p0 < m; {step}) g();" for step in ("p0 += BK", "p0++"))
        self.assertEqual((made(tiles, "loop-bound"), len(made(each, "loop-bound"))), ([], 2))
        stride, start = (f"i += (int64_t){of}.y * BN;" for of in ("gridDim", "blockIdx"))
        self.assertEqual((made(stride), len(made(start, "index-term-dropped"))), ([], 2))
        choice = "return p->k < 4 ? launch<4>(ceil_div(p->k + 1, TILE)) : launch<8>(p->k);"
        for head, operators in (("void f(int m)", {"index-term-dropped"}),
                                ("static __device__ void f(int m)", {"guard-removed", "guard-off-by-one", "index-term-dropped"})):
            self.assertEqual({m.operator for m in generate("f.cu", f"{head}\n{{\n{choice}\n}}\n")}, operators)
        cut = "int blocks = multiprocessors * WAVES, rows = m + 1;"
        self.assertEqual((made(cut, head="void f(int m)"), len(made(cut, "index-term-dropped"))), ([], 4))

    def test_a_sample_has_so_many_of_each_operator(self):
        body = "__syncthreads();\ncopy_async_commit();\ncopy_async_wait(1);\nif (row < m) g();\ni = a + b;\n"
        mutants = [m for file in ("a/b", "a/c", "d/e") for m in generate(file, f"void f(int m)\n{{\n{5 * body}}}\n")]
        for each in (1, 2):
            self.assertEqual(Counter(m.operator for m in chosen(mutants, each)),
                             dict.fromkeys({m.operator for m in mutants}, each))

    def test_a_sample_stays_when_other_lines_change(self):
        lines = "".join(f"    if (row < {i}) g();\n" for i in range(20))
        before, after = (chosen(generate("f.cu", f"void f(int m)\n{{\n{body}}}\n"), 2) for body in
                         (lines, f"    h();\n{lines}    // more\n"))
        self.assertEqual([m.key() for m in before], [m.key() for m in after])

    def test_emptied(self):
        self.assertEqual(emptied("static __global__ void k(int a)\n{\n    if (a) { g(); }\n}\nvoid f() { g(); }\n"),
                         "static __global__ void k(int a)\n{}\nvoid f() { g(); }\n")
        self.assertEqual(emptied("inline __device__ int d() { return 1; }"), "inline __device__ int d() {}")


RUNG = """static __global__ void kernel(int m)
{
    if (i < m)
        out[i] = 1;
}
"""
REMOVED, OFF_BY_ONE = "k.cu\n- if (i < m)\n+ if (true)", "k.cu\n- if (i < m)\n+ if (i <= m)"
EMPTY_DIES = 'grep -q out "$1" || exit 1\n'


@unittest.skipUnless(os.environ.get("RUNGBENCH_TEST_ALL") == "1", "scripts/test.sh --all tries the runner")
class Runner(unittest.TestCase):
    """The compiler and the linker copy; the program is a script that looks at the mutant's text, $1."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = Path(self.folder.name)
        (self.at / "temporary").mkdir()
        (self.at / "k.cu").write_text(RUNG)
        (self.at / "compile.sh").write_text('grep -q "$1" "$6" && exit 1\ncp "$6" "$8"\n')
        (self.at / "link.sh").write_text('{ echo "#!/bin/sh"; echo "exec sh $1 $2 \\$1"; } >"$4"\nchmod +x "$4"\n')

    def command(self, check, equivalents=(), invalid="never", options=()):
        (self.at / "check.sh").write_text(check)
        (self.at / "equivalent.txt").write_text("# proved\n\n" + "".join(f"{one}\n= proof\n\n" for one in equivalents))
        compiler, linker = (["sh", str(self.at / f"{name}.sh")] for name in ("compile", "link"))
        rungs = {rung.name: {"compile": [*compiler, invalid], "check": ["verify"]} for rung in sorted(self.at.glob("*.cu"))}
        build = {"source_dir": str(self.at), "rungs": rungs,
                 "link": [*linker, str(self.at / "check.sh"), "{object}"]}
        (self.at / "build.json").write_text(json.dumps(build))
        return [sys.executable, "-B", str(RUN), "--build", str(self.at / "build.json"), "--jobs", "2",
                "--equivalents", str(self.at / "equivalent.txt"), *options]

    def environment(self, **variables):
        return {**os.environ, "RUNGBENCH_TEST_ALL": "", "TMPDIR": str(self.at / "temporary"), **variables}

    def assert_run(self, status, saying, check, equivalents=(), invalid="never", options=(), **variables):
        ended = subprocess.run(self.command(check, equivalents, invalid, options), capture_output=True, text=True,
                               env=self.environment(**variables))
        self.assertEqual(ended.returncode, status, ended.stdout + ended.stderr)
        self.assertIn(saying, ended.stdout + ended.stderr)
        self.assertEqual(os.listdir(self.at / "temporary"), [])
        return ended.stdout

    def only(self, *lives):
        """A program to which the original is right, and these texts too."""
        return "".join(f"grep -qF '{text}' \"$1\" && exit 0\n" for text in ("(i < m)", *lives)) + "exit 1\n"

    def all_but(self, text):
        """A program that kills all mutants but those with that text."""
        joined = text.replace("\n", "~")
        return f"tr '\\n' '~' <$1 | grep -qF '{joined}' && exit 0\ncmp -s $1 {self.at}/k.cu\n"

    def many(self, rung=RUNG):
        """Makes a rung with so many mutants that one may be listed."""
        (self.at / "k.cu").write_text(rung.replace("out[i] = 1;", "out[i] = 1;" + "\n    g[a + b];" * 9))

    def test_status_and_last_line(self):
        right, none = self.only(), ()
        gone, both = REMOVED.replace("i <", "j <"), f"{REMOVED}\n{OFF_BY_ONE.splitlines()[2]}"
        hang = right.replace("exit 1", "grep -qF '(true)' $1 || exit 1\nwhile :; do :; done")
        for status, saying, check, equivalents, invalid, options in (
                (0, "2 mutants: 2 killed, 0 equivalent as listed, 0 survived, 0 not valid C++", right, none, "never", ()),
                (0, "1 mutants: 1 killed, 0 equivalent as listed, 0 survived, 1 not valid C++", right, none, "(true)", ()),
                (0, "2 killed", f"{EMPTY_DIES}grep -qF '(i < m)' $1 || kill -SEGV $$\n", none, "never", ()),
                (0, "2 killed", hang, none, "never", ["--slower", "0.9"]),
                (1, "i < m -> true: killed, but listed as equivalent", right, [REMOVED], "never", ()),
                (1, "invalid, but listed as equivalent", right, [REMOVED], "(true)", ()),
                (1, "2 of 2 mutants are listed as equivalent: more than 8%", EMPTY_DIES, [REMOVED, OFF_BY_ONE], "never", ()),
                (1, "0 killed, 2 equivalent as listed, 0 survived", EMPTY_DIES, [both], "never", ()),
                (1, f"{gone}\n= ...\n    is listed as equivalent, but there is no such mutant", right, [gone], "never", ()),
                (1, "no such mutant", right, [REMOVED.replace("k.cu", "k.cu #2")], "never", ()),
                (1, "no such mutant", EMPTY_DIES, [f"{both}\nl.cu\n- a\n+ b"], "never", ()),
                (2, "k.cu, unchanged: killed, should be lives: no mutant can be judged\nwhy\n", "echo why; exit 1\n",
                 none, "never", ()),
                (2, "k.cu, unchanged: invalid, should be lives", "exit 1\n", none, "static", ()),
                (2, "k.cu, emptied: lives, should be killed", "exit 0\n", none, "never", ()),
                (2, "status 77\nwhy\n", f"{EMPTY_DIES}grep -qF '(true)' $1 && echo why && exit 77\nexit 0\n", none, "never", ()),
                (2, "equivalent.txt: expected", right, ["k.cu:3 guard-removed | i < m -> true"], "never", ()),
                (2, "equivalent.txt: expected", right, [REMOVED.replace("k.cu", "k.cu #1")], "never", ()),
                (2, "listed twice", right, [f"{both}\n+ if (true)"], "never", ()),
                (2, "not in the build: other.cu", right, none, "never", ["other.cu"]),
                (2, "usage", right, none, "never", ["--sample", "-3"])):
            with self.subTest(saying):
                self.assert_run(status, saying, check, equivalents, invalid, options)

    def test_what_a_survivor_prints_is_what_the_list_takes(self):
        self.many()
        said = self.assert_run(1, "20 mutants: 19 killed, 0 equivalent as listed, 1 survived, 0 not valid C++", self.all_but("(true)"))
        self.assertIn("k.cu:3 guard-removed: i < m -> true: survived\n", said)
        block = said[said.index("k.cu\n- "):].partition("\n= WHY\n")[0]
        self.assertEqual(block, REMOVED)
        self.assert_run(0, "1 equivalent as listed, 0 survived", self.all_but("(true)"), [block])

    def two_rungs_with_headers(self):
        """a.h and its b.h are in both; the program, $1, is a rung and all headers that were compiled with it."""
        for rung, first in (("k.cu", "// first"), ("l.cu", "// second")):
            (self.at / rung).write_text(f'{first}\n#include "a.h"\n#include <c.h>\n{RUNG}')
        (self.at / "a.h").write_text('#  include "b.h"\n#include "gone.h"\nconstexpr int N = 1;\n')
        (self.at / "b.h").write_text('#include "a.h"\nstatic __device__ void put()\n{\n    if (j < m)\n        got = 1;\n}\n')
        (self.at / "c.h").write_text((self.at / "b.h").read_text())
        (self.at / "compile.sh").write_text('cat "$(dirname "$6")"/*.h "$6" >"$8"\n')

    def test_a_mutant_of_a_header_dies_in_one_of_the_rungs_that_include_it(self):
        self.two_rungs_with_headers()
        for rung in ("first", "second"):
            kills = f'{EMPTY_DIES}grep -q got $1 || exit 1\ngrep -q {rung} $1 || exit 0\ngrep -qF "(j < m)" $1'
            self.assert_run(0, "2 mutants: 2 killed", kills, options=["b.h"])

    def test_headers_of_all_operations_are_mutated_but_not_what_the_gpu_spells_differently(self):
        self.two_rungs_with_headers()
        (self.at / "kernels").mkdir()
        (self.at / "kernels/all.h").write_text('#include "differs.h"\n' + (self.at / "b.h").read_text())
        for differs in ("differs.h", "kernels/differs.h"):
            (self.at / differs).write_text("#ifdef __CUDACC__\n#endif\n" + (self.at / "b.h").read_text())
        includes = '#include "kernels/all.h"\n#include "kernels/differs.h"\n#include "differs.h"\n'
        (self.at / "a.h").write_text(includes)
        (self.at / "compile.sh").write_text('cat "$(dirname "$6")"/kernels/all.h "$6" >"$8"\n')
        kills = f'{EMPTY_DIES}grep -q got $1 || exit 1\ngrep -qF "(j < m)" $1'
        self.assert_run(0, "2 mutants: 2 killed", kills, options=["kernels/all.h"])
        for differs in ("differs.h", "kernels/differs.h"):
            self.assert_run(2, f"not in the build: {differs}", kills, options=[differs])

    def test_a_mutant_of_a_header_lives_in_all_rungs(self):
        self.two_rungs_with_headers()
        lives = f"{EMPTY_DIES}grep -q got $1"
        said = self.assert_run(1, "2 mutants: 0 killed, 0 equivalent as listed, 2 survived", lives, options=["b.h"])
        self.assertIn("b.h:4 guard-removed: j < m -> true: survived\n", said)
        self.assert_run(2, "b.h, emptied: lives, should be killed", EMPTY_DIES, options=["b.h"])

    def test_headers_with_device_code_are_mutated_with_the_rungs(self):
        self.two_rungs_with_headers()
        right = f'{EMPTY_DIES}grep -qF "(i < m)" $1 && grep -qF "(j < m)" $1'
        self.assert_run(0, "6 mutants: 6 killed", right)
        for header in ("a.h", "c.h"):  # without device code; not beside the rung
            self.assert_run(2, f"not in the build: {header}", right, options=[header])

    def test_a_rung_that_only_launches_is_mutated_in_its_header(self):
        (self.at / "k.cu").write_text('#include "kernel.h"\nvoid launch(int n)\n{\n    if (n > 0)\n        kernel(n);\n}\n')
        (self.at / "kernel.h").write_text(RUNG)
        (self.at / "compile.sh").write_text('cat "$(dirname "$6")"/kernel.h "$6" >"$8"\n')
        right = f'{EMPTY_DIES}grep -qF "(i < m)" $1'
        self.assert_run(0, "2 mutants: 2 killed", right)
        self.assert_run(2, "not in the build: k.cu", right, options=["k.cu"])

    def test_a_sample_proves_the_machinery_where_it_has_mutants(self):
        (self.at / "l.cu").write_text("static __global__ void empty()\n{}\n")
        right = f'grep -q empty $1 && exit 0\n{EMPTY_DIES}grep -qF "(i < m)" $1'
        self.assert_run(2, "l.cu: no kernel found", right)
        self.assert_run(0, "2 mutants: 2 killed", right, options=["--sample", "1"])

    def test_a_listed_one_whose_line_has_moved(self):
        self.many()
        rung = self.at / "k.cu"
        rung.write_text("// a comment\n" + rung.read_text().replace("    if", "  g();\n  if"))
        self.assert_run(0, "20 mutants: 19 killed, 1 equivalent as listed", self.all_but("(true)"), [REMOVED])

    def test_a_listed_one_of_several_such_lines(self):
        self.many(RUNG.replace("out[i] = 1;", "out[i] = 1;\n    if (i < m)\n        f();"))
        second = "b];\n    if (true)"
        self.assert_run(0, "22 mutants: 21 killed, 1 equivalent as listed", self.all_but(second),
                        [REMOVED.replace("k.cu", "k.cu #2")])
        self.assert_run(1, "(true)\n= WHY", self.all_but(second), [REMOVED])

    def test_a_compiler_that_dies_is_no_verdict(self):
        dies = 'grep -qF "(true)" "$6" && echo internal compiler error && exit 1\n'
        (self.at / "compile.sh").write_text(dies + (self.at / "compile.sh").read_text())
        self.assert_run(2, "internal compiler error", self.only())

    def test_what_a_mutant_has_started_ends_with_it(self):
        held = self.at / "held"
        os.mkfifo(held)
        reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
        starts = f"{EMPTY_DIES}grep -qF '(i < m)' $1 && exit 0\nsleep 987 >{held} &\nexit 1\n"
        self.assert_run(0, "2 killed", starts)
        with open(reader, "rb") as opened:
            self.assertEqual(opened.read(), b"")  # its end: nobody holds it open any more

    def test_a_sample_leaves_out_what_is_listed(self):
        self.many()
        tried = f"{EMPTY_DIES}cat $1 >>{self.at}/tried\ncmp -s $1 {self.at}/k.cu\n"
        # One that is gone is nothing to a sample.
        self.assert_run(0, "3 mutants: 3 killed", tried, [REMOVED.replace("i <", "j <")], options=["--sample", "1"])
        self.assertIn("(true)", (self.at / "tried").read_text())
        (self.at / "tried").unlink()
        self.assert_run(0, "2 mutants: 2 killed", tried, [REMOVED], options=["--sample", "1"])
        self.assertNotIn("(true)", (self.at / "tried").read_text())
        self.assert_run(0, "20 mutants", tried, options=["--sample", "1"], RUNGBENCH_TEST_ALL="1")

    def test_an_interrupted_run_leaves_nothing(self):
        begun = self.at / "begun"
        os.mkfifo(begun)
        check = f"{EMPTY_DIES}grep -qF '(i < m)' $1 && exit 0\necho >{begun}\nsleep 987\n"
        for number in (signal.SIGINT, signal.SIGTERM):
            running = subprocess.Popen(self.command(check), stdout=subprocess.PIPE, env=self.environment())
            begun.read_text()
            running.send_signal(number)
            self.assertEqual(running.communicate(), (b"", None))
            self.assertEqual(running.returncode, 130)
            self.assertEqual(os.listdir(self.at / "temporary"), [])


if __name__ == "__main__":
    unittest.main()

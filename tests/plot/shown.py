"""What the charts of scripts/plot.sh show, held against the cells of the files. Axes are read off their own labels."""
import filecmp
import math
import os
import re
import unittest

from plotting import MEASURED, ROOT, SVG_ONLY, PlotCase, Svg, failed, row, rows_of, write

import gnuplot
import text


def rgb(kind):
    return tuple(bytes.fromhex(gnuplot.LIGHT[kind][1:]))


CPU, CUDA = rgb("cpu"), rgb("cuda")
KINDS = {path.stem for path in (ROOT / "scripts/plot/charts").glob("[a-z]*.py")}
INK = "rgb( 26,  26,  26)"
VERMILION = (0xD5, 0x5E, 0x00)
FILLED, HOLLOW, CROSS = {4, 6}, {3, 5}, 1  # square and circle, as the SVG numbers them


def rate(r, column="time_median_s"):
    return float(r["flops"] or r["bytes"]) / float(r[column]) / 1e9


def marks(svg, points, left=30):
    """Without those of the legend."""
    return [m for m in svg.marks if m[0] in points and m[1] > left]


def compare(case, a, b, only="."):
    return next(iter(case.draw("--compare", a, b, only=only).values()))


class Measured(PlotCase):
    """Charts of committed results: of the rows that have a rank, whatever the machine was."""

    def plain(self, name="default.csv.gz"):
        """A file of these rows of one round, and the rows."""
        rows = [r for r in rows_of(MEASURED / name) if r["round"] == "0" and r["status"] == "ok" and r["precision"] != "tf32" and not r["runs_as"] and
                "over-ceiling" not in r["marks"]]
        return write(self.folder / name.removesuffix(".gz"), rows), rows

    def test_all_charts_are_whole_legible_and_told(self):
        charts = self.draw(self.plain()[0], png="RUNGBENCH_TEST_ALL" in os.environ)
        self.assert_kinds(charts, KINDS, least=7)  # not growth and samples, which need more
        for stem, svg in charts.items():
            self.assertIn(svg.title[:60], svg.said())  # what is too long ends in dots
            self.assertGreater(len(svg.desc), 40, stem)
            if not stem.startswith(("transfers", "ladder")):
                self.assertIn(", log", svg.said(), stem)

    def test_a_chart_is_the_same_drawn_alone_and_with_all_others(self):
        file, png = MEASURED / "sweep.csv", "RUNGBENCH_TEST_ALL" in os.environ
        for stem in {stem.split("-")[0]: stem for stem in self.draw(file, png=png)}.values():  # of each kind one
            self.draw(file, only=f"^{stem}$", out=stem, png=png)
            names = [path.name for path in (self.folder / stem).iterdir()]
            self.assertEqual(filecmp.cmpfiles(self.folder / "out", self.folder / stem, names, shallow=False), (names, [], []))

    def test_titles_state_the_finding(self):
        file, rows = self.plain()
        ladder = self.draw(file, only="^ladder-matmul-mnist$")["ladder-matmul-mnist"]
        cold = [r for r in rows if r["workload"] == "mnist" and r["mode"] == "cold" and r["backend"] == "cuda"]
        best, library = (min(some, key=lambda r: float(r["time_median_s"])) for some in (cold, [r for r in cold if r["variant"][:5] != "cuda_"]))
        gain = float(library["time_median_s"]) / float(best["time_median_s"])
        self.assertRegex(ladder.title, rf"^{best['variant']} is {gain:.2f} times as fast as {library['variant']}(, and .* from it)?, at "
                                       r"\d+ % of the memory's speed$")
        self.assertIn("matmul/mnist, 50000x784x10, FP32", ladder.said())

    def test_the_ladder_groups_rungs_by_their_share_of_their_own_device(self):
        rows = [r for r in self.plain()[1] if r["workload"] == "mnist" and r["mode"] in ("cold", "hot")]
        svg = self.draw(write(self.folder / "two.csv", rows), only="^ladder")["ladder-matmul-mnist"]
        cold = [r for r in rows if r["mode"] == "cold"]
        left, right = (next(t[0] for t in svg.texts if t[5] == said) for said in ("0", "100 %"))
        self.assert_near([(left + (right - left) * float(r["floor_s"]) / float(r["time_median_s"]), svg.row_of(r["variant"])) for r in cold],
                         [m[1:3] for m in marks(svg, FILLED | HOLLOW) if m[3] != (26, 26, 26)])
        self.assertEqual({r["backend"]: {m[3] for m in marks(svg, FILLED | HOLLOW) if abs(m[2] - svg.row_of(r["variant"])) < 2} -
                          {(26, 26, 26)} for r in cold}, {"cpu": {CPU}, "cuda": {CUDA}})
        for r in cold:
            self.assertIn(text.duration(float(r["time_median_s"])), svg.said())
        heads = {said: svg.row_of(said) for said in ("CPU", "GPU, CUDA cores", "GPU, tensor cores", "Libraries")}
        for variant, group in (("cpu_auto", "CPU"), ("cuda_cluster", "GPU, CUDA cores"), ("cuda_tf32x3", "GPU, tensor cores"), ("cublas", "Libraries"), ("openblas", "Libraries")):
            above = [said for said, y in sorted(heads.items(), key=lambda item: item[1]) if y < svg.row_of(variant)]
            self.assertEqual(above[-1], group)

    def test_tensor_cores_have_a_group_and_a_row_without_a_ceiling_says_so(self):
        rows = [row("cuda_tiled", 4e-5, backend="cuda", arithmetic="fma"), row("cuda_fp16x3", 2e-5, backend="cuda", arithmetic="fp16x3"),
                row("cuda_mine", 1e-4, backend="cuda", arithmetic="unknown"), row("cpu_auto", 3e-5, arithmetic="fma", floor_s="")]
        svg = self.draw(write(self.folder / "groups.csv", rows), only="^ladder")["ladder-matmul-w"]
        order = ("CPU", "cpu_auto", "GPU", "cuda_mine", "GPU, CUDA cores", "cuda_tiled", "GPU, tensor cores", "cuda_fp16x3")
        self.assertEqual(sorted(order, key=svg.row_of), list(order))
        self.assertIn("30.0 µs, no ceiling", svg.said())
        self.assertEqual(len([m for m in marks(svg, FILLED) if m[3] == CUDA]), 3)

    def test_roofline_dots_lie_under_the_roof(self):
        file, rows = self.plain()
        rows = [r for r in rows if r["flops"] and r["backend"] == "cuda" and r["mode"] == "hot"]
        svg = self.draw(file, only="^roofline-cuda-hot$")["roofline-cuda-hot"]
        x, y = svg.axis(), svg.axis("end")
        points = [(x(float(r["flops"]) / float(r["bytes"])), y(rate(r))) for r in rows]
        self.assert_near(points, [m[1:3] for m in marks(svg, FILLED)])
        bars = {((a + b) / 2, high) for a, high, b, end in svg.strokes(INK) if b - a > 8 and high == end}
        for place, high in points:
            self.assertLessEqual(min(bar for where, bar in bars if abs(where - place) < 3), high + 0.5)

    def test_sweep_points_and_where_the_better_choice_changes(self):
        file, rows = self.plain("sweep.csv")
        svg = self.draw(file, only="^sweep-matmul$")["sweep-matmul"]
        rows = [r for r in rows if r["op"] == "matmul" and r["mode"] in ("hot", "e2e")]
        x, y = svg.axis(), svg.axis("end")
        self.assert_near([(x(int(r["shape"].split("x")[0])), y(float(r["time_median_s"]))) for r in rows],
                         [m[1:3] for m in marks(svg, FILLED | HOLLOW)])
        self.assertIn("Shaded: between these sizes", svg.said())

    def test_crossover_shows_who_is_faster_at_each_size(self):
        sizes = (10, 1000, 100000, 10000000)
        rows = [row(name, seconds, mode, "matmul", f"{n}", f"{n}x3x3", backend, bytes=n) for i, n in enumerate(sizes)
                for name, backend, mode, seconds in (("cpu_auto", "cpu", "hot", 10.0 ** i), ("cuda_naive", "cuda", "hot", 0.5),
                                                     ("cuda_naive", "cuda", "e2e", 20))]
        svg = self.draw(write(self.folder / "made.csv", rows), only="^crossover$")["crossover"]
        x, high = svg.axis(), svg.rows_of("matmul")
        for mode, (y, color_of) in zip(("e2e", "hot"), ((y, lambda gain: CUDA if gain > 1 else CPU) for y in high)):
            gains = [10.0 ** i / (20 if mode == "e2e" else 0.5) for i in range(4)]
            self.assert_near([(x(gain), y) for gain in gains], [m[1:3] for m in marks(svg, FILLED | HOLLOW) if abs(m[2] - y) < 3 and m[1] > 60])
            self.assertEqual({m[3] for m in marks(svg, FILLED | HOLLOW) if abs(m[2] - y) < 3 and m[1] > 60}, set(map(color_of, gains)))
        self.assertIn(f"from {text.size(100000)}", svg.said())
        self.assertIn("at every size", svg.said())

    def test_kinds_of_an_operation_have_lines_of_their_own(self):
        rows = [row(name, seconds, "hot", "zip", f"{n}-{kind}", f"{n}x3x{kind}", backend, bytes=n)
                for n in (10, 1000, 100000) for kind, seconds in (("row", 1e-3), ("whole", 4e-3))
                for name, backend, seconds in (("cpu_auto", "cpu", 2e-3), ("cuda_naive", "cuda", seconds))]
        svg = self.draw(write(self.folder / "kinds.csv", rows), only="^crossover$")["crossover"]
        for kind, winner, said in (("row", CUDA, "at every size"), ("whole", CPU, "at no size")):
            high = svg.row_of(f"zip {kind}")
            self.assertEqual([m[3] for m in marks(svg, FILLED) if abs(m[2] - high) < 3], [winner] * 3)
            self.assertIn(said, svg.said())

    def test_the_roof_of_memory_is_that_of_bytes_and_tensor_cores_have_their_own(self):
        rows = [row("cuda_small", 1e-3, op="a", backend="cuda", flops=1e9, bytes=1e6, floor_s=5e-4, floor_bytes_s=1e-7, ceiling="fma"),
                row("cuda_much", 4e-3, op="b", backend="cuda", flops=1e9, bytes=1e9, floor_s=2e-3, floor_bytes_s=2e-3, ceiling="read"),
                row("cuda_tensor", 2e-3, op="c", backend="cuda", flops=1e12, bytes=1e8, floor_s=1e-3, floor_bytes_s=1e-4, ceiling="fp16x3")]
        svg = self.draw(write(self.folder / "roofs.csv", rows), only="^roofline-cuda-hot$")["roofline-cuda-hot"]
        self.assertIn("500 GB/s, what memory gives the row that moves most bytes, FP32 FMA 2,000 GFLOP/s", svg.said())
        self.assertIn("at 4.00 FLOP per byte", svg.said())
        self.assertIn("a third of the tensor cores' peak in FP16, 1,000 TFLOP/s", svg.said())

    def test_a_panel_of_speed_ups_is_over_one_library(self):
        rows = [row("cpu_scalar", 4e-3), row("openblas", 1e-3), row("cuda_a", 1e-4, backend="cuda"), row("cuda_b", 2e-4, backend="cuda"),
                row("cublas", 4e-4, backend="cuda")]
        svg = self.draw(write(self.folder / "libraries.csv", rows), only="^speedup")["speedup-matmul-w-hot"]
        self.assertIn("over cublas", svg.said())
        self.assertNotIn("over openblas and", svg.said())
        right = max(t[0] for t in svg.texts)
        values = [t for t in svg.texts if abs(t[0] - right) < 1 and t[5].endswith("×") and t[1] > svg.row_of("over cublas")]
        self.assertEqual([t[5] for t in values], ["4.00×", "2.00×"])  # of CUDA's rungs alone, but the library itself

    def test_a_tie_is_in_the_title(self):
        rows = [row("cuda_a", 1e-4, backend="cuda"), row("cuda_b", 1.001e-4, backend="cuda"), row("cublas", 4e-4, backend="cuda")]
        title = self.draw(write(self.folder / "tie.csv", rows), only="^ladder")["ladder-matmul-w"].title
        self.assertRegex(title, "^cuda_a is 4.00 times as fast as cublas, and cuda_b cannot be told from it")

    def test_a_size_without_a_best_rung_is_named_and_not_drawn(self):
        rows = [row(name, seconds, "hot", "map", f"n{n}", str(n), backend, bytes=n) for n in (10, 100, 1000, 10000)
                for name, seconds, backend in (("cpu_tuned", 1e-3, "cpu"), ("cpu_auto", 5e-4, "cpu"), ("cuda_naive", 1e-4, "cuda"))]
        rows[4] |= {"marks": "over-ceiling"}
        svg = self.draw(write(self.folder / "unknown.csv", rows), only="^crossover$")["crossover"]
        self.assertEqual(len(marks(svg, FILLED, left=50)), 3)
        for said in (svg.said(), svg.desc):
            self.assertRegex(said, r"Left out, .*over-ceiling \(faster than .*: map/n100 \(cpu_auto\)")
        self.assertIn("of 3 workloads", svg.title)

    def test_several_gpus_stand_beside_one(self):
        more = {"op": "step", "backend": "gpus", "cards": 2}
        rows = [row("cublas", 3e-3, "hot", "step", "small", "4", "cuda", flops=4, cards=""), row("gpus_nccl", 4e-3, workload="small", shape="4", flops=4, **more),
                row("cublas", 6e-3, "hot", "step", "large", "8", "cuda", flops=8), row("gpus_nccl", 4e-3, workload="large", shape="8", flops=8, **more)]
        svg = self.draw(write(self.folder / "several.csv", rows), only="^scaling$")["scaling"]
        self.assertEqual(svg.title, "2 GPUs are faster than one at 1 of 2 workloads, 1.50× at step/large")
        for name, said in (("small", ["0.75×"]), ("large", ["1.50×", "1.50×"])):
            high = svg.rows_of(name)
            self.assertEqual(len([m for m in marks(svg, {10}) if any(abs(m[2] - 7 - h) < 3 for h in high)]), len(said))
            self.assertEqual([t[5] for t in svg.texts if any(abs(t[1] - 11.3 - h) < 3 for h in high) and t[5].endswith("×")], said)

    def test_a_collective_s_bandwidth_stands_against_its_bytes(self):
        rows = [row(rung, size / speed, "hot", "told", f"w{size}", f"2x{size}", "gpus", cards=2, message_bytes=size, passed_bytes=size,
                    bus_gbs=speed / 1e9, alg_gbs=speed / 1e9)
                for rung, speeds in (("gpus_ring", (1e9, 9e9)), ("gpus_direct", (2e9, 8e9))) for size, speed in zip((1000, 1000000), speeds)]
        svg = self.draw(write(self.folder / "told.csv", rows), only="^scaling-told$")["scaling-told"]
        x, y = svg.axis(), svg.axis("end")
        self.assert_near([(x(r["message_bytes"]), y(r["bus_gbs"] * 1e9)) for r in rows], [m[1:3] for m in marks(svg, {10})])
        self.assertIn("gpus_ring", svg.said())

    def test_as_many_gpus_have_a_line_of_their_own(self):
        rows = [row("gpus_ring", size / cards / 1e9, "hot", "told", f"w{size}-{cards}", f"{cards}x{size}", "gpus", cards=8, message_bytes=size,
                    passed_bytes=size, bus_gbs=cards, alg_gbs=cards) for cards in (2, 4) for size in (1000, 1000000)]
        svg = self.draw(write(self.folder / "lines.csv", rows), only="^scaling-told$")["scaling-told"]
        self.assertEqual(len(marks(svg, {10})), 4)
        self.assertIn("gpus_ring, 2 GPUs", svg.said())
        self.assertIn("gpus_ring, 4 GPUs", svg.said())

    def test_runs_side_by_side_show_which_is_slower(self):
        rows = [row(f"cuda_{name}", seconds * (1.05 if host == "b" else 1), "hot", "op", "w", "4", "cuda", host=host, sitting=host, spread=spread)
                for host in "abc" for name, seconds, spread in (("sure", 1e-3, 0.01), ("unsure", 2e-3, 0.2), ("other", 3e-3, 0.002))]
        svg = self.draw(write(self.folder / "hosts.csv", rows), only=None)["hosts-runs"]
        self.assertEqual(svg.title, "Slower than the others in most rows: run 2 of 3")
        self.assertIn("slower in 2 of 3 rows, in the median by 5.0 %", svg.said())
        for name, slower in (("op/w/cuda_sure/hot", 1), ("op/w/cuda_unsure/hot", 0), ("op/w/cuda_other/hot", 1)):
            high = svg.row_of(name)
            self.assertEqual(sum(m[3] == VERMILION for m in svg.marks if m[1] > 30 and 0 < m[2] - high < 20), slower)
            self.assertEqual(sum("2: +5.00 %" == t[5] for t in svg.texts if abs(t[1] - 4.3 - high) < 3), slower)

    def test_transfers_are_shares_of_the_fastest_call(self):
        file, rows = self.plain()
        svg = self.draw(file, only="^transfers$")["transfers"]
        best = {}
        for r in rows:
            key = f"{r['op']}/{r['workload']}, {r['mode']}"
            if r["mode"].startswith("e2e") and float(r["time_median_s"]) < float(best.get(key, r)["time_median_s"]) * 1.0000001:
                best[key] = r
        self.assertGreater(len(best), 5)
        for key, r in best.items():
            high = svg.row_of(key)
            said = [t[5] for t in svg.texts if 0 <= t[1] - 4.3 - high < 50]
            parts = [float(r[c]) for c in ("upload_s", "kernel_s", "download_s")]
            whole = max(float(r["time_median_s"]), sum(parts))
            bars = {color: b - a for color, a, b, y in svg.boxes() if 0 < y - high < 50}
            for kind, part in zip(("upload", "kernel", "download"), parts):
                self.assertAlmostEqual(bars[rgb(kind)] / bars[rgb("rest")], part / whole, delta=0.01)
            self.assertIn(f"{100 * parts[0] / whole:.0f} %", said)
            self.assertTrue(any(r["variant"] in t for t in said), said)

    def test_comparison_has_intervals_and_names_differences(self):
        (one, rows), (_, others) = self.plain(), self.plain("lecture.csv")
        others = [r | {"git_rev": "another"} for r in others]
        svg = compare(self, one, write(self.folder / "others.csv", others), "^compare-matmul-mnist-cold$")
        a, b = {r["name"]: r for r in rows}, {r["name"]: r for r in others}
        one, x = "matmul/mnist/cuda_tiled/cold", svg.axis()

        def ratio(over, under):
            return float(a[one][over]) / float(b[one][under])
        high = svg.row_of("cuda_tiled")
        self.assert_near([(x(ratio("time_median_s", "time_median_s")),)], [(m[1],) for m in marks(svg, FILLED) if abs(m[2] - high) < 2])
        self.assert_near([(x(ratio("time_q1_s", "time_q3_s")), x(ratio("time_q3_s", "time_q1_s")))],
                         [(left, right) for left, y, right, end in svg.strokes(INK) if y == end and abs(y - high) < 1])
        self.assertIn(f"revision ({a[one]['git_rev']}; {b[one]['git_rev']})", svg.said())


class Made(PlotCase):
    """Charts of made-up results, of which the answer is known."""

    def made(self, *rows, only=".", png=False):
        return self.draw(write(self.folder / "made.csv", list(rows)), only=only, png=png)

    def test_whiskers_of_a_speed_up_carry_the_spread_of_both_sides(self):
        svg = self.made(row("cpu_scalar", 1e-3, spread=0.2), row("cpu_auto", 1e-5, spread=0.1),
                        only="^speedup")["speedup-matmul-w-hot"]
        x = svg.axis(between=(0, svg.row_of("over cpu_auto")))
        high = svg.row_of("cpu_auto")
        whiskers = [(a, b) for a, y, b, end in svg.strokes(INK) if abs(y - high) < 1 and y == end]
        self.assert_near([(x(80 / 1.1), x(120 / 0.9))], whiskers)

    def test_who_has_no_interval_is_hollow_and_said_to_be(self):
        for spread, shapes in ((None, HOLLOW), (0.01, FILLED)):
            rows = [row("cpu_scalar", 1e-3, spread=spread), row("cpu_auto", 1e-5, spread=spread), row("cuda_naive", 1e-5, backend="cuda")]
            charts = self.made(*rows, only="^(speedup|ladder|overview)")
            for stem, svg in charts.items():
                self.assertTrue(marks(svg, shapes), stem)
                self.assertEqual("Hollow: " in svg.said(), spread is None, stem)
            mine = [m for m in marks(charts["speedup-matmul-w-hot"], FILLED | HOLLOW) if m[3] == CUDA]
            self.assertEqual({m[0] in shapes for m in mine}, {True})  # over one without, none has

    def test_with_transfers_the_cpu_stands_there_as_it_is_hot(self):
        parts = {"upload_s": 4e-4, "kernel_s": 1e-4, "download_s": 4e-4}
        svg = self.made(row("cpu_scalar", 1e-4), row("cpu_auto", 1e-5), row("cuda_naive", 1e-3, "e2e", backend="cuda", **parts),
                        only="^speedup.*e2e$")["speedup-matmul-w-e2e"]
        self.assertRegex(svg.title, "^Even cuda_naive is only 0.01 times as fast as cpu_auto")
        self.assertIn("CPU rungs: hot", svg.said())
        self.assertIn("Of the fastest call 80 % is upload and download", svg.said())
        self.assertEqual({round(m[2]) for m in marks(svg, {5}) if m[3] == (26, 26, 26)}, set(map(round, svg.rows_of("cuda_naive"))))

    def test_the_overview_names_winners_on_one_scale(self):
        rows = [r for i, (cpu, gpu) in enumerate(((1e-3, 1e-5), (1e-5, 4e-5), (1e-4, 2e-5)), 1)
                for r in (row("cpu_auto", cpu, workload=f"w{i}"), row("cuda_tiled", gpu, backend="cuda", workload=f"w{i}"))]
        svg = self.made(*rows, only="^overview$")["overview"]
        self.assertEqual(svg.title, "The GPU wins 2 of 3 hot")
        x = svg.axis()
        self.assert_near([(x(v), svg.row_of(f"w{i}") + 7) for i, v in enumerate((100, 0.25, 5), 1)],
                         [m[1:3] for m in marks(svg, FILLED | HOLLOW)])
        lost = next(m for m in marks(svg, FILLED | HOLLOW) if abs(m[2] - svg.row_of("w2") - 7) < 2)
        self.assertEqual(lost[3], CPU)
        for name, said, winner in (("w2", "0.25×", "matmul: cpu_auto"), ("w1", "100×", "matmul: cuda_tiled")):
            self.assertTrue({said, winner} <= {t[5] for t in svg.texts if abs(t[1] - 4.3 - svg.row_of(name)) < 18})

    def test_workloads_whose_times_have_no_rank_are_named(self):
        parts = {"upload_s": 4e-4, "kernel_s": 1e-4, "download_s": 4e-4}
        rows = [r for i in range(3) for r in (row("cpu_auto", 1e-4, "hot", workload=f"w{i}"),
                                              row("cuda_naive", 1e-3, "e2e", backend="cuda", workload=f"w{i}", marks="over-ceiling" * (i == 2), **parts))]
        charts = self.made(*rows, only="^(overview|transfers)$")
        self.assertEqual({"matmul/w2" in re.search("Left out, since [^:]*: ([^.]*)", svg.said())[1] for svg in charts.values()}, {True})
        self.assertEqual(charts["overview"].title, "The GPU wins 0 of 2 e2e")

    def test_wrong_and_failed_rungs_keep_their_rows(self):
        rows = [r for n in (64, 128, 256) for mode in ("hot", "e2e") for r in (
            *([row("cpu_scalar", n * 1e-6, workload=f"s{n}", shape=f"{n}x{n}x{n}", floor_s="")] if mode == "hot" else []),
            row("cuda_tiled", n * 1e-7, mode, workload=f"s{n}", shape=f"{n}x{n}x{n}", backend="cuda", floor_s=1e-8, ceiling="read",
                upload_s=n * 2e-8, kernel_s=n * 4e-8, download_s=n * 2e-8),
            failed("cuda_naive", mode, workload=f"s{n}", shape=f"{n}x{n}x{n}", backend="cuda"),
            failed("cuda_async", mode, why="crashed", workload=f"s{n}", shape=f"{n}x{n}x{n}", backend="cuda"))]
        charts = self.made(*rows, png=True)
        self.assert_kinds(charts, KINDS, least=7)  # not growth and samples, which need more
        for stem, svg in charts.items():
            for word, name in (("WRONG", "cuda_naive"), ("FAILED", "cuda_async")):
                self.assertIn(word, svg.said(), stem)
                self.assertIn(name, svg.said(), stem)
            self.assertIn(VERMILION, [m[3] for m in svg.marks if m[0] == CROSS], stem)
            if stem.startswith(("roofline", "sweep")):
                self.assertTrue(marks(svg, {CROSS}), stem)
            if stem.startswith(("ladder", "speedup")):
                crossed = [m for m in marks(svg, {CROSS}) if abs(m[2] - svg.row_of("cuda_naive")) < 2]
                self.assertTrue(crossed, stem)

    def test_growth_of_one_size_beside_library_and_floor_with_its_steps(self):
        ours = {1: 2e-6, 4: 2e-6, 8: 2e-6, 16: 2.2e-6, 17: 8e-6, 32: 8e-6, 64: 9e-6}  # a step from 16 to 17
        library = {n: 4e-6 for n in ours}
        floor = {n: 1e-6 for n in ours}
        rows = [row(variant, times[n], "cold", workload=f"n{n}", shape=f"500x70x{n}", backend="cuda", floor_s=floor[n], ceiling="read")
                for variant, times in (("cuda_tiled", {n: 1e-5 for n in ours}), ("cuda_skinny", ours), ("cublas", library)) for n in ours]
        svg = self.made(*rows, only="^growth")["growth-matmul-500x70xN"]
        x, y = svg.axis(), svg.axis("end")
        self.assert_near([(x(n), y(t)) for times in (ours, library) for n, t in times.items()],
                         [m[1:3] for m in svg.marks if m[0] in FILLED | {12} and m[1] > 30])
        self.assertEqual(svg.title, "As N grows, our best rung is 0.44 to 2.00 times as fast as cublas")
        self.assertIn("Fastest of ours: cuda_skinny 1 to 64.", svg.said())
        self.assertIn(f"As both times spread, {4 / 9 * 0.99 / 1.01:.2f} to {2 * 1.01 / 0.99:.2f} times as fast.", svg.said())
        self.assertIn("Shaded: from one size to the next", svg.said())
        smooth = self.made(*(dict(r, time_median_s=2e-6, time_q1_s="", time_q3_s="") for r in rows), only="^growth")
        self.assertNotIn("Shaded", smooth["growth-matmul-500x70xN"].said())

    def test_growth_needs_six_sizes_that_differ_in_one_alone(self):
        rows = [row("cpu_auto", 1e-6, "cold", workload=f"k{k}", shape=f"5x{k}x7") for k in (1, 2, 3, 4, 5)]
        only = "^(growth|ladder-matmul-more)"
        for more in ("6x6x7", "5x6x8"):
            self.assertEqual(set(self.made(*rows, row("cpu_auto", 1e-6, "cold", workload="more", shape=more), only=only)), {"ladder-matmul-more"})
        self.assertIn("growth-matmul-5xKx7", self.made(*rows, row("cpu_auto", 1e-6, "cold", workload="more", shape="5x6x7"), only=only))

    def test_no_gain_over_a_cpu_whose_fastest_time_is_not_believed(self):
        rows = [row("cpu_scalar", 1e-3), row("openblas", 9e-6), row("cpu_auto", 3e-6, marks="over-ceiling"),
                row("cuda_tiled", 1e-6, backend="cuda")]
        chart = self.made(*rows, only="^speedup")["speedup-matmul-w-hot"]
        self.assertNotIn("best CPU rung", chart.said())
        self.assertIn("the baseline", chart.said())

    def test_an_axis_grows_in_a_chart_of_any_operation(self):
        rows = [row("kernel_mine", 1e-6 * n, "cold", op="gemv", workload=f"{n}x{m}", shape=f"{n}x{m}", axes=f"n={m};m={n}")
                for m in (32, 100) for n in (32, 64, 128)]
        charts = self.made(*rows, only="^growth")
        self.assertEqual(set(charts), {"growth-gemv-Mx32", "growth-gemv-Mx100"})
        self.assertIn("M from 32 to 128", charts["growth-gemv-Mx32"].said())
        plain = write(self.folder / "plain.csv", [dict(r, axes="") for r in rows])
        self.assertEqual(set(self.draw(plain, only="^(growth|ladder-gemv-64x32$)", out="plain")), {"ladder-gemv-64x32"})

    def test_what_ran_another_rung_s_kernel_is_left_out_and_said(self):
        rows = [row("cpu_scalar", 1e-3), row("cuda_tiled", 1e-5, backend="cuda"),
                row("cuda_skinny_tensor", 1e-7, backend="cuda", runs_as="cuda_tiled")]
        for stem, svg in self.made(*rows, only="^(ladder|speedup)").items():
            self.assertNotIn("cuda_skinny_tensor", [t[5] for t in svg.texts], stem)
            self.assertIn("another rung's kernel for this shape: cuda_skinny_tensor (cuda_tiled)", svg.said())
            self.assertNotIn("cuda_skinny_tensor", svg.title)

    def test_throttled_rungs_are_named(self):
        rows = [row("cuda_naive", 1e-3, "cold", backend="cuda", arithmetic="fma", marks="throttled", rms_err=0.4, max_err=2),
                row("cuda_fp16x3", 1e-4, "cold", backend="cuda", arithmetic="fp16x3", rms_err=0.1, max_err=1)]
        charts = self.made(*rows, only="^(ladder|accuracy)")
        self.assertEqual(set(charts), {"ladder-matmul-w", "accuracy-matmul-w"})
        for svg in charts.values():
            self.assertRegex(svg.said(), r"throttled \([^)]*\): cuda_naive(?!, )")

    def test_errors_are_in_one_unit_and_reach_as_far_as_the_largest(self):
        found = {"cuda_tiled": (1e-3, 0.4, 2), "cuda_fp16x3": (2e-4, 0.1, 0.5), "cublas": (3e-4, 0.4, 3), "cublas_tf32": (1e-4, 0.01, 0.06)}
        kinds = {"cuda_fp16x3": "fp16x3", "cublas_tf32": "tf32"}
        rows = [row(name, time, "cold", backend="cuda", rms_err=rms, max_err=most, arithmetic=kinds.get(name, "fma"),
                    precision="tf32" if "tf32" in name else "fp32") for name, (time, rms, most) in found.items()]
        svg = self.made(*rows, only="^accuracy")["accuracy-matmul-w"]
        x, y = svg.axis(), svg.axis("end")
        unit = {"cublas_tf32": 8192}
        self.assert_near([(x(rms * unit.get(name, 1)), y(time)) for name, (time, rms, _) in found.items()],
                         [m[1:3] for m in marks(svg, {6, 12, 14}) if m[3] != (26, 26, 26)])
        other = [m for m in marks(svg, {6, 12, 14}) if m[3] == rgb("tf32")]
        self.assertEqual(len(other), 1)
        self.assertAlmostEqual(other[0][1], x(0.01 * 8192), delta=1.5)
        for name, (time, rms, most) in found.items():
            self.assertIn(name, svg.said())
            ends = [b for a, high, b, _ in svg.strokes("rgb( 95,  95,  95)") if abs(high - y(time)) < 1 and abs(a - x(rms * unit.get(name, 1))) < 2]
            self.assertAlmostEqual(max(ends), x(most * unit.get(name, 1)), delta=1.5)  # the others point to names
        self.assertIn("RMS errors: FP32 0.10 to 0.40 u, TF32 81.9 u.", svg.said())
        done = self.call_plot("--only=^accuracy", write(self.folder / "one.csv", rows[:1]), "one", **self.fake(*SVG_ONLY))
        self.assertEqual(done.returncode, 77)

    def test_no_chart_tells_a_ratio_across_accuracies(self):
        """Times of one accuracy differ by powers of two, and so does whatever is told of them."""
        precise = {"cpu_scalar": 64, "cpu_tuned": 32, "cuda_naive": 2, "cuda_tf32x3": 8, "cublas": 4}
        other = {"cuda_tf32": 1.1, "cublas_tf32": 0.7}
        rows = [row(variant, seconds * 1e-6, mode, backend="cpu" if variant.startswith("cpu") else "cuda", rms_err=0.5,
                    precision=precision, arithmetic=variant[5:11], workload=f"s{n}", shape=f"{n}x{n}x{n}") for n in (64, 128, 256) for mode in ("cold", "hot")
                for precision, times in (("fp32", precise), ("tf32", other)) for variant, seconds in times.items()]
        told = [(stem, float(ratio)) for stem, svg in self.made(*rows).items()
                for ratio in re.findall(r"([0-9]+\.[0-9]+)(?:×| times)", svg.said())]
        self.assertGreaterEqual({stem.split("-")[0] for stem, _ in told}, {"accuracy", "ladder", "overview", "speedup"})
        self.assertEqual([(stem, ratio) for stem, ratio in told if not math.log2(ratio).is_integer()], [])
        made = write(self.folder / "tf32.csv", [r | {"precision": "tf32"} for r in rows])
        self.assertIn("no ratio", compare(self, made, self.folder / "made.csv", "^compare-matmul-s64-hot$").said())

    def test_a_step_that_does_not_pay_may_be_of_a_rung_that_this_build_does_not_know(self):
        rows = [row(variant, seconds, backend="cuda", time_ci_low_s=0.99 * seconds, time_ci_high_s=1.01 * seconds)
                for variant, seconds in (("cuda_tiled", 1e-5), ("cuda_of_tomorrow", 2e-5))]
        ladder = self.made(*rows, only="^ladder")["ladder-matmul-w"]
        self.assertIn("cuda_of_tomorrow (no summary) takes 2.00 times as long as cuda_tiled", ladder.said())

    def test_skipped_and_slowed_rows_are_told(self):
        skipped = row("cublas", "", backend="cuda", status="skipped", reason="built without CUDA", samples=0)
        csv_file = write(self.folder / "made.csv", [row("cpu_scalar", 1e-3), skipped, row("cpu_auto", 1e-5, slowdown_pct=12.5)])
        done = self.call_plot("--only=^ladder", csv_file, "out", **self.fake(*SVG_ONLY))
        self.assertIn("left out, slowed on purpose (--slowdown): 1 row\n", done.stderr)
        svg = Svg(self.folder / "out/ladder-matmul-w.svg")
        self.assertIn("Skipped: cublas", svg.said())
        self.assertNotIn("cpu_auto", svg.said())

    def test_ties_are_ringed(self):
        rows = [row("cuda_tiled", 1.00e-5, backend="cuda", time_ci_low_s=0.99e-5, time_ci_high_s=1.01e-5),
                row("cuda_vector", 1.005e-5, backend="cuda", time_ci_low_s=0.995e-5, time_ci_high_s=1.015e-5),
                row("cublas", 2e-5, backend="cuda", time_ci_low_s=1.9e-5, time_ci_high_s=2.1e-5)]
        svg = self.made(*rows, only="^ladder")["ladder-matmul-w"]
        rings = {round(m[2]) for m in marks(svg, {5}) if m[3] != CUDA}
        self.assertEqual(rings, {round(svg.row_of("cuda_tiled")), round(svg.row_of("cuda_vector"))})

    def test_rings_say_at_which_accuracy_who_rounds_more_has_none(self):
        rows = [row("cuda_tiled", 2e-5, backend="cuda"), row("cuda_tf32", 1e-5, backend="cuda", precision="tf32")]
        for some in (rows, rows[:1]):
            for stem, svg in self.made(*some, only="^(ladder|roofline)").items():
                self.assertEqual("FP32's accuracy" in svg.said(), len(some) > 1 and stem.startswith("ladder"), stem)
                self.assertEqual(len([m for m in marks(svg, {5}) if m[3] == (26, 26, 26)]), 1, stem)
        svg = self.made(*rows, only="^ladder")["ladder-matmul-w"]
        self.assertEqual([round(m[2]) for m in marks(svg, {5}) if m[3] == (26, 26, 26)], [round(svg.row_of("cuda_tiled"))])

    def test_what_pinned_memory_gains_is_said_where_spreads_are_apart(self):
        for factor, spread, slower, faster in ((0.5, 0.01, True, False), (3, 0.01, False, True), (0.99, 0.01, False, False), (3, 0.9, False, False)):
            rows = [row("cuda_a", s, mode, backend="cuda", upload_s=s / 2, kernel_s=s / 4, download_s=s / 4, time_q1_s=s * (1 - spread),
                        time_q3_s=s * (1 + spread))
                    for mode, s in (("e2e", 1e-3), ("e2e_pageable", factor * 1e-3))]
            said = self.made(*rows, only="^transfers")["transfers"].said()
            self.assertEqual(("Pinned memory is no gain" in said, "Without pinned memory" in said), (slower, faster), (factor, spread))

    def test_how_sure_a_ratio_is_stands_beside_it(self):
        for spread, said in ((0.1, "The ratio in the title is 1.64 to 2.44 as both"), (None, "How far the ratio in the title may be off is unknown")):
            rows = [row("cuda_a", 1e-5, backend="cuda", time_q1_s=0.9e-5, time_q3_s=1.1e-5),
                    row("cublas", 2e-5, backend="cuda", **({} if spread is None else {"time_q1_s": 1.8e-5, "time_q3_s": 2.2e-5}), spread=spread)]
            self.assertIn(said, self.made(*rows, only="^ladder")["ladder-matmul-w"].said())
        rows = [row(name, seconds, workload=f"w{i}", backend=backend, time_q1_s=0.8 * seconds, time_q3_s=1.2 * seconds) for i, gain in enumerate((1.1, 4, 0.2))
                for name, seconds, backend in (("cpu_auto", 1e-5, "cpu"), ("cuda_a", 1e-5 / gain, "cuda"))]
        self.assertIn("Of 3 ratios 1 may be either side of 1×", self.made(*rows, only="^overview")["overview"].said())
        self.assertNotIn("either side", self.made(*rows[2:], only="^overview")["overview"].said())

    def test_samples_in_their_order_and_those_of_another_run_refused(self):
        rows = [row("cpu_scalar", 1.05e-3, samples=1000), row("cpu_auto", 2e-4, samples=3)]
        csv_file = write(self.folder / "drift.csv", rows)
        taken = [(rows[0]["name"], 0, i, 1e-3 * (1 + i / 10000), 1) for i in range(1000)]
        taken += [(rows[1]["name"], 0, i, seconds, 1) for i, seconds in enumerate((2e-4, 2e-4, 3e-4))]
        lines = ["name,round,index,seconds,iterations", *(",".join(map(str, line)) for line in taken)]
        beside = self.folder / "drift-samples.csv"
        beside.write_text("\n".join(lines) + "\n")
        svg = self.draw(csv_file, only="^samples")["samples-matmul-w-hot"]
        self.assertEqual(svg.title, "cpu_auto varies most: the slowest of 3 samples lies 50 % above its median")
        for said in ("1.05 ms, −4.8 % to +4.8 %", "200 µs, +0 % to +50 %"):
            self.assertIn(said, [t[5] for t in svg.texts])
        self.assertEqual(len(marks(svg, {6}, left=0)), 503)
        beside.write_text("\n".join([lines[0], *lines[3:]]) + "\n")
        done = self.call_plot("--only=samples", csv_file, "out2")
        self.assertEqual(done.returncode, 77)
        self.assertIn("samples-matmul-w-hot (the samples are of another run)", done.stderr)
        for value in ("1.2.3", ""):
            beside.write_text("\n".join([*lines[:3], f"{rows[0]['name']},0,2,{value},1"]) + "\n")
            done = self.call_plot("--only=samples", csv_file, "out2")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
            self.assertIn("drift-samples.csv: line 4: seconds is", done.stderr)

    def test_a_comparison_without_spread_says_so(self):
        a = write(self.folder / "a.csv", [row("cpu_scalar", 1e-3, spread=None)])
        b = write(self.folder / "b.csv", [row("cpu_scalar", 2e-3, input="mnist", device="another", threads=4, sm_clock_mhz=1200)])
        svg = compare(self, a, b)
        self.assertIn("Hollow: ", svg.said())
        self.assertEqual(svg.title, "B is 0.500 times as fast as A with cpu_scalar, of unknown spread")
        self.assertIn("0.500×", [t[5] for t in svg.texts])
        for what in ("input (unknown; mnist)", "device (a cpu; another)", "threads (unknown; 4)", "clock in MHz (unknown; 1200)"):
            self.assertIn(what, svg.said())

    def test_odd_files(self):
        long = "cuda_" + "x" * 55
        many = [row(f"{long[:52]}{i:03}", 1e-5 * (1 + i / 50), backend="cuda") for i in range(60)]
        for rows in (many, [row("cpu_scalar", 10.0 ** -i, workload=f"w{i}") for i in range(9)], [row("cpu_scalar", 1e-3)],
                     [row("cpu_scalar", 10.0 ** (-i), op="grayscale", shape=f"{10 ** i}x7", workload=f"g{i}", flops="") for i in range(5)]):
            self.assertTrue(self.made(*rows, only="ladder|hot|sweep"))

    @unittest.skipUnless(os.environ.get("RUNGBENCH_TEST_ALL"), "scripts/test.sh --all draws it")
    def test_a_chart_taller_than_cairo_draws(self):
        self.assertTrue(self.made(*(row(f"cuda_{i:03}", 1e-5, backend="cuda") for i in range(700)), only="^ladder", png=True))


class Rules(unittest.TestCase):
    def test_contrast(self):
        def light(color):
            parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            return sum(k * (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4) for k, p in zip((0.2126, 0.7152, 0.0722), parts))

        def contrast(a, b):
            high, low = sorted((light(a), light(b)), reverse=True)
            return (high + 0.05) / (low + 0.05)
        for colors in (gnuplot.LIGHT, gnuplot.DARK):
            for kind, color in colors.items():
                if kind not in ("back", "grid", "rest", "on"):
                    self.assertGreaterEqual(contrast(color, colors["back"]), 4.5 if kind in ("ink", "faint", "alarm") else 3, kind)
            for letters, bar in (("on", "upload"), ("on", "kernel"), ("ink", "download")):
                self.assertGreaterEqual(contrast(colors[letters], colors[bar]), 4.5, bar)

    def test_numbers(self):
        for said, expected in ((text.factor(1), "1×"), (text.factor(0.0521), "0.052×"), (text.factor(9.996), "10.0×"),
                               (text.factor(1234.5), "1,234×"), (text.duration(0.0009996), "1.00 ms"), (text.duration(3.2e-9), "3.20 ns"),
                               (text.rate(0.5), "0.50"), (text.per_cent(9.96), "10 %"), (text.count(1, "row"), "1 row"),
                               (text.listed("abcd", 2), "a, b and 2 more")):
            self.assertEqual(said, expected)

    def test_texts_fit(self):
        for words in ("a b c " * 40, "x" * 300, "日本語" * 60, ""):
            lines = text.wrap(words, 200, 12, lines=3)
            self.assertLessEqual(len(lines), 3)
            self.assertLessEqual(max(map(lambda line: text.pixels(line, 12), lines), default=0), 200)
        self.assertEqual(text.squeeze("cuda_first_last", 1000, 13), "cuda_first_last")
        squeezed = text.squeeze("cuda_" + "x" * 60 + "_last", 150, 13, mono=True)
        self.assertTrue(squeezed.startswith("cuda") and squeezed.endswith("last"))

    def test_what_a_script_quotes_stays_text(self):
        self.assertEqual(gnuplot.quoted("it's `x`"), "'it''s `x`'")
        self.assertEqual(text.clean("a\nb\x1b\ud800"), "a b  ")

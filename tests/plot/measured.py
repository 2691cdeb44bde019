"""What the charts of committed results show, held against the cells of the files. Axes are read off their own labels."""
import filecmp
import os

from plotting import CPU, CUDA, FILLED, HOLLOW, INK, KINDS, MEASURED, VERMILION, PlotCase, compare, marks, rgb, row, rows_of, write

import text


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

    def test_a_chart_is_the_same_whatever_was_drawn_before(self):
        file, png = MEASURED / "sweep.csv", "RUNGBENCH_TEST_ALL" in os.environ
        some = {stem.split("-")[0]: stem for stem in self.draw(file, png=png)}.values()  # of each kind one
        self.draw(file, only=f"^({'|'.join(some)})$", out="some", png=png)
        names = [path.name for path in (self.folder / "some").iterdir()]
        self.assertEqual(filecmp.cmpfiles(self.folder / "out", self.folder / "some", names, shallow=False), (names, [], []))

    def test_the_ladder_shows_shares_of_each_rung_s_own_device(self):
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

    def test_the_ladder_has_groups_and_a_row_without_a_ceiling_says_so(self):
        rows = [row("cuda_tiled", 4e-5, backend="cuda", arithmetic="fma"), row("cuda_fp16x3", 2e-5, backend="cuda", arithmetic="fp16x3"),
                row("cuda_mine", 1e-4, backend="cuda", arithmetic="unknown"), row("cpu_auto", 3e-5, arithmetic="fma", floor_s=""),
                row("openblas", 4e-5, arithmetic="fma", floor_s=""), row("cublas", 2e-5, backend="cuda", arithmetic="fma")]
        svg = self.draw(write(self.folder / "groups.csv", rows), only="^ladder")["ladder-matmul-w"]
        order = ("CPU", "cpu_auto", "GPU", "cuda_mine", "GPU, CUDA cores", "cuda_tiled", "GPU, tensor cores", "cuda_fp16x3", "Libraries",
                 "openblas", "cublas")
        self.assertEqual(sorted(order, key=svg.row_of), list(order))
        self.assertIn("30.0 µs, no ceiling", svg.said())
        self.assertEqual(len([m for m in marks(svg, FILLED) if m[3] == CUDA]), 4)

    def test_roofline_dots_lie_under_the_roof(self):
        file, rows = self.plain()
        rows = [r for r in rows if r["flops"] and r["backend"] == "cuda" and r["mode"] == "hot"]
        svg = self.draw(file, only="^roofline-cuda-hot$")["roofline-cuda-hot"]
        x, y = svg.axis(), svg.axis("end")
        points = [(x(float(r["flops"]) / float(r["bytes"])), y(float(r["flops"]) / float(r["time_median_s"]) / 1e9)) for r in rows]
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
        rows = [row("gpus_ring", size / cards / 1e9, "hot", "told", f"w{size}-{cards}", f"{cards}x{size}", "gpus", cards=8, message_bytes=size,
                    passed_bytes=size, bus_gbs=cards, alg_gbs=cards) for cards in (2, 4) for size in (1000, 1000000)]
        said = self.draw(write(self.folder / "lines.csv", rows), only="^scaling-told$")["scaling-told"].said()
        self.assertTrue("gpus_ring, 2 GPUs" in said and "gpus_ring, 4 GPUs" in said, said)  # a line each

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

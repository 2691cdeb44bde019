"""What the charts of made-up results show, and the rules for all of them."""
import math
import os
import re
import unittest

from plotting import (CPU, CROSS, CUDA, FILLED, HOLLOW, INK, KINDS, SVG_ONLY, VERMILION, PlotCase, Svg, compare, failed, marks, rgb, row,
                      write)

import gnuplot
import text


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

    def test_what_is_left_out_is_said(self):
        rows = [row("cpu_scalar", 1e-3), row("cuda_tiled", 1e-5, backend="cuda"), row("cpu_auto", 1e-5, slowdown_pct=12.5),
                row("cublas", "", backend="cuda", status="skipped", reason="built without CUDA", samples=0),
                row("cuda_skinny_tensor", 1e-7, backend="cuda", runs_as="cuda_tiled")]
        done = self.call_plot("--only=^(ladder|speedup)", write(self.folder / "made.csv", rows), "out", **SVG_ONLY)
        self.assertIn("left out, slowed on purpose (--slowdown): 1 row\n", done.stderr)
        for stem in "ladder-matmul-w", "speedup-matmul-w-hot":
            svg = Svg(self.folder / f"out/{stem}.svg")
            self.assertNotIn("cuda_skinny_tensor", [svg.title, *(t[5] for t in svg.texts)], stem)
            self.assertIn("another rung's kernel for this shape: cuda_skinny_tensor (cuda_tiled)", svg.said())
            self.assertNotIn("cpu_auto", svg.said())
        self.assertIn("Skipped: cublas", Svg(self.folder / "out/ladder-matmul-w.svg").said())

    def test_a_ratio_to_a_library_that_has_no_row_is_in_no_panel(self):
        rows = [row("cpu_scalar", 1e-3), row("openblas", 1e-4), row("kernel_mine", 1e-5, backend="cuda", library_s=2e-5)]
        said = self.made(*rows, only=None)["speedup-matmul-w-hot"].said()
        self.assertIn("over openblas", said)
        self.assertNotIn("2.00×", said.partition("the library, hot")[2])

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
        done = self.call_plot("--only=^accuracy", write(self.folder / "one.csv", rows[:1]), "one", **SVG_ONLY)
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

    def test_ties_are_ringed_and_in_the_title(self):
        rows = [row(name, seconds, "cold", backend="cuda") for name, seconds in (("cuda_tiled", 1e-5), ("cuda_vector", 1.005e-5), ("cublas", 4e-5))]
        svg = self.made(*rows, only="^ladder")["ladder-matmul-w"]
        self.assertEqual(svg.title, "cuda_tiled is 4.00 times as fast as cublas, and cuda_vector cannot be told from it, at 50 % of the memory's speed")
        self.assertIn("matmul/w, 64x64x64, FP32", svg.said())
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
        self.assertEqual(gnuplot.quoted("it's `x`\n!y"), "'it''s `x` !y'")
        self.assertEqual(text.clean("a\nb\x1b\ud800"), "a b  ")

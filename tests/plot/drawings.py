"""What scripts/plot.sh draws of other files: of a gate's verdicts, made up beside this one, of the errors that are in
docs/precision.md, and of made-up epochs of training."""
import os

from plotting import DATA, ROOT, PlotCase, Svg, rows_of, write

VERDICTS = DATA / "verdicts.csv"
ERRORS = ROOT / "results/two-cores/simulated.csv"
COLORS = {"slower": (213, 94, 0), "suspected": (184, 80, 140), "inconclusive": (176, 120, 0), "faster": (0, 135, 95),
          "cleared": (0, 114, 178)}


def signed(text):
    return float(text.replace("−", "-").replace(" %", "").replace(",", ""))


class Verdicts(PlotCase):
    def ratios(self, rows, png=False):
        name = write(self.folder / "made.csv", rows)
        self.draw(name, only=None, png=png)
        return Svg(self.folder / "out/made-ratios.svg")

    def changed(self, i, **cells):
        rows = rows_of(VERDICTS)
        rows[i] |= cells
        return rows

    def test_beside_the_file_and_named_after_it(self):
        folder = self.folder / "a b"
        folder.mkdir()
        name = os.fsdecode(b"''it's $x & \xff.csv")
        header, rest = VERDICTS.read_text().split("\n", 1)
        (folder / name).write_text('"' + header.replace(",", '","') + '"\n' + rest)  # as a spreadsheet writes it
        done = self.run_plot(f"a b/{name}")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", "Charts: 1 in a b (SVG and PNG)\n"))
        self.assertEqual({path.name for path in folder.iterdir()},
                         {name} | {name.removesuffix(".csv") + end for end in ("-ratios.svg", "-ratios-dark.svg", "-ratios.png")})

    def test_what_it_says(self):
        svg = self.ratios(rows_of(VERDICTS), png=True)
        self.assertEqual(svg.title, "1 row of 8 slower: grayscale/puppy/cuda_2d/cold by +50.2 %")
        for said in ("1 row slower", "2 rows inconclusive", "3 rows cleared", "Threshold 1 %", "Threshold 5 %", "−1.60 %",
                     "cleared: slower by less than 10 %", "geometric means of 2 to 12 rounds", "Hollow: interval unknown, of too few rounds",
                     'Not drawn: 1 failed (matmul/mnist/mine/cold: wrong "answer", C[3,4] is nan <1> and more & ]]>)',
                     "1 not gated (grayscale/thumb/cuda_1d/hot: launch-bound: the host was too slow)"):
            self.assertIn(said, svg.said())
        rows = sorted((r for r in rows_of(VERDICTS) if r["ratio"]), key=lambda r: (float(r["threshold"]), -float(r["ratio"])))
        self.assertEqual([r["name"] for r in rows], [t[5] for t in sorted(svg.texts, key=lambda t: t[1]) if t[5].count("/") == 3 and " " not in t[5]])

    def test_where_points_and_intervals_stand(self):
        svg = self.ratios(rows_of(VERDICTS))
        ticks = {}
        for x, y, anchor, _, _, said in svg.texts:
            if anchor == "middle" and said.lstrip("+−")[:1].isdigit():
                ticks.setdefault(y, {})[signed(said)] = x
        self.assertEqual(len(ticks), 2)
        for row in (r for r in rows_of(VERDICTS) if r["ratio"]):
            high = svg.row_of(row["name"])
            scale = ticks[min(y for y in ticks if y > high)]
            (left, a), (right, b) = min(scale.items()), max(scale.items())

            def x_of(ratio):
                return a + (100 * (float(ratio) - 1) - left) * (b - a) / (right - left)
            color = COLORS[row["verdict"]]
            points = [m for m in svg.marks if m[0] == (6 if row["ratio_low"] else 5) and 0 < m[2] - high < 20 and m[1] > 30]
            lines = [s for s in svg.strokes("rgb({:3d}, {:3d}, {:3d})".format(*color)) if 0 < s[1] - high < 20 and s[1] == s[3]]
            if row["verdict"] == "slower":  # far out: an arrow, and nothing that takes the room of the others
                self.assertTrue(not points and lines)
                continue
            self.assertEqual([m[3] for m in points], [color])
            self.assertAlmostEqual(points[0][1], x_of(row["ratio"]), delta=1)
            reach = max((s[2] - s[0] for s in lines), default=0)
            if not row["ratio_low"]:
                self.assertEqual(lines, [])
            elif row["name"] == "grayscale/puppy/cuda_vector/cold":  # from 29 % down to 41 % up, in a panel of some per cent
                self.assertGreater(reach, 300)
            else:
                self.assert_near([(x_of(row["ratio_low"]), x_of(row["ratio_high"]))], [(s[0], s[2]) for s in lines], 1)

    def test_what_was_slowed_on_purpose_is_no_news(self):
        slowed = [row | {"slowed": "yes"} for row in rows_of(VERDICTS)]
        self.assertEqual(self.ratios(slowed).title, "1 of 8 rows slowed on purpose found slower")
        mixed = [row | {"slowed": "yes" if i == 0 else ""} for i, row in enumerate(rows_of(VERDICTS))]
        self.assertRegex(self.ratios(mixed).title, "1 row slowed on purpose found slower; 1 row of 7 ")
        self.assertNotIn("on purpose", self.ratios(rows_of(VERDICTS)).said())

    def test_the_threshold_is_dashed_and_what_crosses_no_name(self):
        svg = self.ratios(rows_of(VERDICTS))
        dashed = list(svg.strokes(dashes="1.8,1.2"))
        self.assertEqual(len(dashed), 8)
        names = [svg.row_of(row["name"]) for row in rows_of(VERDICTS) if row["ratio"]]
        self.assertFalse([name for name in names for _, y, _, end in dashed if min(y, end) - 4 < name < max(y, end) + 4])

    def test_any_number_of_rows(self):
        rows = rows_of(VERDICTS)
        still = rows[0] | {"ratio": "1", "ratio_low": "1", "ratio_high": "1"}
        for some in (rows[1:2], rows[4:5], [still], [rows[0] | {"name": f"a/b/c{i}/d"} for i in range(60)]):
            self.ratios(some)
        self.assertIn("0.00 %", self.ratios([still]).said())

    def test_what_it_refuses(self):
        self.refuse_rows([r for r in rows_of(VERDICTS) if not r["ratio"]], "no row was timed on both sides: 1 failed", status=77)
        self.refuse_rows([{k: v for k, v in r.items() if k != "threshold"} for r in rows_of(VERDICTS)], "no column 'threshold'")
        self.refuse_rows(self.changed(0, verdict="fine"), "line 2: verdict is 'fine'")
        self.refuse_rows(self.changed(0, threshold=""), "line 2: a ratio without threshold and clear")
        for value in ("abc", "-1", "0", "nan", "inf", "1.2.3", "1e400"):
            self.refuse_rows(self.changed(0, ratio=value), f"line 2: ratio is '{value}'; expected a number above 0")
        (self.folder / "short.csv").write_bytes(VERDICTS.read_bytes()[:700])
        self.assert_refused(self.call_plot("short.csv", "out"), 2, "is the file whole?")
        (self.folder / "short.csv").write_bytes(VERDICTS.read_bytes().splitlines(True)[0])
        self.assert_refused(self.call_plot("short.csv", "out"), 2, "no row")


class Errors(PlotCase):
    def test_a_panel_per_input_with_the_errors_of_each_rung(self):
        write(self.folder / "made.csv", rows_of(ERRORS))
        svg = self.draw("made.csv", only=None)["made-precision"]
        for row in rows_of(ERRORS):
            self.assertIn(row["input"], svg.said())
            self.assertIn(f"{row['rung'].removeprefix('sim_')} {float(row['rms']):.3g}", svg.said())
        self.assertIn("on the simulator", svg.said())

    def test_a_gpus_rungs_have_lines_of_their_own(self):
        simulated = rows_of(ERRORS)
        names = {"tiled": ["cublas", "cuda_tiled"]} | {"tf32": ["cuda_tf32"], "fp16x3": ["cuda_fp16x3", "cuda_fp16x3_wgmma"]}
        rows = [row | {"rung": name} for row in simulated
                for name in names.get(row["rung"].removeprefix("sim_"), ["cuda_tf32x3"])]
        write(self.folder / "card.csv", rows)
        said = self.draw("card.csv", only=None)["card-precision"].said()
        for name in ("cublas", "tiled", "tf32", "tf32x3", "fp16x3", "fp16x3_wgmma"):
            self.assertIn(f"{name}: ", said)
            self.assertRegex(said, rf"RMS .*\b{name} [0-9]")
        self.assertIn("on a GPU", said)

    def test_what_is_no_such_file_is_refused(self):
        rows = rows_of(ERRORS)
        self.refuse_rows([{**rows[0], "below_2^-3": "1.5"}, *rows[1:]], "below_2^-3 is '1.5'; expected a share from 0 to 1")
        for value in ("nan", ""):
            self.refuse_rows([{**rows[0], "rms": value}, *rows[1:]], f"rms is '{value}'")
        self.refuse_rows([{**rows[0], "rung": "other"}, *rows[1:]], "rung is 'other'")
        self.refuse_rows(rows[1:], "expected rows of the same rungs for each input")
        self.refuse_rows([row for row in rows if row["rung"] != "sim_tiled"], "expected rows of tiled, tf32x3 and fp16x3")


def epochs(variant, *seconds, accuracy=0.9):
    return [{"variant": variant, "epoch": i, "seconds": s, "loss": 0.5, "accuracy": accuracy} for i, s in enumerate((0, *seconds))]


class Training(PlotCase):
    def test_first_epochs_stand_apart_and_the_others_decide(self):
        write(self.folder / "training.csv", epochs("cpu_scalar", 8, 8, 8) + epochs("cuda_fused", 0.3, 0.1, 0.2, accuracy=0.95))
        svg = self.draw("training.csv", only=None, png=True)["training-training"]
        self.assertEqual(svg.title, "After its first epoch cuda_fused trains 53.3 times (40.0 to 80.0) as fast as cpu_scalar, the next by its mean")
        self.assertIn("150 ms  1×  95 %", svg.said())
        self.assertIn("8.00 s  53.3×  90 %", svg.said())

        def places(point):
            return [round(x) for kind, x, _, _ in svg.marks if kind == point and x > 30]  # not in the legend
        first, others = places(11), places(6)
        self.assertEqual(first[0], others[0])  # the same time, at the same place
        self.assertGreater(first[1], others[1])

    def test_epochs_that_overlap_name_no_fastest_and_a_single_one_has_no_range(self):
        next_ = epochs("cublas", 9, 3, 4)
        for others, said in ((next_ + epochs("wide", 9, 1.9, 9), "cannot be told from wide$"), (next_, r"1\.75 times \(1\.50 to 2\.00\) as fast as cublas"),
                             ([], "trains$")):
            write(self.folder / "training.csv", epochs("cuda_fused", 9, 2, 2) + others)
            self.assertRegex(self.draw("training.csv", only=None)["training-training"].title, said)
        write(self.folder / "training.csv", epochs("cuda_fused", 9, 2) + epochs("cublas", 9, 3.5))
        svg = self.draw("training.csv", only=None)["training-training"]
        self.assertRegex(svg.title, r"~1\.8 times \(range unknown\) as fast as cublas")
        self.assertIn("~1.8×", svg.said())
        self.assertFalse([mark for mark in svg.marks if mark[0] == 6 and mark[1] > 30])  # all are hollow

    def test_what_is_no_training_is_refused(self):
        rows = epochs("cpu_tuned", 2, 1)
        self.refuse_rows(rows[:2], "expected equally many of each, and two at least")
        self.refuse_rows(rows + epochs("openblas", 2, 1, 1), "rungs with 2, 3 epochs")
        self.refuse_rows([*rows[:2], {**rows[2], "seconds": "fast"}], "line 4: seconds is 'fast'")
        self.refuse_rows([*rows[:2], {**rows[2], "accuracy": ""}], "line 4: accuracy is ''; expected a number above 0")

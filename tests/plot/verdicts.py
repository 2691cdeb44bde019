"""What scripts/plot.sh draws of the verdicts of a gate, on the made-up file beside this one."""
import os
import unittest

from plotting import DATA, PlotCase, Svg, rows_of, write

VERDICTS = DATA / "verdicts.csv"
COLORS = {"slower": (213, 94, 0), "suspected": (184, 80, 140), "inconclusive": (176, 120, 0), "faster": (0, 135, 95),
          "cleared": (0, 114, 178)}


def signed(text):
    return float(text.replace("−", "-").replace(" %", "").replace(",", ""))


class Verdicts(PlotCase):
    def ratios(self, rows, name="made.csv"):
        write(self.folder / name, rows)
        self.draw(name, only=None)
        return Svg(self.folder / "out/made-ratios.svg")

    def changed(self, i, **cells):
        rows = rows_of(VERDICTS)
        rows[i] |= cells
        return rows

    def test_beside_the_file_and_named_after_it(self):
        folder = self.folder / "a b"
        folder.mkdir()
        name = os.fsdecode(b"''it's $x & \xff.csv")
        (folder / name).write_bytes(VERDICTS.read_bytes())
        done = self.run_plot(f"a b/{name}")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", "Charts: 1 in a b (SVG and PNG)\n"))
        self.assertEqual({path.name for path in folder.iterdir()},
                         {name} | {name.removesuffix(".csv") + end for end in ("-ratios.svg", "-ratios-dark.svg", "-ratios.png")})

    def test_what_it_says(self):
        svg = self.ratios(rows_of(VERDICTS))
        self.assertEqual(svg.title, "1 row of 8 slower: grayscale/puppy/cuda_2d/cold by +50.2 %")
        for said in ("1 row slower", "2 rows inconclusive", "3 rows cleared", "Threshold 1 %", "Threshold 5 %", "−1.60 %",
                     "cleared: slower by less than 10 %", "geometric means of 2 to 12 rounds", "Without a line: too few rounds",
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
            points = [m for m in svg.marks if m[0] == 6 and abs(m[2] - high) < 2]
            lines = [s for s in svg.strokes("rgb({:3d}, {:3d}, {:3d})".format(*color)) if abs(s[1] - high) < 2 and s[1] == s[3]]
            if row["verdict"] == "slower":  # far out: an arrow, and nothing that takes the room of the others
                self.assertTrue(not points and lines)
                continue
            self.assertEqual([m[3] for m in points], [color])
            self.assertAlmostEqual(points[0][1], x_of(row["ratio"]), delta=1)
            reach = max((s[2] - s[0] for s in lines), default=0)
            if not row["ratio_low"]:
                self.assertEqual(lines, [])
            elif row["name"] == "grayscale/puppy/cuda_vector/cold":  # from 29 % down to 41 % up, in a panel of some per cent
                self.assertGreater(reach, 400)
            else:
                self.assert_near([(x_of(row["ratio_low"]), x_of(row["ratio_high"]))], [(s[0], s[2]) for s in lines], 1)

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
        self.assert_refused(self.run_plot("short.csv", "out"), 2, "is the file whole?")
        (self.folder / "short.csv").write_bytes(VERDICTS.read_bytes().splitlines(True)[0])
        self.assert_refused(self.run_plot("short.csv", "out"), 2, "no row")


if __name__ == "__main__":
    unittest.main()

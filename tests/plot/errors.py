"""What scripts/plot.sh draws of how errors are spread, on the file that is in docs/precision.md."""
import unittest

from plotting import ROOT, PlotCase, rows_of, write

ERRORS = ROOT / "results/precision/errors.csv"


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
        names = {"tiled": ["cublas", "cuda_tiled"]} | {name: [f"cuda_{name}", f"cuda_{name}_wgmma"] for name in ("tf32", "fp16x3")}
        rows = [row | {"rung": name} for row in simulated
                for name in names.get(row["rung"].removeprefix("sim_"), ["cuda_tf32x3"])]
        write(self.folder / "card.csv", rows)
        said = self.draw("card.csv", only=None)["card-precision"].said()
        for name in ("cublas", "tiled", "tf32", "tf32_wgmma", "tf32x3", "fp16x3", "fp16x3_wgmma"):
            self.assertIn(f"{name}: ", said)
            self.assertRegex(said, rf"RMS .*\b{name} [0-9]")
        self.assertIn("on a GPU", said)

    def test_the_committed_picture_is_of_the_committed_file(self):
        self.draw(ERRORS, only=None)
        for suffix in (".svg", "-dark.svg"):
            name = f"errors-precision{suffix}"
            self.assertEqual((self.folder / "out" / name).read_text(), (ERRORS.parent / name).read_text(), "scripts/plot.sh draws it anew")

    def test_what_is_no_such_file_is_refused(self):
        rows = rows_of(ERRORS)
        self.refuse_rows([{**rows[0], "below_2^-3": "1.5"}, *rows[1:]], "below_2^-3 is '1.5'; expected a share from 0 to 1")
        self.refuse_rows([{**rows[0], "rms": "nan"}, *rows[1:]], "rms is 'nan'")
        self.refuse_rows([{**rows[0], "rung": "other"}, *rows[1:]], "rung is 'other'")
        self.refuse_rows(rows[1:], "expected rows of the same rungs for each input")
        self.refuse_rows([row for row in rows if row["rung"] != "sim_tiled"], "expected rows of tiled, tf32x3 and fp16x3")


if __name__ == "__main__":
    unittest.main()

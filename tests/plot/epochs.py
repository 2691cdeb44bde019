"""What scripts/plot.sh draws of how long training takes, on made-up epochs."""
import unittest

from plotting import PlotCase, write


def epochs(variant, *seconds, accuracy=0.9):
    return [{"variant": variant, "epoch": i, "seconds": s, "loss": 0.5, "accuracy": accuracy} for i, s in enumerate((0, *seconds))]


class Training(PlotCase):
    def test_first_epochs_and_copies_are_in_the_answer(self):
        write(self.folder / "training.csv", epochs("cpu_scalar", 8, 8, 8) + epochs("cuda_fused", 0.3, 0.1, 0.2, accuracy=0.95))
        svg = self.draw("training.csv", only=None)["training-training"]
        self.assertEqual(svg.title, "cuda_fused trains 40.0 times as fast as cpu_scalar, copies and the first step included")
        self.assertIn("600 ms  40.0×  95 %", svg.said())
        self.assertIn("24.0 s  1×  90 %", svg.said())

        def places(point):
            return [round(x) for kind, x, _, _ in svg.marks if kind == point and x > 100]  # not in the legend
        first, others = places(4), places(6)
        self.assertEqual(first[0], others[0])  # the same time, at the same place
        self.assertGreater(first[1], others[1])

    def test_what_is_no_training_is_refused(self):
        rows = epochs("cpu_tuned", 2, 1)
        self.refuse_rows(rows[:2], "expected equally many of each, and two at least")
        self.refuse_rows(rows + epochs("openblas", 2, 1, 1), "rungs with 2, 3 epochs")
        self.refuse_rows([*rows[:2], {**rows[2], "seconds": "fast"}], "line 4: seconds is 'fast'")
        self.refuse_rows([*rows[:2], {**rows[2], "accuracy": ""}], "line 4: an epoch without seconds or accuracy")


if __name__ == "__main__":
    unittest.main()

"""What is said of a row, in what order commits stand, and what moves with what."""
import math
import random
import unittest

import records
import report
from chart import charts_of
from rows import History

LOG = [(f"{i:012x}{0:028x}", f"change {i}") for i in range(1, 61)]


def record(commit, name, seconds, control="", **more):
    at = f"2026-01-01T{commit // 60:02}:{commit % 60:02}:00Z"
    about = dict.fromkeys(records.ABOUT, "") | {"commit": f"{commit:012x}{0:028x}", "commit_time": at, "run": str(commit), "timestamp": at,
                                                "host": "h", "device": "card", "device_uuid": "GPU-1", "rounds": "3"}
    return about | {"rows": {name: seconds}, "controls": {name: control} if control else {}} | more


def history_of(runs, log=LOG):
    return History({str(number): run for number, run in enumerate(runs)}, log)


def series(name, levels, control="", **more):
    """[(how many, level)], a commit each from the first on."""
    rng = random.Random(name)
    times = [level * math.exp(rng.gauss(0, 0.005)) for count, level in levels for _ in range(count)]
    return [record(i, name, time, control, **more) for i, time in enumerate(times, 1)]


class States(unittest.TestCase):
    def test_four_states(self):
        history = history_of(series("a/w/slow/hot", [(20, 1), (20, 1.1)]) + series("a/w/fast/hot", [(20, 1), (20, 0.9)])
                          + series("a/w/same/hot", [(40, 1)]) + series("a/w/new/hot", [(5, 1)]))
        self.assertEqual([row.state for row in history.rows.values()], ["slower", "faster", "stable", "too few"])
        slow = history.rows["a/w/slow/hot"]
        self.assertEqual((slow.latest.place, history.label(20)), (20, f"{21:012x}"))
        text = "\n".join(report.table(history))
        self.assertRegex(text, r"a/w/slow/hot +slower +\+(9|10)\.\d % +0.001 +000000000015 \(change 21\) +there are none")

    def test_controls_that_move_name_the_machine(self):
        rows = series("a/w/mine/hot", [(20, 1), (20, 1.1)])
        steady = series("a/w/cublas/hot", [(40, 1)], "library")
        for name, levels, moves in (("together", [(20, 1), (20, 1.05)], True), ("later", [(26, 1), (14, 1.05)], False),
                                    ("the other way", [(20, 1), (20, 0.9)], False)):
            history = history_of(rows + steady + series("ceiling/fma", levels, "ceiling"))
            row = history.rows["a/w/mine/hot"]
            self.assertEqual([control.name for control in history.moved_with(row.latest)], ["ceiling/fma"] if moves else [], name)
            text = next(line for line in report.table(history) if "mine" in line)
            self.assertIn("1 of 2 moved: the machine changed" if moves else "0 of 2 moved", text, name)
            chart, = charts_of(history)
            self.assertEqual("machine changed" in chart.description(), moves, name)

    def test_the_machine_does_not_hide_what_the_code_did(self):
        history = history_of(series("a/w/mine/hot", [(20, 1), (20, 0.8), (20, 0.9)])
                          + series("a/w/cublas/hot", [(40, 1), (20, 1.1)], "library"))
        row = history.rows["a/w/mine/hot"]
        self.assertEqual(([change.place for change in row.changes], row.state), ([20, 40], "faster"))

    def test_a_hostile_subject_is_text(self):
        subject = "a'b\"$(touch x)]]><i>`touch y`@{\x1b[31m\t日本"
        history = history_of(series("a/w/mine/hot", [(20, 1), (20, 1.1)]), [(commit, subject) for commit, _ in LOG])
        self.assertNotRegex("".join(report.table(history)), "[\x00-\x1f]")

    def test_versions_are_marked(self):
        found = series("a/w/mine/hot", [(30, 1)], driver_version="1")
        for line in found[12:]:
            line["driver_version"] = "2"
        found[5]["driver_version"] = ""  # unknown is no change
        history = history_of(found)
        self.assertEqual(history.versions, [(12, "driver_version: 1", "2")])
        self.assertIn("driver_version: 1 -> 2", "\n".join(report.table(history)))
        self.assertIn("driver_version: 1 -> 2", charts_of(history).__next__().script())

    def test_order_is_the_repository_s_then_that_of_time(self):
        times = {2: "09", 1: "12", 99: "13", 3: "14", 98: "08", 4: "13"}
        found = [record(c, "a/w/r/hot", 1.0, commit_time=f"2026-01-01T{t}:00:00Z") for c, t in times.items()]
        found.append(found[3] | {"commit": f"{3:012x}{0:028x}-dirty"})
        found[1]["commit"] = found[1]["commit"][:13]  # as it was added where the repository was not
        history = history_of(found)
        self.assertEqual([c[:12].lstrip("0") + c[40:] for c in history.commits], ["62", "1", "2", "63", "3", "3-dirty", "4"])

    def test_a_commit_is_the_median_of_its_runs(self):
        history = history_of([record(1, "a/w/r/hot", seconds) for seconds in (1.0, 9.0, 2.0)])
        self.assertEqual(history.rows["a/w/r/hot"].points, [(0, 2.0)])

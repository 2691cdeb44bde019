"""The gate's error rates, from made-up rounds."""
import contextlib
import io
import math
import random
import unittest

import rates
from failure import Failure

ROWS, RUNS, PAIRS_MAX = 3, 60, 72
rates.REPLICAS = 40


def made(pairs, spread, ratio=1.0):
    """Rounds whose logarithms have this standard deviation; the new times of the last row are multiplied by `ratio`."""
    def times(number, factor):
        chance = random.Random(number)
        return [1e-4 * factor * math.exp(spread * chance.gauss(0, 1)) for _ in range(PAIRS_MAX)][:pairs]
    return {"device": "d", "rows": [{"name": name, "threshold": 0.01, "tick_s": 1e-9, "base_times_s": times(2 * row, 1),
                                     "new_times_s": times(2 * row + 1, ratio if row == ROWS - 1 else 1)}
                                    for row, name in enumerate("abc")]}


def in_sittings(one, *ends):
    """The same rounds in several sittings."""
    return rates.Rates([one | {"rows": [row | {f"{side}_times_s": row[f"{side}_times_s"][start:end] for side in ("base", "new")}
                                        for row in one["rows"]]} for start, end in zip((0, *ends), ends)])


def drawn(of, count=RUNS):
    return of.draw(count, random.Random(1), of.starts)


class Disjoint(unittest.TestCase):
    def check(self, one, runs, alarms=0, inconclusive=0):
        found = rates.Rates([one]).disjoint()
        self.assertEqual((len(found), len(rates.alarms(found)), len(rates.open_ones(found))), (runs, alarms, inconclusive))

    def test_quiet_rounds_raise_no_alarm(self):
        self.check(made(72, 0.001), 5)  # from pairs 0, 8, 16, 24 and 32 on: the screen is all that is needed

    def test_a_slower_side_alarms_in_every_run(self):
        self.check(made(72, 0.001, 1.05), 2, 2)  # from pairs 0 and 22 on
        slower = rates.Rates([made(72, 0.001, 1.05)])
        for row in range(ROWS):
            self.assertEqual(len(rates.found_in(slower.disjoint(row), row)), 2 if row == ROWS - 1 else 0)
            self.assertEqual(len(rates.found_in(slower.disjoint(row, 0.05), row)), 2)
        self.assertEqual(set(rates.Rates([made(72, 0.001)]).disjoint(0, 0.05)), {"scc"})

    def test_only_the_confirmation_decides(self):
        for late in (False, True):
            one = made(rates.RUN, 0.001)
            times = one["rows"][1]["new_times_s"]
            times[:] = [time * (1.05 if (pair >= 8) == late else 1) for pair, time in enumerate(times)]
            self.check(one, 1)

    def test_a_run_that_alarms_is_not_inconclusive_too(self):
        one = made(rates.RUN, 0.001, 1.05)
        one["rows"][0] = made(rates.RUN, 0.3)["rows"][0]
        self.check(one, 1, 1)

    def test_a_run_lies_within_one_sitting(self):
        for ends, runs in ((35, 72), 1), ((35, 71, 72), 1), ((35, 70, 72), 0):
            self.assertEqual(len(in_sittings(made(72, 0.001), *ends).disjoint()), runs)


class Resampled(unittest.TestCase):
    def test_quiet_rounds_raise_no_alarm(self):
        quiet = rates.Rates([made(72, 0.001)])
        self.assertEqual(set(quiet.resampled(drawn(quiet))), {"ccc"})
        self.assertEqual(quiet.bootstrap(10, 1), [(0, 0), (0, 0)])

    def test_noisy_rounds_are_inconclusive(self):
        noisy = rates.Rates([made(60, 0.1)])
        found = noisy.resampled(drawn(noisy))
        share = rates.share(rates.open_ones(found), found)
        low, high = noisy.bootstrap(10, 1)[1]
        self.assertTrue(share > 0.9 and rates.share(rates.alarms(found), found) < 0.1 and low <= share <= high and low < high)

    def test_the_same_seed_gives_the_same_rates(self):
        def said(print_rates, *arguments):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                print_rates(*arguments)
            return out.getvalue()
        steady = rates.Rates([made(60, 0.005, 1.0125)])
        for print_rates, *before in (rates.print_same_build,), (rates.print_slowed, "side"):
            one, again, other = (said(print_rates, *before, steady, 8, seed) for seed in (1, 1, 2))
            self.assertEqual(one, again)
            self.assertNotEqual(one, other)

    def test_no_pair_is_drawn_twice(self):
        for run in drawn(rates.Rates([made(72, 0.001)])):
            self.assertEqual(len(set(run)), rates.RUN)

    def test_a_block_lies_within_one_sitting(self):
        """All sittings have three rounds except the last, which has four: only that one can be drawn."""
        self.assertEqual(in_sittings(made(40, 0.001), *range(3, 39, 3), 40).starts, [36])
        with self.assertRaisesRegex(Failure, "no sitting has 4 consecutive rounds"):
            in_sittings(made(39, 0.001), *range(3, 40, 3))

    def test_the_size_found_is_just_above_the_threshold(self):
        steady = rates.Rates([made(60, 0.001)])
        runs = drawn(steady)
        size = steady.size_found(0, runs)
        self.assertTrue(0.01 < size < 0.0125)
        self.assertGreaterEqual(len(rates.found_in(steady.resampled(runs, 0, size), 0)), 0.8 * RUNS)
        self.assertLess(len(rates.found_in(steady.resampled(runs, 0, size / 1.02), 0)), 0.8 * RUNS)
        noisy = rates.Rates([made(60, 5)])  # so that nothing is found
        self.assertEqual(noisy.size_found(0, drawn(noisy)), math.inf)


class Wilson(unittest.TestCase):
    def test_at_each_end_the_rate_is_1_96_deviations_away(self):
        self.assertEqual((rates.wilson(0, 40)[0], rates.wilson(40, 40)[1]), (0, 1))
        for hits in range(1, 40):
            for end in rates.wilson(hits, 40):
                self.assertAlmostEqual(abs(hits / 40 - end) / math.sqrt(end * (1 - end) / 40), 1.959963984540054)


class Pairs(unittest.TestCase):
    def test_they_grow_with_the_square_of_the_spread(self):
        self.assertEqual(rates.pairs_for(0.001, 1), rates.FEWEST)
        self.assertEqual(rates.pairs_for(0.05, 1), 2 * math.ceil((2.5758 + 0.8416) ** 2 * (0.05 / math.log(1.02 / 1.01)) ** 2 / 2))
        self.assertGreater(rates.pairs_for(0.05, 20), rates.pairs_for(0.05, 1))

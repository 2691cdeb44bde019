"""The search for changes, held against a naive one and against series whose changes are known."""
import csv
import math
import random
import unittest

import changes
import rates
from changes import Rule, find_changes
from summary import ROOT


def mean_distance(a, b, pairs):
    return sum(abs(x - y) for x in a for y in b) / pairs


def naive(values, segment):
    """The definition, word by word."""
    best = -math.inf, 0
    for n in range(segment, len(values) - segment + 1):
        a, b, m = values[:n], values[n:], len(values) - n
        energy = 2 * mean_distance(a, b, n * m) - mean_distance(a, a, n * (n - 1)) - mean_distance(b, b, m * (m - 1))
        best = max(best, (energy * n * m / (n + m), n), key=lambda found: found[0])
    return best


def noisy(levels, seed=1, noise=0.01):
    """Times around levels, [(how many, level)]."""
    rng = random.Random(seed)
    return [level * math.exp(rng.gauss(0, noise)) for count, level in levels for _ in range(count)]


def found(times, rule=Rule()):
    return [change.place for change in find_changes(times, rule)]


class Search(unittest.TestCase):
    def test_statistic_is_the_naive_one(self):
        rng = random.Random(7)
        for segment in (2, 3, 5):
            for _ in range(60):
                values = [rng.choice((0.5, 1, rng.gauss(0, 1))) for _ in range(rng.randint(2 * segment, 30))]
                q, place = changes.strongest_split(values, changes.reaches(values), segment)
                expected = naive(values, segment)
                self.assertAlmostEqual(q, expected[0], 9)
                again = [abs(changes.strongest_split(values, changes.reaches(values), segment)[0] - expected[0]) < 1e-9]
                self.assertTrue(place == expected[1] or all(again), (values, place, expected))

    def test_p_is_the_share_of_permutations_as_strong(self):
        values = noisy([(6, 1), (6, 1.008)])
        rng, shuffled = random.Random("p"), list(values)
        observed, stronger = naive(values, 3)[0], 0
        for _ in range(changes.PERMUTATIONS):
            rng.shuffle(shuffled)
            stronger += naive(shuffled, 3)[0] >= observed - 1e-9
        _, p = changes.significant_split(values, Rule(significance=1), random.Random("p"))
        self.assertEqual(p, (stronger + 1) / (changes.PERMUTATIONS + 1))
        self.assertTrue(0.01 < p < 0.99, "a series too plain to tell")
        self.assertIsNone(changes.significant_split(values, Rule(significance=p - 1e-4), random.Random("p")))
        self.assertIsNotNone(changes.significant_split(values, Rule(significance=p), random.Random("p")))

    def test_known_changes(self):
        for levels in ([(20, 1), (20, 1.05)], [(20, 1.05), (20, 1)], [(30, 1), (10, 2), (25, 1.5)], [(40, 1), (8, 1.05), (50, 1)]):
            ends = [sum(count for count, _ in levels[:i]) for i in range(1, len(levels))]
            self.assertEqual(found(noisy(levels)), ends, levels)
        change, = find_changes(noisy([(30, 2), (30, 2.2)], noise=0.001))
        self.assertAlmostEqual(change.ratio, 1.1, 2)
        self.assertLessEqual(change.p, Rule().significance)

    def test_no_changes(self):
        self.assertEqual(found([]), [])
        self.assertEqual(found([1.0] * 60), [])
        self.assertEqual(found(noisy([(100, 1)])), [])
        self.assertEqual(found([3.0 if i == 20 else t for i, t in enumerate(noisy([(40, 1)]))]), [], "an outlier")
        self.assertEqual(found(noisy([(30, 1), (30, 1.015)], noise=0.001)), [], "below what is reported")
        self.assertEqual(found(noisy([(30, 1), (30, 1.025)], noise=0.001)), [30])

    def test_small_changes_leave_the_large_ones(self):
        self.assertEqual(found(noisy([(30, 1), (30, 1.01), (30, 1.2)], noise=0.001)), [60])

    def test_long_series(self):
        """The newest points one by one, the others in blocks"""
        places = found(noisy([(705, 1), (1395, 1.1), (60, 1.25), (20, 1.1), (20, 1.2)], noise=0.002))
        self.assertEqual(places, [705, 2100, 2160, 2180])
        self.assertEqual(found(noisy([(2000, 1)])), [])
        for count in range(changes.LONG - 1, changes.LONG + 9):  # the change is where both searches meet
            self.assertEqual(found(noisy([(count - 196, 1), (196, 1.1)], noise=0.002)), [count - 196] if count > 198 else [])

    def test_only_ratios_count(self):
        times = noisy([(20, 1), (20, 1.3)], noise=0.4)
        changes_of = [find_changes(series, Rule(significance=0.2)) for series in (times, [1e-6 * t for t in times], [1 / t for t in times])]
        self.assertTrue(changes_of[0])
        places = [[(change.place, change.p) for change in found] for found in changes_of]
        self.assertEqual(places, [places[0]] * 3)

    def test_a_segment_has_its_fewest_points(self):
        times = noisy([(30, 1), (4, 1.5)], noise=0.001)
        self.assertEqual(found(times, Rule(segment=4)), [30])
        self.assertNotEqual(found(times, Rule(segment=5)), [30])

    def test_of_fewer_points_nothing_can_be_significant(self):
        for rule, few in ((Rule(0.002, 3), 13), (Rule(0.05, 2), 8), (Rule(0.05, 5), 10)):
            self.assertEqual(rule.fewest(), few)
            self.assertEqual(found(noisy([(few // 2, 1), (few - few // 2, 9)]), Rule(2 * rule.significance, rule.segment)), [few // 2])
            self.assertEqual(found(noisy([(few // 2, 1), (few - 1 - few // 2, 9)]), rule), [])

    def test_recorded_rates_are_of_these_rules(self):
        with open(ROOT / "results/history/rates.csv", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(list(lines[0]), rates.HEADER)
        recorded = [(line["what"], line["significance"], line["segment"], line["least_pct"]) for line in lines]
        self.assertEqual(recorded, [(what.__name__, f"{rule.significance:g}", f"{rule.segment}", f"{100 * rule.least:g}")
                                    for what, rule, *_ in rates.jobs(1)], "to be recorded anew")

    def test_simulations_are_seeded(self):
        found_at_once = rates.line((rates.found, Rule(), 2, "steady", 0.001, 0.1, rates.COMMITS))
        self.assertEqual(found_at_once[8:13], ["found", 2, "1.0000", "0.3424", "1.0000"])
        self.assertTrue(2 <= found_at_once[13] <= 3)
        self.assertEqual(rates.line((rates.found, Rule(), 2, "steady", 0.05, 0.001, rates.COMMITS))[9], 0)
        seen = []
        for _ in range(2):
            rates.line((lambda series, *_: seen.append(series), Rule(), 2, "steady", 0.01, 0, rates.COMMITS))
        self.assertEqual(seen[:2], seen[2:], "not seeded")
        self.assertNotEqual(seen[0], seen[1])

"""Change points of a series: E-divisive means (Matteson and James, 2014) with a permutation test."""

import math
import random
import statistics
from bisect import bisect
from dataclasses import dataclass

PERMUTATIONS = 999
PLAIN = 100  # permutations: where none of them comes to a third of what was seen, none of the others comes to all of it
WINDOW = 32  # points
LONG = 200  # points: of a longer series only as many are searched one by one


@dataclass(frozen=True)
class Rule:
    """When a split counts. The defaults are chosen from results/history/rates.csv."""

    significance: float = 0.002
    segment: int = 3  # fewest points on each side of a change
    least: float = 0.02  # smallest relative difference of the medians that is reported

    def fewest(self):
        """Of fewer points no split can be significant: half of them can be chosen in too few ways, and each has a mirror image."""
        points = 2 * self.segment
        while 2 / math.comb(points, points // 2) > self.significance:
            points += 1
        return points


@dataclass(frozen=True)
class Change:
    place: int  # index of the first point after it
    ratio: float  # median after it / median before it, each up to the next change
    p: float


def reaches(values):
    """Of each different value: the sum of its distances to all of them."""
    total, below, ordered = sum(values), 0.0, sorted(values)
    result = {}
    for i, x in enumerate(ordered):
        result[x] = x * i - below + (total - below) - x * (len(ordered) - i)
        below += x
    return result


def strongest_split(values, reach, segment):
    """The largest statistic of a split of the series, and where that split is.

    The statistic of n points and the m behind them is nm / (n + m) times the energy distance: twice the mean distance between
    the two sides, less the mean distance within each."""
    best, place = -math.inf, 0
    count, everything = len(values), sum(map(reach.__getitem__, values)) / 2
    ordered = []  # the points on the left
    total = left = out = 0.0  # their sum; their distances among each other; their distances to all points
    for n, x in enumerate(values[: count - segment], 1):
        i = bisect(ordered, x)
        left += x * (2 * i - n + 1) + total - 2 * sum(ordered[:i])
        ordered.insert(i, x)
        total += x
        out += reach[x]
        if n < segment:
            continue
        m = count - n
        between = out - 2 * left
        right = everything - left - between
        q = (2 * between - 2 * left * m / (n - 1) - 2 * right * n / (m - 1)) / count
        if q > best:
            best, place = q, n
    return best, place


def significant_split(values, rule, rng):
    """(place, p) of the strongest split if it is significant, else None. p is (as strong or stronger + 1) / (permutations + 1)."""
    reach = reaches(values)
    observed, place = strongest_split(values, reach, rule.segment)
    bar = observed - 1e-9 * (abs(observed) + reach[values[0]])  # sums in another order differ in their last digits
    shuffled, stronger, most = list(values), 0, -math.inf
    for done in range(1, PERMUTATIONS + 1):
        rng.shuffle(shuffled)
        strength = strongest_split(shuffled, reach, rule.segment)[0]
        stronger += strength >= bar
        most = max(most, strength)
        if (stronger + 1) / (PERMUTATIONS + 1) > rule.significance:
            return None  # more permutations cannot make it significant again
        if done == PLAIN and most < bar / 3:
            break
    return place, (stronger + 1) / (PERMUTATIONS + 1)


def find_splits(values, rule, seed, start=0):
    """[(place, p)]: of the whole series; where it has none, of its windows, since a loss that is soon mended is lost in a long
    series. Both sides of a split are searched in turn."""
    count = len(values)
    pieces = [(0, count), *((a, min(a + WINDOW, count)) for a in range(0, count - WINDOW // 2, WINDOW // 2) if count > WINDOW)]
    for a, b in pieces:
        found = b - a >= rule.fewest() and significant_split(values[a:b], rule, random.Random(f"{seed} {start + a} {start + b}"))
        if found:
            at = a + found[0]
            return [*find_splits(values[:at], rule, seed, start), (start + at, found[1]),
                    *find_splits(values[at:], rule, seed, start + at)]
    return []


def splits_of(values, rule, seed):
    """Of a long series the newest points are searched one by one, and all of it in blocks, each as its median."""
    recent = max(0, len(values) - LONG)
    found = find_splits(values[recent:], rule, seed, recent)
    if not recent:
        return found
    size = -(-len(values) // LONG)
    blocks = [statistics.median(values[a:a + size]) for a in range(0, len(values), size)]
    old = {located(values, place * size, size, rule): p for place, p in find_splits(blocks, rule, seed)}
    return [*sorted((place, p) for place, p in old.items() if place < recent + rule.segment), *found]


def located(values, place, size, rule):
    """The point where a split of blocks is: within a block of it."""
    start = max(0, place - size - rule.segment)
    piece = values[start:place + size + rule.segment]
    return start + strongest_split(piece, reaches(piece), rule.segment)[1]


def find_changes(times, rule=Rule(), seed=""):
    """The changes of a series of times, in order. Small ones are given up, the smallest first, until all that are left count."""
    if len(times) < rule.fewest():
        return []
    middle = statistics.median(times)
    splits = splits_of([math.log(time / middle) for time in times], rule, seed)
    while True:
        ends = [0, *(place for place, _ in splits), len(times)]
        medians = [statistics.median(times[a:b]) for a, b in zip(ends, ends[1:])]
        changes = [Change(place, after / before, p) for (place, p), before, after in zip(splits, medians, medians[1:])]
        smallest = min(changes, key=lambda change: abs(math.log(change.ratio)), default=None)
        if not smallest or abs(math.log(smallest.ratio)) >= math.log1p(rule.least):
            return changes
        splits.remove((smallest.place, smallest.p))

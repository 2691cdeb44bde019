#!/usr/bin/env python3
"""Prints tests/gate/tables.h: p-values and limits of permutation tests, counted from their definition.

Statistics of all rearrangements are counted by dynamic programming over integers, so that nothing rounds and samples
of any size are feasible; where there are few enough, scipy.stats.permutation_test (scipy 1.10) has to agree.
Usage: python3 tests/gate/tables.py >tests/gate/tables.h
"""
from collections import Counter
from fractions import Fraction
from math import comb
from textwrap import fill

import numpy
from scipy.stats import permutation_test

FINE = 1000  # the grid of limits is so much finer than the data
TAIL = Fraction(1, 40)


def divisions(base, other, theta):
    """The same of divisions into two samples, by the sums of the smaller one."""
    if len(base) < len(other):
        less, greater, all_of_them = divisions([value - theta for value in other], base, 0)
        return greater, less, all_of_them
    shifted = [value - theta for value in other]
    sums = [Counter({0: 1})] + [Counter() for _ in other]  # by how many are taken
    for value in base + shifted:
        for taken in range(len(other), 0, -1):
            for total, ways in sums[taken - 1].items():
                sums[taken][total + value] += ways
    return tails(sums[len(other)], sum(shifted), comb(len(base) + len(other), len(other)))


def tails(sums, seen, all_of_them):
    assert sum(sums.values()) == all_of_them
    return (sum(ways for total, ways in sums.items() if total >= seen),
            sum(ways for total, ways in sums.items() if total <= seen), all_of_them)


def scipy_agrees(base, other, counts):
    if counts[2] > 20000:
        return
    for alternative, hits in (("greater", counts[0]), ("less", counts[1])):
        if len(base) < 2 or len(other) < 2:
            return
        result = permutation_test((numpy.array(other), numpy.array(base)), lambda x, y: x.mean() - y.mean(),
                                  n_resamples=numpy.inf, vectorized=False, alternative=alternative)
        assert abs(result.pvalue - hits / counts[2]) < 1e-12, (base, other, result.pvalue, counts)


def least_kept(is_kept, low, high):
    """The least integer in (low, high] that is kept, where all above it are kept."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_kept(middle) else (middle, high)
    return high


def limits(counts_at, reach):
    """The lowest and highest theta of the fine grid that neither test rejects; None where all are kept."""
    def keeps(side):
        return lambda theta: Fraction(counts_at(theta)[side], counts_at(theta)[2]) > TAIL
    if keeps(0)(-reach):
        return None
    return least_kept(keeps(0), -reach, reach), -least_kept(lambda theta: keeps(1)(-theta), -reach, reach)


def print_case(name, base, other, thetas, scale=1000):
    def counts_at(theta):  # in units of the fine grid
        return divisions([b * FINE for b in base], [o * FINE for o in other], theta)
    scipy_agrees(base, other, counts_at(0))
    reach = 4 * FINE * max(abs(value) for value in base + other) + 4 * FINE
    low, high = "NAN", "NAN"  # too many to search among
    if counts_at(0)[2] < 400000:
        found = limits(counts_at, reach)
        low, high = (f"{limit / FINE / scale:.9g}" for limit in found) if found else ("-INFINITY", "INFINITY")
    numbers = [", ".join(f"{value / scale:g}" for value in values) or "0" for values in (base, other)]
    found_at = [(theta / scale, *counts_at(theta * FINE)[:2]) for theta in thetas]
    at = ", ".join(f"{{{theta:g}, {greater:.17g}, {less:.17g}}}" for theta, greater, less in found_at)
    print(fill(f'{{"{name}", {{{numbers[0]}}}, {len(base)}, {{{numbers[1]}}}, {len(other)}, {counts_at(0)[2]:.17g}, '
               f"{len(thetas)}, {{{at}}}, {low}, {high}, {1 / FINE / scale:g}}},", 118, initial_indent="    ",
               subsequent_indent="     ", break_long_words=False, break_on_hyphens=False))


def print_cases(name, cases):
    print(f"static const struct tabled {name}[] = {{")
    for case, base, other, thetas, *more in cases:
        print_case(case, base, other, thetas, *more)
    print("};")


MICE = [52, 104, 146, 10, 51, 30, 40, 27, 46], [94, 197, 16, 38, 99, 141, 23]
TEN = [100, 103, 98, 105, 97, 102, 101, 99, 104, 96], [104, 101, 107, 99, 103, 108, 100, 106, 98, 109]

print("/* Made by tests/gate/tables.py, which says how. */")
print_cases("halves", [
    ("one and one", [10], [20], [0, 10, 11]),
    ("two and three", [10, 40], [20, 30, 70], [0, 15, -15]),
    ("three and three", [10, 40, 25], [20, 30, 70], [0]),
    ("four and four alike", [5] * 4, [5] * 4, [0, 1, -1]),
    ("five and five with ties", [100, 200, 300, 300, 100], [300, 400, 200, 500, 300], [0, 100, -100]),
    ("three and eight", [11, 19, 14], [25, 13, 22, 17, 30, 28, 16, 21], [0, 5, 10]),
    ("eight and three", [25, 13, 22, 17, 30, 28, 16, 21], [11, 19, 14], [0, -5, -10]),
    ("one and thirty-nine", [42], list(range(39)), [0, 10]),
    ("mice", *MICE, [0, 50], 1),
    ("ten and ten", *TEN, [0, 3, -2]),
    ("ten and eleven", TEN[0], TEN[1] + [102], [0, 3, -2]),
    ("twenty and twenty", TEN[0] + [v + 1 for v in TEN[0]], TEN[1] + [v - 2 for v in TEN[1]], [0, 1, 3]),
])

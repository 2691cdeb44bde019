"""How often the search of scripts/history.sh is wrong: seeded histories of 100 commits whose changes are known, as a CSV on
stdout. README.md says how to run it, and what the columns mean."""

import csv
import math
import multiprocessing
import random
import statistics
import sys
from dataclasses import replace

from changes import Rule, find_changes
from rows import moved_at

COMMITS, STEP_AT, CONTROLS = 100, 50, 5
HEADER = ("noise noise_pct step_pct lasts significance segment least_pct histories what count rate rate_low rate_high "
          "delay_median delay_90").split()


def steady(rng, noise):
    return [rng.gauss(0, noise) for _ in range(COMMITS)]


def outliers(rng, noise):
    """One commit of twenty is 20 % slower."""
    return [x + (0.2 if rng.random() < 0.05 else 0) for x in steady(rng, noise)]


def two_levels(rng, noise):
    """Three commits of ten are 5 % slower."""
    return [x + (0.05 if rng.random() < 0.3 else 0) for x in steady(rng, noise)]


def lasting_levels(rng, noise):
    """The level changes by 5 % at one commit of ten, and stays."""
    level, series = 0, []
    for x in steady(rng, noise):
        level ^= rng.random() < 0.1
        series.append(x + 0.05 * level)
    return series


def drift(rng, noise):
    """5 % over the whole history, in even steps."""
    return [x + 0.05 * i / COMMITS for i, x in enumerate(steady(rng, noise))]


NOISES = {make.__name__: make for make in (steady, outliers, two_levels, lasting_levels, drift)}


def stepped(series, size, last=COMMITS):
    """Times with a step of `size` at STEP_AT, which is taken back at `last`."""
    return [math.exp(x) * (1 + size if STEP_AT <= i < last else 1) for i, x in enumerate(series)]


def places(times, rule, seed):
    return [(change.place, change.ratio) for change in find_changes(times, rule, seed)]


# What is asked of one history. Each of the first two looks at it anew after every commit, as a job of CI does.

def false_alarm(series, rule, seed, _size, _last):
    times = stepped(series[0], 0)
    return any(places(times[:end], rule, seed) for end in range(1, COMMITS + 1))


def found(series, rule, seed, size, last):
    """After how many commits the step is found; False: never."""
    times = stepped(series[0], size, last)
    for end in range(STEP_AT + 1, COMMITS + 1):
        if moved_at(STEP_AT, 1 + size, places(times[:end], rule, seed)):
            return end - STEP_AT
    return False


def found_both(series, rule, seed, size, last):
    changes = places(stepped(series[0], size, last), rule, seed)
    return moved_at(STEP_AT, 1 + size, changes) and moved_at(last, 1 / (1 + size), changes)


def machine_called(series, rule, seed, size, _last):
    """The controls move with the row."""
    return any(moved_at(STEP_AT, 1 + size, places(stepped(x, size), rule, seed)) for x in series[1:])


def code_called_machine(series, rule, seed, size, _last):
    """The row moves, and the controls do not."""
    return any(moved_at(STEP_AT, 1 + size, places(stepped(x, 0), rule, seed)) for x in series[1:])


def line(job):
    what, rule, histories, kind, noise, size, last = job
    results = []
    for history in range(histories):
        seed = f"{kind} {noise} {size} {history}"  # the same histories for each rule
        rng = random.Random(seed)
        series = [NOISES[kind](rng, noise) for _ in range(1 + CONTROLS)]
        results.append(what(series, rule, seed, size, last))
    hits = sum(map(bool, results))
    delays = [x for x in results if x] if what is found else []
    ninth = f"{statistics.quantiles(delays, n=10, method='inclusive')[-1]:g}" if len(delays) > 1 else ""
    return [kind, f"{100 * noise:g}", f"{100 * size:g}", last - STEP_AT if size else "", f"{rule.significance:g}", rule.segment,
            f"{100 * rule.least:g}", histories, what.__name__, hits, *wilson(hits, histories),
            statistics.median(delays) if delays else "", ninth]


def wilson(hits, count):
    """A rate and its 95 % interval."""
    z, share = 1.959964, hits / count
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return f"{share:.4f}", *(f"{(middle + sign * reach) / (1 + z * z / count):.4f}" for sign in (-1, 1))


def jobs(histories):
    for segment in (2, 3, 4):
        for significance in (0.005, 0.002, 0.001):
            rule = replace(Rule(), significance=significance, segment=segment)
            yield false_alarm, rule, histories, "steady", 0.01, 0, COMMITS
            yield found, rule, histories, "steady", 0.01, 0.05, COMMITS
    for kind, noise in [("steady", 0.001), ("steady", 0.03), ("outliers", 0.01), ("two_levels", 0.01), ("lasting_levels", 0.01)]:
        yield false_alarm, Rule(), histories, kind, noise, 0, COMMITS
    fewer = -(-histories // 5)  # these take long
    yield false_alarm, Rule(), fewer, "drift", 0.01, 0, COMMITS
    for noise, size in (0.01, 0.02), (0.01, 0.03), (0.01, 0.1), (0.001, 0.03):
        yield found, Rule(), fewer, "steady", noise, size, COMMITS
    for kind in "outliers", "two_levels":
        yield found, Rule(), fewer, kind, 0.01, 0.05, COMMITS
    yield found_both, Rule(), fewer, "steady", 0.01, 0.05, STEP_AT + 10
    yield machine_called, Rule(), fewer, "steady", 0.01, 0.05, COMMITS
    yield code_called_machine, Rule(), fewer, "steady", 0.01, 0.05, COMMITS


def main(histories=100):
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(HEADER)
    with multiprocessing.Pool() as pool:
        for row in pool.imap(line, jobs(histories)):
            writer.writerow(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

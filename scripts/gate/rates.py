"""The command line of scripts/rates.sh, whose --help says what it does. Pairs of rounds are what rungbench-gate reads from the
files; runs are made of them here, and decided by it.

A run is what scripts/gate.sh does: a screen, and confirmations of the rows that are not decided yet. Disjoint runs share no rounds,
so their rates are true rates, but they are few. Resampled runs are drawn at random and share rounds, so their rates are estimates.
They consist of blocks of adjacent pairs, which keeps drift (H. R. Kuensch, "The jackknife and the bootstrap for general stationary
observations", Annals of Statistics 17, 1989)."""
import itertools
import json
import math
import os
import random
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

import summary
import text
from failure import Failure, end_with, parse

RUN, BLOCK, REDRAWS, REPLICAS = 36, 4, 100, 200  # pairs; pairs; of a block, as there may be too few rounds; of the bootstrap
REACHED, THRESHOLD, LEVEL, FEWEST = 0.02, 0.01, 0.005, 14  # a change, of what a smaller one counts as none; of a confirmation
SIZES = 0.01, 0.02, 0.03, 0.05, 0.1, 0.2
WANTED, ACCURACY, LARGEST = 0.8, 1.01, 10  # of the size that is found so often
LONG_S = 10e-6  # for longer rows a few ticks are negligible


def ask_gate(flags, given=""):
    program = os.environ.get("RUNGBENCH_GATE") or summary.built("rungbench-gate")
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
    said = subprocess.run([program, *flags], input=given, env=environment, capture_output=True, text=True, check=False)
    if said.returncode not in (0, 1, 3):
        raise Failure((said.stderr.strip().splitlines() or ["no reason"])[-1].removeprefix("rungbench-gate: "))
    return said.stdout


def compare(flags, folder, side):
    """What the gate's JSON says of a folder: this side against the base, round by round."""
    with tempfile.TemporaryDirectory() as place:
        ask_gate([*flags, "--no-intervals", f"--json={place}/json", f"{folder}/base.csv", f"{folder}/{side}.csv"])
        return json.loads(Path(place, "json").read_bytes())


class Rates:
    """Runs of the rows that were timed in all pairs of rounds. `found`: what the gate says of each folder, a sitting each."""

    def __init__(self, found):
        sittings = [{row["name"]: row for row in one["rows"]} for one in found]
        lengths = [max(len(row["base_times_s"]) for row in rows.values()) for rows in sittings]
        ends = list(itertools.accumulate(lengths))
        spans = [range(end - length, end) for end, length in zip(ends, lengths)]
        self.pairs = ends[-1]
        self.wholes = [i for span in spans for i in span[:max(len(span) - RUN + 1, 0)]]  # where a run can start
        self.starts = [i for span in spans for i in span[:max(len(span) - BLOCK + 1, 0)]]
        if self.pairs < RUN:
            raise Failure(f"{self.pairs} rounds; expected at least {RUN}, the rounds of one run")
        if not self.starts:
            raise Failure(f"no sitting has {BLOCK} consecutive rounds; expected at least one")
        self.rows, self.left_out = [], 0
        for name, row in sittings[0].items():
            same = [rows.get(name, {"base_times_s": ()}) for rows in sittings]
            if [len(one["base_times_s"]) for one in same] == lengths:
                self.rows.append(self.joined(row, same))
            else:
                self.left_out += 1
        if not self.rows:
            raise Failure("no row was timed in all rounds of both sides")
        lines = (f"{row['threshold']} {row['tick_s']} {' '.join(map(str, row['base'] + row['new']))}\n" for row in self.rows)
        self.times = f"{len(self.rows)} {self.pairs}\n{''.join(lines)}"

    @staticmethod
    def joined(row, same):
        base, new = ([seconds for one in same for seconds in one[f"{side}_times_s"]] for side in ("base", "new"))
        logs = [math.log(after / before) for before, after in zip(base, new)]
        return row | {"base": base, "new": new, "base_s": statistics.median(base), "tick_s": max(one["tick_s"] or 0 for one in same),
                      "ratio": math.exp(statistics.mean(logs)), "spread": statistics.stdev(logs)}

    def decide(self, runs, row=-1, size=0):
        """[(pairs that a run needed, first letters of the verdicts)], with the new times of a row scaled."""
        asked = "".join(f"{row} {size:.9g} {' '.join(map(str, run))}\n" for run in runs)
        return [(int(used), letters) for used, letters in map(str.split, ask_gate(["--decide"], self.times + asked).splitlines())]

    def disjoint(self, row=-1, size=0):
        """All runs of adjacent pairs, each of which leaves to the next what it did not need."""
        decided = dict(zip(self.wholes, self.decide([range(start, start + RUN) for start in self.wholes], row, size)))
        found, free = [], 0
        for start, (used, letters) in decided.items():
            if start >= free:
                found.append(letters)
                free = start + used
        return found

    def draw(self, count, chance, starts):
        """Runs in which no pair is there twice, if there are enough."""
        runs = []
        while len(runs) < count:
            blocks, taken = [], set()
            while len(blocks) < RUN // BLOCK:
                for _ in range(REDRAWS):
                    start = chance.choice(starts)
                    if start not in taken:
                        break
                blocks.append(start)
                taken.update(range(start - BLOCK + 1, start + BLOCK))
            runs.append([start + i for start in blocks for i in range(BLOCK)])
        return runs

    def resampled(self, runs, row=-1, size=0):
        return [letters for _, letters in self.decide(runs, row, size)]

    def bootstrap(self, count, seed):
        """95 % intervals of the shares of alarms and of inconclusive runs, over rounds."""
        chance = random.Random(seed)
        decided = self.resampled([run for _ in range(REPLICAS)
                                  for run in self.draw(count, chance, chance.choices(self.starts, k=self.pairs // BLOCK))])
        replicas = [decided[i * count:(i + 1) * count] for i in range(REPLICAS)]
        shares = [(len(alarms(runs)) / count, len(open_ones(runs)) / count) for runs in replicas]
        outside = int(0.025 * REPLICAS)
        return [(ranked[outside], ranked[-1 - outside]) for ranked in map(sorted, zip(*shares))]

    def size_found(self, row, runs):
        """The smallest that is found in WANTED of these runs, to a factor of ACCURACY; infinite: none up to LARGEST."""
        low, high = self.rows[row]["threshold"] / 4, LARGEST
        if share(found_in(self.resampled(runs, row, high), row), runs) < WANTED:
            return math.inf
        while high > ACCURACY * low:
            between = math.sqrt(low * high)
            if share(found_in(self.resampled(runs, row, between), row), runs) < WANTED:
                low = between
            else:
                high = between
        return high


def alarms(decided):
    return [letters for letters in decided if "s" in letters]


def open_ones(decided):
    """Inconclusive runs, if they raise no alarm."""
    return [letters for letters in decided if "i" in letters and "s" not in letters]


def found_in(decided, row):
    return [letters for letters in decided if letters[row] == "s"]


def share(hits, trials):
    return len(hits) / len(trials)


def wilson(hits, trials):
    """The 95 % interval of a probability (E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22, 1927)."""
    z, rate = statistics.NormalDist().inv_cdf(0.975), hits / trials
    middle, reach = rate + z * z / (2 * trials), z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    low, high = ((middle + sign * reach) / (1 + z * z / trials) for sign in (-1, 1))
    return low if hits else 0, high if hits < trials else 1


def pairs_for(spread, rows):
    """Pairs of a confirmation that find REACHED in WANTED of the runs at this standard deviation of the logarithms; an even number."""
    normal = statistics.NormalDist()
    reach = (normal.inv_cdf(1 - LEVEL / rows) + normal.inv_cdf(WANTED)) * spread / math.log((1 + REACHED) / (1 + THRESHOLD))
    return max(2 * math.ceil(reach * reach / 2), FEWEST)


def of_all(what, hits, trials):
    low, high = wilson(len(hits), len(trials))
    return f"{len(hits)} of {len(trials)} {what} (95 %: {100 * low:.3g} to {100 * high:.3g} %)"


def print_disjoint(rates):
    runs = rates.disjoint()
    print("  disjoint runs    " + (f"{of_all('alarm', alarms(runs), runs)}, {of_all('inconclusive', open_ones(runs), runs)}" if runs else
                                   f"none: no sitting has {RUN} pairs"))


def print_same_build(rates, count, seed):
    drawn = rates.draw(count, random.Random(seed), rates.starts)
    print("\nThe same build on both sides")
    print_disjoint(rates)
    decided = rates.resampled(drawn)
    intervals = [f"{100 * low:.2f} to {100 * high:.2f} %" for low, high in rates.bootstrap(count // 2, seed)]
    print(f"  resampled runs   {100 * share(alarms(decided), drawn):.2f} % alarm (bootstrap over rounds: {intervals[0]}), "
          f"{100 * share(open_ones(decided), drawn):.2f} % inconclusive ({intervals[1]}), of {count} runs; an estimate")
    print("\nScaled times of one row: found in disjoint runs, all rows together")
    for size in SIZES if rates.wholes else ():
        runs = [(letters, row) for row in range(len(rates.rows)) for letters in rates.disjoint(row, size)]
        print(f"  {100 * size:+4.0f} %  " + of_all("found", [letters for letters, row in runs if letters[row] == "s"], runs))
    print(f"\nScaled times of one row: found in % of {count} resampled runs each; an estimate")
    print(f"  {'base':>10} {'spread':>8}" + "".join(f"  {100 * size:+4.0f} %" for size in SIZES) + "  80 % at  row")
    shares = [[100 * share(found_in(rates.resampled(drawn, row, size), row), drawn) for size in SIZES] for row in range(len(rates.rows))]
    for row, (about, line) in enumerate(zip(rates.rows, shares)):
        print(f"  {1e6 * about['base_s']:7.4g} us {100 * about['spread']:6.2f} %" + "".join(f"  {x:6.1f}" for x in line) +
              f"  {100 * rates.size_found(row, drawn[:count // 4]):5.2f} %  {about['name']}")
    for what, lines in (("all rows", shares), ("the rows of 10 us and more", [line for row, line in zip(rates.rows, shares) if row["base_s"] >= LONG_S])):
        worst = [f"{min(column):6.1f}" for column in zip(*lines)] or ["     -"] * len(SIZES)
        print(f"  {'':19}" + "".join(f"  {x}" for x in worst) + f"  {'':7}  the worst of {what}")
    print("\nPairs of a confirmation (--pairs) that would find +2 % with --threshold=1 in 80 % of runs; an estimate from the spread")
    for about in rates.rows:
        print(f"  {pairs_for(about['spread'], len(rates.rows)):>10}  {about['name']}")


def print_slowed(side, rates, count, seed):
    """A line per row: in how many resampled runs, and in how many disjoint ones, it is called slower."""
    drawn = rates.draw(count, random.Random(seed), rates.starts)
    decided, disjoint = rates.resampled(drawn), rates.disjoint()
    print(f"\nSlowed on purpose: {side}; found in % of {count} resampled runs, an estimate, and in disjoint runs")
    print_disjoint(rates)
    print(f"  {'base':>10} {'spread':>8}  {'measured':>9}  {'found':>9}  row")
    for row, about in enumerate(rates.rows):
        print(f"  {1e6 * about['base_s']:7.4g} us {100 * about['spread']:6.2f} %  {100 * (about['ratio'] - 1):+7.2f} %  "
              f"{100 * share(found_in(decided, row), drawn):7.1f} %  {about['name']}: " +
              (of_all("found", found_in(disjoint, row), disjoint) if disjoint else ""))


def number(values, flag, least, default):
    said = values.get(flag, default)
    if not re.fullmatch("[0-9]{1,7}", said) or int(said) < least:
        raise Failure(f"{flag}={said}: expected a number from {least} to 9999999")
    return int(said)


def main(arguments):
    values, folders = parse(arguments, ("--cpu-only", "--threshold=", "--runs=", "--seed="), 1, 99, "folders of rungbench-gate --keep=DIR")
    count, seed = number(values, "--runs", 40, "1000"), number(values, "--seed", 0, "42")
    flags = [flag if values[flag] is True else f"{flag}={values[flag]}" for flag in ("--cpu-only", "--threshold") if flag in values]
    sides = ["new", *(f"slowed-{i}" for i in range(1, 7) if Path(folders[0], f"slowed-{i}.csv").exists())]
    for side in sides:
        found = [compare(flags, folder, side) for folder in folders]
        devices = {one["device"] for one in found}
        if len(devices) > 1:
            raise Failure(f"devices {text.listed(devices)}; expected one machine")
        rates = Rates(found)
        if side != "new":
            print_slowed(side, rates, count, seed)
            continue
        print(f"{text.count(len(rates.rows), 'row')}, {rates.pairs} pairs of rounds in {text.count(len(folders), 'sitting')}, on {devices.pop() or 'an unknown device'}")
        print(f"runs are drawn with --seed={seed}")
        if "--cpu-only" in flags:
            print("a round's time is the least of 6 processes")
        if rates.left_out:
            print(f"{rates.left_out} more rows were not timed in every round and are left out")
        print_same_build(rates, count, seed)
    return 0


if __name__ == "__main__":
    end_with("rates.sh", main)

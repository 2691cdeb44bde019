"""The history of one device: its commits in order, a series per row, and what has changed where."""

import multiprocessing
import re
import signal
import statistics
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from datetime import date

from changes import Change, Rule, find_changes

NEAR = 1  # commits: a change is located this well
VERSIONS = "driver_version", "cuda_version", "blas_version", "compiler"


def moved_at(place, ratio, changes):
    """Is there one among `changes`, [(place, ratio)], at this place and in this direction?"""
    return any(abs(at - place) <= NEAR and (by > 1) == (ratio > 1) for at, by in changes)


@dataclass
class Row:
    name: str
    control: str  # why the code of a commit cannot move it: library or ceiling; empty for other rows
    points: list = field(default_factory=list)  # [(index of the commit, seconds)]
    changes: list = field(default_factory=list)  # [Change], whose place is the index of a commit
    latest: Change = None  # the last one that is not the machine's, or else the last one
    state: str = "too few"

    def beside(self, change):
        """The commits before and after it"""
        after = bisect_left(self.points, (change.place,))
        return [at for at, _ in self.points[after - 1:after + 1]]

    def segments(self):
        """[(first, last, median)] between changes, in indexes of commits."""
        ends = [0, *(bisect_left(self.points, (change.place,)) for change in self.changes), len(self.points)]
        parts = [self.points[a:b] for a, b in zip(ends, ends[1:])]
        return [(part[0][0], part[-1][0], statistics.median(time for _, time in part)) for part in parts]


class History:
    def __init__(self, runs, log, rule=Rule()):
        """`runs`: {name: run}, as records.py has them. `log`: [(hash, subject)], the commits of the repository in order."""
        self.runs = runs
        about = next(iter(runs.values()))
        self.device = f"{about['device']} ({about['device_uuid'] or about['host']})"
        self.is_gpu = bool(about["device_uuid"])
        spell_out(runs.values(), log)
        self.commits = ordered(runs.values(), [commit for commit, _ in log])
        times = {run["commit"]: run["commit_time"] for run in runs.values()}
        self.times = [times[commit] for commit in self.commits]
        subject = dict(log)
        self.subjects = [subject.get(base(commit), "") for commit in self.commits]
        self.rows = {}
        runs_of = self.runs_of_commits()
        for at, found in enumerate(runs_of):
            self.put_points(at, found)
        self.search(rule)
        self.controls = [row for row in self.rows.values() if row.control]
        for row in self.rows.values():
            self.judge(row, rule)
        self.versions = [change for column in VERSIONS for change in version_changes(column, runs_of)]
        self.versions.sort()

    def runs_of_commits(self):
        """The runs of each commit"""
        place = {commit: i for i, commit in enumerate(self.commits)}
        found = [[] for _ in self.commits]
        for run in self.runs.values():
            found[place[run["commit"]]].append(run)
        return found

    def put_points(self, at, runs):
        seen = {}
        for run in runs:
            for name, seconds in run["rows"].items():
                seen.setdefault(name, []).append(seconds)
                if name not in self.rows:
                    self.rows[name] = Row(name, run["controls"].get(name, ""))
        for name, times in seen.items():
            self.rows[name].points.append((at, times[0] if len(times) == 1 else statistics.median(times)))

    def search(self, rule):
        series = [([time for _, time in row.points], rule, row.name) for row in self.rows.values()]
        with multiprocessing.Pool(initializer=leave_signals) as pool:
            found = pool.starmap(find_changes, series, chunksize=1)
            pool.close()
            pool.join()
        for row, changes in zip(self.rows.values(), found):
            row.changes = [replace(change, place=row.points[change.place][0]) for change in changes]

    def judge(self, row, rule):
        own = [change for change in row.changes if row.control or not self.moved_with(change)]
        row.latest = (own or row.changes or [None])[-1]
        if row.latest:
            row.state = "slower" if row.latest.ratio > 1 else "faster"
        elif len(row.points) >= rule.fewest():
            row.state = "stable"

    def moved_with(self, change):
        """The controls that changed with it: then it was the machine, and not the code."""
        return [row for row in self.controls if moved_at(change.place, change.ratio, [(c.place, c.ratio) for c in row.changes])]

    def superfluous(self, newest):
        """Names of runs: all but the newest ones, the first of each week before them, and those of the two commits at each change."""
        place = {commit: i for i, commit in enumerate(self.commits)}
        key = {name: (place[run["commit"]], run["timestamp"], run["run"]) for name, run in self.runs.items()}
        ordered = sorted(set(key.values()))
        first = {week(self.times[at]): (at, *rest) for at, *rest in reversed(ordered)}
        beside = {at for row in self.rows.values() for change in row.changes for at in row.beside(change)}
        kept = {*ordered[-newest:], *first.values(), *(one for one in ordered if one[0] in beside)}
        return [name for name in key if key[name] not in kept]

    def label(self, at):
        commit = self.commits[at]
        return re.sub("^([0-9a-f]{12})[0-9a-f]*", r"\1", commit)


def week(time):
    try:
        return date.fromisoformat(time[:10]).isocalendar()[:2]
    except ValueError:
        return time


def leave_signals():
    """The process that waits for the workers hears signals, and ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def version_changes(column, runs_of):
    """[(index of the commit, what was, what is)]"""
    seen = [", ".join(sorted({run[column] for run in runs} - {""})) for runs in runs_of]
    known = [(at, versions) for at, versions in enumerate(seen) if versions]
    return [(at, f"{column}: {was}", now) for (_, was), (at, now) in zip(known, known[1:]) if was != now]


def base(commit):
    return commit.removesuffix("-dirty")


def spell_out(runs, log):
    """Commits that the repository did not have when they were added are abbreviated; by now it may."""
    whole = {commit[:12]: commit for commit, _ in log}
    for run in runs:
        start = base(run["commit"])
        commit = whole.get(start[:12], "")
        if commit.startswith(start):
            run["commit"] = commit + run["commit"][len(start):]


def ordered(runs, known):
    """The commits of the runs: those of the repository in its order, the others between them by their time."""
    time = {run["commit"]: run["commit_time"] for run in runs}
    place = {commit: i for i, commit in enumerate(known)}
    latest, keys = "", {}
    for commit in sorted((c for c in time if base(c) in place), key=lambda c: (place[base(c)], c)):
        latest = max(latest, time[commit])  # clocks differ: no commit is older than the one before it
        keys[commit] = latest, 0, place[base(commit)], commit
    return sorted(time, key=lambda c: keys.get(c, (time[c], 1, 0, c)))

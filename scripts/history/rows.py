"""The history of one device: its commits in order, a series per row, and what has changed where."""

import re
import statistics
from dataclasses import dataclass, field, replace

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

    def search(self, rule):
        found = find_changes([time for _, time in self.points], rule, self.name)
        self.changes = [replace(change, place=self.points[change.place][0]) for change in found]

    def segments(self):
        """[(first, last, median)] between changes, in indexes of commits."""
        starts = [0, *(change.place for change in self.changes)]
        parts = [[p for p in self.points if a <= p[0] < b] for a, b in zip(starts, [*starts[1:], float("inf")])]
        return [(part[0][0], part[-1][0], statistics.median(time for _, time in part)) for part in parts]


class History:
    def __init__(self, records, log, rule=Rule()):
        """`log`: [(hash, subject)], the commits of the repository in order."""
        self.device = f"{records[0]['device']} ({records[0]['device_uuid'] or records[0]['host']})"
        spell_out(records, log)
        self.is_gpu = bool(records[0]["device_uuid"])
        self.commits = ordered(records, [commit for commit, _ in log])
        times = {record["commit"]: record["commit_time"] for record in records}
        self.times = [times[commit] for commit in self.commits]
        subject = dict(log)
        self.subjects = [subject.get(base(commit), "") for commit in self.commits]
        place = {commit: i for i, commit in enumerate(self.commits)}
        self.rows, seen = {}, {}
        for record in records:
            row = self.rows.setdefault(record["name"], Row(record["name"], record["control"]))
            seen.setdefault((row.name, place[record["commit"]]), []).append(record["time_s"])
        for (name, at), times in sorted(seen.items(), key=lambda item: item[0][1]):
            self.rows[name].points.append((at, statistics.median(times)))
        for row in self.rows.values():
            row.search(rule)
        self.controls = [row for row in self.rows.values() if row.control]
        for row in self.rows.values():
            self.judge(row, rule)
        self.versions = self.version_changes(records, place)

    def version_changes(self, records, place):
        """[(index of the commit, what was, what is)]"""
        found = []
        for column in VERSIONS:
            seen = {}
            for record in records:
                if record[column]:
                    seen.setdefault(place[record["commit"]], set()).add(record[column])
            known = [(at, ", ".join(sorted(seen[at]))) for at in sorted(seen)]
            found += [(at, f"{column}: {was}", now) for (_, was), (at, now) in zip(known, known[1:]) if was != now]
        return sorted(found)

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

    def label(self, at):
        commit = self.commits[at]
        return re.sub("^([0-9a-f]{12})[0-9a-f]*", r"\1", commit)


def base(commit):
    return commit.removesuffix("-dirty")


def spell_out(records, log):
    """Commits that the repository did not have when they were added are abbreviated; by now it may."""
    whole = {commit[:12]: commit for commit, _ in log}
    for record in records:
        start = base(record["commit"])
        commit = whole.get(start[:12], "")
        if commit.startswith(start):
            record["commit"] = commit + record["commit"][len(start):]


def ordered(records, known):
    """The commits of the records: those of the repository in its order, the others between them by their time."""
    time = {record["commit"]: record["commit_time"] for record in records}
    place = {commit: i for i, commit in enumerate(known)}
    latest, keys = "", {}
    for commit in sorted((c for c in time if base(c) in place), key=lambda c: (place[base(c)], c)):
        latest = max(latest, time[commit])  # clocks differ: no commit is older than the one before it
        keys[commit] = latest, 0, place[base(commit)], commit
    return sorted(time, key=lambda c: keys.get(c, (time[c], 1, 0, c)))

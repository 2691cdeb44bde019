"""Which runs of a history can go."""

from datetime import date


def week(time):
    try:
        return date.fromisoformat(time[:10]).isocalendar()[:2]
    except ValueError:
        return time


def superfluous(history, newest):
    """Names of runs: all but the newest ones, the first of each week before them, and those of the two commits at each change."""
    place = {commit: i for i, commit in enumerate(history.commits)}
    key = {name: (place[run["commit"]], run["timestamp"], run["run"]) for name, run in history.runs.items()}
    ordered = sorted(set(key.values()))
    first = {week(history.times[at]): (at, *rest) for at, *rest in reversed(ordered)}
    beside = {at for row in history.rows.values() for change in row.changes for at in row.beside(change)}
    kept = {*ordered[-newest:], *first.values(), *(one for one in ordered if one[0] in beside)}
    return [name for name in key if key[name] not in kept]

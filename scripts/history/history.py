"""The command line of scripts/history.sh, whose --help says what it does."""

import os
import re
import sys
from pathlib import Path

import gnuplot
import otava
import records
import report
import staging
import store
import summary
import text
from chart import charts_of
from failure import Failure, end_with, parse
from rows import History


def say(*lines):
    """What has been done is not undone if nobody reads of it."""
    try:
        print(*lines, sep="\n", flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def store_of(values, folder):
    if folder in values and "--branch" in values:
        raise Failure(f"{folder} and --branch; expected one of them")
    return store.Folder(values[folder]) if folder in values else store.Branch(values.get("--branch", store.BRANCH))


def add(arguments):
    values, files = parse(arguments, ("--into=", "--branch=", "--dirty"), 1, 1, "RESULTS.csv")
    place = store_of(values, "--into")
    found = summary.load(files[0])
    try:
        runs = records.of_run(found, store.resolve, "--dirty" in values)
    except Failure as failure:
        raise Failure(f"{files[0]}: {failure}", failure.status) from None
    added = {}

    def change(names, read):
        added.clear()
        for run in runs:
            known = [records.read(read(name), name) for name in names if name.startswith(records.start_of(run))]
            new = records.fresh(run, known)
            if new["rows"]:
                added.update([records.document(new)])
        return added, ()

    place.update(change)
    if added:
        say(f"{place.name}: added a run of {text.listed(name.partition('/')[0] for name in added)}")
    else:
        say(f"{place.name}: this run is there already; nothing was added")


def load(place, pattern):
    """[History] of all devices; rows whose name does not match are left out, controls stay."""
    devices = {}
    for name, content in place.read():
        run = records.read(content, f"{place.name}: {name}")
        run["rows"] = {sys.intern(row): seconds for row, seconds in run["rows"].items()}
        devices.setdefault(name.partition("/")[0], {})[name] = run
    runs = [run for found in devices.values() for run in found.values()]
    names = {row for run in runs for row in run["rows"].keys() - run["controls"].keys()}
    wanted = names & summary.matching("--filter", pattern, names) if pattern else names
    if not runs or pattern and not wanted:
        raise Failure(f"{place.name}: " + (f"--filter={pattern}: matches no row" if runs else "no history of this version is there yet"), 77)
    for run in runs:
        run["rows"] = {row: seconds for row, seconds in run["rows"].items() if row in wanted or row in run["controls"]}
    log = store.log()
    return [History(found, log) for _, found in sorted(devices.items()) if any(run["rows"].keys() & wanted for run in found.values())]


def show(arguments):
    values, others = parse(arguments, ("--from=", "--branch=", "--filter="), 0, 1, "[OUTDIR]")
    gnuplot.require()
    histories = load(store_of(values, "--from"), values.get("--filter", ""))
    if not histories:
        raise Failure("no row but those of libraries, which are controls: there is nothing to show", 77)
    for history in histories:
        say(*report.table(history))
    folder = others[0] if others else summary.WORK / "results" / "local" / "history"
    charts = [chart for history in histories for chart in charts_of(history)]
    with staging.beside(Path(folder)) as stage:
        gnuplot.draw(charts, stage)
    say(f"Charts: {len(charts)} in {folder} (SVG and PNG)")


def export(arguments):
    values, others = parse(arguments, ("--from=", "--branch=", "--filter="), 1, 1, "OUTDIR")
    histories = load(store_of(values, "--from"), values.get("--filter", ""))
    with staging.beside(Path(others[0])) as stage:
        count = otava.write(histories, stage, others[0])
    say(f"{others[0]}: {text.count(count, 'test')} for Apache Otava, listed in otava.yaml")


def thin(arguments):
    values, _ = parse(arguments, ("--from=", "--branch=", "--keep="), 0, 0, "none")
    newest = values.get("--keep", "")
    if not re.fullmatch("[1-9][0-9]{0,8}", newest):
        raise Failure(f"--keep={newest}: expected a number from 1 to 999999999")
    place = store_of(values, "--from")
    histories = load(place, "")
    gone = [name for history in histories for name in history.superfluous(int(newest))]
    place.update(lambda names, read: ({}, gone))
    stay = sum(len(history.runs) for history in histories) - len(gone)
    say(f"{place.name}: {text.count(len(gone), 'run')} went, {stay:,} stay")


COMMANDS = {"add": add, "show": show, "export": export, "thin": thin}


def main(arguments):
    staging.clear_up_on_signals()
    if not arguments or arguments[0] not in COMMANDS:
        raise Failure(f"{arguments[0] if arguments else 'no command'}: expected one of {', '.join(COMMANDS)}; --help says more")
    COMMANDS[arguments[0]](arguments[1:])
    return 0


if __name__ == "__main__":
    end_with("history.sh", main)

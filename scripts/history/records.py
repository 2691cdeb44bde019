"""The lines of a history file: what they hold, how they are read, and how a run becomes some."""

import csv
import io

import text
from failure import Failure

COLUMNS = ("commit commit_time run timestamp host device device_uuid driver_version cuda_version blas_version compiler "
           "name control rounds time_s").split()


def read(content, where):
    """The lines of a history file as dictionaries."""
    try:
        lines = list(csv.reader(io.StringIO(content, newline=""), strict=True))
    except csv.Error as error:
        raise Failure(f"{where}: {error}; expected a history of rungbench") from None
    if not lines or lines[0] != COLUMNS:
        raise Failure(f"{where}: line 1 is not the header of a history; expected {','.join(COLUMNS[:3])},...")
    records = []
    for number, cells in enumerate(lines[1:], 2):
        record = dict(zip(COLUMNS, cells))
        try:
            record["time_s"] = float(record["time_s"])
            if len(cells) != len(COLUMNS) or not 1e-30 < record["time_s"] < 1e30 or not record["commit"]:
                raise ValueError
        except (KeyError, ValueError):
            raise Failure(f"{where}: row {number}: expected {len(COLUMNS)} cells, a commit and a time in seconds") from None
        records.append(record)
    return records


def write(records):
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([record[column] for column in COLUMNS] for record in records)
    return out.getvalue()


def file_of(record):
    """A file per device. A CPU has no UUID: its name and its host stand for it."""
    return text.file_name(record["device_uuid"] or f"{record['device']}-{record['host']}")[:150] + ".csv"


def revision_of(summary, dirty_too):
    found = sorted({row.get("git_rev", "unknown") for row in summary["rows"]})
    revision = text.clean(found[0]) if found else "unknown"
    if len(found) > 1:
        raise Failure(f"holds rows of {len(found)} revisions; expected one")
    if revision == "unknown":
        raise Failure("revision unknown; expected that of a program built in a git checkout")
    if revision.endswith("-dirty") and not dirty_too:
        raise Failure(f"revision {revision}: its files differ from the commit; expected a clean one, or --dirty")
    return revision


def of_run(summary, resolve, dirty_too=False):
    """The records of a summary: rows that have a time of their own, and the ceilings, as seconds per byte or operation."""
    revision = revision_of(summary, dirty_too)
    commit = revision.removesuffix("-dirty")
    whole, time = resolve(commit) or (commit, summary["timestamp"])
    rows = [row for row in summary["rows"] if row["backend"] != "sim"]
    about = {row["backend"]: row for row in rows}
    common = {"commit": whole + revision[len(commit):], "commit_time": time, "timestamp": summary["timestamp"],
              "rounds": summary.get("rounds", 1)}

    def record(row, name, control, seconds):
        values = {column: row.get(column, "") for column in COLUMNS} | common
        return values | {"run": row.get("sitting") or summary["timestamp"], "name": name, "control": control, "time_s": f"{seconds:.9g}"}

    timed = [row for row in rows if row.get("time_median_s") and not row.get("runs_as") and not row.get("launch_bound")]
    records = [record(row, row["name"], "library" if row["library"] else "", row["time_median_s"]) for row in timed]
    for ceiling in summary.get("ceilings", []):
        if ceiling["backend"] in about and ceiling["per_s"] > 0:
            name = "/".join(["ceiling", *(str(ceiling[key]) for key in ("kind", "op", "workload", "mode") if ceiling.get(key))])
            records.append(record(about[ceiling["backend"]], name, "ceiling", 1 / ceiling["per_s"]))
    if not timed:
        raise Failure("no row has a time of its own", 77)
    return records


def merged(files, records):
    """{name: text} of the files that change. A run that is there is not added again."""
    changed = {}
    for name in dict.fromkeys(map(file_of, records)):
        old = read(files[name], name) if name in files else []
        known = set(map(identity, old))
        new = [record for record in records if file_of(record) == name and identity(record) not in known]
        if new:
            changed[name] = write(old + new)
    return changed


def identity(record):
    """Of a commit that the repository did not have when it was added, only the start is known."""
    return record["commit"][:12], record["run"], record["timestamp"], record["name"]

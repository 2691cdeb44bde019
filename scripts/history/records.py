"""A run of a device as a document: how results become some, and how they are read again."""

import hashlib
import json
import re

import text
from failure import Failure

ABOUT = "commit commit_time run timestamp host device device_uuid driver_version cuda_version blas_version compiler rounds".split()


def check(run):
    """ValueError or TypeError: this is no run."""
    about = [run[column] for column in ABOUT]
    if not run["commit"] or not all(isinstance(value, str) for value in (*about, *run["controls"].values())):
        raise ValueError
    "".join((*about, *run["rows"])).encode()
    if "" in run["rows"] or not all(type(seconds) is float and 1e-30 < seconds < 1e30 for seconds in run["rows"].values()):
        raise ValueError
    return run


def read(content, where):
    """The run of a document: a dictionary of ABOUT, of rows, {name: seconds}, and of controls among them, {name: why}."""
    try:
        return check(json.loads(content))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Failure(f"{where}: is no run of a history; expected one as `history.sh add` writes it") from None


def put(runs, about, name, control, seconds):
    """Adds a row to its run among `runs`: rows that share all of ABOUT are of one."""
    about = {column: str(about.get(column, "")) for column in ABOUT}
    run = runs.setdefault(tuple(about.values()), about | {"rows": {}, "controls": {}})
    run["rows"][name] = float(f"{seconds:.9g}")
    if control:
        run["controls"][name] = control
    return run


def safe(part):
    return text.file_name(part)[:150].lstrip(".") or "unknown"


def start_of(run):
    """What the names of a run's documents begin with: its device, month and time. A CPU has no UUID: its name and host stand for it."""
    device = run["device_uuid"] or f"{run['device']}-{run['host']}"
    return f"{safe(device)}/{safe(run['timestamp'][:7])}/{safe(run['timestamp'])}-"


def document(run):
    """(name, content). The name is unique by the content: what is written at two places at once is one file, or two."""
    content = json.dumps(run, ensure_ascii=False, indent=0) + "\n"
    digest = hashlib.sha256(content.encode()).hexdigest()
    return f"{start_of(run)}{safe(run['commit'][:12])}-{digest[:16]}.json", content


def revision_of(summary, dirty_too):
    found = sorted({row.get("git_rev", "unknown") for row in summary["rows"]})
    if len(found) > 1:
        raise Failure(f"holds rows of {len(found)} revisions; expected one")
    revision = text.clean(*found)
    if not re.fullmatch("[0-9a-f]{7,64}(-dirty)?", revision):
        raise Failure(f"revision {revision}; expected that of a program built in a git checkout")
    if revision.endswith("-dirty") and not dirty_too:
        raise Failure(f"revision {revision}: its files differ from the commit; expected a clean one, or --dirty")
    return revision


def of_run(summary, resolve, dirty_too=False):
    """The runs of a summary, one for each device: rows that have a time of their own, and the ceilings, as seconds per byte or
    operation."""
    rows = [row for row in summary["rows"] if row["backend"] != "sim"]
    timed = [row for row in rows if row.get("time_median_s") and not row.get("runs_as") and not row.get("launch_bound")]
    if not timed:
        raise Failure("no row has a time of its own", 77)
    timestamp = summary.get("timestamp", "")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", timestamp):
        raise Failure(f"timestamp '{text.clean(timestamp)}'; expected one like 2026-01-31T12:00:00Z")
    revision = revision_of(summary, dirty_too)
    commit = revision.removesuffix("-dirty")
    whole, time = resolve(commit) or (commit, timestamp)
    common = {"commit": whole + revision[len(commit):], "commit_time": time, "timestamp": timestamp, "rounds": summary.get("rounds", 1)}
    about = {row["backend"]: row for row in rows}
    runs = {}

    def put_row(row, name, control, seconds):
        put(runs, row | common | {"run": row.get("sitting") or timestamp}, name, control, seconds)

    for row in timed:
        put_row(row, row.get("name", ""), "library" if row["library"] else "", row["time_median_s"])
    for ceiling in summary.get("ceilings", []):
        if ceiling["backend"] in about and ceiling.get("per_s", 0) > 0:
            name = "/".join(["ceiling", *(str(ceiling[key]) for key in ("kind", "op", "workload", "mode") if ceiling.get(key))])
            put_row(about[ceiling["backend"]], name, "ceiling", 1 / ceiling["per_s"])
    try:
        return list(map(check, runs.values()))
    except ValueError:
        raise Failure("a row has no name, or a time that cannot be; expected results of rungbench") from None


def fresh(run, known):
    """The run without the rows that it has among `known` already. Of a commit that the repository did not have when it was
    added, only the start is known."""
    same = [old["rows"] for old in known if (old["commit"][:12], old["run"]) == (run["commit"][:12], run["run"])]
    rows = {name: seconds for name, seconds in run["rows"].items() if not any(name in old for old in same)}
    return run | {"rows": rows, "controls": {name: why for name, why in run["controls"].items() if name in rows}}

"""Writes README.md of a folder that scripts/record.sh has filled, from its files alone: page.jinja is its form."""
import statistics
from collections import Counter
from pathlib import Path

import jinja2

import results
import staging
import summary
import table
import text
from failure import Failure, end_with, parse

CHOOSERS = {"cuda_auto": "of all rungs", "cuda_auto_cores": "without tensor cores"}


def headlines(found):
    """(workload, its headline) of those that have a rung to compare with a library or with the CPU."""
    for workload in found["workloads"]:
        for headline in workload["headlines"]:
            if "over_library" in headline or "over_best_cpu" in headline:
                yield workload, headline


def interval(headline, against):
    """1.66× (1.62 to 1.69), ~35× (range unknown); nothing where there is none, or the fastest is what it would be compared with."""
    key = f"over_{against}"
    if key not in headline:
        return ""
    if headline["best"] == headline.get("library_rung" if against == "library" else "best_cpu_rung"):
        return ""
    known = f"{key}_low" in headline
    return results.gain_of(headline, key) + (f" ({text.span(headline[key + '_low'], headline[key + '_high'])})" if known else " (range unknown)")


def chosen(found):
    """For each rung that chooses: how it does over the fastest library, on all shapes."""
    for variant, what in CHOOSERS.items():
        rows = [row for row in found["rows"] if row["variant"] == variant]
        known = sorted((row["over_library"], row["workload"]) for row in rows if "over_library" in row)
        if known:
            slower = [row for row in rows if row.get("over_library_high", 1) < 1]
            yield {"variant": variant, "what": what, "shapes": len(rows), "median": statistics.median(value for value, _ in known),
                   "worst": known[0][0], "best": known[-1][0], "faster": sum(row.get("over_library_low", 0) > 1 for row in rows),
                   "slower": sorted((row["over_library"], row["workload"]) for row in slower),
                   "without": [row["workload"] for row in rows if "over_library" not in row]}


def marked(found):
    """(mark, meaning, how many rows have it), the most first."""
    counts = Counter(mark for row in found["rows"] if row["status"] == "ok"
                     for mark in row.get("marks", "").split() + ["no-interval"] * bool(row.get("approximate")))
    meanings = summary.meanings(found)
    return [(mark, meanings.get(mark, ""), count) for mark, count in counts.most_common()]


def described(device):
    """What of the machine, in one line."""
    parts = {"device": "", "driver_version": "driver ", "cuda_version": "CUDA ", "blas_version": "", "device_uuid": ""}
    known = [before + device[key] for key, before in parts.items() if key in device]
    return ", ".join(known + ([text.count(device["threads"], "thread")] if "threads" in device else []))


def cell(value):
    return value.replace("|", "\\|").replace("\n", " ") if isinstance(value, str) else value


def cells_of(path):
    return [cells for _, cells in table.rows(path, "what scripts/record.sh has written", ())]


def counted(path):
    """What ncu counted (column `counters`): the metrics, and of each rung the figures."""
    rungs = {row["variant"]: dict(pair.split("=") for pair in row["counters"].split(",")) for row in cells_of(path) if row["counters"]}
    return list(dict.fromkeys(metric for figures in rungs.values() for metric in figures)), rungs


def steps_of(folder):
    """Those whose files are there: who removes them does the step again."""
    steps = cells_of(folder / "record.csv")
    for step in steps:
        step["files"] = [file for end in (".csv", ".csv.gz", ".txt") if (folder / (file := step["step"] + end)).exists()]
    steps = [step for step in steps if step["files"]]
    for step in steps:
        step["path"] = folder / step["files"][0]
        has_results = step["path"].suffix != ".txt" and "git_rev" in next(iter(cells_of(step["path"])), {})
        step["found"] = summary.load(step["path"]) if has_results else None
        step["charts"] = sorted(path.relative_to(folder).with_suffix("") for path in folder.glob(f"{step['step']}-charts/*.svg")
                                if not path.stem.endswith("-dark"))
    return steps


def not_done(steps):
    """Those of scripts/record/steps.txt that such a machine could do: one with a GPU, if it has done what needs one."""
    lines = [line.split()[:4] for line in (Path(__file__).parent / "steps.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    with_gpu, without = ([name for name, needs, *seconds in lines if seconds[column] != "-" and needs != "gpus"] for column in (0, 1))
    done = {step["step"] for step in steps}
    return [name for name in (without if done <= {*without} else with_gpu) if name not in done]


def page(folder):
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined, keep_trailing_newline=True, finalize=cell)
    environment.filters |= {"duration": text.duration, "factor": text.factor, "per_cent": text.per_cent}
    environment.globals |= {"headlines": headlines, "interval": interval, "chosen": chosen, "counted": counted, "marked": marked,
                            "rows_of": cells_of}
    steps = steps_of(folder)
    if not steps:
        raise Failure(f"{folder}: no step has a file; expected what scripts/record.sh writes")
    measured = [step["found"] for step in steps if step["found"]]
    devices = dict.fromkeys((device["backend"], described(device)) for found in measured for device in found["devices"])
    try:
        return environment.get_template("page.jinja").render(name=folder.name, steps=steps, devices=devices, left=not_done(steps),
                                                             first=next(iter(measured), None))
    except jinja2.UndefinedError as error:
        raise Failure(f"{folder}: {error}; expected what this revision of scripts/record.sh writes") from None


def main(arguments):
    _, (folder,) = parse(arguments, (), 1, 1, "the folder of a record")
    folder = Path(folder)
    written = page(folder)
    with staging.beside(folder) as stage:
        (stage / "README.md").write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    end_with("page.py", main)

"""The command line of scripts/plot.sh, whose --help says what it does."""
import importlib
import os
import pkgutil
from pathlib import Path

import charts
import compare
import gnuplot
import page
import precision
import ratios
import runs
import staging
import summary
import table
import text
import training
from failure import Failure, complain, end_with, parse
from results import Results


def kinds():
    """The modules in charts/, in the order of the page."""
    found = [importlib.import_module(f"charts.{module.name}") for module in pkgutil.iter_modules(charts.__path__)]
    return sorted(found, key=lambda module: module.PAGE[0])


def drawn_by(module, data):
    charts = list(module.draw(data))
    if not charts and hasattr(module, "LACKING"):
        data.leave_out(module.HELP[0].partition("-")[0], module.LACKING)
    return charts


def main(arguments):
    staging.clear_up_on_signals()
    if arguments == ["--list-charts"]:
        for module in kinds():
            print("  {:<28} {}".format(*module.HELP))
        return 0
    if "--compare" in arguments:
        values, files = parse(arguments, ("--only=", "--compare"), 2, 3, "A.csv B.csv [OUTDIR]")
        return run_compare(files, values.get("--only"))
    values, files = parse(arguments, ("--only=", "--samples="), 1, 2, "FILE.csv [OUTDIR]")
    csv = files[0]
    summary.check_file(csv)
    gnuplot.require()
    first = table.first_line(csv)
    kind = next((module for module in (ratios, precision, training) if first.replace(b'"', b"").startswith(module.HEADER)), None)
    if kind:
        folder = Path(files[1] if len(files) > 1 else os.path.dirname(csv) or ".")
        return put([kind.draw(csv)], folder, prefix=stem_of(csv) + "-")
    return run_results(csv, files[1] if len(files) > 1 else None, values.get("--only"), values.get("--samples"))


def run_results(csv, folder, only, sampled):
    if not only:
        page.require()
    beside = stem_of(csv, whole=True) + "-samples.csv"
    if not sampled and os.path.isfile(beside) and os.access(beside, os.R_OK):
        sampled = beside
    found = summary.load_to_draw(csv, of_several=True)
    if "runs" in found:
        return put([runs.draw(found)], Path(folder or os.path.dirname(csv) or "."), prefix=stem_of(csv) + "-")
    folder = Path(folder or stem_of(csv, whole=True) + "-charts")
    data = Results(found, sampled)
    drawn, notes = choose([chart for module in kinds() for chart in drawn_by(module, data)], data.left_out, only, csv)
    if found.get("slowed_rows"):
        notes.append(f"{csv}: left out, slowed on purpose (--slowdown): {text.count(found['slowed_rows'], 'row')}")
    return put(drawn, folder, notes, page_of=None if only else (found, csv))


def run_compare(files, only):
    gnuplot.require()
    drawn, left_out = compare.draw(*files[:2])
    both = f"{files[0]} and {files[1]}"
    folder = Path(files[2] if len(files) > 2 else stem_of(files[1], whole=True) + "-compared")
    drawn, notes = choose(drawn, left_out, only, both, "the files have no row in common")
    return put(drawn, folder, notes)


def stem_of(csv, whole=False):
    return (csv if whole else os.path.basename(csv)).removesuffix(".gz").removesuffix(".csv")


def choose(drawn, left_out, only, about, nothing="no row has a place in a chart"):
    """The wanted ones of those that were drawn, and a list of what is to be said of the others."""
    stems = {chart.stem for chart in drawn} | {stem for stem, _ in left_out}
    wanted = summary.matching("--only", only, stems) if only else stems
    possible = [chart for chart in drawn if chart.stem in wanted]
    lacking = {}
    for stem, cause in left_out:
        if stem in wanted:
            lacking.setdefault(cause, []).append(stem)
    missing = "; ".join(f"{text.listed(stems, 4)} ({cause})" for cause, stems in lacking.items())
    if not possible:
        if only and not missing:
            raise Failure(f"{about}: --only={only}: matches no chart that this file can feed")
        raise Failure(f"{about}: nothing to draw: {missing or nothing}", 77)
    return possible, [f"{about}: not drawn: {missing}"] if missing else []


def put(drawn, folder, notes=(), prefix="", page_of=None):
    """Draws them, and moves them to where they belong when all are whole; then the notes are said."""
    with staging.beside(folder, prefix) as stage:
        gnuplot.draw(drawn, stage)
        if page_of:
            found, csv = page_of
            page.write(found, drawn, kinds(), stage, csv)
    for note in notes:
        complain("plot.sh", note)
    more = f", and a page of them: {folder / 'report.html'}" if page_of else ""
    print(f"Charts: {len(drawn)} in {folder} (SVG and PNG){more}", flush=True)
    return 0


if __name__ == "__main__":
    end_with("plot.sh", main)

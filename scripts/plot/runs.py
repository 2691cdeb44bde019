"""Runs side by side, of the GPUs of a machine or of several machines (rungbench --merge): by how much each is slower than the
one in the middle, row by row."""
import ratios
import text
from failure import Failure
from frame import Chart

ROWS_MOST, RUNS_MOST = 60, 8


def draw(found):
    runs, rows = found["runs"], [row for row in found["rows"] if len(row["of_runs"]) > 1]
    if not rows:
        raise Failure("nothing to draw: no row was timed by two runs", 77)
    shown = sorted(rows, key=lambda row: max(one["excess_pct"] for one in row["of_runs"]), reverse=True)[:ROWS_MOST]
    chart = Chart("runs", title_of(runs, rows), "Change in time, over the run in the middle of each row")
    for run in runs[:RUNS_MOST]:
        chart.header(f"{run['run']}: " + ", ".join(filter(None, (run.get("host"), run.get("device"), run.get("device_uuid")))) +
                     (f"; slower in {run['slower_rows']} of {text.count(run['rows'], 'row')}, in the median by {run['excess_pct']:.1f} %"
                      if run["slower"] else ""), "bad" if run["slower"] else "")
    if len(runs) > RUNS_MOST:
        chart.header(f"and {text.count(len(runs) - RUNS_MOST, 'run')} more")
    chart.footer("Dots: medians; lines: from the fastest round to the slowest, or the quartiles of a single one. Orange: each of its rounds "
                 "is slower than every one of the run in the middle.")
    if len(rows) > len(shown):
        chart.footer(f"Not drawn: {text.count(len(rows) - len(shown), 'row')} that differ less.")
    chart.footer(f"First run {text.moment(runs[0]['timestamp'])}, rungbench at {runs[0].get('git_rev', 'an unknown revision')}.")
    return lay_out(chart, shown)


def title_of(runs, rows):
    slower = [str(run["run"]) for run in runs if run["slower"]]
    if slower:
        return f"Slower than the others in most rows: {'run' if len(slower) == 1 else 'runs'} {text.listed(slower, 6)} of {len(runs)}"
    return f"No run of {len(runs)} is slower than the others in most of {text.count(len(rows), 'row')}"


def lay_out(chart, rows):
    lines = [(i + 1.28, *changes(row, one)) for i, row in enumerate(rows) for one in row["of_runs"]]
    reach = [change for line in lines for change in line[1:4]]
    margin = max(0.05 * (max(reach) - min(reach)), 0.05)
    low, high = min(reach) - margin, max(reach) + margin
    slower = [[f"{one['run']}: {ratios.signed(one['excess_pct'])}" for one in row["of_runs"] if one["slower"]] for row in rows]
    ratios.lines(chart, [(row["name"], text.listed(runs, 2)) for row, runs in zip(rows, slower)], low, high)
    places = [i + 1.28 for i in range(len(rows))]
    chart.do(*(f"set arrow from graph 0, first {place} to graph 1, first {place} nohead back linecolor rgb GRID linewidth 1" for place in places))
    chart.plot(([(0, place) for place in places], ratios.STRIPS),
               (lines, "using 3:1:($4 - $3):(0) with vectors nohead linecolor rgb INK linewidth 1.2"),
               (lines, "using 2:1:(color(strcol(5))) with points pointtype 7 pointsize 0.9 linecolor rgb variable"))
    return chart.finish(len(rows) * ratios.ROW, 12, ratios.BELOW)


def changes(row, one):
    """In per cent: of the median, of both ends, and the colour."""
    middle = next(other for other in row["of_runs"] if not other["excess_pct"])["time_s"]
    ends = [100 * (one.get(key, one["time_s"]) / middle - 1) for key in ("low_s", "high_s")]
    return one["excess_pct"], *ends, "bad" if one["slower"] else "cuda"

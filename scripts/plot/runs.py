"""Runs side by side, of the GPUs of a machine or of several machines (rungbench --merge): by how much each is slower than the
one in the middle, row by row."""
import ratios
import text
from failure import Failure
from frame import MARGIN, TEXT_SIZE, WIDTH, Chart

ROW, BELOW = 36, 40  # pixels; the name stands above the line
SAID_WIDTH = 110
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
    left, right = MARGIN + 20, WIDTH - MARGIN - 20
    lines = [(i + 1.28, *changes(row, one)) for i, row in enumerate(rows) for one in row["of_runs"]]
    reach = [change for line in lines for change in line[1:4]]
    margin = max(0.05 * (max(reach) - min(reach)), 0.05)
    low, high = min(reach) - margin, max(reach) + margin
    for i, row in enumerate(rows):
        above = f"top + {(i + 0.3) * ROW}"
        chart.label(text.squeeze(text.clean(row["name"]), WIDTH - 2 * MARGIN - SAID_WIDTH, TEXT_SIZE, mono=True), MARGIN, above, font="CODE")
        chart.label(said_of(row), WIDTH - MARGIN, above, "right")
        chart.do(f"set arrow from graph 0, first {i + 1.28} to graph 1, first {i + 1.28} nohead back linecolor rgb GRID linewidth 1")
    chart.area(left, right)
    chart.range("x", low, high)
    chart.range("y", len(rows) + 0.5, 0.5)
    chart.ticks(ratios.ticks_of(low, high, right - left))
    chart.plot(([(0, i + 1.28) for i in range(len(rows))], "using 1:($2 - 0.26):(0):(0.44) with vectors nohead linecolor rgb INK linewidth 1.2"),
               (lines, "using 3:1:($4 - $3):(0) with vectors nohead linecolor rgb INK linewidth 1.2"),
               (lines, "using 2:1:(color(strcol(5))) with points pointtype 7 pointsize 0.9 linecolor rgb variable"))
    return chart.finish(len(rows) * ROW, 12, BELOW)


def changes(row, one):
    """In per cent: of the median, of both ends, and the colour."""
    middle = next(other for other in row["of_runs"] if not other["excess_pct"])["time_s"]
    ends = [100 * (one.get(key, one["time_s"]) / middle - 1) for key in ("low_s", "high_s")]
    return one["excess_pct"], *ends, "bad" if one["slower"] else "cuda"


def said_of(row):
    return text.listed([f"{one['run']}: {ratios.signed(one['excess_pct'])}" for one in row["of_runs"] if one["slower"]], 2)

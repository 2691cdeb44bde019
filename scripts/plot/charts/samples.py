"""For each workload and mode, the samples of each rung in the order in which they were taken: two modes stand side by side, drift
leans."""
import random

import results
import table
import text
from frame import MARGIN, TEXT_SIZE, WIDTH

HELP = "samples-OP-WORKLOAD-MODE", "the samples (rungbench --samples), of --samples=FILE.csv or RESULTS-samples.csv"
PAGE = 8, "The samples", "Every sample of a row, from the first above to the last below: two modes stand side by side, drift leans."
ROW, DOTS_MOST = 84, 500  # pixels; dots in a strip
ABOVE = 0.07  # what of a row lies between its strip's upper end and its middle


def draw(data):
    if data.samples is None:
        data.leave_out("samples", "no file of samples next to it; rungbench --samples writes one")
        return
    taken = load(data.samples)
    known = False
    for workload in data.workloads:
        for mode in data.modes:
            rows = [row for row in data.rows(workload, mode) if results.is_timed(row) and len(taken.get(row["name"], ())) > 1]
            stem = f"samples-{workload['op']}-{workload['workload']}-{mode}"
            if any(row.get("samples") not in counts(taken[row["name"]]) for row in rows):
                data.leave_out(stem, "the samples are of another run")
            elif rows:
                yield strips(data, workload, mode, rows, taken, stem)
            known = known or bool(rows)
    if not known:
        data.leave_out("samples", "the file of samples has no row of these results")


def load(path):
    """{row's name: [(round, seconds)] in the order of the file}"""
    found = {}
    for line, row in table.rows(path, "a file of rungbench --samples", ("name", "round", "seconds")):
        found.setdefault(row["name"], []).append((row["round"], table.positive(path, line, "seconds", row["seconds"])))
    return found


def counts(samples):
    """What the results say of a row with these: a single round counts its samples, several are counted themselves."""
    return len(samples), len({taken_in for taken_in, _ in samples})


def strips(data, workload, mode, rows, taken, stem):
    drawn = [strip(place, row, taken[row["name"]]) for place, row in enumerate(rows, 1)]
    widest, count, spread = max((s["spread"], len(taken[row["name"]]), results.rung_name(row)) for s, row in zip(drawn, rows))
    which = "one sample in twenty lies" if count >= 20 else f"the slowest of {count} samples lies"
    title = f"{spread} varies most: {which} {change(widest).lstrip('+')}{' or more' if count >= 20 else ''} above its median"
    chart = data.chart(stem, title, workload, mode)
    data.devices(chart, results.backends(rows))
    data.alarms(chart, data.rows(workload, mode))
    thinned = any(len(taken[row["name"]]) > DOTS_MOST for row in rows)
    chart.footer("Each dot is a sample, the first on top, the last below; from left to right how long it took, each rung on its own "
                 "linear scale. Line: the median. Dots at an edge lie there or beyond." +
                 (f" Of more than {DOTS_MOST} so many are drawn, by chance." if thinned else ""))
    seams = [seam for s in drawn for seam in s["seams"]]
    if seams:
        chart.footer("Rounds follow each other, lines between them.")
    if widest > 1.1:
        chart.remark("A few calls that are disturbed move the mean, and not the median.")
    data.origin(chart, workload)
    names = [results.rung_name(row) for row in rows]
    chart.area()
    chart.do("unset xtics")
    chart.range("x", -0.01, 1.01)
    chart.range("y", len(rows) + 0.5, 0.5)
    for place, (name, s) in enumerate(zip(names, drawn), 1):
        y = (place - 1) * ROW + 8
        chart.label(text.squeeze(name, WIDTH - 2 * MARGIN, TEXT_SIZE, mono=True), MARGIN, f"top + {y}", font="CODE")
        chart.label(f"{s['note']}, {s['left']} to {s['right']}", MARGIN, f"top + {y + 16}", font="SMALL", color="FAINT")
        low, up = place - ABOVE, place + 0.46
        chart.do(f"set object rectangle from 0, {low} to 1, {up} behind fillcolor rgb GRID fillstyle solid 0.4 noborder",
                 f"set arrow from {s['middle']}, {low} to {s['middle']}, {up} nohead front linecolor rgb INK linewidth 1")
    chart.do(*(f"set arrow from 0, {seam} to 1, {seam} nohead back linecolor rgb FAINT linewidth 0.6" for seam in seams))
    chart.plot(([dot for s in drawn for dot in s["dots"]],
                "using 1:2:(color(strcol(3))) with points pointtype 7 pointsize 0.35 linecolor rgb variable"))
    return chart.finish(len(rows) * ROW, 4, 8)


def strip(place, row, samples):
    """A strip shows all, or but for the outer twentieth on a side where that reaches far beyond the rest; those stand at its edge."""
    seconds = [s for _, s in samples]
    n, ranked = len(seconds), sorted(seconds)
    edge = n // 20
    middle = (ranked[(n - 1) // 2] + ranked[n // 2]) / 2
    low = ranked[0] if middle - ranked[0] < 4 * (middle - ranked[edge]) else ranked[edge]
    high = ranked[-1] if ranked[-1] - middle < 4 * (ranked[n - 1 - edge] - middle) else ranked[n - 1 - edge]
    if high <= low:
        low, high = middle * 0.9999, middle * 1.0001
    beyond = sum(s > high for s in seconds)

    def height(i):
        return place - ABOVE + 0.03 + (ABOVE + 0.4) * i / (n - 1)
    return {"note": text.duration(middle), "left": change(low / middle), "middle": (middle - low) / (high - low),
            "right": change(high / middle) + (f", {beyond} up to {change(ranked[-1] / middle)}" if beyond else ""),
            "spread": ranked[n - 1 - edge] / middle,
            "seams": [height(i - 0.5) for i in range(1, n) if samples[i][0] != samples[i - 1][0]],
            "dots": [(min(max((seconds[i] - low) / (high - low), 0.0), 1.0), height(i), row["backend"]) for i in chosen(n)]}


def chosen(n):
    """One of each so many, by chance: steps of one length would see one mode of two."""
    if n <= DOTS_MOST:
        return range(n)
    chance = random.Random(1)
    return [min(int((i + chance.random()) * n / DOTS_MOST), n - 1) for i in range(DOTS_MOST)]


def change(ratio):
    """1.012 -> +1.2 %"""
    size = abs(100 * (ratio - 1))
    return ("−" if ratio < 1 else "+") + (text.figures(size) if size >= 99.5 else f"{size:.2g}") + " %"

"""For each operation, time against size: CPU rungs, GPU rungs alone, and GPU rungs with transfers; and where the better choice
changes."""
import math

import plane
import results
import text
from frame import Chart, SMALL_SIZE

HELP = "sweep-OP", "time against size, and where the GPU overtakes the CPU"
PAGE = 5, "From small to large", ("Each line is a rung over growing sizes, dashed with its transfers; where two cross, the better choice "
                                  "changes.")
SERIES = (("cuda", "e2e", 2), ("cpu", "hot", 1), ("cuda", "hot", 1))  # backend, mode, dash


NAME_MOST = 150  # pixels


def size_of(workload):
    """N of an NxN by NxN product, or the pixels of a picture; None: it has no size on this axis."""
    parts = [int(part) for part in str(workload.get("shape", "")).split("x") if part.isdecimal() and part.isascii()]
    if workload.get("flops"):
        return parts[0] if len(parts) == 3 and len(set(parts)) == 1 and parts[0] else None
    return math.prod(parts) or None if len(parts) in (2, 3) else None


def draw(data):
    for op in dict.fromkeys(workload["op"] for workload in data.workloads):
        sized = sorted(((size_of(w), w) for w in data.workloads if w["op"] == op and size_of(w)), key=lambda item: item[0])
        lines = list(series(data, sized)) if len({n for n, _ in sized}) >= 3 else []
        if any(results.is_timed(row) for line in lines for _, row in line[3]):
            yield sweep(data, op, sized, lines)
        else:
            data.leave_out(f"sweep-{op}", "fewer than three sizes of one kind")


def series(data, sized):
    """(rung, backend, dash, [(size, row)]) of each with times at two sizes or more, or with a failure."""
    for backend, mode, dash in SERIES:
        found = {}
        for n, workload in sized:
            for row in data.rows(workload, mode):
                if row["backend"] == backend:
                    found.setdefault(results.rung_name(row), []).append((n, row))
        for name, points in found.items():
            if sum(results.is_timed(row) for _, row in points) >= 2 or any(results.is_bad(row) for _, row in points):
                yield name, backend, dash, points


def sweep(data, op, sized, lines):
    names = [ending(name, points) for name, *_, points in lines]
    shown = plane.Plane(max(text.pixels(name, SMALL_SIZE) for name in names) + 24, max(plane.HEIGHT, len(lines) * plane.LINE + 20))
    for _, backend, _, points in lines:
        for n, row in points:
            if results.is_timed(row):
                shown.dot(n, row["time_median_s"], row.get("low_s"), row.get("high_s"), backend)
    shown.fix()
    below = []
    for (_, backend, dash, points), name in sorted(zip(lines, names), key=lambda item: -last(shown, item[0][3])[1]):
        below.append((timed(points), f"using 1:2 with lines linecolor rgb color('{backend}') linewidth 1.6 dashtype {dash}"))
        shown.crosses += [(n, shown.bottom()) for n, row in points if results.is_bad(row)]
        shown.write(name, *last(shown, points), bad=any(results.is_bad(r) for _, r in points), beside=True)
    crossings = [c for c in data.summary["crossovers"] if c["op"] == op and c["device_backend"] != "gpus"]
    chart = Chart(f"sweep-{op}", title_of(op, crossings, lines),
                  f"{op}: time of one call against size, hot" +
                  ("; dashed: with upload and download, pinned memory" if any(dash > 1 for _, _, dash, _ in lines) else ""))
    backends = list(dict.fromkeys(line[1] for line in lines))
    data.devices(chart, [b for b in ("cpu", "cuda") if b in backends])
    data.alarms(chart, [row for line in lines for _, row in line[3]])
    sizes = {workload["workload"]: n for n, workload in sized}
    changes = [pair for c in crossings if results.moves_data(c["device_mode"]) for pair in changes_of(c, sizes)]
    if changes:
        chart.footer("Shaded: between these sizes the better choice changes, with transfers.")
    chart.footer(data.marks("Dots"))
    remark(chart, crossings)
    data.origin(chart)
    product = any(workload.get("flops") for _, workload in sized)
    return shown.draw(chart, "N of an NxN by NxN product, log" if product else "pixels, log", "time, log", "s", below, changes)


def timed(points):
    return [(n, row["time_median_s"]) for n, row in points if results.is_timed(row)]


def last(shown, points):
    """Where a line ends; a rung that has none stands at the bottom."""
    return (timed(points) or [(points[-1][0], shown.bottom())])[-1]


def ending(name, points):
    bad = dict.fromkeys(results.bad_word(row) for _, row in points if results.is_bad(row))
    return text.squeeze(" ".join((name, *bad)), NAME_MOST, SMALL_SIZE)


def title_of(op, crossings, lines):
    won = [f"{sum(p['gain'] >= 1 for p in c['points'])} of {len(c['points'])} sizes {c['what']}" for c in crossings]
    if won:
        return f"{op}: the GPU wins " + ", ".join(won)
    fastest = [name for name, *_, points in lines for _, row in points if row["best"]]
    rung = max(fastest, key=fastest.count, default="no rung")
    return f"{op}: {rung} is the fastest at {fastest.count(rung)} of {len({n for *_, points in lines for n, _ in points})} sizes"


def changes_of(crossing, sizes):
    """Neighbouring sizes of which the GPU loses one and wins the other."""
    known = [(sizes[p["workload"]], p["gain"]) for p in crossing["points"] if p["workload"] in sizes]
    return [(a, b) for (a, before), (b, after) in zip(known, known[1:]) if (before < 1) != (after < 1) and a < b]


def remark(chart, crossings):
    """Small work gains nothing however fast the kernel: what a launch and a transfer cost does not shrink with it."""
    for crossing in crossings:
        first, final = crossing["points"][0], crossing["points"][-1]
        if first["gain"] < 1 <= final["gain"]:
            chart.remark(f"The gain grows with the size, {crossing['what']} from {text.factor(first['gain'])} at {first['workload']} to "
                         f"{text.factor(final['gain'])} at {final['workload']}: what a launch and a transfer cost does not shrink "
                         "with the work.")
            return

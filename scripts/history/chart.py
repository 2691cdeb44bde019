"""A chart per workload and mode: a strip per row over the commits, and the controls of the device below them."""

import statistics

import text
from frame import MARGIN, TEXT_SIZE, WIDTH, Chart
from report import per_cent, place

STRIP, ABOVE, GAP = 44, 38, 8  # pixels; above each strip stand its name and what is said of it
LEFT = MARGIN + 60
CAUSES = 8  # commits that are named below the strips
DOTS = 300  # of a strip at most
LABEL = 70  # room for a commit below the last strip


def charts_of(history):
    groups = {}
    for row in history.rows.values():
        if row.control != "ceiling":
            parts = row.name.split("/")
            groups.setdefault((parts[0], parts[1] if len(parts) > 2 else "", parts[-1]), []).append(row)
    for group, rows in groups.items():
        if any(not row.control for row in rows):
            ceilings = [row for row in history.controls if row.control == "ceiling" and set(row.name.split("/")[2:]) <= set(group)]
            yield draw(history, group, sorted(rows, key=lambda row: bool(row.control)) + ceilings)


def span(row):
    """The range of a strip: at least 6 %, so that noise does not fill it."""
    times = [time for _, time in row.points]
    low, high = min(times), max(times)
    spare = max(0.1 * (high - low), 0.03 * high - (high - low) / 2)
    return low - spare, high + spare


def dots(row):
    """[(place, seconds)]: the points, or medians of neighbours where there are too many."""
    size = -(-len(row.points) // DOTS)
    groups = (row.points[i:i + size] for i in range(0, len(row.points), size))
    return [tuple(map(statistics.median, zip(*group))) for group in groups]


def said(history, row):
    change = row.latest
    machine = change and not row.control and history.moved_with(change)
    return ("control: " if row.control else "") + row.state + (f" {per_cent(change.ratio)}" if change else "") + (", machine" if machine else "")


def kind_of(history, row, change):
    return "past" if row.control or history.moved_with(change) else "slower" if change.ratio > 1 else "faster"


def short(row):
    parts = text.clean(row.name).split("/")
    return " ".join(parts[:2]) if row.control == "ceiling" else parts[2] if len(parts) > 3 else "/".join(parts)


def value(row, seconds):
    return f"{text.rate(1e-9 / seconds)} G/s" if row.control == "ceiling" else text.duration(seconds)


def explain(chart, history, rows):
    """What changed, and whether it can be the code, above the strips; commit by commit below them."""
    changes, machine = {}, []
    for row in rows:
        for change in () if row.control else row.changes:
            changes.setdefault(change.place, []).append((row, change))
            machine += [row for _ in history.moved_with(change)[:1]]
    for state in ("slower", "faster"):
        names = [short(row) for row in rows if row.latest and kind_of(history, row, row.latest) == state]
        if names:
            chart.header(f"{state}: {text.listed(names)}", state)
    if machine:
        chart.header("The machine changed, not the code, where controls moved at the same commit: "
                     + text.listed(dict.fromkeys(map(short, machine))), "past")
    each = -(-len(history.commits) // DOTS)
    chart.footer(f"Median of each {f'{each} commits' if each > 1 else 'commit'}; wide grey lines: medians between changes; vertical lines: changes (E-divisive means, "
                 "permutation test). Up is slower; each strip has a linear scale of its own.")
    if len(changes) > CAUSES:
        chart.footer(f"{text.count(len(changes) - CAUSES, 'earlier change')} in the table.")
    for at, found in sorted(changes.items())[-CAUSES:]:
        moved = dict.fromkeys(short(row) for _, change in found for row in history.moved_with(change))
        chart.footer(f"{place(history, at)}: " + text.listed(f"{short(row)} {per_cent(change.ratio)}" for row, change in found)
                     + (f"; controls that moved: {text.listed(moved, 3)}" if moved else ""))


def draw(history, group, rows):
    changed = [row for row in rows if row.changes and not row.control]
    result = f"{text.count(len(changed), 'row')} changed" if changed else "no change found"
    if all(row.state == "too few" for row in rows):
        result = "too few commits to tell"
    title = f"{'/'.join(filter(None, group))}: {result}"
    chart = Chart(text.file_name(f"history-{history.device}-{'-'.join(group)}")[:180], title,
                  f"{history.device}, {text.count(len(history.commits), 'commit')}")
    explain(chart, history, rows)
    versions = sorted({at for at, _, _ in history.versions})
    for number, at in enumerate(versions, 1):
        chart.footer(f"v{number}, {place(history, at)}: " + "; ".join(f"{was} -> {now}" for a, was, now in history.versions if a == at))
    for number, at in enumerate(versions, 1):
        chart.label(f"v{number}", LEFT + at / len(history.commits) * (WIDTH - MARGIN - LEFT), "top - 8", "center", "STRONG")
    chart.do("unset xtics", "set border 15 linecolor rgb GRID", "set multiplot")
    chart.range("x", -0.5, len(history.commits) - 0.5)
    chart.label("commits, the oldest first", (LEFT + WIDTH - MARGIN) / 2, "bottom + 36", "center", "SMALL", "FAINT")
    for p, row in enumerate(rows):
        if row is rows[-1]:
            step = -(-len(history.commits) * LABEL // (WIDTH - MARGIN - LEFT))
            chart.ticks([(text.shorten(history.label(at)[:7], LABEL, 12), at) for at in range(0, len(history.commits), step)])
            chart.do("unset grid")
        draw_strip(chart, history, row, p * (ABOVE + STRIP + GAP) + ABOVE, versions)
    chart.do("unset multiplot")
    return chart.finish(len(rows) * (ABOVE + STRIP + GAP) - GAP, above=16 if versions else 0, below=42)


def draw_strip(chart, history, row, y, versions):
    low, high = span(row)
    kind = "past" if row.control else "cuda" if history.is_gpu else "cpu"
    state = kind_of(history, row, row.latest) if row.latest else "past"
    chart.area(LEFT, top=f"top + {y}", bottom=f"top + {y + STRIP}")
    chart.label(text.squeeze(short(row), WIDTH - 2 * MARGIN, TEXT_SIZE, mono=True), MARGIN, f"top + {y - 27}", font="CODE")
    chart.label(said(history, row), MARGIN, f"top + {y - 10}", font="SMALL", color=f"color('{state}')")
    chart.label(value(row, high), LEFT - 8, f"top + {y + 7}", "right", "SMALL", "FAINT")
    chart.label(value(row, low), LEFT - 8, f"top + {y + STRIP - 7}", "right", "SMALL", "FAINT")
    chart.range("y", low, high)
    chart.do(*(f"set arrow from first {change.place - 0.5}, graph 0 to first {change.place - 0.5}, graph 1 nohead front "
               f"linecolor rgb color('{kind_of(history, row, change)}') linewidth 2" for change in row.changes))
    for at in versions:
        chart.do(f"set arrow from first {at - 0.5}, graph 0 to first {at - 0.5}, graph 1 nohead back dashtype (5, 4) linecolor rgb FAINT linewidth 1.2")
    chart.plot((row.segments(), "using ($1 - 0.5):3:($2 - $1 + 1):(0) with vectors nohead linecolor rgb GRID linewidth 8"),
               (dots(row), f"using 1:2 with linespoints pointtype 7 pointsize 0.3 linecolor rgb color('{kind}') linewidth 1.2"))
    chart.do("unset label", "unset arrow")

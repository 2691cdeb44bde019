"""A chart per workload and mode: a strip per row over the commits, and the controls of the device below them."""

import statistics

import text
from frame import MARGIN, TEXT_SIZE, WIDTH, Chart, columns
from report import per_cent, place

STRIP, GAP = 44, 12  # pixels
NAME, TICKS = 190, 80
LEFT = MARGIN + NAME + TICKS
CAUSES = 8  # commits that are named below the strips
DOTS = 300  # of a strip at most
LABEL = 70  # room for a commit below the last strip

TEMPLATE = r"""
strip_top(p) = top + (p - 1) * (strip + gap)
unset xtics
set xrange [-0.5 : commits - 0.5]
set label axis_title at screen X((left + right) / 2), Y(bottom + 32) center noenhanced font SMALL textcolor rgb FAINT
do for [p = 1:strips] {
    set label name[p] at screen X(margin), Y(strip_top(p) + 13) left noenhanced font CODE textcolor rgb INK
    set label state[p] at screen X(margin), Y(strip_top(p) + 32) left noenhanced font SMALL \
        textcolor rgb (state_kind[p] eq '' ? 0x767676 : color(state_kind[p]))
    set label high_text[p] at screen X(left - 8), Y(strip_top(p) + 7) right noenhanced font SMALL textcolor rgb FAINT
    set label low_text[p] at screen X(left - 8), Y(strip_top(p) + strip - 7) right noenhanced font SMALL textcolor rgb FAINT
}
do for [v = 1:versions] {
    at = left + version_at[v] / real(commits) * (right - left)
    set arrow from screen X(at), Y(top - 3) to screen X(at), Y(bottom) nohead back dashtype (5, 4) linecolor rgb FAINT linewidth 1.2
    set label version[v] at screen X(at), Y(top - 11) center noenhanced font STRONG textcolor rgb INK
}
set border 15 linecolor rgb GRID
set multiplot
do for [p = 1:strips] {
    set tmargin at screen Y(strip_top(p))
    set bmargin at screen Y(strip_top(p) + strip)
    set yrange [low[p] : high[p]]
    if (p == strips) {
        set xtics scale 0 font SMALL textcolor rgb FAINT
        set xtics ()
        do for [t = 1:ticks] { set xtics add (tick_text[t] tick_at[t]) }
    }
    do for [c = 1:changes] {
        if (change_strip[c] == p) {
            set arrow from first change_at[c] - 0.5, graph 0 to first change_at[c] - 0.5, graph 1 nohead front \
                linecolor rgb color(change_kind[c]) linewidth 2
        }
    }
    plot $segments using ($1 == p ? $2 - 0.5 : NaN):4:($3 - $2 + 1):(0) with vectors nohead linecolor rgb GRID linewidth 8, \
        $points using ($1 == p ? $2 : NaN):3 with linespoints pointtype 7 pointsize 0.3 \
            linecolor rgb color(line_kind[p]) linewidth 1.2
    unset label
    unset arrow
}
unset multiplot
"""


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
    chart = Chart("history", text.file_name(f"history-{history.device}-{'-'.join(group)}")[:180], title,
                  f"{history.device}, {text.count(len(history.commits), 'commit')}")
    explain(chart, history, rows)
    versions = sorted({at for at, _, _ in history.versions})
    for number, at in enumerate(versions, 1):
        chart.footer(f"v{number}, {place(history, at)}: " + "; ".join(f"{was} -> {now}" for a, was, now in history.versions if a == at))
    ranges = [span(row) for row in rows]
    step = -(-len(history.commits) * LABEL // (WIDTH - MARGIN - LEFT))
    ticks = range(0, len(history.commits), step)
    marks = [(p, change.place, kind_of(history, row, change)) for p, row in enumerate(rows, 1) for change in row.changes]
    kind = "cuda" if history.is_gpu else "cpu"
    return chart.draw(
        TEMPLATE, len(rows) * (STRIP + GAP) - GAP, above=22 if versions else 6, below=38, commits=len(history.commits),
        strip=STRIP, gap=GAP, left=LEFT, axis_title="commits, the oldest first",
        strips=len(rows), name=[text.squeeze(short(row), NAME, TEXT_SIZE, mono=True) for row in rows],
        state=[said(history, row) for row in rows],
        state_kind=[kind_of(history, row, row.latest) if row.latest else "" for row in rows],
        line_kind=["past" if row.control else kind for row in rows],
        low=[low for low, _ in ranges], high=[high for _, high in ranges],
        low_text=[value(row, low) for row, (low, _) in zip(rows, ranges)],
        high_text=[value(row, high) for row, (_, high) in zip(rows, ranges)],
        versions=len(versions), version_at=versions, version=[f"v{i + 1}" for i in range(len(versions))],
        **columns(marks, "changes", "change_strip", "change_at", "change_kind"),
        ticks=len(ticks), tick_at=list(ticks), tick_text=[text.shorten(history.label(at)[:7], LABEL, 12) for at in ticks],
        points=[(p, at, time) for p, row in enumerate(rows, 1) for at, time in dots(row)],
        segments=[(p, *segment) for p, row in enumerate(rows, 1) for segment in row.segments()])

"""The verdicts of a gate (rungbench-gate --csv): how each row's time changed, with its interval; a panel for rows of the same
threshold, the slowest first."""
import axis
import summary
import table
import text
from failure import Failure
from frame import MARGIN, TEXT_SIZE, WIDTH, Chart

ROW, HEAD, GAP, BELOW = 36, 46, 52, 40  # pixels; the name stands above the line
HEADER = b"name,verdict,ratio,"
COLUMNS = ("name", "verdict", "ratio", "ratio_low", "ratio_high", "base_rounds", "new_rounds", "threshold", "clear", "reason")
VERDICTS = ("slower", "failed", "missing", "newly skipped", "suspected", "inconclusive", "accepted", "layout", "same code", "faster", "cleared", "new",
            "not gated", "skipped", "not compared")  # the worst first
WHAT = "a verdict file of rungbench-gate"
COLOR, STROKE = "(color(strcol(4)))", "linecolor rgb variable linewidth 2.4"
STRIPS = "using 1:($2 - 0.26):(0):(0.44) with vectors nohead linecolor rgb INK linewidth 1.2"
ARROW = f"{COLOR} with vectors head filled size graph 0.02, 25 {STROKE}"


def load(path):
    rows = []
    for line, row in table.rows(path, WHAT, COLUMNS):
        if row["verdict"] not in VERDICTS:
            raise Failure(f"{path}: line {line}: verdict is '{text.clean(row['verdict'])[:60]}'; expected cleared, slower or another of "
                          "rungbench-gate")
        number = {name: table.positive(path, line, name, row[name]) if row[name] else None
                  for name in ("ratio", "ratio_low", "ratio_high", "threshold", "clear", "base_rounds", "new_rounds")}
        if number["ratio"] is not None:
            if number["threshold"] is None or number["clear"] is None:
                raise Failure(f"{path}: line {line}: a ratio without threshold and clear; expected both")
            for name, key in (("change", "ratio"), ("low", "ratio_low"), ("high", "ratio_high")):
                row[name] = None if number[key] is None else 100 * (number[key] - 1)
        rows.append(row | number)
    if not rows:
        raise Failure(f"{path}: a header, but no row; expected {WHAT}")
    summary.check_work(path, len(rows))
    return rows


def draw(path):
    rows = load(path)
    drawn = sorted((row for row in rows if "change" in row), key=lambda row: (row["threshold"], -row["change"]))
    rest = "; ".join(f"{len(names)} {verdict} ({text.listed(names, 4)})" for verdict, names in without_ratio(rows))
    if not drawn:
        raise Failure(f"{path}: nothing to draw, no row was timed on both sides: {rest[:200]}", 77)
    chart = Chart("ratios", title_of(drawn), subtitle_of(rows[-1]))
    for verdict in VERDICTS:
        if any(row["verdict"] == verdict for row in drawn):
            chart.header(f"{text.count(sum(row['verdict'] == verdict for row in drawn), 'row')} {verdict}", verdict)
    chart.footer(f"Points: change of trimmed geometric means{rounds_of(drawn)}, new over base; lines: 95 % intervals; arrows: on beyond the "
                 "panel; dashed: the threshold.")
    if any(row["low"] is None or row["high"] is None for row in drawn):
        chart.header("Hollow: interval unknown, of too few rounds")
    if any(map(is_slowed, drawn)):
        chart.remark("Slowed on purpose by --slowdown, which hits what was asked for roughly: by more where one launch more takes longer than that.")
    if rest:
        chart.footer(f"Not drawn: {rest}")
    return lay_out(chart, drawn)


def title_of(drawn):
    others = [row for row in drawn if not is_slowed(row)]
    planted = [row["verdict"] for row in drawn if is_slowed(row)]
    found = f"{planted.count('slower')} of {text.count(len(planted), 'row')} slowed on purpose found slower" if planted else ""
    return "; ".join(filter(None, (found, others and worst_of(others))))


def is_slowed(row):
    return row.get("slowed") == "yes"


def worst_of(drawn):
    """The worst verdict there is, and whom it is on."""
    worst = next(verdict for verdict in VERDICTS if any(row["verdict"] == verdict for row in drawn))
    mine = [row for row in drawn if row["verdict"] == worst]
    most = max(mine, key=lambda row: abs(row["change"]))
    if worst == "cleared":
        return f"All {len(drawn)} rows are cleared" if len(drawn) > 1 else "The row is cleared"
    return f"{text.count(len(mine), 'row')} of {len(drawn)} {worst}: {most['name']} by {signed(most['change'])}"


def subtitle_of(row):
    revisions = f"revision {row['new_revision']} over {row['base_revision']}" if row.get("new_revision") and row.get("base_revision") else ""
    return "Change in time, new over base" + "".join(f", {part}" for part in (row.get("device"), revisions) if part)


def rounds_of(drawn):
    rounds = [int(row[side]) for row in drawn for side in ("base_rounds", "new_rounds") if row[side]]
    if not rounds:
        return ""
    return " of " + (f"{min(rounds)} to " if min(rounds) < max(rounds) else "") + text.count(max(rounds), "round")


def without_ratio(rows):
    """(verdict, names with their reasons), the worst first."""
    for verdict in VERDICTS:
        names = [row["name"] + (f": {row['reason'][:90]}" if row["reason"] else "") for row in rows
                 if "change" not in row and row["verdict"] == verdict]
        if names:
            yield verdict, names


def signed(x):
    """+5.12 %"""
    size = text.figures(abs(x), 0)
    return ("" if not size.strip("0.") else "−" if x < 0 else "+") + size + " %"


def lay_out(chart, drawn):
    """Panels one below the other, each with its numbers below it."""
    blocks = [[row for row in drawn if row["threshold"] == threshold] for threshold in dict.fromkeys(row["threshold"] for row in drawn)]
    y = HEAD
    chart.do("set multiplot")
    for rows in blocks:
        panel(chart, rows, y)
        y += len(rows) * ROW + GAP + HEAD
    chart.do("unset multiplot")
    return chart.finish(y - GAP - HEAD, 0, BELOW)


def lines(chart, said, low, high, y=0):
    """Room for a line per row, of which [(name, what is said of it)] stands above it, on one axis in per cent."""
    left, right = MARGIN + 20, WIDTH - MARGIN - 20
    chart.area(left, right, f"top + {y}", f"top + {y + len(said) * ROW}")
    most = WIDTH - 2 * MARGIN - max(text.pixels(value, TEXT_SIZE) for _, value in said) - 10
    for i, (name, value) in enumerate(said):
        above = f"top + {y + (i + 0.3) * ROW}"
        chart.label(text.squeeze(text.clean(name), most, TEXT_SIZE, mono=True), MARGIN, above, font="CODE")
        chart.label(value, WIDTH - MARGIN, above, "right")
    chart.range("x", low, high)
    chart.range("y", len(said) + 0.5, 0.5)
    chart.ticks([(f"{'−' if x < 0 else '+' if x else ''}{abs(x):,.6g}" + (" %%" if x else ""), x) for x in axis.steps(low, high, right - left)])


def panel(chart, rows, y):
    low, high = panel_range(rows)
    threshold, clear = 100 * rows[0]["threshold"], 100 * rows[0]["clear"]
    chart.label(f"Threshold {threshold:.6g} %", MARGIN, f"top + {y - 26}", font="STRONG")
    chart.label(f"cleared: slower by less than {clear:.6g} %", MARGIN, f"top + {y - 9}", font="SMALL", color="FAINT")
    lines(chart, [(row["name"], signed(row["change"])) for row in rows], low, high, y)
    places = [i + 1.28 for i in range(len(rows))]
    spans = [(place, *ends(row), row["verdict"]) for place, row in zip(places, rows)]
    cut = [(i, max(begin, low), min(end, high), verdict) for i, begin, end, verdict in spans]
    tip = 0.02 * (high - low)
    chart.plot(([(0, place) for place in places], STRIPS), ([(threshold, place) for place in places], f"{STRIPS} dashtype (3, 2)"),
               ([line for line in cut if line[1] < line[2]], f"using 2:1:($3 - $2):(0):{COLOR} with vectors nohead {STROKE}"),
               ([line for line in spans if line[1] < low], f"using ({low + tip}):1:({-tip}):(0):{ARROW}"),
               ([line for line in spans if line[2] > high], f"using ({high - tip}):1:({tip}):(0):{ARROW}"),
               ([(place, row["change"], row["verdict"], 6 + (row["low"] is not None and row["high"] is not None)) for place, row in zip(places, rows)
                 if low <= row["change"] <= high],
                "using 2:1:4:(color(strcol(3))) with points pointtype variable pointsize 0.9 linecolor rgb variable"))
    chart.do("unset label", "unset arrow")


def ends(row):
    return [row["change"] if row[end] is None else row[end] for end in ("low", "high")]


def panel_range(rows):
    """What the panel shows: the threshold on both sides, and all rows but those so far out that they would squash the rest."""
    threshold = 100 * rows[0]["threshold"]
    reach = sorted(max(-min(ends(row)), max(ends(row)), abs(row["change"])) for row in rows)
    most = max(6 * threshold, 1.5 * reach[(len(reach) - 1) // 2])
    shown = [x for row in rows for x in (row["change"], *ends(row)) if abs(x) <= most] + [-threshold, 1.5 * threshold]
    margin = 0.05 * (max(shown) - min(shown))
    return min(shown) - margin, max(shown) + margin

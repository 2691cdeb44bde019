"""For each workload, what share of a call with transfers is upload, kernel and download: of the rung that is fastest so."""
import itertools

import axis
import results
import text
from frame import MARGIN, TEXT_SIZE, WIDTH, Chart

HELP = "transfers", "upload, kernel and download as shares of a call"
PAGE = 6, "What moving data costs", "The time of a whole call in its parts: upload, kernel and download."
LACKING = "no row with transfers says what its parts took"
PARTS = "upload_s", "kernel_s", "download_s"
ROW, BELOW = 64, 30  # pixels; two lines of text stand above each bar
PARTS_MOST = 1.1  # of the call, which does them one after the other
RIGHT = WIDTH - MARGIN - 12

BOXES = (("(50):1:(0):(100)", "color('rest')"), ("(50):1:(0):(100)", "FAINT fillstyle empty border"),
         ("2:1:(0):2", "color('upload')"), ("2:1:2:3", "color('kernel')"), ("3:1:3:4", "color('download')"))
WORDS = ("($2 / 2):($1 + 0.24):5", "ON"), ("(($2 + $3) / 2):($1 + 0.24):6", "ON"), ("(($3 + $4) / 2):($1 + 0.24):7", "INK")


def draw(data):
    rows = [row for workload in data.workloads for mode in filter(results.moves_data, data.modes)
            for row in data.rows(workload, mode) if results.is_bad(row) or (row["best"] and has_parts(row))]
    if any(map(has_parts, rows)):
        yield transfers(data, rows)


def has_parts(row):
    return results.is_timed(row) and all(part in row for part in PARTS)


def transfers(data, rows):
    shares, notes = [], []  # of each: its place, where its parts end, and what stands in them, where it has room
    for place, row in enumerate(rows, 1):
        if has_parts(row):
            parts = shares_of(row)
            shares.append((place, *itertools.accumulate(parts), *(f"{share:.0f} %" if share >= 10 else "" for share in parts)))
            over = "" if sum_of(row) <= PARTS_MOST * row["time_median_s"] else f"; its parts alone {text.duration(sum_of(row))}"
            notes.append(f"{text.duration(row['time_median_s'])}  {results.rung_name(row)}{over}")
        else:
            notes.append(f"{results.bad_word(row)}  {row['variant']}")
    names = [f"{results.name_of(row)}, {row['mode']}" for row in rows]
    chart = Chart("transfers", title_of(rows), "Each workload's fastest rung with transfers, or one of those tied with it, "
                  f"{' and '.join(map(data.device, results.backends(rows)))}" +
                  ("; memory pinned (e2e) or not (e2e_pageable)" if any(row["mode"] == "e2e_pageable" for row in rows) else ", memory pinned"))
    data.alarms(chart, rows)
    for kind, what in (("upload", "upload"), ("kernel", "kernel"), ("download", "download"),
                       ("rest", "neither: the host's calls, and waiting")):
        chart.header(what, kind)
    rounds = data.summary.get("rounds", 1)
    chart.footer(f"Medians of each part, timed by itself{f', over {rounds} rounds' if rounds > 1 else ''}, as shares of the call, or of "
                 "their sum where that is more. How they spread is not shown.")
    shown = {(row["op"], row["workload"], row["mode"]) for row in rows}
    lacking = [results.name_of(workload) for workload in data.workloads for mode in filter(results.moves_data, data.modes)
               if (workload["op"], workload["workload"], mode) not in shown and any(map(has_parts, data.rows(workload, mode)))]
    if lacking:
        chart.footer(f"Left out, since no time there has a rank: {text.listed(list(dict.fromkeys(lacking)), 4)}.")
    remark(chart, rows)
    data.origin(chart)
    chart.area(right=RIGHT)
    chart.range("x", 0, 100)
    chart.range("y", len(rows) + 0.5, 0.5)
    chart.ticks(axis.PER_CENT)
    for i, (row, name, note) in enumerate(zip(rows, names, notes)):
        chart.label(text.squeeze(name, WIDTH - 2 * MARGIN, TEXT_SIZE, mono=True), MARGIN, f"top + {i * ROW + 10}", font="CODE")
        chart.label(note, MARGIN, f"top + {i * ROW + 26}", font="SMALL", color="FAINT" if has_parts(row) else "ALARM")
    chart.plot(*((shares, f"using {cells}:($1 + 0.08):($1 + 0.4) with boxxyerror linecolor rgb {color}") for cells, color in BOXES),
               *((shares, f"using {cells} with labels noenhanced font SMALL textcolor rgb {color}") for cells, color in WORDS))
    return chart.finish(len(rows) * ROW, 6, BELOW)


def sum_of(row):
    return sum(row[part] for part in PARTS)


def shares_of(row):
    """In per cent."""
    whole = max(row["time_median_s"], sum_of(row))
    return [100 * row[part] / whole for part in PARTS]


def title_of(rows):
    """Of calls that take as long as their parts, which are timed by themselves."""
    whole = [row for row in rows if has_parts(row) and sum_of(row) <= PARTS_MOST * row["time_median_s"]]
    moved = [upload + download for upload, _, download in map(shares_of, whole)]
    if not moved:
        return "No call takes as long as its parts do by themselves"
    ends = dict.fromkeys(text.per_cent(share) for share in (min(moved), max(moved)))
    return f"Upload and download take {' to '.join(ends)} of {'the' if len(moved) == 1 else 'a'} call"


def remark(chart, rows):
    """Memory that is not pinned is copied twice; that it takes longer or shorter is said where the spreads are apart."""
    known = {(results.name_of(row), row["mode"]): row for row in rows if has_parts(row)}
    pairs = [(known[name, "e2e_pageable"], row) for (name, mode), row in known.items() if mode == "e2e" and (name, "e2e_pageable") in known]
    ratios = [(other["time_median_s"] / row["time_median_s"], results.name_of(row)) for other, row in pairs if are_apart(other, row)]
    if ratios and min(ratios)[0] < 1:
        chart.remark(f"Pinned memory is no gain everywhere: without it {min(ratios)[1]} takes {text.figures(min(ratios)[0])} times the time.")
    if ratios and max(ratios)[0] > 1.2:
        chart.remark(f"Without pinned memory the driver copies the data once more: up to {text.figures(max(ratios)[0])} times the time "
                     f"({max(ratios)[1]}).")


def are_apart(a, b):
    return "low_s" in a and "low_s" in b and (a["low_s"] > b["high_s"] or b["low_s"] > a["high_s"])

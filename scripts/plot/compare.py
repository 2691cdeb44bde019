"""Two results files: for each workload and mode that both have, how many times as fast each rung is in the second."""
import os

import panels
import results
import summary
import text
from results import Results

# What may explain a ratio beside the code, by column of the rows.
DIFFERENCES = (("input", "input"), ("device", "device"), ("threads", "threads"), ("driver_version", "driver"), ("cuda_version", "CUDA"),
               ("blas_version", "BLAS"), ("sm_clock_set_mhz", "set clock in MHz"), ("sm_clock_mhz", "clock in MHz"),
               ("power_limit_w", "power limit in W"), ("governor", "governor"), ("affinity", "affinity"), ("git_rev", "revision"))


def draw(path_a, path_b):
    """The charts, and what was left out with its cause."""
    a, b = (Results(summary.load_to_draw(path)) for path in (path_a, path_b))
    names = [os.fsencode(os.path.basename(path)).decode(errors="replace") for path in (path_a, path_b)]
    drawn, left_out = [], []
    others = {results.name_of(workload): workload for workload in b.workloads}
    for workload in a.workloads:
        other = others.get(results.name_of(workload))
        for mode in a.modes if other else ():
            stem = f"compare-{workload['op']}-{workload['workload']}-{mode}"
            rows = a.rows(workload, mode), b.rows(other, mode)
            both = {row["variant"] for row in rows[0]} & {row["variant"] for row in rows[1]}
            if not both:
                left_out += [(stem, "no row in common")] if any(rows) else []
            elif workload.get("shape") != other.get("shape"):
                left_out.append((stem, f"different shapes: {workload.get('shape')} and {other.get('shape')}"))
            else:
                drawn.append(comparison((a, b), names, workload, mode, rows, stem))
    return drawn, left_out


def comparison(data, names, workload, mode, rows, stem):
    sides = [{row["variant"]: row for row in side} for side in rows]
    rungs = {row["variant"]: row for row in sorted((*rows[0], *rows[1]), key=lambda row: row["order"])}
    both = {variant: row for variant, row in rungs.items() if all(variant in side for side in sides)}
    panel = panels.Panel("B is so many times as fast as A, log", unit="×")
    ratios = {}
    for variant, row in both.items():
        pair = [side[variant] for side in sides]
        place = panel.row(results.rung_name(row))
        ratio = ratios[variant] = ratio_of(*pair)
        if isinstance(ratio, str):
            panel.values.append((place, ratio, "ALARM" if any(row and results.is_bad(row) for row in pair) else "INK"))
        else:
            panel.dot(place, *ratio, row["backend"], f"{exact(ratio[0])}×")
    panel.compare()
    chart = data[0].chart(stem, title_of(ratios), workload, mode)
    for letter, name, side in zip("AB", names, data):
        day = side.summary.get("timestamp", "")[:10]
        machine = text.listed(dict.fromkeys(d.get("device") or "an unknown device" for d in side.summary["devices"]))
        chart.header(f"{letter}: {name}, {machine}" + (f", {day}" if day else ""))
    for backend in results.backends(both.values()):
        chart.header(backend, backend)
    for side in rows:
        data[0].alarms(chart, side)
    chart.footer("Dots: A's median time over B's; whiskers: where that may lie, by " +
                 " and ".join(dict.fromkeys(side.spread() for side in data)) + " of both.")
    for letter, side in zip("AB", sides):
        alone = [results.rung_name(row) for variant, row in side.items() if variant not in both]
        if alone:
            chart.footer(f"Only in {letter}: {text.listed(alone, 30)}.")
    chart.remark(differences(rows))
    for letter, side in zip("AB", data):
        chart.footer(f"{letter}: host {side.summary.get('host', 'unknown')}, {text.moment(side.summary.get('timestamp', ''))}, "
                     f"rungbench at {side.summary.get('git_rev', 'unknown')}")
    return panels.draw(chart, [panel])


def ratio_of(a, b):
    """(ratio, low, high), or a text where there is none."""
    bad = [f"{letter} {results.bad_word(row)}" for letter, row in zip("AB", (a, b)) if results.is_bad(row)]
    if bad:
        return ", ".join(bad)
    if not (results.is_timed(a) and results.is_timed(b)) or a.get("precision") != b.get("precision"):
        return "no ratio"
    ratio = a["time_median_s"] / b["time_median_s"]
    if "low_s" in a and "low_s" in b:
        return ratio, a["low_s"] / b["high_s"], a["high_s"] / b["low_s"]
    return ratio, None, None


def exact(x):
    return f"{x:.3f}" if 0.1 <= x < 9.995 else text.figures(x)


def title_of(ratios):
    known = {variant: ratio for variant, ratio in ratios.items() if not isinstance(ratio, str)}
    if not known:
        return "No rung has a time in both files"
    sure = {variant: ratio for variant, ratio in known.items() if ratio[1] is not None}
    changed = {variant: ratio for variant, ratio in sure.items() if not ratio[1] <= 1 <= ratio[2]}
    if sure and not changed:
        return f"None of {text.count(len(known), 'rung')} changed beyond its spread"
    variant, (most, _, _) = max((changed or known).items(), key=lambda item: max(item[1][0], 1 / item[1][0]))
    if not sure:
        return f"B is {exact(most)} times as fast as A with {variant}, of unknown spread"
    return f"{len(changed)} of {text.count(len(known), 'rung')} changed, most of all {variant}: B is {exact(most)} times as fast as A"


def differences(rows):
    """A sentence of all that differs beside the code; empty: nothing does."""
    found = []
    for column, name in DIFFERENCES:
        a, b = (values(side, column) for side in rows)
        if a != b:
            found.append(f"{name} ({text.listed(a, 3) or 'unknown'}; {text.listed(b, 3) or 'unknown'})")
    return f"A and B also differ in {', '.join(found)}." if found else ""


def values(rows, column):
    """Clocks that were measured are told apart in steps of 10 MHz."""
    known = {row[column] for row in rows if column in row and results.is_timed(row)}
    if column == "sm_clock_mhz":
        known = {round(x, -1) for x in known}
        return [f"{min(known):g} to {max(known):g}" if len(known) > 1 else f"{min(known):g}"] if known else []
    return sorted(f"{x:g}" if isinstance(x, (int, float)) else str(x) for x in known)
